"""The event log on Postgres: append, read, tail."""
