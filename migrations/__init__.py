"""The schema of the log, step by step, as SQL beside each revision."""
