"""The rows of leases: taken by raising the number, beaten and given back by the number; an old one changes nothing."""

from typing import Final

import msgspec

from service.store.lease_watch import LeaseRow
from service.store.pool import Parameters, Pool

_READ: Final = "select holder, number, beat from leases where name = %(name)s"
_TAKEN: Final = """insert into leases as held (name, holder, number, beat) values (%(name)s, %(holder)s, 1, 0)
    on conflict (name) do update set holder = excluded.holder, number = held.number + 1, beat = 0
    where held.number = %(number)s and held.beat = %(beat)s
    returning number"""
_BEATEN: Final = "update leases set beat = beat + 1 where name = %(name)s and number = %(number)s"
_GIVEN_BACK: Final = """update leases set holder = null, beat = beat + 1
    where name = %(name)s and number = %(number)s"""


STILL_HELD: Final = """(%(lease)s::text is null
    or exists (select from leases where name = %(lease)s and number = %(lease_number)s))"""


class LeaseLostError(Exception):
    """What a holder wrote was refused: the lease has a newer number."""


class LeaseNumber(msgspec.Struct, frozen=True):
    """The number under which the holder of a lease writes."""

    name: str
    number: int


def carried(lease: LeaseNumber | None) -> Parameters:
    """The parameters of STILL_HELD, which a statement of a holder has among its conditions: without a lease it always
    holds."""
    return (
        {"lease": None, "lease_number": None} if lease is None else {"lease": lease.name, "lease_number": lease.number}
    )


async def read(pool: Pool, name: str) -> LeaseRow | None:
    """The row of a lease; none before it was first taken."""
    async with pool.connection() as connection:
        found = await (await connection.execute(_READ, {"name": name})).fetchone()
    return None if found is None else LeaseRow(*found)


async def holder_of(pool: Pool, name: str) -> str | None:
    """The process that has a lease, as it names itself: its own id and the system's number of it."""
    row = await read(pool, name)
    return None if row is None else row.holder


async def take(pool: Pool, name: str, holder: str, row: LeaseRow | None) -> int | None:
    """Take a lease whose row still is this one; its new number, none where somebody was faster."""
    number, beat = (0, 0) if row is None else (row.number, row.beat)
    parameters = {"name": name, "holder": holder, "number": number, "beat": beat}
    async with pool.connection() as connection:
        found = await (await connection.execute(_TAKEN, parameters)).fetchone()
    return None if found is None else int(found[0])


async def beat(pool: Pool, name: str, number: int) -> bool:
    """Tell that the holder of this number lives; false where there is a newer one."""
    async with pool.connection() as connection:
        return (await connection.execute(_BEATEN, {"name": name, "number": number})).rowcount == 1


async def give_back(pool: Pool, name: str, number: int) -> bool:
    """Let the next one take a lease at once; false where there is a newer number."""
    async with pool.connection() as connection:
        return (await connection.execute(_GIVEN_BACK, {"name": name, "number": number})).rowcount == 1
