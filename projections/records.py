"""Records of people: what somebody won and lost, by game and by opponent, the longest runs, the lurches."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, Literal, TypeAlias

import msgspec

from domain.club.names import Names
from domain.standings.ratings import RatedMatch, RatedOutcome, teams
from projections.lists import MatchRow

RunKind: TypeAlias = Literal["won", "unbeaten", "lost"]
ENDS: Final[Mapping[RunKind, frozenset[RatedOutcome]]] = {
    "won": frozenset({"won"}),
    "unbeaten": frozenset({"won", "drawn"}),
    "lost": frozenset({"lost"}),
}


class Lurches(msgspec.Struct, frozen=True):
    """The levels of lurch of a match by side; empty while it is not over."""

    given: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()


NO_LURCH: Final = Lurches()


class CountedMatch(msgspec.Struct, frozen=True):
    """A result that counts, with the lurches of its match."""

    played: RatedMatch
    lurches: Lurches


class Tally(msgspec.Struct, frozen=True):
    """Matches by how they ended, the longest run of matches won, and the levels of lurch given and taken: a lurch is
    one, a double lurch two."""

    matches: int
    won: int
    drawn: int
    lost: int
    run: int
    given: int
    taken: int


class GameTally(msgspec.Struct, frozen=True):
    """The record in one game."""

    game: str
    title: str
    record: Tally


class OpponentTally(msgspec.Struct, frozen=True):
    """The record against one person, alone or with partners; `name` is null once it was removed."""

    player: str
    name: str | None
    record: Tally
    last: str


class Run(msgspec.Struct, frozen=True):
    """The longest run of a kind: its length, and when its first and its last match was played."""

    kind: RunKind
    length: int
    first: str
    last: str


class RecordView(msgspec.Struct, frozen=True):
    """The record of a person: in all, by game (the most played first), against everybody met (the most often first),
    the longest runs. `game`: only matches of that game count for all but `games`."""

    player: str
    name: str | None
    game: str | None
    record: Tally
    games: tuple[GameTally, ...]
    opponents: tuple[OpponentTally, ...]
    runs: tuple[Run, ...]
    position: int = 0
    behind: int = 0


class PersonTally(msgspec.Struct, frozen=True):
    """The record of somebody in a season."""

    player: str
    name: str | None
    record: Tally


class Step(msgspec.Struct, frozen=True):
    """A match as one person played it."""

    played: RatedMatch
    outcome: RatedOutcome
    opponents: tuple[str, ...]
    given: int
    taken: int


def lurches_of(row: MatchRow) -> Lurches:
    """The lurches of a match that is over."""
    return Lurches(row.given, row.taken) if row.status == "finished" else NO_LURCH


def steps_of(player: str, counted: Iterable[CountedMatch]) -> tuple[Step, ...]:
    """The matches of a person in the order of the log: those that ratings count, too."""
    own = sorted(counted, key=lambda each: (each.played.at, each.played.match))
    return tuple(step for each in own if (step := _step(player, each)) is not None)


def _step(player: str, each: CountedMatch) -> Step | None:
    played = each.played
    own = next((place for place, side in enumerate(played.sides) if player in side), None)
    if own is None or not teams(played, "players"):
        return None
    outcome: RatedOutcome = "drawn" if played.winner is None else "won" if played.winner == own else "lost"
    opponents = tuple(who for place, side in enumerate(played.sides) if place != own for who in side)
    given, taken = (levels[own] if own < len(levels) else 0 for levels in (each.lurches.given, each.lurches.taken))
    return Step(played, outcome, opponents, given, taken)


def tally(steps: Sequence[Step]) -> Tally:
    """These matches counted."""
    ended = [each.outcome for each in steps]
    return Tally(
        len(steps),
        ended.count("won"),
        ended.count("drawn"),
        ended.count("lost"),
        max((len(run) for run in runs_of(steps, "won")), default=0),
        sum(each.given for each in steps),
        sum(each.taken for each in steps),
    )


def runs_of(steps: Sequence[Step], kind: RunKind) -> list[list[Step]]:
    """The runs of a kind, one match or longer, in their order."""
    ends = ENDS[kind]
    return [list(run) for fits, run in groupby(steps, key=lambda each: each.outcome in ends) if fits]


def longest(steps: Sequence[Step]) -> tuple[Run, ...]:
    """The longest run of each kind, the first of equal ones."""
    found = [(kind, max(runs_of(steps, kind), key=len, default=[])) for kind in ENDS]
    return tuple(Run(kind, len(run), run[0].played.when, run[-1].played.when) for kind, run in found if run)


def record_view(
    player: str, game: str | None, counted: Iterable[CountedMatch], names: Names, title_of: Callable[[str], str]
) -> RecordView:
    """The record of a person."""
    steps = steps_of(player, counted)
    asked = [each for each in steps if game in (None, each.played.game)]
    games = _by(steps, lambda each: (each.played.game,))
    met = _by(asked, lambda each: each.opponents)
    return RecordView(
        player,
        names.get(player),
        game,
        tally(asked),
        tuple(GameTally(key, title_of(key), tally(own)) for key, own in games),
        tuple(OpponentTally(who, names.get(who), tally(own), own[-1].played.when) for who, own in met),
        longest(asked),
    )


def _by(steps: Sequence[Step], keys: Callable[[Step], Iterable[str]]) -> list[tuple[str, list[Step]]]:
    """The matches under each key, the key with the most first."""
    found: dict[str, list[Step]] = {}
    for each in steps:
        for key in keys(each):
            found.setdefault(key, []).append(each)
    return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))


def people_of(counted: Sequence[CountedMatch], names: Names) -> tuple[PersonTally, ...]:
    """The record of everybody who played, the most matches won first."""
    played: dict[str, list[CountedMatch]] = {}
    for each in counted:
        for who in {player for side in each.played.sides for player in side}:
            played.setdefault(who, []).append(each)
    rows = [PersonTally(who, names.get(who), tally(steps_of(who, own))) for who, own in played.items()]
    found = [row for row in rows if row.record.matches]
    return tuple(sorted(found, key=lambda row: (-row.record.won, row.record.lost, row.player)))
