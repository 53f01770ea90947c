"""Names of devices: one row a device, beside the log, where a name can be erased."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

from service.store.ids import chance
from service.store.pool import Pool

_MADE: Final = """with made as (
    insert into devices (club_id, id, holder, name, given_at) values (%(club)s, %(id)s, %(holder)s, %(name)s, %(at)s)
    on conflict (club_id, holder) do nothing returning id
)
select id::text from made union all select id::text from devices where club_id = %(club)s and holder = %(holder)s"""


class DeviceRow(msgspec.Struct, frozen=True):
    """A device in the list; an erased name is None too."""

    id: str
    club: str
    name: str | None
    given_at: datetime


async def key_of(pool: Pool, club: str) -> bytes:
    """The key of a club for its devices, made at the first call."""
    read = "select key from device_keys where club_id = %s"
    make = "insert into device_keys (club_id, key) values (%s, %s) on conflict do nothing"
    async with pool.connection() as connection:
        row = await (await connection.execute(read, [club], prepare=True)).fetchone()
        if row is None:
            await connection.execute(make, [club, chance(32)])
            row = await (await connection.execute(read, [club])).fetchone()
    assert row is not None
    return bytes(row[0])


async def id_of(pool: Pool, club: str, holder: bytes) -> str | None:
    """The id of a device; None for a new one."""
    statement = "select id::text from devices where club_id = %s and holder = %s"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [club, holder], prepare=True)).fetchone()
    return None if row is None else row[0]


async def give_id(pool: Pool, club: str, holder: bytes, name: str | None, fresh: str, at: datetime) -> str:
    """The id of a device. A new one gets the fresh id and keeps it."""
    values = {"club": club, "id": fresh, "holder": holder, "name": name, "at": at}
    async with pool.connection() as connection:
        row = None
        while row is None:  # the row of a faster process is seen by the next statement
            row = await (await connection.execute(_MADE, values, prepare=True)).fetchone()
    return str(row[0])


async def names_of(pool: Pool, club: str) -> dict[str, str]:
    """The names of a club's devices by id."""
    statement = "select id::text, name from devices where club_id = %s and name is not null"
    async with pool.connection() as connection:
        return dict(await (await connection.execute(statement, [club], prepare=True)).fetchall())


async def names_by_holder(pool: Pool, club: str, holders: Sequence[bytes]) -> dict[bytes, str]:
    """The names of devices by the mark of whoever holds them."""
    statement = "select holder, name from devices where club_id = %s and holder = any(%s) and name is not null"
    async with pool.connection() as connection:
        rows = await (await connection.execute(statement, [club, list(holders)])).fetchall()
    return {bytes(holder): name for holder, name in rows}


async def all_devices(pool: Pool) -> list[DeviceRow]:
    """The devices of every club, the oldest first."""
    statement = "select id::text, club_id::text, name, given_at from devices order by given_at"
    async with pool.connection() as connection:
        return [DeviceRow(*row) for row in await (await connection.execute(statement)).fetchall()]


async def erase(pool: Pool, device: str) -> bool:
    """Erase the name and the holder of a device; False for an unknown id."""
    statement = "update devices set name = null, holder = null where id = %s returning id"
    async with pool.connection() as connection:
        found = await (await connection.execute(statement, [device])).fetchone() is not None
        await connection.execute("select pg_notify('lurch_tokens', '')")
    return found
