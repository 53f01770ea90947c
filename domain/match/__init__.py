"""One match at one table: its events, its state, what may be recorded, and the race to the target."""
