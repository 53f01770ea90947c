"""Times at which a copy is due by night, and copies that go: nothing here looks at a clock or a folder.

A copy is due at four in the morning, and at once where the last one is older than 26 hours. Kept are the newest of each
of the last seven days that have one, and of the last four weeks that have one; in any case the newest three. A clock
that jumps deletes nothing: where copies are further apart than a month, or one is of a time to come, all stay. Nor does
it keep a copy from being taken: one of a time to come is not the last one.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from typing import Final

NIGHT: Final = time(4)
LATE: Final = timedelta(hours=26)
AHEAD: Final = timedelta(minutes=1)
DAYS, WEEKS, NEWEST = 7, 4, 3
APART: Final = timedelta(days=31)


def last_by(made: Sequence[datetime], now: datetime) -> datetime | None:
    """The time of the last copy by now. One of a time to come was named while a clock was ahead."""
    return max((each for each in made if each <= now + AHEAD), default=None)


def is_due(now: datetime, last: datetime | None) -> bool:
    """Tells whether a copy is due; `now` is in the zone whose night counts, `last` is when the last one was made."""
    if last is None or now - last >= LATE:
        return True
    night = datetime.combine(now.date(), NIGHT, now.tzinfo)
    return last < night <= now


def to_delete(made: Sequence[datetime], now: datetime) -> list[datetime]:
    """Those of some copies that were read back well which may go."""
    ordered = sorted(made, reverse=True)
    if not ordered or ordered[0] > now or _apart(ordered, now):
        return []
    kept = set(ordered[:NEWEST])
    kept |= set(_newest_of(ordered, DAYS, lambda each: each.date().toordinal()))
    kept |= set(_newest_of(ordered, WEEKS, lambda each: each.date().toordinal() // 7))
    return [each for each in ordered if each not in kept]


def _apart(ordered: Sequence[datetime], now: datetime) -> bool:
    return any(later - earlier > APART for later, earlier in zip([now, *ordered], ordered, strict=False))


def _newest_of(ordered: Sequence[datetime], count: int, place: Callable[[datetime], int]) -> list[datetime]:
    """The newest copy of each of the last places that have one."""
    found: dict[int, datetime] = {}
    for each in ordered:
        found.setdefault(place(each), each)
    return list(found.values())[:count]
