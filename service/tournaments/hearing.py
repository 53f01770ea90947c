"""What the record of a match has to say to its tournament: an end, an end that is none any more, a claim, a dispute, or
that it says something else than the result that stands."""

from typing import Any, Final, TypeAlias

import msgspec

from domain.match.state import Match, figures_of, match_confirmed, race_of, ruled_last
from domain.tournament import commands as c
from domain.tournament.events import Because
from domain.tournament.final_score import plain_worth
from domain.tournament.meetings import Decided
from domain.tournament.state import Stage, Tournament

News: TypeAlias = c.TakeMatchResult | c.HearClaim | c.Retract | c.Contest | c.Uphold | c.Dispute
TAKES: Final = (c.TakeMatchResult, c.Retract)


class Place(msgspec.Struct, frozen=True):
    """Where a match belongs: its tournament, the stage, and its name in the plan."""

    tournament: str
    stage: int
    fixture: str


def news_of(state: Tournament, place: Place, match: Match, since: bool) -> News | None:
    """The next thing that a match says and its tournament does not hold yet; nothing where they agree. `since`: the
    record has changed after the result that stands."""
    stage = state.stages[place.stage]
    if place.fixture not in stage.pairings or match.void:
        return None
    known = stage.decided.get(place.fixture)
    if known is None:
        return _first(state, stage, place, match)
    if known.version is not None and not state.finished:
        taken = _taken(state, known, place, match)
        if taken is not None:
            return taken
    return _against(stage, known, place, match, since) or _disputed(state, stage, place, match)


def _first(state: Tournament, stage: Stage, place: Place, match: Match) -> News | None:
    """Of a match without a result: its end, or what one side has signed of it."""
    if match.version <= stage.withdrawn.get(place.fixture, -1):
        return None
    if counts(state, match):
        return report_of(place, match)
    if not race_of(match).finished:
        return None
    report, claims = report_of(place, match), stage.claims.get(place.fixture, {})
    for side in signed_by(match):
        said = claims.get(side)
        if said is None or (said.winner, said.score) != (report.winner, report.score):
            return c.HearClaim(place.fixture, place.stage, 1 if side else 0, report.winner, report.score)
    return None


def signed_by(match: Match) -> tuple[int, ...]:
    """The sides that have signed how a match ended."""
    figures = figures_of(match)
    last = next((deal for deal in reversed(match.deals) if deal.signed), None)
    return () if last is None else tuple(side for side, signed in sorted(last.signed.items()) if signed == figures)


def _taken(state: Tournament, known: Decided, place: Place, match: Match) -> News | None:
    """What was taken from the record and has changed there: taken again, or taken back."""
    if not race_of(match).finished:
        return c.Retract(place.fixture, place.stage + 1)
    if not counts(state, match):
        return None
    report = report_of(place, match)
    return report if differs(known, report) else None


def refused(place: Place, match: Match, stage: Stage, news: News) -> c.Contest | None:
    """What is said where a record could not be taken: the result is contested."""
    if not isinstance(news, TAKES) or place.fixture not in stage.decided:
        return None
    return _new_contest(stage, stage.decided[place.fixture], place, match)


def _against(stage: Stage, known: Decided, place: Place, match: Match, since: bool) -> News | None:
    """What the record says against a result that stands, or says no more."""
    finished = race_of(match).finished
    agrees = finished and not differs(known, report_of(place, match))
    if place.fixture in stage.contested and agrees:
        return c.Uphold(place.fixture, place.stage + 1)
    if agrees or not since or (known.version is None and not finished):
        return None
    return _new_contest(stage, known, place, match)


def _new_contest(stage: Stage, known: Decided, place: Place, match: Match) -> c.Contest | None:
    """The contest of a result, unless it is known, or the director has let the result stand since."""
    finished = race_of(match).finished
    report = report_of(place, match) if finished else None
    winner, score = (report.winner, report.score) if report else (None, None)
    before = stage.contested.get(place.fixture)
    if before is not None and (before.winner, before.score) == (winner, score):
        return None
    if match.version <= stage.upheld.get(place.fixture, 0):
        return None
    because = _because(match, known.version or 0)
    return c.Contest(place.fixture, place.stage, match.version, winner, score, because)


def _because(match: Match, version: int) -> Because:
    if not race_of(match).finished:
        return "reopened"
    return "ruled" if any(ruling.version > version for deal in match.deals for ruling in deal.rulings) else "corrected"


def _disputed(state: Tournament, stage: Stage, place: Place, match: Match) -> News | None:
    """A dispute that is open in the record, and not yet in the tournament."""
    if match.disputes and place.fixture not in stage.disputed and not state.finished:
        return c.Dispute(place.fixture, place.stage + 1)
    return None


def settled(state: Tournament, place: Place, match: Match, since: bool) -> c.Uphold | None:
    """The end of a dispute that was settled in the record (`since`: after it was known in the tournament)."""
    stage = state.stages[place.stage]
    over = since and not match.disputes and place.fixture in stage.disputed and place.fixture in stage.decided
    return c.Uphold(place.fixture, place.stage + 1) if over and place.fixture not in stage.contested else None


def differs(known: Decided, report: c.TakeMatchResult) -> bool:
    """Whether a result says something else than a record; where only the winner was told, only that."""
    return known.winner != report.winner or (known.score is not None and known.score != report.score)


def counts(state: Tournament, match: Match) -> bool:
    """Whether a match is over as the tournament counts: played, or confirmed by both sides; what a director ruled last
    needs nobody to confirm it."""
    if not race_of(match).finished:
        return False
    return state.plan.counts == "played" or match_confirmed(match) or ruled_last(match)


def report_of(place: Place, match: Match) -> c.TakeMatchResult:
    """The result of a finished match. What the games of a match of several were worth does not add up: who wins it has
    won one match, as where only the games are told."""
    race, setup = race_of(match), match.setup.race
    winner: Any = race.winner
    if setup.best_of > 1:
        wins = [sum(game.winner == side for game in race.games) for side in (0, 1)]
        worth = plain_worth(setup, winner)
        return c.TakeMatchResult(place.fixture, winner, (wins[0], wins[1]), worth, None, match.version, place.stage)
    (game,) = race.games
    worth, levels = (game.worth[0], game.worth[1]), (game.levels[0], game.levels[1])
    score = (race.totals[0], race.totals[1])
    return c.TakeMatchResult(place.fixture, winner, score, worth, levels, match.version, place.stage)
