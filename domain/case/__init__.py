"""Cases: what is heard, by whom, and how it ended; pure like everything in the domain. What changes a score is in the
match."""
