"""Passwords and PINs of people, as hashes, and the wrong ones that were tried."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

import msgspec

from service.store.pool import Connection, Pool

Kind: TypeAlias = Literal["password", "pin"]
LONGEST_WAIT: Final = 60.0  # seconds
REMEMBERED: Final = timedelta(hours=1)
AHEAD: Final = timedelta(minutes=1)  # of a time further to come is only what a clock counted that has been put back
MOST_WRONG_PINS: Final = 10  # in an hour, over all devices
_TRIED: Final = """select count(*), max(at) from secret_failures
    where whom = %s and kind = %s and device = %s and at > %s and not cleared"""


class Secrets(msgspec.Struct, frozen=True):
    """The secrets that a person signs in with: hashes, and since when PINs are off."""

    password: str | None = None
    pin: str | None = None
    pins_off_at: datetime | None = None


class Try(msgspec.Struct, frozen=True):
    """A password or PIN that is being looked at: whose it should be, on which device; `wait` where it may not be
    looked at yet (seconds)."""

    kind: Kind
    whom: bytes
    device: bytes
    number: int = 0
    wait: float = 0.0


def mark(*parts: str) -> bytes:
    """A mark of a person or a device: wrong secrets are counted under it, and it says no name."""
    return hashlib.sha256("\0".join(parts).encode()).digest()


async def read(pool: Pool, club: str, person: str) -> Secrets:
    """The secrets that a person signs in with."""
    statement = "select password, pin, pins_off_at from secrets_of_people where club_id = %s and player = %s"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, person])).fetchone()
    return Secrets() if row is None else Secrets(*row)


async def write(pool: Pool, club: str, person: str, kind: Kind, hashed: str | None) -> None:
    """Set a password or PIN, or (None) take it away; a new PIN is on."""
    rest = ", pins_off_at = null" if kind == "pin" else ""
    async with pool.connection() as connection:
        await connection.execute(
            f"insert into secrets_of_people (club_id, player, {kind}) values (%s, %s, %s)"  # noqa: S608  # two words
            f" on conflict (club_id, player) do update set {kind} = excluded.{kind}{rest}",
            [club, person, hashed],
        )
        if kind == "pin":
            await _forget_wrong_pins(connection, club, person)


async def turn_on(pool: Pool, club: str, person: str) -> None:
    """Turn PINs of a person on again."""
    async with pool.connection() as connection:
        await connection.execute(
            "update secrets_of_people set pins_off_at = null where club_id = %s and player = %s", [club, person]
        )
        await _forget_wrong_pins(connection, club, person)


async def _forget_wrong_pins(connection: Connection, club: str, person: str) -> None:
    """The count over all devices begins again; a device that is delayed stays so."""
    await connection.execute(
        "update secret_failures set wrong = false where whom = %s and kind = 'pin'", [mark(club, person)]
    )


async def begin(pool: Pool, kind: Kind, whom: bytes, device: bytes) -> Try:
    """Begin to look at a password or PIN. It counts as wrong until it is found right, so that many that come at once
    are not looked at side by side."""
    moment = datetime.now(UTC)
    tried = Try(kind, whom, device)
    async with pool.connection() as connection, connection.transaction():
        await _alone(connection, whom)
        await connection.execute(
            "delete from secret_failures where at < %s or at > %s", [moment - REMEMBERED, moment + AHEAD]
        )
        row = await (await connection.execute(_TRIED, [whom, kind, device, moment - REMEMBERED])).fetchone()
        assert row is not None
        count, last = row
        if count:
            wait = min(LONGEST_WAIT, 2.0 ** min(count - 1, 6)) - (moment - last).total_seconds()
            if wait > 0:
                return msgspec.structs.replace(tried, wait=wait)
        cursor = await connection.execute(
            "insert into secret_failures (whom, device, kind, at, wrong, cleared)"
            " values (%s, %s, %s, %s, false, false) returning id",
            [whom, device, kind, moment],
        )
        made = await cursor.fetchone()
        assert made is not None
        return msgspec.structs.replace(tried, number=made[0])


async def unheard(pool: Pool, tried: Try) -> None:
    """Forget a try that nobody looked at: it was neither right nor wrong."""
    async with pool.connection() as connection:
        await connection.execute("delete from secret_failures where id = %s", [tried.number])


async def wrong(pool: Pool, tried: Try, club: str | None, person: str | None) -> None:
    """Notes that what was tried is wrong; too many wrong PINs turn those of a person off."""
    moment = datetime.now(UTC)
    async with pool.connection() as connection, connection.transaction():
        await _alone(connection, tried.whom)
        await connection.execute("update secret_failures set wrong = true where id = %s", [tried.number])
        if tried.kind != "pin" or person is None:
            return
        cursor = await connection.execute(
            "select count(*) from secret_failures where whom = %s and kind = 'pin' and wrong and at > %s",
            [tried.whom, moment - REMEMBERED],
        )
        row = await cursor.fetchone()
        if row is not None and row[0] >= MOST_WRONG_PINS:
            await connection.execute(
                "update secrets_of_people set pins_off_at = coalesce(pins_off_at, %s)"
                " where club_id = %s and player = %s",
                [moment, club, person],
            )


async def right(pool: Pool, tried: Try, club: str, person: str) -> bool:
    """Notes that what was tried is right, and clears what was wrong on that device; False where PINs were turned off
    meanwhile."""
    async with pool.connection() as connection, connection.transaction():
        await _alone(connection, tried.whom)
        cursor = await connection.execute(
            "select pins_off_at is null from secrets_of_people where club_id = %s and player = %s", [club, person]
        )
        row = await cursor.fetchone()
        if row is None or (tried.kind == "pin" and not row[0]):
            return False
        await connection.execute(
            "update secret_failures set cleared = true where whom = %s and kind = %s and device = %s",
            [tried.whom, tried.kind, tried.device],
        )
    return True


async def _alone(connection: Connection, whom: bytes) -> None:
    """Wait until nobody else counts for this person; until the transaction ends."""
    await connection.execute("select pg_advisory_xact_lock(hashtextextended(encode(%s, 'hex'), 6))", [whom])
