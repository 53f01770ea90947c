"""Kept views and their checkpoints: all SQL on them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from service.store.leases import STILL_HELD, LeaseLostError, LeaseNumber, carried
from service.store.pool import Connection, Parameters, Pool

ViewForm: TypeAlias = tuple[str, int]  # name and version of a kept view

_OWN: Final = "unnest(%(names)s::text[], %(versions)s::int[]) as own (name, number)"
_HELD: Final = f"""
insert into checkpoints (projection, version, club_id, position) select own.name, own.number, %(club)s, 0 from {_OWN}
on conflict (projection, version, club_id) do update set position = checkpoints.position
returning projection, version, position"""  # noqa: S608  # fixed words
_STANDS: Final = f"""
select (select position from logs where club_id = %(club)s and log = 0), min(coalesce(kept.position, 0))
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
where (projection, version, club_id) = (own.name, own.number, %(club)s) and {STILL_HELD}"""  # noqa: S608  # as above
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
_SAVED_ROWS: Final = """select key, data from views
    where (projection, version, club_id) = (%(name)s, %(version)s, %(club)s) and key = any(%(keys)s)"""
_NAMING: Final = """select data from views
    where (projection, version, club_id) = (%(name)s, %(version)s, %(club)s) and data like any(%(ids)s)
    order by key desc limit %(limit)s"""
_UPWARDS: Final = _ROWS.format("key > %(after)s order by key limit %(limit)s", "")
_DOWNWARDS: Final = _ROWS.format("key < %(after)s order by key desc limit %(limit)s", "desc")
_SOME: Final = _ROWS.format("key = any(%(keys)s)", "")


def _of(forms: Iterable[ViewForm], club: str) -> Parameters:
    """The parameters that name views, always in the same order, since their rows are locked in it."""
    ordered = sorted(forms)
    return {"names": [each[0] for each in ordered], "versions": [each[1] for each in ordered], "club": club}


async def progress(pool: Pool, forms: Iterable[ViewForm], club: str) -> tuple[int, int]:
    """The head of a club's open log, and the lowest checkpoint of these views."""
    async with pool.connection() as connection:
        row = await (await connection.execute(_STANDS, _of(forms, club), prepare=True)).fetchone()
    head, least = row or (0, 0)
    return head or 0, least or 0


async def position_of(pool: Pool, form: ViewForm, club: str) -> int | None:
    """The checkpoint of one view; None where there is none."""
    statement = "select position from checkpoints where (projection, version, club_id) = (%s, %s, %s)"
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [*form, club], prepare=True)).fetchone()
    return None if row is None else row[0]


async def stand_at(pool: Pool, form: ViewForm, club: str, position: int) -> None:
    """Move the checkpoint of one view on, and never back."""
    statement = """insert into checkpoints (projection, version, club_id, position) values (%s, %s, %s, %s)
        on conflict (projection, version, club_id) do update
            set position = greatest(checkpoints.position, excluded.position)"""
    async with pool.connection() as connection:
        await connection.execute(statement, [*form, club, position])


async def lock_checkpoints(connection: Connection, forms: Iterable[ViewForm], club: str) -> dict[ViewForm, int]:
    """Lock the checkpoints of these views until the transaction ends; the position of each."""
    cursor = await connection.execute(_HELD, _of(forms, club), prepare=True)
    return {(name, version): position for name, version, position in await cursor.fetchall()}


async def save(
    connection: Connection,
    forms: Iterable[ViewForm],
    club: str,
    rows: Mapping[tuple[ViewForm, str], str],
    position: int,
    lease: LeaseNumber | None = None,
) -> None:
    """Rows of these views by key, and the position up to which they are folded, in one statement. Raises LeaseLostError
    for a lease that somebody else has taken: the caller's transaction ends with that."""
    own = {
        "row_names": [form[0] for form, _ in rows],
        "row_versions": [form[1] for form, _ in rows],
        "keys": [key for _, key in rows],
        "data": list(rows.values()),
        "position": position,
    }
    done = await connection.execute(_SAVED, {**_of(forms, club), **own, **carried(lease)}, prepare=True)
    if lease is not None and not done.rowcount:
        raise LeaseLostError(lease.name)


async def clear(connection: Connection, forms: Iterable[ViewForm], club: str) -> None:
    """Delete these views; first their checkpoints, which another process may hold."""
    for table in ("checkpoints", "views"):
        await connection.execute(f"delete from {table} where {_THESE}", _of(forms, club))  # noqa: S608  # two fixed names


async def switch(connection: Connection, forms: Iterable[ViewForm], club: str) -> None:
    """Replace these views by those built beside them (under minus their version); the caller has locked their
    checkpoints."""
    for statement in _SWITCHED:
        await connection.execute(statement, _of(forms, club))


async def rows(
    pool: Pool, form: ViewForm, club: str, after: str, limit: int, newest: bool
) -> tuple[list[tuple[str, str]], int]:
    """(key, data) of a view behind a key, and the position of its checkpoint."""
    statement, start = (_DOWNWARDS, after or "~") if newest else (_UPWARDS, after)
    return await _read(pool, statement, form, club, {"after": start, "limit": limit})


async def rows_of_keys(pool: Pool, form: ViewForm, club: str, keys: Sequence[str]) -> tuple[list[tuple[str, str]], int]:
    """(key, data) of a view for these keys, as far as there are such rows, and the position of its checkpoint."""
    return await _read(pool, _SOME, form, club, {"keys": list(keys)})


async def saved(connection: Connection, form: ViewForm, club: str, keys: Sequence[str]) -> dict[str, str]:
    """The rows of a view by key as they stand at its checkpoint, which the caller has locked."""
    parameters = {"name": form[0], "version": form[1], "club": club, "keys": list(keys)}
    return dict(await (await connection.execute(_SAVED_ROWS, parameters, prepare=True)).fetchall())


async def naming(pool: Pool, form: ViewForm, club: str, ids: Sequence[str], limit: int) -> list[str]:
    """The newest rows of a view in which one of these ids stands."""
    marks = [f'%"{each}"%' for each in ids]
    parameters = {"name": form[0], "version": form[1], "club": club, "ids": marks, "limit": limit}
    async with pool.connection() as connection:
        found = await (await connection.execute(_NAMING, parameters, prepare=True)).fetchall()
    return [data for (data,) in found]


async def _read(
    pool: Pool, statement: str, form: ViewForm, club: str, more: Parameters
) -> tuple[list[tuple[str, str]], int]:
    parameters = {"name": form[0], "version": form[1], "club": club, **more}
    async with pool.connection() as connection:
        found = await (await connection.execute(statement, parameters, prepare=True)).fetchall()
    return [(key, data) for _, key, data in found if key is not None], found[0][0] or 0
