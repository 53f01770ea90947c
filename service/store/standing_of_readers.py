"""The standing of those who read along: how far they are behind the open logs, and what webhooks wait.

For /metrics, of all clubs only the one that is furthest behind is told, by a number and without its name.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

import msgspec

from service.store.book_keeping import FORM
from service.store.pool import Pool
from service.store.views import ViewForm

_ASKED: Final = """select clock_timestamp(), pg_database_size(current_database()),
    (select coalesce(max(l.position - kept.least), 0) from logs l join
        (select club_id, min(position) as least from checkpoints
            join unnest(%(names)s::text[], %(versions)s::int[]) as own (name, number)
                on (projection, version) = (own.name, own.number)
            group by club_id) as kept on kept.club_id = l.club_id
        where l.log = 0),
    (select coalesce(max(l.position - b.position), 0)
        from logs l join books b on b.club_id = l.club_id and b.form = %(form)s where l.log = 0),
    (select coalesce(max(l.position - own.position), 0)
        from unnest(%(clubs)s::uuid[], %(positions)s::bigint[]) as own (club, position)
        join logs l on l.club_id = own.club and l.log = 0),
    hooks.*
from (select coalesce(max(l.position - w.position) filter (where w.disabled_at is null), 0),
        count(*) filter (where w.disabled_at is null and w.next_try_at <= clock_timestamp()
            and w.position < l.position),
        count(*) filter (where w.disabled_at is null and w.failures > 0),
        count(*) filter (where w.disabled_at is not null)
    from webhooks w join logs l on l.club_id = w.club_id and l.log = 0) as hooks"""

_BEHIND: Final = """select l.club_id::text, l.position from logs l join books b on b.club_id = l.club_id
    where l.log = 0 and b.form = %s and b.position < l.position"""


class StandingOfReaders(msgspec.Struct, frozen=True):
    """The clock and size of the database, how many positions each reader is behind at most, and how many webhooks have
    something to deliver, failed last time, are off. A reader counts in the clubs that it has begun with."""

    clock: datetime
    size: int
    projector: int
    bookkeeper: int
    steward: int
    courier: int
    due: int
    failing: int
    disabled: int


async def standing_of_readers(pool: Pool, forms: Iterable[ViewForm], steward: Mapping[str, int]) -> StandingOfReaders:
    """All of it in one statement; `steward` is where this process's own stands in each club."""
    kept = tuple(forms)
    given = {
        "names": [name for name, _ in kept],
        "versions": [version for _, version in kept],
        "form": FORM,
        "clubs": list(steward),
        "positions": list(steward.values()),
    }
    async with pool.connection() as connection:
        row = await (await connection.execute(_ASKED, given)).fetchone()
    assert row is not None
    return StandingOfReaders(*row)


async def clubs_behind(pool: Pool) -> list[tuple[str, int]]:
    """The clubs of which something is not in their books yet, which are kept last, each with where its open log ends.
    One whose books were never begun is not among them."""
    async with pool.connection() as connection:
        found: list[tuple[str, int]] = await (await connection.execute(_BEHIND, [FORM])).fetchall()
    return found
