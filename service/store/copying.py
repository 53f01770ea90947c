"""Every row that a copy holds, out of one snapshot and into an empty database, table by table with named columns."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Final, TypeAlias

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from service.store.choices import ERA
from service.store.restored import BECAUSE, HOOKS, RESTORED

Owner: TypeAlias = psycopg.Connection[TupleRow]
# in this order: `private` refers to `events`
KEPT: Final = (
    "logs",
    "events",
    "private",
    "remains",
    "devices",
    "device_keys",
    "tokens",
    "secrets_of_people",
    "languages_of_people",
    "choices",
    "webhooks",
    "pushed_forks",
)
LEFT_OUT: Final = {
    "alembic_version": "the manifest names the revision",
    "views": "made again from the log",
    "checkpoints": "made again from the log",
    "books": "made again from the log",
    "books_results": "made again from the log",
    "books_accounts": "made again from the log",
    "books_ratings": "made again from the log",
    "books_checkpoints": "made again from the log",
    "sign_ins": "ended: whoever has an old one must not come in",
    "sign_in_people": "belongs to sign-ins",
    "invitations": "links that are good once",
    "secret_failures": "of the last hours",
    "door_keys": "codes of tables are made anew",
    "table_doors": "codes of tables are made anew",
    "table_seats": "belongs to sign-ins",
    "table_asks": "belongs to sign-ins",
    "door_tries": "of the last hour",
    "wall_codes": "belongs to sign-ins",
    "case_calls": "of the last hour",
    "leases": "of the processes that run",
    "webhook_deliveries": "the last attempts, to look at",
}
_LOCK: Final = 7_031_984_226  # of who copies, migrates, restores or rolls back: one at a time
_PAUSE: Final = 0.1
_HOLDER: Final = """select a.application_name, to_char(a.backend_start at time zone 'UTC', 'HH24:MI:SS')
    from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and l.classid = %s and l.objid = %s"""
_HEADS: Final = """select l.club_id::text, l.log::int, l.position, encode(e.hash, 'hex') from logs l
    left join events e on (e.club_id, e.log, e.position) = (l.club_id, l.log, l.position) order by 1, 2"""
_HEADS_BEFORE: Final = """select l.club_id::text, 0, l.position, encode(e.hash, 'hex') from logs l
    left join events e on (e.club_id, e.position) = (l.club_id, l.position) order by 1"""  # to revision 0009: one log


class UnderWayError(Exception):
    """Somebody else copies, migrates or restores; the message says who."""


@contextmanager
def alone(owner_url: str, what: str, patience: float = 0) -> Iterator[None]:
    """Be the only one who copies, migrates, restores or rolls back, on a connection that says `what`, after so many
    seconds of waiting at most. Raises UnderWayError."""
    deadline = time.monotonic() + patience
    with psycopg.connect(owner_url, application_name=f"lurch {what}", autocommit=True) as connection:
        while connection.execute("select pg_try_advisory_lock(%s)", [_LOCK]).fetchone() != (True,):
            if time.monotonic() >= deadline:
                raise UnderWayError(_who(connection))
            time.sleep(_PAUSE)
        try:
            yield
        finally:  # said, for a server ends a connection a moment after its client
            with suppress(psycopg.Error):
                connection.execute("select pg_advisory_unlock(%s)", [_LOCK])


def _who(connection: Owner) -> str:
    row = connection.execute(_HOLDER, [_LOCK >> 32, _LOCK & 0xFFFFFFFF]).fetchone()
    who = "something else" if row is None else f"`{row[0]}` since {row[1]} UTC"
    return f"{who} is at work on this database: wait until it has ended"


def tables(connection: Owner) -> set[str]:
    """The tables that there are."""
    rows = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
    return {row[0] for row in rows}


def kept(connection: Owner) -> list[str]:
    """The tables that a copy holds, as far as there are any: a schema of before has fewer."""
    there = tables(connection)
    return [name for name in KEPT if name in there]


@contextmanager
def snapshot(owner_url: str) -> Iterator[Owner]:
    """One moment of the database: nobody changes a table's columns meanwhile, and everybody goes on writing."""
    with psycopg.connect(owner_url, application_name="lurch backup") as connection:
        there = kept(connection)
        connection.rollback()  # what was asked so far is of an earlier moment
        connection.execute("set transaction isolation level repeatable read, read only")
        names = sql.SQL(", ").join(map(sql.Identifier, there))
        connection.execute(sql.SQL("lock table {} in access share mode").format(names))
        yield connection


def heads(connection: Owner) -> list[tuple[str, int, int, str | None]]:
    """Club, log, last position and the hash there, of every log."""
    return connection.execute(_HEADS if has_two_logs(connection) else _HEADS_BEFORE).fetchall()


def has_two_logs(connection: Owner) -> bool:
    """Tells whether clubs have a closed log: they have from revision 0010 on."""
    return "log" in columns(connection, "logs")


def holds_facts(connection: Owner) -> bool:
    """Tells whether anything was recorded: there is something to lose."""
    return connection.execute("select exists (select from events)").fetchone() == (True,)


def counts(connection: Owner) -> dict[str, int]:
    """The rows of each table that a copy holds."""
    found = {}
    for name in kept(connection):
        row = connection.execute(sql.SQL("select count(*) from {}").format(sql.Identifier(name))).fetchone()
        found[name] = row[0] if row else 0
    return found


def columns(connection: Owner, table: str) -> tuple[str, ...]:
    """The columns of a table."""
    asked = """select column_name from information_schema.columns
        where table_schema = 'public' and table_name = %s and is_generated = 'NEVER' order by ordinal_position"""
    return tuple(row[0] for row in connection.execute(asked, [table]))


def rows_of(connection: Owner, table: str, names: Sequence[str]) -> Iterator[bytes]:
    """A table's rows, each a line of COPY."""
    with connection.cursor() as cursor, cursor.copy(_copy(table, names, "to stdout")) as copy:
        for block in copy:
            yield bytes(block)


def put_rows(connection: Owner, table: str, names: Sequence[str], text: bytes) -> int:
    """Lines of COPY into a table; how many rows they were."""
    with connection.cursor() as cursor:
        with cursor.copy(_copy(table, names, "from stdin")) as copy:
            copy.write(text)
        return cursor.rowcount


def _copy(table: str, names: Sequence[str], way: str) -> sql.Composed:
    listed = sql.SQL(", ").join(map(sql.Identifier, names))
    return sql.SQL("copy {} ({}) " + way).format(sql.Identifier(table), listed)


def begin_anew(connection: Owner, era: str, because: str | None) -> None:
    """Ends what must not live again: a token that was revoked since, and `because` of something a webhook that the old
    machine still sends; the era tells followers of the log that its places were given anew. A schema of before may have
    no table for one of them."""
    there = kept(connection)
    connection.execute("update tokens set revoked_at = now() where revoked_at is null")
    if "webhooks" in there and because is not None:
        connection.execute(
            """update webhooks set disabled_at = now(), disabled_because = %s, claimed_until = null, pending = null
            where disabled_at is null""",
            [because],
        )
    if "choices" in there:
        _choose(connection, ERA, era)


def wait_for_the_owner(connection: Owner, waits: bool) -> None:
    """Remember that the old machine may still be there, until the owner says that it is gone; or forget it, where the
    copy was taken while somebody waited."""
    if waits:
        _choose(connection, RESTORED, datetime.now(UTC).isoformat(timespec="seconds"))
    else:
        connection.execute("delete from choices where name = %s", [RESTORED])
        connection.execute(HOOKS, [BECAUSE])


def _choose(connection: Owner, name: str, value: str) -> None:
    connection.execute(
        "insert into choices (name, value) values (%s, %s) on conflict (name) do update set value = excluded.value",
        [name, value],
    )


def about(connection: Owner) -> tuple[str, str]:
    """The schema's revision and the version of PostgreSQL."""
    row = connection.execute("select version_num, current_setting('server_version') from alembic_version").fetchone()
    assert row is not None
    return row[0], row[1]
