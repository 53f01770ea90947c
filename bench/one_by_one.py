"""The projector as it was: every kept view by itself, event by event, a statement a row. The reference of `rebuild`."""

from collections import OrderedDict
from typing import Any, Final

import msgspec

from domain import codec
from domain.log.event import Recorded
from projections.lists import KEPT, key_of
from projections.projection import Projection
from service.store import log
from service.store.pool import Pool

PAGE: Final = 1000
REMEMBERED: Final = 512
HERE: Final = "projection = %s and version = %s and club_id = %s"


class OneByOne:
    """Rebuilds the kept views of a club."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._folds: OrderedDict[tuple[str, str], tuple[int, Any]] = OrderedDict()

    async def rebuild(self, club: str) -> None:
        """Fold beside what is read meanwhile, then switch; view after view."""
        self._folds.clear()
        for projection in KEPT:
            beside = msgspec.structs.replace(projection, version=-projection.version)
            async with self.pool.connection() as connection, connection.transaction():
                for table in ("checkpoints", "views"):
                    await connection.execute(f"delete from {table} where {HERE}", _place(beside, club))
            while await self._page(beside, club):
                pass
            await self._switch(projection, beside, club)

    async def _page(self, projection: Projection[Any], club: str) -> int:
        async with self.pool.connection() as connection, connection.transaction():
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
        cursor = await connection.execute(
            "insert into checkpoints (projection, version, club_id, position) values (%s, %s, %s, 0)"
            " on conflict (projection, version, club_id) do update set position = checkpoints.position"
            " returning position",
            _place(projection, club),
        )
        position: int = (await cursor.fetchone())[0]
        return position

    async def _folded(self, projection: Projection[Any], key: str, event: Recorded) -> Any:
        place = (projection.name, key)
        version, view = self._folds.get(place, (0, projection.initial))
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
                [*_place(projection, club), key, codec.encode_plain(shown).decode()],
            )
        await connection.execute(
            f"update checkpoints set position = %s where {HERE}",
            [position, *_place(projection, club)],
        )

    async def _switch(self, projection: Projection[Any], beside: Projection[Any], club: str) -> None:
        old, new = _place(projection, club), _place(beside, club)
        async with self.pool.connection() as connection, connection.transaction():
            await self._checkpoint(connection, projection, club)
            position = await self._checkpoint(connection, beside, club)
            await connection.execute(f"delete from views where {HERE}", old)
            await connection.execute(f"update views set version = %s where {HERE}", [projection.version, *new])
            await connection.execute(f"update checkpoints set position = %s where {HERE}", [position, *old])
            await connection.execute(f"delete from checkpoints where {HERE}", new)


def _place(projection: Projection[Any], club: str) -> list[Any]:
    return [projection.name, projection.version, club]
