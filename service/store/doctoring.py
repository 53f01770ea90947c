"""The questions of a doctor to a database: its clock and the log's, its version, who owns what, and its archive."""

from datetime import datetime

import msgspec
import psycopg

_ASKED = """select clock_timestamp(), current_setting('server_version'),
    (select max(e.recorded_at) from logs l join events e
        on (e.club_id, e.log, e.position) = (l.club_id, l.log, l.position))"""
_ARCHIVE = """select current_setting('archive_mode') <> 'off', last_archived_time, last_failed_time, last_failed_wal
    from pg_stat_archiver"""
_OWNS = "select pg_has_role(tableowner, 'member') from pg_tables where schemaname = 'public' and tablename = 'events'"


class Vitals(msgspec.Struct, frozen=True):
    """The clock of the server, its version, when the last events of the logs were recorded, and whether the service's
    login owns the log."""

    clock: datetime
    version: str
    last: datetime | None
    owns: bool


class Archive(msgspec.Struct, frozen=True):
    """PostgreSQL's own archive of its write-ahead log: whether it is on, when it last kept a file, and when it last
    failed to keep which."""

    on: bool
    kept: datetime | None
    failed: datetime | None
    file: str | None


def archive(owner_url: str) -> Archive:
    """Raises psycopg.Error."""
    with psycopg.connect(owner_url, application_name="lurch doctor", connect_timeout=5) as connection:
        row = connection.execute(_ARCHIVE).fetchone()
    assert row is not None
    return Archive(*row)


def vitals(owner_url: str, url: str) -> Vitals:
    """Raises psycopg.Error."""
    with psycopg.connect(owner_url, application_name="lurch doctor", connect_timeout=5) as connection:
        row = connection.execute(_ASKED).fetchone()
    with psycopg.connect(url, application_name="lurch doctor", connect_timeout=5) as connection:
        owned = connection.execute(_OWNS).fetchone()
    assert row is not None
    return Vitals(row[0], row[1], row[2], owned is not None and bool(owned[0]))


def most_connections(url: str) -> int:
    """The number of connections that the server takes. Raises psycopg.Error."""
    with psycopg.connect(url) as connection:
        row = connection.execute("show max_connections").fetchone()
    return int(row[0]) if row else 0
