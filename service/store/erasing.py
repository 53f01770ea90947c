"""Erasure in the database: private words with the hash that is kept of them, the rows that events list, and their end.

First the events, then the rows: `finish` drops what is listed, as often as it is asked, so that a crash between costs
nothing. What stays of a row stands in the private part of PersonErased; `remains` is made from that."""

import hashlib
from collections.abc import AsyncIterator, Collection, Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias

import msgspec

from domain.club.private_parts import pattern_of
from domain.log.event import JsonObject
from service.store.forgetting import forget_person
from service.store.pool import Connection, Pool

EventAddress: TypeAlias = tuple[str, int]  # stream and version
PAGE: Final = 5000
_WORDS: Final = """select e.stream_id::text, e.version, e.type, e.schema, e.data, e.actor, e.recorded_at, e.log = 1,
    p.salt, p.data
from private p join events e using (club_id, stream_id, version)
where p.club_id = %s and p.data <> 'null' and (p.stream_id, p.version) > (%s::uuid, %s)
order by p.stream_id, p.version limit %s"""
_LEFT: Final = """select e.stream_id::text, e.version, e.type, e.schema, e.data, e.actor, e.recorded_at,
    e.log = 1, ''::bytea, r.data
from remains r join events e using (club_id, stream_id, version) where r.club_id = %s"""
_LISTED: Final = """(select e.club_id, (l.value ->> 0)::uuid as stream_id, (l.value ->> 1)::integer as version
    from events e cross join lateral jsonb_array_elements(e.data::jsonb -> 'rows') as l
    where e.type = 'PersonErased' and e.club_id = e.stream_id and e.club_id = %s) as listed"""
_NAMES: Final = f"""select p.data from private p join events e using (club_id, stream_id, version)
join {_LISTED} using (club_id, stream_id, version) where e.type in ('PlayerRegistered', 'PlayerRenamed')"""  # noqa: S608  # fixed words
_DROP: Final = f"""delete from private p using {_LISTED}
where (p.club_id, p.stream_id, p.version) = (listed.club_id, listed.stream_id, listed.version)"""  # noqa: S608  # fixed words
_PERSONS: Final = """select distinct data::jsonb ->> 'person' from events
where club_id = %s and stream_id = %s and type = 'PersonErased'"""
_KEPT: Final = """select e.version, p.salt, p.data from events e join private p using (club_id, stream_id, version)
where e.club_id = %s and e.stream_id = %s and e.type = 'PersonErased' order by e.version"""
_FREE: Final = """select stream_id::text, version, type, coalesce(device, ''), data, command_id from events
where club_id = %(club)s and (type = any(%(types)s) and data ilike any(%(like)s) or device ilike any(%(like)s)
    or command_id ilike any(%(like)s)) order by log, position limit %(limit)s"""
_MATCHES: Final = """select stream_id::text from events
where club_id = %s and version = 1 and type = 'MatchOpened' and data like any(%s) order by position"""
_DISPUTED: Final = """select distinct stream_id::text from events where club_id = %s and type = any(%s)"""


class WordsRow(msgspec.Struct, frozen=True):
    """A private part: its event, when and by whom it was recorded, whether in the closed log, and its inner hash (hex),
    but for what stays of a row that is gone."""

    stream: str
    version: int
    type: str
    schema: int
    data: str
    actor: str | None
    at: datetime
    inner: str
    private: JsonObject
    closed: bool = False

    @property
    def place(self) -> EventAddress:
        """The stream and the version where it stands."""
        return self.stream, self.version


class KeptRow(msgspec.Struct, frozen=True):
    """The private part of an event PersonErased: its version and inner hash, and what stays of which rows."""

    version: int
    inner: str
    kept: Mapping[EventAddress, JsonObject]


class PublicRow(msgspec.Struct, frozen=True):
    """An event whose public part, device or command id holds a name, which cannot be taken out."""

    stream: str
    version: int
    type: str


def inner_hash(salt: bytes, private: str) -> str:
    """The hash that is kept of a private row, in hex: SHA-256(salt ‖ private)."""
    return hashlib.sha256(salt + private.encode()).hexdigest()


def _row(stream: str, version: int, *more: Any) -> WordsRow:
    """A row of `_WORDS`."""
    kind, schema, data, actor, at, closed, salt, text = more
    inner, private = inner_hash(bytes(salt), text), msgspec.json.decode(text)
    return WordsRow(stream, version, kind, schema, data, actor, at, inner, private, closed)


async def words_of(pool: Pool, club: str) -> AsyncIterator[WordsRow]:
    """Every private part of a club that holds words, in both of its logs, page by page."""
    stream, version = "00000000-0000-0000-0000-000000000000", 0
    while True:
        async with pool.connection() as connection:
            rows = await (await connection.execute(_WORDS, [club, stream, version, PAGE])).fetchall()
        for row in rows:
            yield _row(*row)
        if len(rows) < PAGE:
            return
        stream, version = rows[-1][0], rows[-1][1]


async def left_of(pool: Pool, club: str) -> list[WordsRow]:
    """The remains of rows that are gone."""
    async with pool.connection() as connection:
        return [_row(*row) for row in await (await connection.execute(_LEFT, [club])).fetchall()]


async def kept_of(connection: Connection, club: str) -> list[KeptRow]:
    """The private parts of a club's events PersonErased, the oldest first."""
    rows = await (await connection.execute(_KEPT, [club, club])).fetchall()
    return [KeptRow(version, inner_hash(bytes(salt), text), kept_in(text)) for version, salt, text in rows]


def kept_in(text: str) -> dict[EventAddress, JsonObject]:
    """The words kept in the private part of an event PersonErased, by place."""
    private = msgspec.json.decode(text) or {}
    return {(stream, version): words for stream, version, words in private.get("kept", ())}


def newest(rows: Collection[KeptRow]) -> dict[EventAddress, JsonObject]:
    """The remains of each row: the newest event says so."""
    return {place: words for row in sorted(rows, key=lambda row: row.version) for place, words in row.kept.items()}


async def finish(pool: Pool, club: str, forms: Collection[tuple[str, int]]) -> int:
    """Drop every row of a club that is listed and still there, and all else that tells of whom was erased; how many
    rows that were. `forms` are the kept views of today. Nothing is done twice."""
    async with pool.connection() as connection, connection.transaction():
        # one after the other: services that start at once finish the same, and would write the same remains
        await connection.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"erasures {club}"])
        people = [row[0] for row in await (await connection.execute(_PERSONS, [club, club])).fetchall()]
        if not people:
            return 0
        told = await (await connection.execute(_NAMES, [club])).fetchall()
        names = {str((msgspec.json.decode(text) or {}).get("name") or "") for (text,) in told}
        await forget_person(connection, club, people, pattern_of(names), forms)
        dropped = (await connection.execute(_DROP, [club])).rowcount
        stays = newest(await kept_of(connection, club))
        await connection.execute("delete from remains where club_id = %s", [club])
        async with connection.cursor() as cursor:
            await cursor.executemany(
                "insert into remains (club_id, stream_id, version, data) values (%s, %s, %s, %s)",
                [[club, *place, msgspec.json.encode(words).decode()] for place, words in stays.items()],
            )
        await connection.execute("select pg_notify('lurch_erased', %s)", [club])
    return dropped


async def listed_places(pool: Pool, club: str) -> set[EventAddress]:
    """The rows of a club that events list already, whether they are gone or not."""
    statement = f"select stream_id::text, version from {_LISTED}"  # noqa: S608  # fixed words
    async with pool.connection() as connection:
        rows = await (await connection.execute(statement, [club])).fetchall()
    return {(stream, version) for stream, version in rows}


async def clubs_with_erasures(pool: Pool) -> list[str]:
    """The clubs in whose logs somebody was erased."""
    statement = "select distinct club_id::text from events where type = 'PersonErased' and club_id = stream_id"
    async with pool.connection() as connection:
        return [row[0] for row in await (await connection.execute(statement)).fetchall()]


async def public_words(
    pool: Pool, club: str, names: Collection[str], types: Collection[str], limit: int
) -> list[PublicRow]:
    """Events that hold a name where nothing can be taken out: in words of old events, titles, devices, command ids."""
    like = ["%" + each.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_") + "%" for each in names]
    values = {"club": club, "types": list(types), "like": like, "limit": limit}
    async with pool.connection() as connection:
        rows = await (await connection.execute(_FREE, values)).fetchall()
    return [PublicRow(row[0], row[1], row[2]) for row in rows]


async def matches_of(pool: Pool, club: str, ids: Collection[str]) -> list[str]:
    """The matches in which a person sits, by all ids of that person, the oldest first."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_MATCHES, [club, [f'%"{each}"%' for each in ids]])).fetchall()
    return [row[0] for row in rows]


async def streams_with(pool: Pool, club: str, types: Collection[str]) -> list[str]:
    """The streams of a club in which there is an event of these types."""
    async with pool.connection() as connection:
        return [row[0] for row in await (await connection.execute(_DISPUTED, [club, list(types)])).fetchall()]
