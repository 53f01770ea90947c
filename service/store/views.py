"""Kept views and their checkpoints: all SQL on them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from psycopg_pool import AsyncConnectionPool

Form: TypeAlias = tuple[str, int]  # name and version of a kept view

_OWN: Final = "unnest(%(names)s::text[], %(versions)s::int[]) as own (name, number)"
_HELD: Final = f"""
insert into checkpoints (projection, version, club_id, position) select own.name, own.number, %(club)s, 0 from {_OWN}
on conflict (projection, version, club_id) do update set position = checkpoints.position
returning projection, version, position"""  # noqa: S608  # fixed words
_STANDS: Final = f"""
select (select position from logs where club_id = %(club)s), min(coalesce(kept.position, 0))
from {_OWN} left join checkpoints kept
    on (kept.projection, kept.version, kept.club_id) = (own.name, own.number, %(club)s)"""  # noqa: S608  # as above
_SAVED: Final = f"""
with saved as (
    insert into views (projection, version, club_id, key, data)
    select row.name, row.number, %(club)s, row.key, row.data
    from unnest(%(row_names)s::text[], %(row_versions)s::int[], %(keys)b::text[], %(data)b::text[])
        as row (name, number, key, data)
    on conflict (projection, version, club_id, key) do update set data = excluded.data
)
update checkpoints set position = %(position)s from {_OWN}
where (projection, version, club_id) = (own.name, own.number, %(club)s)"""  # noqa: S608  # as above
_THESE: Final = f"club_id = %(club)s and (projection, version) in (select own.name, own.number from {_OWN})"  # noqa: S608  # as above
_BESIDE: Final = f"club_id = %(club)s and (projection, -version) in (select own.name, own.number from {_OWN})"  # noqa: S608  # as above
_SWITCHED: Final = (
    f"delete from views where {_THESE}",  # noqa: S608  # as above
    f"update views set version = -version where {_BESIDE}",  # noqa: S608  # as above
    f"""update checkpoints live set position = beside.position from checkpoints beside, {_OWN}
    where (live.projection, live.version, live.club_id) = (own.name, own.number, %(club)s)
        and (beside.projection, beside.version, beside.club_id) = (own.name, -own.number, %(club)s)""",  # noqa: S608  # as above
    f"delete from checkpoints where {_BESIDE}",  # noqa: S608  # as above
)
_ROWS: Final = """
select stands.position, rows.key, rows.data
from (select (select position from checkpoints
      where (projection, version, club_id) = (%(name)s, %(version)s, %(club)s)) as position) as stands
left join lateral (select key, data from views
    where (projection, version, club_id) = (%(name)s, %(version)s, %(club)s) and {}) as rows on true
order by rows.key {}"""
_UPWARDS: Final = _ROWS.format("key > %(after)s order by key limit %(limit)s", "")
_DOWNWARDS: Final = _ROWS.format("key < %(after)s order by key desc limit %(limit)s", "desc")
_SOME: Final = _ROWS.format("key = any(%(keys)s)", "")


def _of(forms: Iterable[Form], club: str) -> dict[str, Any]:
    """Which views; always in the same order, since their rows are locked in it."""
    ordered = sorted(forms)
    return {"names": [each[0] for each in ordered], "versions": [each[1] for each in ordered], "club": club}


async def stands(pool: AsyncConnectionPool[Any], forms: Iterable[Form], club: str) -> tuple[int, int]:
    """The head of a club's log, and how far the last of these views has come."""
    async with pool.connection() as connection:
        head, least = await (await connection.execute(_STANDS, _of(forms, club), prepare=True)).fetchone()
    return head or 0, least or 0


async def hold(connection: Any, forms: Iterable[Form], club: str) -> dict[Form, int]:
    """Where these views stand; their checkpoints are locked until the transaction ends."""
    cursor = await connection.execute(_HELD, _of(forms, club), prepare=True)
    return {(name, version): position for name, version, position in await cursor.fetchall()}


async def save(
    connection: Any, forms: Iterable[Form], club: str, rows: Mapping[tuple[Form, str], str], position: int
) -> None:
    """Rows of these views by key, and the position up to which they are folded, in one statement."""
    own = {
        "row_names": [form[0] for form, _ in rows], "row_versions": [form[1] for form, _ in rows],
        "keys": [key for _, key in rows], "data": list(rows.values()), "position": position,
    }  # fmt: skip
    await connection.execute(_SAVED, {**_of(forms, club), **own}, prepare=True)


async def clear(connection: Any, forms: Iterable[Form], club: str) -> None:
    """Forget these views; first their checkpoints, which somebody else may hold."""
    for table in ("checkpoints", "views"):
        await connection.execute(f"delete from {table} where {_THESE}", _of(forms, club))  # noqa: S608  # two fixed names


async def switch(connection: Any, forms: Iterable[Form], club: str) -> None:
    """Put what was built beside these views (under minus their version) in their place; their checkpoints are held."""
    for statement in _SWITCHED:
        await connection.execute(statement, _of(forms, club))


async def rows(
    pool: AsyncConnectionPool[Any], form: Form, club: str, after: str, limit: int, newest: bool
) -> tuple[list[tuple[str, str]], int]:
    """(key, data) of a view behind a key, and the position that they are of."""
    statement, start = (_DOWNWARDS, after or "~") if newest else (_UPWARDS, after)
    return await _read(pool, statement, form, club, {"after": start, "limit": limit})


async def some(
    pool: AsyncConnectionPool[Any], form: Form, club: str, keys: Sequence[str]
) -> tuple[list[tuple[str, str]], int]:
    """The same of these keys, as far as they are there."""
    return await _read(pool, _SOME, form, club, {"keys": list(keys)})


async def _read(
    pool: AsyncConnectionPool[Any], statement: str, form: Form, club: str, more: dict[str, Any]
) -> tuple[list[tuple[str, str]], int]:
    parameters = {"name": form[0], "version": form[1], "club": club, **more}
    async with pool.connection() as connection:
        found = await (await connection.execute(statement, parameters, prepare=True)).fetchall()
    return [(key, data) for _, key, data in found if key is not None], found[0][0] or 0
