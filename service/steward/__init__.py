"""The steward, a process manager: opens the matches of pairings and reports their ends."""
