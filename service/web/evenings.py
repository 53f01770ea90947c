"""Evenings of a club: matches and tournaments of tonight, and those of earlier, by the clocks of the club."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

import msgspec

from service.desk.clubs import NamedRow
from service.desk.tournament_bodies import TournamentListRow
from service.desk.zones import local

TURN: Final = timedelta(hours=5)  # an evening that goes past midnight is still that evening


class Evening(msgspec.Struct, frozen=True):
    """The matches and tournaments of a club, tonight's apart; `own` are the open matches of whoever looks."""

    own: tuple[NamedRow, ...]
    matches: tuple[NamedRow, ...]
    running: tuple[TournamentListRow, ...]
    earlier: tuple[NamedRow, ...]
    past: tuple[TournamentListRow, ...]


def evening_of(
    matches: Sequence[NamedRow],
    tournaments: Sequence[TournamentListRow],
    zone: str,
    now: datetime,
    person: str | None,
) -> Evening:
    """Sort what a list shows: open tables first, then what ended last."""
    tonight = day_of(now, zone)
    own = tuple(row for row in matches if row.status == "open" and sits(row, person))
    others = [row for row in matches if row not in own]
    here = [row for row in others if _day(row.changed_at, zone) == tonight]
    running = tuple(row for row in tournaments if row.status in ("announced", "on"))
    return Evening(
        own=own,
        matches=tuple(sorted(here, key=lambda row: row.status != "open")),
        running=running,
        earlier=tuple(row for row in others if row not in here),
        past=tuple(row for row in tournaments if row not in running),
    )


def sits(row: NamedRow, person: str | None) -> bool:
    """Whether a person plays in a match of the list."""
    return person is not None and any(person in side.players for side in row.sides)


def day_of(moment: datetime, zone: str) -> date:
    """The evening to which a moment belongs, named by the day on which it began."""
    return (local(moment, zone) - TURN).date()


def _day(instant: str, zone: str) -> date:
    return day_of(datetime.fromisoformat(instant), zone)
