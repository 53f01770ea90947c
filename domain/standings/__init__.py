"""Standings: results in, an order out. Knows no tournament."""
