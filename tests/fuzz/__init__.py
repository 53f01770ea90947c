"""Readers under bytes that nobody wrote."""
