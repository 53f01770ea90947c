"""The HTTP API, `/api/v1`."""
