"""Webhooks: a club's events sent to whoever its owner named, in order, until they have arrived."""
