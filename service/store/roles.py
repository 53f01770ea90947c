"""Roles of the database: migrations own, the service may only append; made on a server of our own, checked on any."""

from typing import Final

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from service.store.pool import Pool

TIME_LIMITS: Final = {
    "statement_timeout": "10s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
}

GRANTS = (
    "grant usage on schema public to {}",
    "grant select, insert on events to {}",
    "grant select, insert, update on logs to {}",
    "grant select, insert, delete on private to {}",
    "grant select, insert, update, delete on views, checkpoints, tokens, sign_ins to {}",
    "grant select, insert, update, delete on webhooks, webhook_deliveries to {}",
    "grant select, insert, update, delete on sign_in_people, table_seats to {}",
    "grant select, insert, update, delete on invitations, secrets_of_people, secret_failures, choices to {}",
    "grant select, insert, update on devices to {}",
    "grant select, insert on device_keys, door_keys to {}",
    "grant select, insert, update, delete on sign_in_people, table_seats to {}",
    "grant select, insert, update on table_doors to {}",
    "grant select, insert, update, delete on table_asks, door_tries, wall_codes to {}",
    "grant select, insert, update, delete on remains to {}",
    "grant select, insert, delete on case_calls to {}",
    "grant select, insert, update, delete on languages_of_people to {}",
    "grant select, insert, update, delete on books, books_results, books_accounts to {}",
    "grant select, insert, update, delete on books_ratings, books_checkpoints to {}",
    "grant select, insert, update on leases to {}",
    "grant select, insert, delete on pushed_forks to {}",
    "grant select on alembic_version to {}",
)


def prepare(superuser_url: str, owner_password: str, app_password: str) -> None:
    """Make the roles and the database, or bring their passwords up to date; again does no harm."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        _make_role(connection, "lurch_owner", owner_password)
        _make_role(connection, "lurch_app", app_password)
        for name, value in TIME_LIMITS.items():  # the owner waits for a running migration: none for it
            setting = sql.SQL("alter role lurch_app set {} = {}").format(sql.Identifier(name), sql.Literal(value))
            connection.execute(setting)
        if not connection.execute("select 1 from pg_database where datname = 'lurch'").fetchone():
            connection.execute("create database lurch owner lurch_owner")
        connection.execute("revoke all on database lurch from public")
        connection.execute("grant connect on database lurch to lurch_app")


def _make_role(connection: psycopg.Connection[TupleRow], role: str, password: str) -> None:
    known = connection.execute("select 1 from pg_roles where rolname = %s", [role]).fetchone()
    verb = sql.SQL("alter" if known else "create")
    statement = sql.SQL("{} role {} login password {}").format(verb, sql.Identifier(role), sql.Literal(password))
    connection.execute(statement)


def revisions(owner_url: str) -> set[str]:
    """The revisions of the schema that the database is at; none before the first migration."""
    with psycopg.connect(owner_url) as connection:
        if connection.execute("select to_regclass('alembic_version') is null").fetchone() == (True,):
            return set()
        return {row[0] for row in connection.execute("select version_num from alembic_version")}


def grant(owner_url: str, login: str) -> None:
    """Let another login do what the service does, and no more."""
    with psycopg.connect(owner_url) as connection:
        for statement in GRANTS:
            connection.execute(sql.SQL(statement).format(sql.Identifier(login)))


async def owns_log(pool: Pool) -> bool:
    """Ask if this login owns the log, and so could drop the triggers that protect it."""
    statement = "select pg_has_role(tableowner, 'member') from pg_tables where tablename = 'events'"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement)).fetchone()
    return bool(row and row[0])
