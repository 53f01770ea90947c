"""Tournaments in and out: entries and results as CSV, stages as TRF, whole events as archives; text only, no files."""
