"""Moments for tests: every entry of a match was recorded at one time, and so many minutes have passed since."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from domain.match.windows import Moment, Posting

RECORDED = datetime(2026, 11, 22, 20, tzinfo=UTC)


def moment(minutes: float = 0, posted: float | None = None, heard: Any = (), of_a_cup: bool = False, **more: Any):
    """So many minutes after everything was recorded; `posted` so many minutes after it, where a tournament says so."""
    posting = None
    if posted is not None or of_a_cup:
        posting = Posting(None if posted is None else RECORDED + timedelta(minutes=posted), more.get("season_ends"))
    times = dict.fromkeys(range(1, 500), RECORDED)
    return Moment(RECORDED + timedelta(minutes=minutes), times, posting, frozenset(heard))


def at(command: Any, minutes: float = 0, **given: Any):
    """A command at such a moment."""
    return msgspec.structs.replace(command, moment=moment(minutes, **given))
