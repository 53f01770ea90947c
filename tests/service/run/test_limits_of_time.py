"""Limits in time are sent with each connection, and so hold on a server whose roles nobody has altered."""

import asyncio

import psycopg
from psycopg.conninfo import make_conninfo

from service.run.pool import make_pool, options_of
from service.store.roles import TIME_LIMITS


async def shown(url, **more):
    async with make_pool(url, 1, **more) as pool, pool.connection() as connection:
        return {name: (await (await connection.execute(f"show {name}")).fetchone())[0] for name in TIME_LIMITS}


def test_connections_of_an_unaltered_role_have_the_limits(database):
    with psycopg.connect(database.owner_url) as connection:
        bare = {name: connection.execute(f"show {name}").fetchone()[0] for name in TIME_LIMITS}
    assert bare == dict.fromkeys(TIME_LIMITS, "0"), "this login has none of its own"
    assert asyncio.run(shown(database.owner_url)) == dict(TIME_LIMITS)
    assert asyncio.run(shown(database.owner_url, timed=False)) == bare, "a restore is verified for as long as it takes"


def test_limits_of_the_url_take_precedence(database):
    url = make_conninfo(database.owner_url, options="-c statement_timeout=7s")
    assert asyncio.run(shown(url)) == {**TIME_LIMITS, "statement_timeout": "7s"}


def test_limits_of_the_environment_take_precedence(monkeypatch):
    monkeypatch.setenv("PGOPTIONS", "-c lock_timeout=7s")
    assert options_of("postgresql://x/y").endswith(
        "-c lock_timeout=2s -c idle_in_transaction_session_timeout=10s -c lock_timeout=7s"
    )


def test_readiness_does_not_read_tables_of_clubs(client, database):
    with psycopg.connect(database.owner_url) as connection:
        connection.execute("lock table logs in access exclusive mode")  # as if the machine of a club were away
        assert client.get("/health/ready").status_code == 200
