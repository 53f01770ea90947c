"""The audit: what the record proves about what happened at the table."""
