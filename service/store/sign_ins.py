"""Sign-ins of people: entered in a browser, listed, ended. A browser holds one person in each of several clubs."""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from service.store.pool import Connection, Pool
from service.store.tokens import digest

SIGN_IN_DAYS: Final = 90  # renewed by use
_LISTED: Final = """select sign_ins.id, people.club_id::text, player::text, people.created_at, last_used
    from sign_in_people as people join sign_ins using (hash) where people.club_id = %s
    and player = any(%s::uuid[]) and not one_time and expires_at > now() order by last_used desc nulls last, 4 desc"""
_OWNERS: Final = """select id, null, null, created_at, last_used from sign_ins
    where role = 'owner' and club_id is null and not one_time and expires_at > now()
    order by last_used desc nulls last, created_at desc"""
EMPTY: Final = """delete from sign_ins where hash = any(%s) and role = 'spectator'
    and not exists (select from sign_in_people as people where people.hash = sign_ins.hash)
    and not exists (select from table_seats as seats where seats.hash = sign_ins.hash
        and ended_at is null and good_until > now())"""


class SignInRow(msgspec.Struct, frozen=True):
    """A device that is signed in: of a person, or (without a club) as the owner."""

    id: str
    club: str | None
    person: str | None
    since: datetime
    last_used: datetime | None

    @property
    def holder(self) -> str:
        """The name under which its device is found."""
        return f"sign-in {self.id}"


class NewSignIn(msgspec.Struct, frozen=True):
    """A browser's sign-in with its new secret."""

    cookie: str
    id: str


async def enter(connection: Connection, earlier: str | None, moment: datetime) -> NewSignIn:
    """A browser's sign-in under a new secret: the one it has, with all that it holds, else a new one that holds
    nothing. A secret that somebody planted is good no more."""
    cookie = secrets.token_urlsafe(32)
    until = moment + timedelta(days=SIGN_IN_DAYS)
    await connection.execute("delete from sign_ins where expires_at < %s", [moment])
    row = None
    if earlier:
        cursor = await connection.execute(
            "update sign_ins set hash = %s, last_used = %s, expires_at = %s where hash = %s and not one_time"
            " returning id",
            [digest(cookie), moment, until, digest(earlier)],
        )
        row = await cursor.fetchone()
    if row is None:
        cursor = await connection.execute(
            "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at, last_used)"
            " values (%s, null, 'spectator', '', false, %s, %s, %s) returning id",
            [digest(cookie), moment, until, moment],
        )
        row = await cursor.fetchone()
    assert row is not None
    return NewSignIn(cookie, row[0])


async def add_person(connection: Connection, cookie: str, club: str, person: str, moment: datetime) -> None:
    """A person signs in here, in the place of another of that club; heard in every process."""
    await connection.execute(
        "insert into sign_in_people (hash, club_id, player, created_at) values (%s, %s, %s, %s)"
        " on conflict (hash, club_id) do update set player = excluded.player, created_at = excluded.created_at",
        [digest(cookie), club, person, moment],
    )
    await connection.execute("select pg_notify('lurch_tokens', '')")


async def sign_in(pool: Pool, earlier: str | None, club: str, person: str) -> NewSignIn:
    """Sign a person in."""
    moment = datetime.now(UTC)
    async with pool.connection() as connection, connection.transaction():
        entered = await enter(connection, earlier, moment)
        await add_person(connection, entered.cookie, club, person, moment)
    return entered


async def devices_of(pool: Pool, club: str, people: Sequence[str]) -> list[SignInRow]:
    """The devices on which a person (all ids) has signed in, the last used one first."""
    async with pool.connection() as connection:
        rows = await (await connection.execute(_LISTED, [club, list(people)])).fetchall()
    return [SignInRow(*row) for row in rows]


async def owners_devices(pool: Pool) -> list[SignInRow]:
    """The devices that are signed in as the owner."""
    async with pool.connection() as connection:
        return [SignInRow(*row) for row in await (await connection.execute(_OWNERS)).fetchall()]


async def end_device(pool: Pool, club: str, people: Sequence[str], device: str) -> bool:
    """End what a person has on one device; False where there is nothing. What else it holds stays."""
    async with pool.connection() as connection, connection.transaction():
        cursor = await connection.execute(
            "delete from sign_in_people as people using sign_ins where people.hash = sign_ins.hash"
            " and sign_ins.id = %s and people.club_id = %s and player = any(%s::uuid[]) returning people.hash",
            [device, club, list(people)],
        )
        return await _ended(connection, [row[0] for row in await cursor.fetchall()])


async def end_owner(pool: Pool, device: str) -> bool:
    """End what the owner has on one device; False where there is nothing. People who signed in there stay."""
    async with pool.connection() as connection, connection.transaction():
        cursor = await connection.execute(
            "update sign_ins set role = 'spectator', name = '' where id = %s and role = 'owner' and club_id is null"
            " and not one_time returning hash",
            [device],
        )
        return await _ended(connection, [row[0] for row in await cursor.fetchall()])


async def _ended(connection: Connection, hashes: list[bytes]) -> bool:
    """Forget sign-ins that hold nothing any more, in every process."""
    if hashes:
        await connection.execute(EMPTY, [hashes])
        await connection.execute("select pg_notify('lurch_tokens', '')")
    return bool(hashes)
