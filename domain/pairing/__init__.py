"""Pairing: a cross table in, a round out. Knows no tournament."""
