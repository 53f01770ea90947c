"""The changes that the server hands out: who it is, the slot that holds them back, the facts that it has."""

from datetime import datetime
from typing import Final

import msgspec
import psycopg
from psycopg import sql

from service.store.copying import Owner

SLOT: Final = "lurch_changes"
_IDENTITY: Final = "select system_identifier::text, timeline_id from pg_control_system(), pg_control_checkpoint()"
_SLOT: Final = "select wal_status is distinct from 'lost' from pg_replication_slots where slot_name = %s"
_MAKE: Final = "select pg_create_physical_replication_slot(%s, true)"
_DROP: Final = """select pg_drop_replication_slot(slot_name) from pg_replication_slots
    where slot_name = %s and not active"""
_LAST: Final = """select l.club_id::text, l.log::int, l.position, e.stream_id::text, e.version, e.recorded_at
    from logs l join events e on (e.club_id, e.log, e.position) = (l.club_id, l.log, l.position) order by 1, 2"""
_AT: Final = """select club_id::text, log::int, position, stream_id::text, version, recorded_at from events
    where club_id = %s and log = %s and position = %s"""


class Placed(msgspec.Struct, frozen=True):
    """A fact and where it stands: the place in the log of its club, its stream and version there, when it was
    recorded."""

    club: str
    log: int
    position: int
    stream: str
    version: int
    at: datetime


def identity(superuser_url: str) -> tuple[str, int]:
    """The number that this server was made with, and its timeline, which a restore to a moment raises."""
    with psycopg.connect(superuser_url) as connection:
        row = connection.execute(_IDENTITY).fetchone()
    assert row is not None
    return row[0], row[1]


def is_held(superuser_url: str) -> bool:
    """Tells whether every change since the last one received is still there."""
    with psycopg.connect(superuser_url) as connection:
        return connection.execute(_SLOT, [SLOT]).fetchone() == (True,)


def hold(superuser_url: str) -> None:
    """Hold changes back from now on, until they are received."""
    with psycopg.connect(superuser_url) as connection:
        connection.execute(_MAKE, [SLOT])


def let_go(superuser_url: str) -> None:
    """Hold nothing back any more."""
    with psycopg.connect(superuser_url) as connection:
        connection.execute(_DROP, [SLOT])


def new_password(role: str, password: str) -> str:
    """The statement that gives a role a password."""
    return sql.SQL("alter role {} password {}").format(sql.Identifier(role), sql.Literal(password)).as_string(None)


def last_facts(connection: Owner) -> list[Placed]:
    """The last fact of each log of each club."""
    return [Placed(*row) for row in connection.execute(_LAST)]


def fact_at(connection: Owner, club: str, log: int, position: int) -> Placed | None:
    """The fact at a place in a log."""
    row = connection.execute(_AT, [club, log, position]).fetchone()
    return None if row is None else Placed(*row)
