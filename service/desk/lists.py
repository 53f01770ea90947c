"""Lists: rows of kept views as the log stood when they were asked for, or else what there is and how far behind.

A list waits a moment for steward and projector and never longer: others may append faster than anybody folds. As of a
position in the past the rows are folded from the log, and nobody is waited for.
"""

from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any, Final, Generic, TypeVar

import msgspec

from projections.lists import MATCHES
from projections.projection import AnyProjection
from projections.tournaments.lists import TOURNAMENTS
from service.desk.errands import Errands
from service.projector import Projector, form_of, ran
from service.store import finding, stretches, views
from service.store.kinds import MATCH, TOURNAMENT
from service.store.pool import Pool
from service.store.turns import Turns

PATIENCE: Final = 0.3  # seconds
OPENED: Final = {MATCHES.name: MATCH.first, TOURNAMENTS.name: TOURNAMENT.first}
Row = TypeVar("Row")


def soon() -> float:
    """Until when a list waits that is asked for now, by the monotonic clock."""
    return monotonic() + PATIENCE


class Reached(msgspec.Struct, frozen=True):
    """The position of the log that a list is of, and how many events it is behind what there was when it was asked
    for."""

    position: int
    behind: int = 0


class Listed(msgspec.Struct, Generic[Row], frozen=True):
    """Rows, and what they are of."""

    rows: list[Row]
    reached: Reached


class Lists:
    """Reads kept views; `errands` are what goes on after a list was shown."""

    def __init__(self, pool: Pool, projector: Projector, catch_up: Callable[[str], Awaitable[None]]) -> None:
        self.pool, self.projector, self.steward = pool, projector, catch_up
        self.errands = Errands()

    async def reach(self, club: str, steward: bool = False, until: float | None = None) -> Reached:
        """Bring a club's kept views to where its log ends now, as far as that can be done in a moment, or `until` a
        time of the monotonic clock; with `steward` what came of matches is in the log first."""
        until = soon() if until is None else until
        if steward:
            await self.errands.wait(("steward", club), lambda: self.steward(club), until)
        forms = [form_of(each) for each in self.projector.kept]
        head, position = await views.progress(self.pool, forms, club)
        if position < head:
            await self.errands.wait(("projector", club), lambda: self.projector.catch_up(club), until)
            _, position = await views.progress(self.pool, forms, club)
        return Reached(position, max(0, head - position))

    async def rows(
        self,
        projection: AnyProjection,
        club: str,
        kind: type[Row],
        after: str,
        limit: int,
        newest: bool = False,
        until: float | None = None,
    ) -> Listed[Row]:
        """Rows of a kept view by key."""
        before = await self.reach(club, projection is TOURNAMENTS, until)
        found, position = await views.rows(self.pool, form_of(projection), club, after, limit, newest)
        return _listed(found, kind, position, before)

    async def some(self, projection: AnyProjection, club: str, kind: type[Row], keys: Sequence[str]) -> list[Row]:
        """These rows of a kept view by key, as far as they are there."""
        before = await self.reach(club)
        found, position = await views.rows_of_keys(self.pool, form_of(projection), club, keys)
        return _listed(found, kind, position, before).rows

    async def past(self, projection: AnyProjection, club: str, position: int, after: str, limit: int) -> list[Any]:
        """The newest rows of a view of streams as of a position, folded from the log."""
        found: list[Any] = []
        while len(found) < limit:
            streams = await finding.newest_streams(self.pool, club, OPENED[projection.name], position, after, limit)
            found += await self.folded(projection, club, position, streams)
            if len(streams) < limit:
                break
            after = streams[-1]
        return found[:limit]

    async def folded(self, projection: AnyProjection, club: str, position: int, streams: Sequence[str]) -> list[Any]:
        """The rows of these streams as of a position, in their order; not all streams have one."""
        async with self.pool.connection() as connection:
            read = await stretches.read_upto(connection, club, streams, position)
        shown, turns = {}, Turns()
        for each in read:
            shown[each.stream] = projection.show(ran(projection, projection.initial, each))
            await turns.give()
        return [row for stream in streams if (row := shown.get(stream)) is not None]


def _listed(found: list[tuple[str, str]], kind: type[Row], position: int, before: Reached) -> Listed[Row]:
    """Rows as they are read: what was saved since the wait ended is in them too."""
    behind = max(0, before.position + before.behind - position)
    return Listed([msgspec.json.decode(data, type=kind) for _, data in found], Reached(position, behind))
