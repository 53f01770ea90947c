"""Running: the application, the server, settings, the embedded PostgreSQL, migration, the pool."""
