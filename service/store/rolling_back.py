"""Facts recorded since a copy, and the end of every table, in the transaction that puts the copy in their place."""

from collections.abc import Sequence
from typing import Final

import msgspec
from psycopg import sql

from service.store import copying
from service.store.copying import Owner

# with a closed log beside the open one, and (False) as it was before revision 0010
_SINCE_OF_ONE: Final = """select e.stream_id::text, (select b.type from events b
        where b.club_id = %(club)s and b.stream_id = e.stream_id and b.version = 1), count(*)
    from events e where e.club_id = %(club)s and e.position > %(head)s group by 1, 2 order by 3 desc, 1"""
_SINCE: Final = {True: _SINCE_OF_ONE.replace(" group by", " and e.log = %(log)s group by"), False: _SINCE_OF_ONE}
_HASH_OF_ONE: Final = "select encode(hash, 'hex') from events where club_id = %(club)s and position = %(head)s"
_HASH: Final = {True: f"{_HASH_OF_ONE} and log = %(log)s", False: _HASH_OF_ONE}
# of other logins nothing is told but the name and the database; the server's own processes have no name
_OTHERS: Final = """select usename::text, count(*) from pg_stat_activity
    where datname = current_database() and usename is not null and pid <> pg_backend_pid()
        and coalesce(backend_type, 'client backend') = 'client backend'
        and coalesce(application_name, '') <> 'lurch rollback' group by 1 order by 1"""
_ROUTINES: Final = """select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and p.proname like 'lurch\\_%'"""


class RecordedSince(msgspec.Struct, frozen=True):
    """The number of facts recorded in a stream since: its club, its id, the type of its first event."""

    club: str
    stream: str
    begun: str
    facts: int


def others(connection: Owner) -> list[tuple[str, int]]:
    """The others connected to this database: each login with the number of its connections."""
    return connection.execute(_OTHERS).fetchall()


def hold_still(connection: Owner) -> None:
    """From now to the end of this transaction nobody records anything."""
    connection.execute("lock table logs, events in share mode")


def is_of_this_log(connection: Owner, club: str, log: int, head: int, digest: str | None) -> bool:
    """Tells whether the log of a club went through this head."""
    two = copying.has_two_logs(connection)
    row = connection.execute(_HASH[two], {"club": club, "log": log, "head": head}).fetchone()
    return (None if row is None else row[0]) == digest


def recorded_since(connection: Owner, club: str, log: int, head: int) -> list[RecordedSince]:
    """The facts recorded in a log of a club behind a position, by stream, the most first."""
    two = copying.has_two_logs(connection)
    rows = connection.execute(_SINCE[two], {"club": club, "log": log, "head": head})
    return [RecordedSince(club, *row) for row in rows]


def drop_all(connection: Owner) -> None:
    """Every table of ours goes, with the functions that keep them; what is not ours stays."""
    ours: Sequence[str] = sorted(copying.tables(connection) & {*copying.KEPT, *copying.LEFT_OUT})
    names = sql.SQL(", ").join(map(sql.Identifier, ours))
    connection.execute(sql.SQL("drop table {} cascade").format(names))
    for (name,) in connection.execute(_ROUTINES).fetchall():
        connection.execute(sql.SQL("drop function {}").format(sql.SQL(name)))
