"""Further databases on a running server, for example as the target of a restore."""

import secrets
from contextlib import contextmanager

import psycopg

from service.run.database import Database


@contextmanager
def one_more(database, like="template1"):
    """Create a database on the server of another one: empty, or a copy of the database named `like`."""
    server, name = database.embedded, f"lurch_{secrets.token_hex(4)}"
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name} owner lurch_owner template {like}")
        try:
            yield Database(server.url("lurch_app", name), server.url("lurch_owner", name))
        finally:
            connection.execute(f"drop database {name} with (force)")
