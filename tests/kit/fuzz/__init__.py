"""Readers under bytes that nobody wrote: a harness for each, a kept corpus, and coverage that says what is new."""
