"""Scenes that make every write of the API at least once, and record the answers."""
