"""The record of a match that a ruling moves: what its tournament makes of it, and the ways to repair what was paired
since, each tried out and nothing written."""

from typing import Final, Literal, TypeAlias

import msgspec

from domain.log.actor import SERVICE
from domain.log.decider import Refusal
from domain.match.state import Match, race_of
from domain.tournament import commands as c
from domain.tournament.decide import decide
from domain.tournament.evolve import fold
from domain.tournament.hearing import MatchPlace, news_of, refused, report_of
from domain.tournament.state import Tournament

RepairWay: TypeAlias = Literal["keep", "again", "open-again", "uphold"]
STEPS: Final = 8  # things that one match may have to say at once
MATCHES: Final = 256


class Way(msgspec.Struct, frozen=True):
    """A way to repair: the tournament after it, or why it cannot be taken."""

    repair: RepairWay
    state: Tournament | None
    refused: str | None = None


class MovedRecord(msgspec.Struct, frozen=True):
    """A tournament after the record of one of its matches has moved: whether its result is contested by it now, and
    then the ways that a director may choose from."""

    state: Tournament
    contested: bool
    ways: tuple[Way, ...] = ()


def moved_record(before: Tournament, place: MatchPlace, match: Match) -> MovedRecord:
    """The tournament after the record of a match is as it is here, taken as the steward would take it."""
    state, tried = before, set[str]()
    for _ in range(STEPS):
        after = _next(state, place, match, tried)
        if after is None:
            break
        state = after
    contested = place.fixture in state.stages[place.stage].contested
    return MovedRecord(state, contested, ways_of(state, place, match) if contested else ())


def _next(state: Tournament, place: MatchPlace, match: Match, tried: set[str]) -> Tournament | None:
    """The tournament after the first news that it takes; None where there is none left."""
    for news in news_of(state, place, match, True, False):
        if repr(news) in tried:
            continue
        tried.add(repr(news))
        try:
            return _after(state, news)
        except Refusal:
            contest = refused(place, match, state.stages[place.stage], news)
            if contest is not None:
                return _after(state, contest)
    return None


def ways_of(state: Tournament, place: MatchPlace, match: Match) -> tuple[Way, ...]:
    """The ways out of a contested result: to take what the record says, and pair again or keep what was paired since;
    or to let the result stand."""
    ways: list[tuple[RepairWay, c.TournamentCommand]] = [("uphold", c.Uphold(place.fixture, place.stage))]
    if race_of(match).finished:
        said = report_of(place, match)
        for repair in ("keep", "again"):
            told = c.Report(place.fixture, said.winner, "played", said.score, repair, place.stage, knowingly=True)
            ways.append((repair, told))
    else:
        ways.append(("open-again", c.Retract(place.fixture, place.stage, "again", knowingly=True)))
    return tuple(_tried(state, way, command) for way, command in ways)


def _tried(state: Tournament, way: RepairWay, command: c.TournamentCommand) -> Way:
    try:
        return Way(way, _after(state, command))
    except Refusal as refusal:
        return Way(way, None, refusal.detail)


def _after(state: Tournament, command: c.TournamentCommand) -> Tournament:
    """The tournament after a command that is only tried. Raises Refusal."""
    chance = c.Chance(tuple(f"tried {number}" for number in range(MATCHES)), state.stage.lot if state.at >= 0 else 0)
    news = decide(state, command, SERVICE, chance)
    return fold(state, [(version, new.event) for version, new in enumerate(news, start=state.version + 1)])
