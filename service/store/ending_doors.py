"""Doors of a person that end: every sign-in, PIN and password, every seat at a table by code, every token. Nothing
brings them back."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from service.store.pool import Connection, Pool
from service.store.sign_ins import EMPTY

_OPEN: Final = """select
    (select count(*) from sign_in_people as own join sign_ins on sign_ins.hash = own.hash
        where own.club_id = %(club)s and player = any(%(players)s::uuid[]) and expires_at > now()),
    (select count(*) from table_seats
        where club_id = %(club)s and player = any(%(players)s::uuid[]) and ended_at is null and good_until > now()),
    (select count(*) from tokens
        where club_id = %(club)s and player = any(%(players)s::uuid[]) and revoked_at is null)"""
_SIGNED_OUT: Final = """delete from sign_in_people
    where club_id = %(club)s and player = any(%(players)s::uuid[]) returning hash"""
_ENDED: Final = (
    """update table_seats set ended_at = %(at)s, ended_why = 'over'
        where club_id = %(club)s and player = any(%(players)s::uuid[]) and ended_at is null""",
    "delete from table_asks where club_id = %(club)s and player = any(%(players)s::uuid[])",
    "delete from invitations where club_id = %(club)s and player = any(%(players)s::uuid[])",
    "delete from secrets_of_people where club_id = %(club)s and player = any(%(players)s::uuid[])",
    """update tokens set revoked_at = %(at)s
        where club_id = %(club)s and player = any(%(players)s::uuid[]) and revoked_at is null""",
)


class OpenDoors(msgspec.Struct, frozen=True):
    """The number of doors of a person that are open: devices that are signed in, seats at tables, tokens."""

    sign_ins: int = 0
    tables: int = 0
    tokens: int = 0


async def open_doors_of(pool: Pool, club: str, players: Sequence[str]) -> OpenDoors:
    """The doors that are open for these ids of a person."""
    async with pool.connection() as connection:
        row = await (await connection.execute(_OPEN, {"club": club, "players": list(players)})).fetchone()
    return OpenDoors(*row) if row else OpenDoors()


async def end_doors_of(connection: Connection, club: str, players: Sequence[str]) -> None:
    """End every door of these ids of a person, in every process."""
    given = {"club": club, "players": list(players), "at": datetime.now(UTC)}
    rows = await (await connection.execute(_SIGNED_OUT, given)).fetchall()
    for statement in _ENDED:
        await connection.execute(statement, given)
    await connection.execute(EMPTY, [[row[0] for row in rows]])
    await connection.execute("select pg_notify('lurch_tokens', '')")
