"""The pages: rendered on the server, everything they need vendored."""
