"""Tournaments in the world: what is asked of them, their matches opened and heard, their files."""
