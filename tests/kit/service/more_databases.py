"""More databases on a server that runs: a restore into one of them takes no second server."""

import secrets
from contextlib import contextmanager

import psycopg

from service.run.database import Database


@contextmanager
def one_more(database, like="template1"):
    """A database beside another one, of the same owner: empty, or with everything that is in the one of this name."""
    server, name = database.embedded, f"lurch_{secrets.token_hex(4)}"
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {name} owner lurch_owner template {like}")
        try:
            yield Database(server.url("lurch_app", name), server.url("lurch_owner", name))
        finally:
            connection.execute(f"drop database {name} with (force)")
