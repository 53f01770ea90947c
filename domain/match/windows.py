"""Windows: how far a deal's result has come, and so who may still change it.

T0 is the scorer's alone, T1 the sides' and a director's, T2 a director's, T3 a director's and the secretary's for a
slip; then the deal is sealed. The fold knows no clock: it keeps the versions that matter, and the times of those come
with the command, as a `Moment`.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Final, TypeAlias

import msgspec

from domain.match.agreement import agreed_at
from domain.match.event import Window
from domain.match.state import Deal, Match, Reopened, race_of

LAST_WORD: Final = timedelta(minutes=10)  # T1 of the last deal, after its last fact
POSTED: Final = timedelta(minutes=30)  # T2, after the result was posted
LATE: Final = timedelta(days=7)  # T3, after T2
LastWord: TypeAlias = Callable[[], datetime | None]  # the end of T1 of the last deal, where somebody asks for it


class Posting(msgspec.Struct, frozen=True):
    """A posting, as the tournament of a match says: its results were posted at this moment (None: not yet), and the
    season that it counts for ends at that one."""

    posted: datetime | None = None
    season_ends: datetime | None = None


class Moment(msgspec.Struct, frozen=True):
    """A moment at which something is asked of a match: now, the times of the versions in `timed`, what its tournament
    says (None for a match of its own), and the deals that a case is heard about: those only a director changes."""

    at: datetime
    times: Mapping[int, datetime] = {}
    posting: Posting | None = None
    heard: frozenset[int] = frozenset()


class Closing(msgspec.Struct, frozen=True):
    """The window of a deal, and when it ends by itself (None: not by time)."""

    window: Window
    ends: datetime | None = None


def timed(match: Match) -> tuple[int, ...]:
    """The versions whose times a `Moment` holds: of the last deal the last word on it, and the signatures under it, and
    when the match was over and went on."""
    last = {len(match.deals), *(each.deal for each in match.reopened)} - {0}
    versions = {version for number in last for version in _words_on(match.deals[number - 1])}
    versions |= {each.version for each in match.reopened}
    return tuple(sorted(versions - {0}))


def _words_on(deal: Deal) -> tuple[int, ...]:
    return (deal.last, *deal.vouched.values())


def closing(match: Match, deal: Deal, moment: Moment | None, own: int | None = None) -> Closing:
    """The window of a deal at a moment, for somebody who keeps the score and plays for the side `own` (None: a neutral
    one). Without a moment no time has passed."""
    return _closing(match, deal, moment, partial(_last_word, match, moment), own)


def closings(match: Match, moment: Moment) -> tuple[Closing, ...]:
    """The windows of all deals at a moment, for somebody neutral. The race is worked out once for all of them."""
    last = cache(partial(_last_word, match, moment))
    return tuple(_closing(match, deal, moment, last) for deal in match.deals)


def _closing(match: Match, deal: Deal, moment: Moment | None, last: LastWord, own: int | None = None) -> Closing:
    if match.sealed:
        return Closing("sealed")
    over, ends = _first_words_over(match, deal, moment, last)
    if over or deal.mended_in in ("T2", "T3"):
        return _after_the_table(match, deal, moment, last)
    return Closing("T1" if deal.vouched.keys() - {own} else "T0", ends)


def window(match: Match, deal: Deal, moment: Moment | None, own: int | None = None) -> Window:
    """The window of a deal at a moment."""
    return closing(match, deal, moment, own).window


def next_begun(match: Match, deal: Deal) -> int | None:
    """The version of the first fact, call or result of a later deal, which closes T1; None before."""
    return min((each.first for each in match.deals[deal.number :] if each.first), default=None)


def _first_words_over(match: Match, deal: Deal, moment: Moment | None, last: LastWord) -> tuple[bool, datetime | None]:
    """Tells whether T1 of a deal is over, and at what time it will be, if that is known."""
    if next_begun(match, deal) is not None:
        return True, None
    if deal.number < len(match.deals):
        return False, None
    if agreed_at(match) is not None or any(_was_over(match, each, moment) for each in match.reopened):
        return True, None
    if moment is None:
        return False, None
    ends = last()
    return ends is not None and moment.at >= ends, ends


def _was_over(match: Match, reopened: Reopened, moment: Moment | None) -> bool:
    """Tells whether T1 of the last deal was over when the match was put back on, by a ruling or by what a director
    corrected elsewhere: no deal goes back from a window."""
    if reopened.deal != len(match.deals):
        return False
    return reopened.agreed or (moment is not None and _ended_before(match, reopened, moment) is not None)


def _ended_before(match: Match, reopened: Reopened, moment: Moment) -> datetime | None:
    """The time at which T1 of the then last deal had ended, of a match that was put back on; None where it had not."""
    deal, times = match.deals[reopened.deal - 1], moment.times
    if reopened.agreed:
        return times.get(max(deal.vouched.values()))
    last, then = times.get(deal.last), times.get(reopened.version)
    return last + LAST_WORD if last is not None and then is not None and then >= last + LAST_WORD else None


def _last_word(match: Match, moment: Moment | None) -> datetime | None:
    """The end of T1 of the last deal by the clock: ten minutes after its last fact, once the match is over."""
    if moment is None:
        return None
    last = moment.times.get(match.deals[-1].last) if match.deals else None
    return last + LAST_WORD if last is not None and race_of(match).finished else None


def _after_the_table(match: Match, deal: Deal, moment: Moment | None, last: LastWord) -> Closing:
    """T2, T3 or sealed: by how long ago the result was posted."""
    posted = None if moment is None else _posted(match, deal, moment, last)
    if moment is None or posted is None:
        return Closing("T2")
    second = posted + POSTED
    if moment.at < second:
        return Closing("T2", second)
    third = second + LATE
    season = None if moment.posting is None else moment.posting.season_ends
    if season is not None:
        third = max(second, min(third, season))
    return Closing("T3", third) if moment.at < third else Closing("sealed")


def _posted(match: Match, deal: Deal, moment: Moment, last: LastWord) -> datetime | None:
    """The time at which the result of a deal was posted: its tournament says so, and a match of its own is posted, all
    its deals, when T1 of its last deal ends; that it went on later posts none of them once more."""
    if moment.posting is not None:
        return moment.posting.posted
    agreed = agreed_at(match)
    ends = [moment.times[agreed]] if agreed is not None and agreed in moment.times else []
    word = last()
    over = [*ends, *([word] if word is not None and moment.at >= word else [])]
    before = [_ended_before(match, each, moment) for each in match.reopened if deal.number <= each.deal]
    return min([*over, *(each for each in before if each is not None)], default=None)
