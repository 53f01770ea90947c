"""Wrong codes: how many were typed in the last minute decides whether another one is looked at. Rows count, so that
two processes count together; a process remembers only that typing waits, so that a flood costs nothing."""

import asyncio
from datetime import datetime, timedelta
from typing import Final

from service.store.pool import Connection, Pool
from service.store.table_doors import FIND_CODE, Door

MOST: Final = 30  # wrong codes a minute, from anywhere
MOST_EACH: Final = 5  # from one address
WINDOW: Final = timedelta(minutes=1)
KEPT: Final = timedelta(hours=1)
ADDRESSES: Final = 10_000
_TURN: Final = 0x6C75726368  # of the advisory lock: one code is looked at after the other
_COUNT: Final = """with recent as (
        select at, address from door_tries where at > %(from)s and at <= %(to)s order by at desc)
    select (select count(*) from recent), (select at from recent offset %(most)s limit 1),
        (select at from recent where address = %(address)s offset %(each)s limit 1)"""


class TypingWaits(Exception):
    """Too many wrong codes: no code is looked at for so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = max(1, int(seconds + 0.999))


class Guesses:
    """Looks typed codes up, at most so many wrong ones a minute."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._turn = asyncio.Lock()  # a flood waits here, and holds one connection of the pool
        self._closed: datetime | None = None
        self._closed_to: dict[bytes, datetime] = {}

    def check(self, address: bytes, at: datetime) -> None:
        """Raises TypingWaits where it is known already that typing waits."""
        known = (self._closed, self._closed_to.get(address))
        # what ends later than any wait was counted by a clock that has been put back
        until = max((each for each in known if each is not None and each <= at + 2 * WINDOW), default=at)
        if until > at:
            raise TypingWaits((until - at).total_seconds())

    async def typed(self, mark: bytes, address: bytes, at: datetime) -> Door | None:
        """The open door with this code. Raises TypingWaits, for a right code too."""
        self.check(address, at)
        async with self._turn:
            self.check(address, at)
            async with self.pool.connection() as connection, connection.transaction():
                await connection.execute("select pg_advisory_xact_lock(%s)", [_TURN])
                await self._check_rows(connection, address, at)
                row = await (await connection.execute(FIND_CODE, [mark, at], prepare=True)).fetchone()
                if row is None:
                    await connection.execute("insert into door_tries (at, address) values (%s, %s)", [at, address])
                    await connection.execute("delete from door_tries where at < %s", [at - KEPT])
        return None if row is None else Door(*row)

    async def _check_rows(self, connection: Connection, address: bytes, at: datetime) -> None:
        """Raises TypingWaits, and remembers until when."""
        values = {"from": at - WINDOW, "to": at + WINDOW, "address": address, "most": MOST - 1, "each": MOST_EACH - 1}
        row = await (await connection.execute(_COUNT, values, prepare=True)).fetchone()
        assert row is not None
        if row[1] is not None:
            self._closed = row[1] + WINDOW
        if row[2] is not None:
            if len(self._closed_to) > ADDRESSES:
                self._closed_to.clear()
            self._closed_to[address] = row[2] + WINDOW
        self.check(address, at)

    async def lately(self, at: datetime) -> tuple[int, int]:
        """The numbers of wrong codes typed in the last minute, and in the last hour."""
        statement = "select count(*) filter (where at > %s), count(*) from door_tries where at > %s and at <= %s"
        async with self.pool.connection() as connection:
            row = await (await connection.execute(statement, [at - WINDOW, at - KEPT, at + WINDOW])).fetchone()
        assert row is not None
        return row[0], row[1]
