"""A group of appends as one statement, and what becomes of each of its members where that is refused.

The members stand in one log of one club, in order: one may chain to another of the same stream before it. The statement
takes them all or none.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import psycopg
from psycopg_pool import PoolTimeout, TooManyRequests

from service.store.appending import AppendBatch, Appended, LostRaceError, UnknownClubError, append, check_counts
from service.store.event_rows import as_json
from service.store.filed_batch import FiledBatch, page_of
from service.store.log_sql import KNOWN_KEYS, MANY, PAGE, STANDING
from service.store.pool import Parameters, Pool

AppendResult: TypeAlias = Appended | Exception
Tell: TypeAlias = Callable[[AppendBatch, AppendResult], None]
BEHIND_A_LOSER: Final = "it builds on an append that was not taken"


class Group:
    """Members of one log of one club on their way. `tell` hears what became of each, in order, once that is known."""

    def __init__(self, pool: Pool, tell: Tell) -> None:
        self.pool = pool
        self._tell = tell
        self._failed: set[str] = set()  # streams of which a member was not taken: what builds on it is not either

    async def write(self, members: Sequence[AppendBatch]) -> None:
        """Append all of them; after this every one is told."""
        if len(members) == 1:
            await self._alone(members[0])
            return
        try:
            base = await self._send(members)
        except psycopg.errors.UniqueViolation:
            await self._without_losers(members)
        except (PoolTimeout, TooManyRequests, UnknownClubError) as error:  # nothing was sent, or nobody can be taken
            self._refuse(members, error)
        except psycopg.OperationalError as error:
            await self._after_cut(members, error)
        except Exception:  # one of them cannot be written: it is found, and the others are taken
            await self._halved(members)
        else:
            self._taken(members, base)

    async def _alone(self, member: AppendBatch) -> None:
        """One member by itself, unless what it builds on was not taken."""
        if member.stream in self._failed:
            self._refuse([member], LostRaceError(BEHIND_A_LOSER))
            return
        try:
            self._tell(member, await append(self.pool, member))
        except Exception as error:
            self._refuse([member], error)

    async def _send(self, members: Sequence[AppendBatch]) -> int:
        """The one statement; the position behind which they stand."""
        filed = [each for each in members if isinstance(each, FiledBatch)]
        async with self.pool.connection() as connection:
            if len(filed) == len(members):
                cursor = await connection.execute(PAGE, page_of(filed), prepare=True)
            else:
                cursor = await connection.execute(MANY, together(members), prepare=True)
            row = await cursor.fetchone()
            if row is None:
                raise UnknownClubError(members[0].club)
            base, *counts = row
            check_counts(counts, members)
        return int(base)

    async def _without_losers(self, members: Sequence[AppendBatch]) -> None:
        """Somebody was faster, or a command is in the log already: those are told, the others go as one group; where
        that is refused too, one by one."""
        try:
            standing = await self._standing(members)
        except Exception as error:
            self._refuse(members, error)
            return
        heads: dict[str, int] = {}
        left = []
        for member, (version, known) in zip(members, standing, strict=True):
            head = heads.setdefault(member.stream, version)
            if known or head != member.behind.head.version or member.stream in self._failed:
                self._refuse([member], LostRaceError("heads and keys of a group"))
                continue
            heads[member.stream] = member.version
            left.append(member)
        if not left:
            return
        try:
            base = await self._send(left)
        except psycopg.OperationalError as error:
            await self._after_cut(left, error)
        except Exception:
            for member in left:
                await self._alone(member)
        else:
            self._taken(left, base)

    async def _standing(self, members: Sequence[AppendBatch]) -> list[tuple[int, bool]]:
        """The version at which each member's stream stands, and whether its command is in the log."""
        asked = {
            "club": members[0].club,
            "streams": [each.stream for each in members],
            "commands": [each.command for each in members],
        }
        async with self.pool.connection() as connection:
            rows = await (await connection.execute(STANDING, asked, prepare=True)).fetchall()
        return [(version or 0, known) for version, known in rows]

    async def _after_cut(self, members: Sequence[AppendBatch], error: psycopg.OperationalError) -> None:
        """The connection ended before the answer, or the server could not: whether they stand in the log is asked of
        another connection before anybody is told anything. All of them do, or none."""
        asked = {"club": members[0].club, "commands": [each.command for each in members]}
        try:
            async with self.pool.connection() as connection:
                rows = await (await connection.execute(KNOWN_KEYS, asked)).fetchall()
        except psycopg.Error:
            self._refuse(members, error)
            return
        found = {command: (position, bytes(digest)) for command, position, digest in rows}
        for member in members:
            position, digest = found.get(member.command, (0, b""))
            if digest == member.hashes[1]:
                self._tell(member, member.appended(position - 1))
            else:
                self._refuse([member], LostRaceError("a key of a group") if position else error)

    async def _halved(self, members: Sequence[AppendBatch]) -> None:
        middle = len(members) // 2
        for half in (members[:middle], members[middle:]):
            left = [each for each in half if each.stream not in self._failed]
            self._refuse([each for each in half if each.stream in self._failed], LostRaceError(BEHIND_A_LOSER))
            if left:
                await self.write(left)

    def _taken(self, members: Sequence[AppendBatch], base: int) -> None:
        for member in members:
            self._tell(member, member.appended(base))
            base += member.count

    def _refuse(self, members: Sequence[AppendBatch], error: Exception) -> None:
        for member in members:
            self._failed.add(member.stream)
            self._tell(member, error)


def together(members: Sequence[AppendBatch]) -> Parameters:
    """The values of the one statement."""
    behind = members[0].behind
    events = [row for each in members for row in each.event_rows()]
    private = [row for each in members for row in each.private]
    return {
        "club": behind.club,
        "log": behind.log,
        "n": len(events),
        "events": as_json(events),
        "private": as_json(private),
    }
