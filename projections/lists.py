"""Kept views where many streams meet: the matches of a club, and its players."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from domain.club.events import MembershipChanged, PersonErased, PlayerRegistered, PlayerRenamed
from domain.game.race import GameScore
from domain.log.event import AnyEvent, JsonObject, Recorded, instant
from domain.match.agreement import match_confirmed
from domain.match.evolve import fold
from domain.match.state import Match, NoMatch, State, race_of
from domain.tournament.events import TournamentEvent
from projections.match import apply_match
from projections.match_view import status_now
from projections.projection import EventStretch, Projection
from projections.tournaments.lists import TOURNAMENTS, concerns


class MatchRow(msgspec.Struct, frozen=True):
    """A match in the list: its players, its game and its standing. `agreed`: it is over, and every side agrees to how
    it ended; `disputed`: somebody says that it is not so; `given` and `taken` are the levels of lurch by side, given by
    whoever won a game and taken by whoever lost it; `delay`: how far behind onlookers are. Names are looked up when it
    is read."""

    id: str
    version: int
    game: str
    sides: tuple[tuple[str, ...], ...]
    target: int | None
    win_by: int
    totals: tuple[int, ...]
    status: str
    winner: int | None
    deals: int
    opened_at: str
    changed_at: str
    tournament: str | None = None
    confirmed: tuple[int, ...] = ()
    games: tuple[int, ...] = ()
    agreed: bool = False
    disputed: bool = False
    given: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    delay: str = "none"


class Dated(msgspec.Struct, frozen=True):
    """A match and when it was opened and last changed."""

    state: State = NoMatch()
    stream: str = ""
    opened: str = ""
    changed: str = ""


def apply_row(view: Dated, recorded: Recorded) -> Dated:
    """The match after one more event."""
    at = instant(recorded.recorded_at)
    return Dated(apply_match(view.state, recorded), recorded.stream, view.opened or at, at)


def run_row(view: Dated, stretch: EventStretch) -> Dated:
    """The match after a stretch of its events."""
    opened = view.opened or instant(stretch.first_at)
    return Dated(fold(view.state, stretch.events), stretch.stream, opened, instant(stretch.last_at))


def show_row(view: Dated) -> MatchRow | None:
    """The row as it is kept; none for a match of a tournament in which nothing was dealt: its pairing tells of it."""
    match = view.state
    if not isinstance(match, Match) or (match.setup.tournament and not match.deals):
        return None
    race = race_of(match)
    sides = range(len(match.setup.sides))
    wins = [sum(game.winner == side for game in race.games) for side in sides]
    return MatchRow(
        id=view.stream,
        version=match.version,
        game=match.setup.game.key,
        sides=match.setup.sides,
        target=match.setup.race.target,
        win_by=match.setup.race.win_by,
        totals=race.totals,
        status=status_now(match, race),
        winner=race.winner,
        deals=len(match.deals),
        opened_at=view.opened,
        changed_at=view.changed,
        tournament=match.setup.tournament,
        confirmed=match.deals[-1].confirmed if match.deals else (),
        games=tuple(wins),
        agreed=match_confirmed(match),
        disputed=bool(match.disputes),
        given=tuple(sum(lurches_given(game, side) for game in race.games) for side in sides),
        taken=tuple(sum(game.levels[side] for game in race.games) for side in sides),
        delay=match.setup.delay,
    )


def lurches_given(game: GameScore, side: int) -> int:
    """The levels of lurch at which the others lost a game that this side won."""
    return sum(game.levels) if game.winner == side else 0


class MemberRow(msgspec.Struct, frozen=True):
    """A person of the club. `counts_for` is the id that counts, where this one was merged with it: it is looked up when
    the row is read."""

    id: str
    name: str | None
    visitor: bool
    counts_for: str | None = None


def apply_player(view: MemberRow | None, recorded: Recorded) -> MemberRow | None:
    """The row after one more event of the club."""
    return _member(view, recorded.data, recorded.private or {})


def run_player(view: MemberRow | None, stretch: EventStretch) -> MemberRow | None:
    """The row after some of the club's own events that concern this person."""
    for version, event in stretch.events:
        view = _member(view, event, stretch.private.get(version, {}))
    return view


def _member(view: MemberRow | None, event: AnyEvent, private: JsonObject) -> MemberRow | None:
    """A registration makes the row; a new name and another standing change it, an erasure empties it."""
    match event:
        case PlayerRegistered():
            return MemberRow(event.player, private.get("name"), event.visitor)
        case PlayerRenamed() if view is not None:
            return msgspec.structs.replace(view, name=private.get("name"))
        case MembershipChanged() if view is not None:
            return msgspec.structs.replace(view, visitor=event.visitor)
        case PersonErased() if view is not None:
            return MemberRow(view.id, None, view.visitor)
        case _:
            return view


def read_player(row: str) -> MemberRow | None:
    """A row as it was stored."""
    return msgspec.json.decode(row, type=MemberRow)


def _about(event: AnyEvent) -> str | None:
    """The person whose row an event of the club concerns."""
    match event:
        case PlayerRegistered() | PlayerRenamed() | MembershipChanged():
            return event.player
        case PersonErased():
            return event.person
    return None


def same(view: Any) -> Any:
    """The value as it is: the folded one is kept."""
    return view


MATCHES: Final = Projection("matches", 5, Dated(), apply_row, show_row, run_row)
PLAYERS: Final[Projection[MemberRow | None]] = Projection(
    "players", 2, None, apply_player, same, run_player, read_player
)
KEPT: Final[tuple[Projection[Any], ...]] = (MATCHES, PLAYERS, TOURNAMENTS)


def key_of(projection: str, recorded: Recorded) -> str | None:
    """The row of a kept view that an event concerns; None when it concerns none."""
    in_club = recorded.stream == recorded.club
    if projection == "matches":
        return None if in_club or concerns(recorded) else recorded.stream
    if projection == "tournaments":
        return recorded.stream if concerns(recorded) else None
    return _about(recorded.data) if in_club else None


def parts_of(projection: str, stretch: EventStretch) -> Iterator[tuple[str, EventStretch]]:
    """The rows of a kept view that a stretch concerns, each with its part of the stretch."""
    if stretch.stream == stretch.club:
        if projection == "players":
            for each in stretch.events:
                person = _about(each[1])
                if person is not None:
                    yield person, msgspec.structs.replace(stretch, events=(each,))
        return
    kind = "tournaments" if isinstance(stretch.events[0][1], TournamentEvent) else "matches"
    if projection == kind:
        yield stretch.stream, stretch


def begins_row(stretch: EventStretch) -> bool:
    """Tells whether a stretch of the club's own events begins the row that it concerns."""
    return isinstance(stretch.events[0][1], PlayerRegistered)
