"""Evenings of a club: matches and tournaments of tonight, and those of earlier, by the clocks of the club."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

import msgspec

from service.desk.clubs import NamedRow
from service.desk.tournament_bodies import TournamentListRow
from service.desk.zones import local
from service.languages.spoken import translate

TURN: Final = timedelta(hours=5)  # an evening that goes past midnight is still that evening


OWN: Final = 3  # games of one's own above everything else


class Own(msgspec.Struct, frozen=True):
    """A game of whoever looks, and what is to be done there."""

    row: NamedRow
    todo: str


class Evening(msgspec.Struct, frozen=True):
    """The matches and tournaments of a club, tonight's apart; `own` are those of tonight in which whoever looks has
    something to do, what was opened last first."""

    own: tuple[Own, ...]
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
    today = [row for row in matches if _day(row.changed_at, zone) == tonight]
    latest = sorted(today, key=lambda row: (row.status == "open", row.opened_at), reverse=True)
    own = tuple(Own(row, todo) for row in latest if (todo := to_do(row, person)))[:OWN]
    others = [row for row in matches if row not in [each.row for each in own]]
    here = [row for row in others if row in today]
    running = tuple(row for row in tournaments if row.status in ("announced", "on"))
    return Evening(
        own=own,
        matches=tuple(sorted(here, key=lambda row: row.status != "open")),
        running=running,
        earlier=tuple(row for row in others if row not in here),
        past=tuple(row for row in tournaments if row not in running),
    )


def to_do(row: NamedRow, person: str | None) -> str:
    """The next step of a person in a match of the list; nothing for who does not play there, or has done it all."""
    side = next((at for at, side in enumerate(row.sides) if person is not None and person in side.players), None)
    if side is None or row.status not in ("open", "finished"):
        return ""
    if row.status == "open":
        return translate("Go on") if row.deals else translate("Begin")
    return "" if row.agreed or side in row.confirmed else translate("Confirm the result")


def day_of(moment: datetime, zone: str) -> date:
    """The evening to which a moment belongs, named by the day on which it began."""
    return (local(moment, zone) - TURN).date()


def _day(instant: str, zone: str) -> date:
    return day_of(datetime.fromisoformat(instant), zone)
