"""Moments for tests: all entries of a match were recorded at `RECORDED`, a given number of minutes ago."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from domain.match.windows import Moment, Posting

RECORDED = datetime(2026, 11, 22, 20, tzinfo=UTC)


def moment(minutes: float = 0, posted: float | None = None, heard: Any = (), of_a_cup: bool = False, **more: Any):
    """Return the moment `minutes` after recording; the tournament posted the results after `posted` minutes, if
    given."""
    posting = None
    if posted is not None or of_a_cup:
        posting = Posting(None if posted is None else RECORDED + timedelta(minutes=posted), more.get("season_ends"))
    times = dict.fromkeys(range(1, 500), RECORDED)
    return Moment(RECORDED + timedelta(minutes=minutes), times, posting, frozenset(heard))


def at(command: Any, minutes: float = 0, **given: Any):
    """Return the command with such a moment."""
    return msgspec.structs.replace(command, moment=moment(minutes, **given))
