"""The API under `/api/v1`: a door that parses, calls the desk and answers in JSON."""
