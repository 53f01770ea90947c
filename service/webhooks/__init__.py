"""Webhooks: events of a club sent to addresses that its owner named, in order, until they have arrived."""
