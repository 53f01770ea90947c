"""Schemathesis runs against the API over HTTP, with a club for each role."""
