"""The open log in stretches: one row for each stream, with an event a line; the fastest way to fold many streams."""

from collections.abc import Sequence
from typing import Final

import msgspec
from psycopg.rows import TupleRow

from projections.projection import EventStretch
from service.store.log import read_line
from service.store.pool import Connection, Parameter
from service.store.turns import Turns

_GATHERED: Final = """
select stream_id::text, min(version), max(version), min(recorded_at), max(recorded_at), max(position),
       string_agg(type || '/' || schema || ' ' || data, e'\\n' order by version),
       case when count(*) <> max(version) - min(version) + 1 then array_agg(version order by version) end
from ({}) as chosen group by stream_id"""
_CHOSEN: Final = """select stream_id, version, position, type, schema, data, recorded_at from events
    where club_id = %s and log = 0"""
_PAGE: Final = _GATHERED.format(_CHOSEN + " and position > %s and position <= %s order by position limit %s")
_BEFORE: Final = _GATHERED.format(_CHOSEN + " and stream_id = %s and version < %s")
_UPTO: Final = _GATHERED.format(_CHOSEN + " and stream_id = any(%s::uuid[]) and position <= %s")
_NAMES: Final = """select version, data from private
    where club_id = %(club)s and stream_id = %(club)s and version between %(first)s and %(last)s
union all select version, data from remains
    where club_id = %(club)s and stream_id = %(club)s and version between %(first)s and %(last)s
        and not exists (select from private p where (p.club_id, p.stream_id, p.version)
            = (remains.club_id, remains.stream_id, remains.version))"""


async def read_page(
    connection: Connection, club: str, after: int, upto: int | None, limit: int
) -> tuple[list[EventStretch], int, int]:
    """The next events of a club's log by stream, how many they are, and the position of the last of them."""
    rows = await _rows(connection, _PAGE, [club, after, 2**62 if upto is None else upto, limit])
    stretches, turns = [], Turns()
    for row in rows:
        stretches.append(await _with_names(connection, _stretch(club, row)))
        await turns.give()
    return stretches, sum(len(each.events) for each in stretches), max((row[5] for row in rows), default=after)


async def read_before(connection: Connection, club: str, stream: str, version: int) -> EventStretch | None:
    """A stream up to the event before a version; None when there is nothing."""
    rows = await _rows(connection, _BEFORE, [club, stream, version])
    return await _with_names(connection, _stretch(club, rows[0])) if rows else None


async def read_upto(connection: Connection, club: str, streams: Sequence[str], position: int) -> list[EventStretch]:
    """These streams from their beginning to a position of the log, as far as they had begun by then."""
    rows = await _rows(connection, _UPTO, [club, list(streams), position])
    return [_stretch(club, row) for row in rows]


async def _rows(connection: Connection, statement: str, parameters: Sequence[Parameter]) -> list[TupleRow]:
    cursor = connection.cursor(binary=True)
    await cursor.execute(statement, parameters, prepare=True)
    return await cursor.fetchall()


def _stretch(club: str, row: TupleRow) -> EventStretch:
    """A row of `_GATHERED`: an event a line, for JSON text holds no line break; versions only where they have gaps."""
    stream, first, last, first_at, last_at, _, text, versions = row
    events = map(read_line, text.split("\n"))
    return EventStretch(
        club, stream, tuple(zip(versions or range(first, last + 1), events, strict=True)), first_at, last_at
    )


async def _with_names(connection: Connection, stretch: EventStretch) -> EventStretch:
    """The club's own events with their private parts: kept views hold names."""
    if stretch.stream != stretch.club:
        return stretch
    cursor = await connection.execute(_NAMES, {"club": stretch.club, "first": stretch.first, "last": stretch.last})
    private = {version: msgspec.json.decode(data) or {} for version, data in await cursor.fetchall()}
    return msgspec.structs.replace(stretch, private=private)
