"""Tournaments: entries, rounds, pairings, standings; pure like everything in the domain."""
