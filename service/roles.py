"""The two roles: migrations own, the service may only append; made on a server of our own, checked on any."""

from typing import Any, Final

import psycopg
from psycopg import sql
from psycopg_pool import AsyncConnectionPool

_APP_LIMITS: Final = {
    "statement_timeout": "10s", "lock_timeout": "2s", "idle_in_transaction_session_timeout": "10s",
}  # fmt: skip


def prepare(superuser_url: str, owner_password: str, app_password: str) -> None:
    """Make the roles and the database, or bring their passwords up to date; again does no harm."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        _make_role(connection, "lurch_owner", owner_password)
        _make_role(connection, "lurch_app", app_password)
        for name, value in _APP_LIMITS.items():  # the owner waits for a running migration: none for it
            setting = sql.SQL("alter role lurch_app set {} = {}").format(sql.Identifier(name), sql.Literal(value))
            connection.execute(setting)
        if not connection.execute("select 1 from pg_database where datname = 'lurch'").fetchone():
            connection.execute("create database lurch owner lurch_owner")
        connection.execute("revoke all on database lurch from public")
        connection.execute("grant connect on database lurch to lurch_app")


def _make_role(connection: psycopg.Connection[Any], role: str, password: str) -> None:
    known = connection.execute("select 1 from pg_roles where rolname = %s", [role]).fetchone()
    verb = sql.SQL("alter" if known else "create")
    statement = sql.SQL("{} role {} login password {}").format(verb, sql.Identifier(role), sql.Literal(password))
    connection.execute(statement)


async def owns_log(pool: AsyncConnectionPool[Any]) -> bool:
    """Whether this login could drop what keeps the log from being changed."""
    statement = "select pg_has_role(tableowner, 'member') from pg_tables where tablename = 'events'"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement)).fetchone()
    return bool(row and row[0])
