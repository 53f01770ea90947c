"""Seats at tables as rows: who came in by a code, on which device; who asks for a name that another device has."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec

from service.store.ids import new_id
from service.store.pool import Connection, Parameters, Pool
from service.store.table_doors import Door

SILENT: Final = timedelta(seconds=30)  # a device that was not heard for so long is replaced at once
PATIENT: Final = timedelta(minutes=10)  # an unanswered question is forgotten
MOST: Final = 12  # devices at one table
PHONE: Final = "a phone"
_SIGN_IN: Final = """insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)
    values (%s, null, 'spectator', %s, false, %s, %s)"""
_AT: Final = """select seats.id::text, seats.match_id::text, seats.player::text, seats.created_at, seats.last_used,
    seats.hash, sign_ins.name from table_seats as seats join sign_ins using (hash)
    where seats.match_id = any(%s::uuid[]) and seats.ended_at is null and seats.good_until > %s
    order by seats.created_at"""
_ASKS: Final = """select asks.id::text, asks.match_id::text, asks.player::text, asks.asked_at, asks.hash
    from table_asks as asks join table_doors as doors using (match_id)
    where asks.match_id = any(%s::uuid[]) and asks.asked_at > %s
    and asks.counter = doors.counter and doors.closed_at is null order by asks.asked_at"""
_LAST: Final = """select distinct on (wanted.seat) wanted.seat::text, found.type, found.recorded_at
    from unnest(%(seats)s::uuid[], %(matches)s::uuid[], %(actors)s::text[]) as wanted (seat, match, actor)
    cross join lateral (select type, recorded_at from events where club_id = %(club)s
        and stream_id = wanted.match and actor = wanted.actor order by version desc limit 1) as found"""


class SeatByCode(msgspec.Struct, frozen=True):
    """A device at a table: the name that was tapped (None: it keeps the score), since when, and heard when last."""

    id: str
    match: str
    player: str | None
    since: datetime
    heard: datetime
    hash: bytes
    device: str

    def silent(self, at: datetime) -> bool:
        """Tells whether the device was not heard for so long that another one may take its place."""
        return at - self.heard >= SILENT


class Ask(msgspec.Struct, frozen=True):
    """A device that asks for a name that another one has."""

    id: str
    match: str
    player: str
    at: datetime
    hash: bytes


class Visitor(msgspec.Struct, frozen=True):
    """A browser that comes in: the hash of its sign-in, and until when that is made for it where it has none."""

    hash: bytes
    fresh_until: datetime | None = None


class NoRoomError(Exception):
    """As many devices as a table may have are in."""


class NoDoorError(Exception):
    """The door was closed, or its code was changed, meanwhile."""


async def come_in(pool: Pool, door: Door, visitor: Visitor, player: str | None, at: datetime) -> SeatByCode | None:
    """Whoever has the place of this device: None where it is in, else the seat of the device that was asked. Raises
    NoDoorError, NoRoomError."""
    async with pool.connection() as connection, connection.transaction():
        await _lock(connection, door, at)
        if visitor.fresh_until is not None:
            await connection.execute(_SIGN_IN, [visitor.hash, PHONE, at, visitor.fresh_until])
        holder = await _holder(connection, door.match, player) if player is not None else None
        if player is not None and holder is not None and holder.hash != visitor.hash and not holder.silent(at):
            await _check_few_ask(connection, door, visitor, at)
            await connection.execute(
                "insert into table_asks (id, hash, club_id, match_id, player, counter, asked_at)"
                " values (%s, %s, %s, %s, %s, %s, %s) on conflict (match_id, hash) do update"
                " set player = excluded.player, counter = excluded.counter, asked_at = excluded.asked_at",
                [new_id(), visitor.hash, door.club, door.match, player, door.counter, at],
            )
            return holder
        await _seat(connection, door, visitor.hash, player, holder, at)
    return None


async def _check_few_ask(connection: Connection, door: Door, visitor: Visitor, at: datetime) -> None:
    """Raises NoRoomError while as many others ask as may be in: whoever has a code fills no lists with it."""
    count = "select count(*) from table_asks where match_id = %s and hash <> %s and asked_at > %s"
    row = await (await connection.execute(count, [door.match, visitor.hash, at - PATIENT])).fetchone()
    if row is not None and row[0] >= MOST:
        raise NoRoomError


async def let_in(pool: Pool, door: Door, ask: Ask, at: datetime) -> None:
    """Let a device in that asked, in the place of the one that has the name. Raises NoDoorError, NoRoomError."""
    async with pool.connection() as connection, connection.transaction():
        await _lock(connection, door, at)
        found = await connection.execute("delete from table_asks where id = %s returning id", [ask.id])
        if await found.fetchone() is not None:
            await _seat(connection, door, ask.hash, ask.player, await _holder(connection, ask.match, ask.player), at)


async def refuse(pool: Pool, ask: Ask) -> None:
    """Do not let a device in: it is told when it asks again."""
    async with pool.connection() as connection:
        await connection.execute("delete from table_asks where id = %s", [ask.id])


async def _lock(connection: Connection, door: Door, at: datetime) -> None:
    """One device after the other at a table. Raises NoDoorError."""
    statement = """select counter from table_doors where match_id = %s and closed_at is null and good_until > %s
        for update"""
    row = await (await connection.execute(statement, [door.match, at])).fetchone()
    if row is None or row[0] != door.counter:
        raise NoDoorError
    await connection.execute(
        "update table_seats set ended_at = good_until, ended_why = 'over'"
        " where match_id = %s and ended_at is null and good_until <= %s",
        [door.match, at],
    )


async def _holder(connection: Connection, match: str, player: str) -> SeatByCode | None:
    rows = await connection.execute(
        "select seats.id::text, match_id::text, player::text, seats.created_at, seats.last_used, hash, name"
        " from table_seats as seats join sign_ins using (hash)"
        " where match_id = %s and player = %s and ended_at is null",
        [match, player],
    )
    row = await rows.fetchone()
    return None if row is None else SeatByCode(*row)


async def _seat(
    connection: Connection, door: Door, hash_: bytes, player: str | None, holder: SeatByCode | None, at: datetime
) -> None:
    """A seat for a device. The one that has the name is replaced; a seat that it has under another name ends."""
    if holder is not None and holder.hash == hash_:
        await connection.execute("update table_seats set last_used = %s where id = %s", [at, holder.id])
        return
    end = "update table_seats set ended_at = %s, ended_why = %s where ended_at is null"
    if holder is not None:
        await connection.execute(f"{end} and id = %s", [at, "replaced", holder.id])
    await connection.execute(f"{end} and match_id = %s and hash = %s", [at, "moved", door.match, hash_])
    count = "select count(*) from table_seats where match_id = %s and ended_at is null"
    row = await (await connection.execute(count, [door.match])).fetchone()
    if row is not None and row[0] >= MOST:
        raise NoRoomError
    await connection.execute("delete from table_asks where match_id = %s and hash = %s", [door.match, hash_])
    await connection.execute(
        "insert into table_seats (id, hash, club_id, match_id, player, counter, created_at, last_used, good_until)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [new_id(), hash_, door.club, door.match, player, door.counter, at, at, door.good_until],
    )
    await connection.execute("select pg_notify('lurch_tokens', '')")


async def at_tables(pool: Pool, matches: Sequence[str], at: datetime) -> list[SeatByCode]:
    """The seats of those who are in at these tables, the first first."""
    async with pool.connection() as connection:
        return [SeatByCode(*row) for row in await (await connection.execute(_AT, [list(matches), at])).fetchall()]


async def asking(pool: Pool, matches: Sequence[str], at: datetime) -> list[Ask]:
    """The asks to come in at these tables."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_ASKS, [list(matches), at - PATIENT])).fetchall()
    return [Ask(*row) for row in rows]


async def throw_out(pool: Pool, match: str, seat: str, at: datetime) -> bool:
    """End a seat; False when there is none of that id at the table."""
    statement = """update table_seats set ended_at = %s, ended_why = 'thrown out'
        where id = %s and match_id = %s and ended_at is null returning id"""
    async with pool.connection() as connection:
        found = await (await connection.execute(statement, [at, seat, match])).fetchone() is not None
        await connection.execute("select pg_notify('lurch_tokens', '')")
    return found


async def heard(pool: Pool, hash_: bytes, match: str, at: datetime) -> None:
    """A device at a table was heard."""
    seldom = timedelta(seconds=3)  # a clock that was put back begins anew
    statement = """update table_seats set last_used = %s
        where match_id = %s and hash = %s and ended_at is null and (last_used < %s or last_used > %s)"""
    async with pool.connection() as connection:
        await connection.execute(statement, [at, match, hash_, at - seldom, at + seldom], prepare=True)


async def why_ended(pool: Pool, hash_: bytes, match: str) -> tuple[str | None, str, datetime] | None:
    """The last seat of a device at a table that has ended: its name, why and when. None while it has one."""
    statement = """select player::text, ended_why, coalesce(ended_at, good_until) from table_seats
        where match_id = %s and hash = %s order by ended_at is null desc, ended_at desc limit 1"""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [match, hash_])).fetchone()
    return None if row is None or row[1] is None else (row[0], row[1], row[2])


async def last_acts(pool: Pool, club: str, seated: Sequence[SeatByCode]) -> dict[str, tuple[str, datetime]]:
    """The last act that each seat recorded at its table: the type of the event, and when."""
    actors = [each.player or each.id for each in seated]
    seats, matches = [each.id for each in seated], [each.match for each in seated]
    values: Parameters = {"club": club, "actors": actors, "seats": seats, "matches": matches}
    async with pool.connection() as connection:
        rows = await (await connection.execute(_LAST, values)).fetchall()
    return {row[0]: (row[1], row[2]) for row in rows}


async def show_on_wall(pool: Pool, hash_: bytes, tournament: str, until: datetime | None) -> None:
    """Switch the codes of a tournament on for a wall's device, until a time, or off (None)."""
    values = [hash_, tournament, until]
    async with pool.connection() as connection:
        if until is None:
            await connection.execute("delete from wall_codes where hash = %s and tournament_id = %s", values[:2])
            return
        await connection.execute(
            "insert into wall_codes (hash, tournament_id, good_until) values (%s, %s, %s)"
            " on conflict (hash, tournament_id) do update set good_until = excluded.good_until",
            values,
        )


async def on_wall(pool: Pool, hash_: bytes, tournament: str, at: datetime) -> bool:
    """Tells whether the codes of a tournament are switched on for a device."""
    statement = "select from wall_codes where hash = %s and tournament_id = %s and good_until > %s"
    async with pool.connection() as connection:
        return await (await connection.execute(statement, [hash_, tournament, at])).fetchone() is not None
