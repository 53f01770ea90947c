"""Streams of another copy of a club: the heads and hashes of what stands here, and the append of what came, as it is.

An append is one statement, as every other is: all streams of a unit stand in the log after it, or none."""

from collections.abc import Iterator, Sequence
from heapq import merge
from typing import Final

import msgspec
import psycopg

from domain.exchange.pushed import CheckedEvent, CheckedStream, PushedEvent, PushedStream
from domain.log.event import instant
from service.store.appending import LostRaceError, UnknownClubError
from service.store.event_rows import EventRow, PrivateRow, as_json
from service.store.log_sql import MANY, OPEN
from service.store.pool import Pool

_HEADS: Final = """
select asked.stream::text, last.version, encode(last.hash, 'hex'), encode(there.hash, 'hex')
from unnest(%(streams)s::uuid[], %(versions)s::int[]) with ordinality as asked (stream, version, ord)
left join lateral (select e.version, e.hash from events e
    where e.club_id = %(club)s and e.stream_id = asked.stream and e.log = 0
    order by e.version desc limit 1) as last on true
left join events there on there.club_id = %(club)s and there.stream_id = asked.stream and there.version = asked.version
    and there.log = 0
order by asked.ord"""
_HASHES: Final = "select hash from events where club_id = %s and stream_id = %s and log = 0 order by version"
_OWN_HEADS: Final = """select distinct on (stream_id) stream_id::text, version, encode(hash, 'hex') from events
where club_id = %(club)s and log = 0 and stream_id <> %(club)s order by stream_id, version desc"""
_ROWS: Final = """select e.version, e.type, e.schema, e.data, e.actor, e.role, e.seat, e.device, e.device_clock,
    e.recorded_at, e.command_id, e.cause, encode(e.fingerprint, 'hex'), encode(e.hash, 'hex'), encode(p.salt, 'hex'),
    p.data
from events e left join private p on p.club_id = %(club)s and (p.stream_id, p.version) = (e.stream_id, e.version)
where e.club_id = %(club)s and e.stream_id = %(stream)s and e.version <= %(upto)s order by e.version"""


class HeadHere(msgspec.Struct, frozen=True):
    """The head of a stream as it stands here, its hash in hex, and the hash here of the version that was asked for; a
    stream that is not in the club's open log has version 0."""

    stream: str
    version: int
    hash: str
    there: str | None


async def heads_here(pool: Pool, club: str, asked: Sequence[tuple[str, int]]) -> list[HeadHere]:
    """The heads of streams in a club, each asked for with a version, in this order."""
    given = {"club": club, "streams": [each[0] for each in asked], "versions": [each[1] for each in asked]}
    async with pool.connection() as connection:
        rows = await (await connection.execute(_HEADS, given)).fetchall()
    return [HeadHere(stream, version or 0, digest or "", there) for stream, version, digest, there in rows]


async def hashes_of(pool: Pool, club: str, stream: str) -> list[bytes]:
    """The hashes of a stream from its first event on; none where it is not in this club."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_HASHES, [club, stream], prepare=True)).fetchall()
    return [bytes(row[0]) for row in rows]


async def own_heads(pool: Pool, club: str) -> list[tuple[str, int, str]]:
    """Every stream of a club's open log but that of the club itself: its last version and the hash of that, in hex."""
    async with pool.connection() as connection:
        found: list[tuple[str, int, str]] = await (await connection.execute(_OWN_HEADS, {"club": club})).fetchall()
        return found


async def stream_to_push(pool: Pool, club: str, stream: str, upto: int) -> PushedStream:
    """A stream as it travels, up to a version."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_ROWS, {"club": club, "stream": stream, "upto": upto})).fetchall()
    names = PushedEvent.__struct_fields__
    events = []
    for row in rows:
        given = dict(zip(names, row, strict=True))
        clock = given["device_clock"]
        given["device_clock"] = None if clock is None else instant(clock)
        given["recorded_at"] = instant(given["recorded_at"])
        events.append(PushedEvent(**given))
    return PushedStream(stream, tuple(events))


def in_turn(streams: Sequence[CheckedStream]) -> Iterator[tuple[str, CheckedEvent]]:
    """The events of several streams in the order of their times, each with its stream: what was said of a match after
    it stands behind it. Of two of one time that which has a cause comes second; those of a stream keep their order."""
    own = [[(stream.stream, each) for each in stream.events] for stream in streams]
    return merge(*own, key=lambda pair: (pair[1].at, pair[1].event.cause is not None))


async def append_pushed(pool: Pool, club: str, streams: Sequence[CheckedStream]) -> None:
    """Append checked events of several streams, as they are. Raises LostRaceError where one of them, or one of their
    commands, is in the log already, and UnknownClubError."""
    pairs = list(in_turn(streams))
    events = [_row(stream, each) for stream, each in pairs]
    private = [
        PrivateRow(stream, each.event.version, each.event.salt or "", each.event.private)
        for stream, each in pairs
        if each.event.private is not None
    ]
    values = {"club": club, "log": OPEN, "n": len(events), "events": as_json(events), "private": as_json(private)}
    try:
        async with pool.connection() as connection:
            row = await (await connection.execute(MANY, values)).fetchone()
            if row is None:
                raise UnknownClubError(club)
            if tuple(row[1:]) != (len(events), len(private)):
                raise psycopg.DataError(f"events and private parts appended: {row[1:]}")
    except psycopg.errors.UniqueViolation as error:
        raise LostRaceError(str(error.diag.constraint_name)) from None


def _row(stream: str, each: CheckedEvent) -> EventRow:
    event = each.event
    return EventRow(
        stream=stream,
        version=event.version,
        type=event.type,
        schema=event.schema,
        data=event.data,
        actor=event.actor,
        role=event.role,
        seat=event.seat,
        device=event.device,
        clock=each.clock,
        at=each.at,
        command=event.command_id,
        place=each.place,
        fingerprint=event.fingerprint,
        cause=event.cause,
        prev_hash=each.previous.hex(),
        hash=event.hash,
    )
