"""Everything that touches the world: the log on Postgres, HTTP, pages, the command line."""

VERSION = "0.1.0"
