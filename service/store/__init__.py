"""The store: every line of SQL, and what reads by it; the pool is handed in."""
