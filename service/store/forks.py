"""Forks that were pushed, kept as they came for the director: beside the log, and never a part of it."""

import re
from collections.abc import Collection
from datetime import datetime
from typing import Final

import msgspec

from service.store.pool import Connection, Pool

MOST: Final = 100  # of a club
BYTES: Final = 200_000_000
_KEEP: Final = """insert into pushed_forks (club_id, id, stream_id, version, source, kept_by, kept_at, data)
select %(club)s, %(id)s, %(stream)s, %(version)s, %(source)s, %(by)s, %(at)s, %(data)s
where (select count(*) from pushed_forks where club_id = %(club)s) < %(most)s
    and (select coalesce(sum(octet_length(data)), 0) from pushed_forks where club_id = %(club)s) < %(bytes)s
on conflict (club_id, id) do nothing"""


class Fork(msgspec.Struct, frozen=True):
    """A kept fork: the stream that parts from the one here, at which version, where it comes from, who brought it."""

    id: str
    stream: str
    version: int
    source: str
    by: str | None
    at: datetime


async def keep(pool: Pool, club: str, fork: Fork, data: str) -> bool:
    """Keep one, once; whether it is there now: a club has room for so many."""
    given = {name: getattr(fork, name) for name in Fork.__struct_fields__}
    async with pool.connection() as connection, connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"forks of {club}"])
        await connection.execute(_KEEP, {**given, "club": club, "data": data, "most": MOST, "bytes": BYTES})
        found = await connection.execute("select 1 from pushed_forks where club_id = %s and id = %s", [club, fork.id])
        return await found.fetchone() is not None


async def kept_forks(pool: Pool, club: str) -> list[Fork]:
    """The forks of a club, the newest first."""
    statement = """select id::text, stream_id::text, version, source, kept_by, kept_at from pushed_forks
        where club_id = %s order by kept_at desc, id"""
    async with pool.connection() as connection:
        return [Fork(*row) for row in await (await connection.execute(statement, [club])).fetchall()]


async def data_of(pool: Pool, club: str, fork: str) -> str | None:
    """What was pushed, as it came."""
    statement = "select data from pushed_forks where club_id = %s and id = %s"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, fork])).fetchone()
    return None if row is None else row[0]


async def drop(pool: Pool, club: str, fork: str) -> None:
    """Throw one away; again it does no harm."""
    async with pool.connection() as connection:
        await connection.execute("delete from pushed_forks where club_id = %s and id = %s", [club, fork])


async def drop_naming(connection: Connection, club: str, ids: Collection[str], name: re.Pattern[str] | None) -> None:
    """Throw those away in which an erased person stands, by an id or by name."""
    rows = await (
        await connection.execute("select id::text, data from pushed_forks where club_id = %s", [club])
    ).fetchall()
    gone = [
        fork for fork, data in rows if any(each in data for each in ids) or (name is not None and name.search(data))
    ]
    await connection.execute("delete from pushed_forks where club_id = %s and id = any(%s::uuid[])", [club, gone])
