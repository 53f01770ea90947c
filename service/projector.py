"""The projector: keeps the views of each club as its log stands, and resumes after any crash.

All kept views are folded in one pass over the log. The rows of a page and the checkpoints are saved in one transaction,
which holds the checkpoints: two projectors take turns, and what was saved is always the fold of the log up to there.
"""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from domain import codec
from projections.lists import KEPT, begins_row, parts_of
from projections.projection import AnyProjection, EventStretch, Projection, View
from service.store import stretches, views
from service.store.leases import LeaseNumber
from service.store.pool import Connection, Pool
from service.store.turns import Turns
from service.store.views import ViewForm

PAGE: Final = 1000  # events that are folded while the checkpoints are held: whoever else keeps views waits
REMEMBERED: Final = 1024


def form_of(projection: AnyProjection) -> ViewForm:
    """The name and version of a kept view in the database."""
    return projection.name, projection.version


class Folds:
    """The folds that were used last, each with the version of its stream that it stands at."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[int, Any]] = OrderedDict()

    async def after(
        self, connection: Connection, projection: Projection[View], key: str, stretch: EventStretch
    ) -> View:
        """The view after a stretch: from memory where it stands right before it, else folded from the log."""
        place = (projection.name, key)
        kept: tuple[int, View] = self._kept.get(place, (0, projection.initial))
        version, view = kept
        if stretch.stream == key and version not in (stretch.first - 1, stretch.last):
            before = await stretches.read_before(connection, stretch.club, key, stretch.first)
            version, view = stretch.first - 1, projection.initial
            view = view if before is None else ran(projection, view, before)
        if stretch.stream != key and place not in self._kept and not begins_row(stretch):
            view = await self._row_before(connection, projection, key, stretch)
        if stretch.stream != key or version != stretch.last:
            view = ran(projection, view, stretch)
        self._kept[place] = (stretch.last, view)
        self._kept.move_to_end(place)
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        return view

    async def _row_before(
        self, connection: Connection, projection: Projection[View], key: str, stretch: EventStretch
    ) -> View:
        """The row of a person that is not in memory, from the club's own events before a stretch."""
        view = projection.initial
        before = await stretches.read_before(connection, stretch.club, stretch.stream, stretch.first)
        for own, part in () if before is None else parts_of(projection.name, before):
            if own == key:
                view = ran(projection, view, part)
        return view


def ran(projection: Projection[View], view: View, stretch: EventStretch) -> View:
    """The view after a stretch."""
    assert projection.run is not None, "a kept view is folded by stretches"
    return projection.run(view, stretch)


class Projector:
    """Brings kept views up to date; of one club there is one at a time, and no club waits for another."""

    def __init__(self, pool: Pool, kept: tuple[AnyProjection, ...] = KEPT) -> None:
        self.pool = pool
        self.kept = kept
        self._folds = Folds()
        self._turns: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def catch_up(
        self, club: str, told: Callable[[int], None] = lambda _: None, lease: LeaseNumber | None = None
    ) -> None:
        """Bring every kept view of a club to where its log ends now; `told` hears how many events were read. Raises
        LeaseLostError where it is done under a lease that was lost."""
        async with self._turns[club]:
            head, least = await views.progress(self.pool, map(form_of, self.kept), club)
            while least < head:
                count, least = await self._page(self.kept, club, self._folds, lease)
                if not count:
                    break
                told(count)

    async def _page(
        self, kept: tuple[AnyProjection, ...], club: str, folds: Folds, lease: LeaseNumber | None = None
    ) -> tuple[int, int]:
        async with self.pool.connection() as connection, connection.transaction():
            return await self._fold_page(connection, kept, club, folds, lease)

    async def _fold_page(
        self,
        connection: Connection,
        kept: tuple[AnyProjection, ...],
        club: str,
        folds: Folds,
        lease: LeaseNumber | None = None,
    ) -> tuple[int, int]:
        """Fold the next page into those views that are furthest behind, up to where the next one stands; how many
        events that were, and how far the views have come that it was for."""
        at = await views.lock_checkpoints(connection, map(form_of, kept), club)
        least = min(at.values())
        further = min((position for position in at.values() if position > least), default=None)
        page, count, last = await stretches.read_page(connection, club, least, further, PAGE)
        if count:
            behind = [each for each in kept if at[form_of(each)] == least]
            rows = await self._rows(connection, behind, page, folds)
            await views.save(connection, map(form_of, behind), club, rows, last, lease)
        return count, last

    async def _rows(
        self, connection: Connection, kept: Iterable[AnyProjection], page: list[EventStretch], folds: Folds
    ) -> dict[tuple[ViewForm, str], str]:
        """The rows that a page concerns, after it."""
        rows: dict[tuple[ViewForm, str], str] = {}
        turns = Turns()
        for projection in kept:
            if projection.read is not None:
                rows |= await self._read_back(connection, projection, projection.read, page)
                continue
            for stretch in page:
                for key, part in parts_of(projection.name, stretch):
                    shown = projection.show(await folds.after(connection, projection, key, part))
                    if shown is not None:
                        rows[form_of(projection), key] = codec.encode_plain(shown).decode()
                await turns.give()
        return rows

    async def _read_back(
        self,
        connection: Connection,
        projection: Projection[View],
        read: Callable[[str], View],
        page: list[EventStretch],
    ) -> dict[tuple[ViewForm, str], str]:
        """The rows of a view whose rows meet in one stream: each goes on from what was saved with the checkpoint."""
        form = form_of(projection)
        parts = [each for stretch in page for each in parts_of(projection.name, stretch)]
        if not parts:
            return {}
        saved = await views.saved(connection, form, parts[0][1].club, [key for key, _ in parts])
        folded = {key: read(data) for key, data in saved.items()}
        for key, part in parts:
            folded[key] = ran(projection, folded.get(key, projection.initial), part)
        shown = {key: projection.show(view) for key, view in folded.items()}
        return {(form, key): codec.encode_plain(row).decode() for key, row in shown.items() if row is not None}

    async def rebuild(self, club: str, told: Callable[[int], None] = lambda _: None) -> None:
        """Fold the kept views of a club again from its log, beside those that are read meanwhile."""
        beside = tuple(msgspec.structs.replace(each, version=-each.version) for each in self.kept)
        async with self._turns[club]:
            folds = Folds()
            async with self.pool.connection() as connection, connection.transaction():
                await views.clear(connection, map(form_of, beside), club)
            head, least = await views.progress(self.pool, map(form_of, beside), club)
            while least < head:
                count, least = await self._page(beside, club, folds)
                if not count:
                    break
                told(count)
            await self._switch(beside, club, folds)

    async def _switch(self, beside: tuple[AnyProjection, ...], club: str, folds: Folds) -> None:
        """Put the new rows in the place of the old, no older than those: their checkpoints are held."""
        own = [form_of(each) for each in self.kept]
        async with self.pool.connection() as connection, connection.transaction():
            reached = max((await views.lock_checkpoints(connection, own, club)).values())
            least = min((await views.lock_checkpoints(connection, map(form_of, beside), club)).values())
            while least < reached:
                count, least = await self._fold_page(connection, beside, club, folds)
                if not count:
                    break
            await views.switch(connection, own, club)
