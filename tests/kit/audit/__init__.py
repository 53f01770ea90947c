"""Deals that break a rule on purpose, for the audit's tests and campaigns."""
