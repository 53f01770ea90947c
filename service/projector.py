"""The projector: keeps the views of each club up to date from its log, and resumes after any crash.

Views and checkpoint are saved in one transaction, which holds the checkpoint's row: two projectors take
turns, and what was saved is always the fold of the log up to the checkpoint.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec
import psycopg
import structlog
from psycopg_pool import AsyncConnectionPool

from domain import codec
from domain.event import Recorded
from projections.lists import KEPT, key_of
from projections.projection import Projection, View
from service.store import log

PAGE: Final = 1000
REMEMBERED: Final = 512
GATHER: Final = 0.25  # seconds
LOGGER = structlog.get_logger()


class Projector:
    """Brings kept views up to date; folds are remembered with the version they stand at."""

    def __init__(self, pool: AsyncConnectionPool[Any], kept: tuple[Projection[Any], ...] = KEPT) -> None:
        self.pool = pool
        self.kept = kept
        self._folds: OrderedDict[tuple[str, str], tuple[int, Any]] = OrderedDict()
        self._turn = asyncio.Lock()

    async def catch_up(self, club: str, told: Callable[[int], None] = lambda _: None) -> None:
        """Bring every kept view of a club to the end of its log; `told` hears how many events were read."""
        async with self._turn:
            for projection in self.kept:
                while count := await self._page(projection, club):
                    told(count)

    async def _page(self, projection: Projection[Any], club: str) -> int:
        async with self.pool.connection() as connection, connection.transaction():
            return await self._fold_page(connection, projection, club)

    async def _fold_page(self, connection: Any, projection: Projection[Any], club: str) -> int:
        at = await self._checkpoint(connection, projection, club)
        page = await log.read_club(self.pool, club, at, PAGE)
        if not page:
            return 0
        rows: dict[str, Any] = {}
        for each in page:
            key = key_of(projection.name, each.event)
            if key is not None:
                rows[key] = await self._folded(projection, key, each.event)
        await self._save(connection, projection, club, rows, page[-1].event.position)
        return len(page)

    async def _checkpoint(self, connection: Any, projection: Projection[Any], club: str) -> int:
        """Where this view stands; its row is locked until the page is saved."""
        cursor = await connection.execute(
            "insert into checkpoints (projection, version, club_id, position) values (%s, %s, %s, 0)"
            " on conflict (projection, version, club_id) do update set position = checkpoints.position"
            " returning position",
            [projection.name, projection.version, club],
        )
        position: int = (await cursor.fetchone())[0]
        return position

    async def _folded(self, projection: Projection[Any], key: str, event: Recorded) -> Any:
        """The view after an event: from memory when it stands right before it, else folded from the log."""
        place = (projection.name, key)
        version, view = self._folds.get(place, (0, projection.initial))
        if version >= event.version and event.stream == key:
            return view
        if event.stream == key and version != event.version - 1:
            before = await log.read_stream(self.pool, event.club, event.stream, 0, event.version - 1)
            view = projection.over(each.event for each in before)
        view = projection.apply(view, event)
        self._folds[place] = (event.version, view)
        self._folds.move_to_end(place)
        while len(self._folds) > REMEMBERED:
            self._folds.popitem(last=False)
        return view

    async def _save(
        self, connection: Any, projection: Projection[Any], club: str, rows: dict[str, Any], position: int
    ) -> None:
        for key, view in rows.items():
            shown = projection.show(view)
            if shown is None:
                continue
            await connection.execute(
                "insert into views (projection, version, club_id, key, data) values (%s, %s, %s, %s, %s)"
                " on conflict (projection, version, club_id, key) do update set data = excluded.data",
                [projection.name, projection.version, club, key, codec.encode_plain(shown).decode()],
            )
        await connection.execute(
            "update checkpoints set position = %s where projection = %s and version = %s and club_id = %s",
            [position, projection.name, projection.version, club],
        )

    async def rebuild(self, club: str, told: Callable[[int], None] = lambda _: None) -> None:
        """Fold the kept views of a club again from its log, beside those that are read meanwhile."""
        async with self._turn:
            self._folds.clear()
            for projection in self.kept:
                beside = msgspec.structs.replace(projection, version=-projection.version)
                await self._clear(beside, club)
                while count := await self._page(beside, club):
                    told(count)
                await self._switch(projection, beside, club)

    async def _clear(self, beside: Projection[Any], club: str) -> None:
        """What a rebuild that was broken off has left; first the checkpoint, whose row another one may hold."""
        async with self.pool.connection() as connection, connection.transaction():
            for table in ("checkpoints", "views"):
                await connection.execute(
                    f"delete from {table} where projection = %s and version = %s and club_id = %s",  # noqa: S608  # two fixed names
                    [beside.name, beside.version, club],
                )

    async def _switch(self, projection: Projection[Any], beside: Projection[Any], club: str) -> None:
        """Put the new rows in the place of the old, no older than those: the checkpoint's row is held."""
        old, new = ([each.name, each.version, club] for each in (projection, beside))
        here = "projection = %s and version = %s and club_id = %s"
        async with self.pool.connection() as connection, connection.transaction():
            await self._checkpoint(connection, projection, club)
            while await self._fold_page(connection, beside, club):
                pass
            position = await self._checkpoint(connection, beside, club)
            await connection.execute(f"delete from views where {here}", old)  # noqa: S608  # fixed words
            await connection.execute(f"update views set version = %s where {here}", [projection.version, *new])  # noqa: S608  # as above
            await connection.execute(f"update checkpoints set position = %s where {here}", [position, *old])  # noqa: S608  # as above
            await connection.execute(f"delete from checkpoints where {here}", new)  # noqa: S608  # as above

    async def rows(
        self, projection: Projection[Any], club: str, kind: type[Any], after: str, limit: int, newest: bool = False
    ) -> list[Any]:
        """Rows of a kept view by key, up to date with the log as it is now."""
        await self.catch_up(club)
        order, compare, start = ("desc", "<", after or "~") if newest else ("asc", ">", after)
        async with self.pool.connection() as connection:
            cursor = await connection.execute(
                "select data from views where projection = %s and version = %s and club_id = %s"  # noqa: S608  # fixed words
                f" and key {compare} %s order by key {order} limit %s",
                [projection.name, projection.version, club, start, limit],
            )
            return [msgspec.json.decode(row[0], type=kind) for row in await cursor.fetchall()]

    async def some(
        self, projection: Projection[Any], club: str, kind: type[View], keys: Sequence[str]
    ) -> dict[str, View]:
        """These rows of a kept view by key, as far as they are there, up to date with the log as it is now."""
        await self.catch_up(club)
        async with self.pool.connection() as connection:
            cursor = await connection.execute(
                "select key, data from views where projection = %s and version = %s and club_id = %s and key = any(%s)",
                [projection.name, projection.version, club, list(keys)],
            )
            return {row[0]: msgspec.json.decode(row[1], type=kind) for row in await cursor.fetchall()}

    async def follow(self, changed: Callable[[], Any], also: Callable[[str], Awaitable[None]]) -> None:
        """Keep every club's views up to date; `changed` waits for the next club with news, `also` hears of it."""
        while True:
            club = await changed()
            await asyncio.sleep(GATHER)  # more will come; who reads a list meanwhile catches up first
            while not await self._followed(club, also):
                await asyncio.sleep(0.5)

    async def _followed(self, club: str, also: Callable[[str], Awaitable[None]]) -> bool:
        """Whether nothing is to be tried again: an event that a view cannot take must not end the others."""
        try:
            await self.catch_up(club)
            await also(club)
        except (psycopg.Error, OSError) as error:
            LOGGER.warning("the projector waits for the database", club=club, error=str(error))
            return False
        except Exception:
            LOGGER.exception("a view could not be kept; it is tried again with the next event", club=club)
        return True
