"""The log as values: events with who acts, their bytes and chain, and how commands are decided. Knows no cards."""
