"""Fuzzing of the readers: a harness per reader, a kept corpus and coverage guidance."""
