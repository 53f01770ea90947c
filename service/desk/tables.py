"""Doors of tables: the codes of a match, opened when they are first shown, found again, prolonged by what is recorded,
and closed when the match is over."""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec

from domain.club.doors import DoorKey, read_code, read_secret
from domain.log.decider import Refusal
from domain.match.agreement import match_confirmed
from domain.match.state import Match
from service.desk.recording import Recorder
from service.desk.requests import DoneMatch
from service.store import table_doors as rows
from service.store.guesses import Guesses
from service.store.loaded import LoadedMatch
from service.store.pool import Pool
from service.store.table_doors import FIRST, HOURS, Door

AGAIN: Final = timedelta(minutes=1)  # a door is prolonged at most so often
KEPT: Final = 4096


class TableCode(msgspec.Struct, frozen=True):
    """The door of a table with what it shows: the secret of the QR code, and the letters to be typed."""

    door: Door
    secret: str
    code: str


def is_over(match: Match) -> bool:
    """Tells whether a match needs no door any more: it is void, or its result is agreed to."""
    return match.void or match_confirmed(match)


class Tables:
    """The doors of all tables. The time is the recorder's."""

    def __init__(self, pool: Pool, recorder: Recorder) -> None:
        self.pool, self.recorder = pool, recorder
        self.guesses = Guesses(pool)
        self._key: DoorKey | None = None
        self._prolonged: OrderedDict[str, datetime] = OrderedDict()

    def now(self) -> datetime:
        """The time."""
        return self.recorder.clock()

    async def key(self) -> DoorKey:
        """The secret of the service."""
        if self._key is None:
            self._key = DoorKey(await rows.key_of(self.pool))
        return self._key

    async def codes(self, matches: Sequence[LoadedMatch]) -> dict[str, TableCode]:
        """The codes of these matches, each with an open door from now on; of one that is over there is none."""
        at, key = self.now(), await self.key()
        wanted = {each.stream: each for each in matches if not is_over(each.match)}
        found = await rows.open_doors(self.pool, list(wanted), at)
        for stream, loaded in wanted.items():
            if stream not in found:
                until = at + (HOURS if loaded.match.deals else FIRST)
                found[stream] = await rows.open_door(self.pool, key, loaded.club, stream, at, until)
        return {stream: shown(key, door) for stream, door in found.items()}

    async def change(self, loaded: LoadedMatch) -> TableCode:
        """New codes for a table; who came in by the old ones is out. Raises Refusal for a match that is over."""
        found = (await self.codes([loaded])).get(loaded.stream)
        if found is None:
            raise Refusal("misfit", "this match is over, and its table has no code any more")
        key = await self.key()
        return shown(key, await rows.change_code(self.pool, key, found.door, self.now()))

    async def by_secret(self, scanned: str) -> Door | None:
        """The open door whose QR code was scanned."""
        secret = read_secret(scanned)
        if secret is None:
            return None
        return await rows.scanned(self.pool, (await self.key()).mark(secret), self.now())

    async def by_code(self, typed: str, address: str) -> Door | None:
        """The open door whose code was typed. Raises TypingWaits while too many wrong ones were."""
        at, key = self.now(), await self.key()
        whose = key.mark(f"address {address}")
        self.guesses.check(whose, at)
        code = read_code(typed)
        return None if code is None else await self.guesses.typed(key.mark(code), whose, at)

    async def door_of(self, match: str) -> Door | None:
        """The open door of a match, if there is one."""
        return (await rows.open_doors(self.pool, [match], self.now())).get(match)

    async def recorded(self, done: DoneMatch) -> None:
        """Something was recorded at a table: its door closes with the match, and a fact keeps it open."""
        loaded, at = done.loaded, self.now()
        match = loaded.state
        if not isinstance(match, Match):
            return
        if is_over(match):
            await self.close(loaded)
        elif match.changed >= done.first and at - self._prolonged.get(loaded.stream, at - 2 * AGAIN) > AGAIN:
            self._prolonged[loaded.stream] = at
            while len(self._prolonged) > KEPT:
                self._prolonged.popitem(last=False)
            await rows.prolong(self.pool, loaded.stream, at, at + HOURS)

    async def close(self, loaded: LoadedMatch) -> None:
        """Close the door of a match that is over."""
        await rows.close(self.pool, loaded.stream, self.now())


def shown(key: DoorKey, door: Door) -> TableCode:
    """A door with its codes."""
    return TableCode(door, key.secret(door.match, door.counter), key.code(door.match, door.counter))
