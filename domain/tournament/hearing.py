"""News of a match for its tournament: an end, an end that is none any more, a claim, a dispute, or a record that
differs from the result that stands."""

from typing import Final, Literal, TypeAlias

import msgspec

from domain.log.strength import stronger
from domain.match.agreement import figures_of, match_confirmed, ruled_last
from domain.match.said import Signature
from domain.match.signatures import signature_under
from domain.match.state import Match, race_of
from domain.tournament import commands as c
from domain.tournament.events import Because
from domain.tournament.final_score import plain_worth
from domain.tournament.meetings import Decided
from domain.tournament.signatures import is_final, plays_on
from domain.tournament.state import Stage, Tournament

News: TypeAlias = c.TakeMatchResult | c.HearClaim | c.Retract | c.Contest | c.Uphold | c.Dispute
TAKES: Final = (c.TakeMatchResult, c.Retract)


class MatchPlace(msgspec.Struct, frozen=True):
    """The place of a match: its tournament, the stage, and its name in the plan."""

    tournament: str
    stage: int
    fixture: str


def news_of(state: Tournament, place: MatchPlace, match: Match, since: bool, fresh: bool) -> list[News]:
    """News of a match that its tournament does not hold yet, the weightiest first: what is refused keeps nothing
    else from being said. Nothing where they agree. `since`: the record has changed after the result that stands;
    `fresh`: a dispute is open in it that was not told before."""
    stage = state.stages[place.stage]
    if place.fixture not in stage.pairings or match.void:
        return []
    known = stage.decided.get(place.fixture)
    if known is None:
        found: list[News | None] = [_first(state, stage, place, match)]
    else:
        taken = _taken(state, known, place, match) if known.version is not None and not state.finished else None
        against = None if taken is not None else _against(stage, known, place, match, since)
        found = [taken, against, _disputed(state, stage, place, fresh)]
        if taken is None and against is None:
            found += _signatures(state, known, place, match)
    return [each for each in found if each is not None]


def _first(state: Tournament, stage: Stage, place: MatchPlace, match: Match) -> News | None:
    """Of a match without a result: its end, or what one side has signed of it."""
    if match.changed <= stage.withdrawn.get(place.fixture, -1):
        return None
    if counts(state, match):
        return report_of(place, match)
    if not race_of(match).finished:
        return None
    report, claims = report_of(place, match), stage.claims.get(place.fixture, {})
    for side in signed_by(match):
        said, under = claims.get(side), signature_under(match, side)
        weaker = said is not None and under is not None and stronger(under.strength, said.strength)
        if said is None or weaker or (said.winner, said.score) != (report.winner, report.score):
            return _signed(place, report, side, under)
    return None


def _signed(place: MatchPlace, report: c.TakeMatchResult, side: int, under: Signature | None) -> c.HearClaim:
    """A side's signature under how its match ended."""
    person, strength = (None, None) if under is None else (under.person, under.strength)
    at: Literal[0, 1] = 1 if side else 0
    return c.HearClaim(place.fixture, place.stage, at, report.winner, report.score, person, strength)


def _signatures(state: Tournament, known: Decided, place: MatchPlace, match: Match) -> list[News | None]:
    """The signatures under a result that stands, where only those make it final; a director's ruling does too."""
    stage = state.stages[place.stage]
    if state.plan.final is None or state.finished or not race_of(match).finished:
        return []
    report, signed = report_of(place, match), stage.signed.get(place.fixture, {})
    if differs(known, report) or is_final(state, stage, place.fixture):
        return []
    if ruled_last(match) and place.fixture not in stage.disputed:
        return [c.Uphold(place.fixture, place.stage)]
    found: list[News | None] = []
    for side in (0, 1):
        under, stands = signature_under(match, side), signed.get(side)
        if under is not None and (stands is None or stronger(under.strength, stands.strength)):
            found.append(_signed(place, report, side, under))
    return found


def signed_by(match: Match) -> tuple[int, ...]:
    """The sides that have signed how a match ended."""
    figures = figures_of(match)
    last = next((deal for deal in reversed(match.deals) if deal.signed), None)
    return () if last is None else tuple(side for side, signed in sorted(last.signed.items()) if signed == figures)


def _taken(state: Tournament, known: Decided, place: MatchPlace, match: Match) -> News | None:
    """A result that was taken from the record and has changed there: taken again, or taken back; not where the director
    let the result stand against it."""
    if match.changed <= state.stages[place.stage].upheld.get(place.fixture, 0):
        return None
    if not race_of(match).finished:
        return c.Retract(place.fixture, place.stage)
    if not counts(state, match):
        return None
    report = report_of(place, match)
    return report if differs(known, report) else None


def refused(place: MatchPlace, match: Match, stage: Stage, news: News) -> c.Contest | None:
    """The news where a record could not be taken: the result is contested."""
    if not isinstance(news, TAKES) or place.fixture not in stage.decided:
        return None
    return _new_contest(stage, stage.decided[place.fixture], place, match)


def _against(stage: Stage, known: Decided, place: MatchPlace, match: Match, since: bool) -> News | None:
    """The record's word against a result that stands, or the end of it."""
    finished = race_of(match).finished
    agrees = finished and not differs(known, report_of(place, match))
    if place.fixture in stage.contested and agrees:
        return c.Uphold(place.fixture, place.stage)
    if agrees or not since or (known.version is None and not finished):
        return None
    return _new_contest(stage, known, place, match)


def _new_contest(stage: Stage, known: Decided, place: MatchPlace, match: Match) -> c.Contest | None:
    """The contest of a result, unless it is known, or the director has let the result stand since."""
    finished = race_of(match).finished
    report = report_of(place, match) if finished else None
    winner, score = (report.winner, report.score) if report else (None, None)
    before = stage.contested.get(place.fixture)
    if before is not None and (before.winner, before.score) == (winner, score):
        return None
    if match.changed <= stage.upheld.get(place.fixture, 0):
        return None
    because = _because(match, known.version or 0)
    return c.Contest(place.fixture, place.stage, match.version, winner, score, because, ruling_behind(match))


def _because(match: Match, version: int) -> Because:
    if not race_of(match).finished:
        return "reopened"
    return "ruled" if any(ruling.version > version for deal in match.deals for ruling in deal.rulings) else "corrected"


def ruling_behind(match: Match) -> int | None:
    """The version of the ruling that is the last word on how a match stands; None where something was recorded
    since."""
    found = [ruling.version for deal in match.deals for ruling in deal.rulings]
    return max(found) if found and ruled_last(match) else None


def _disputed(state: Tournament, stage: Stage, place: MatchPlace, fresh: bool) -> News | None:
    """A dispute that is open in the record, and not yet in the tournament."""
    if fresh and place.fixture not in stage.disputed and not state.finished:
        return c.Dispute(place.fixture, place.stage)
    return None


def settled(state: Tournament, place: MatchPlace, match: Match, since: bool) -> c.Uphold | None:
    """The end of a dispute that was settled in the record (`since`: after it was known in the tournament)."""
    stage = state.stages[place.stage]
    over = since and not match.disputes and place.fixture in stage.disputed and place.fixture in stage.decided
    return c.Uphold(place.fixture, place.stage) if over and place.fixture not in stage.contested else None


def by_hand(stage: Stage, fixture: str) -> tuple[int, int] | None:
    """The score of a match that somebody reported beside its record; None where nobody did, or the director has let it
    stand."""
    known = stage.decided.get(fixture)
    if known is None or known.how != "played" or known.version is not None or fixture in stage.stands:
        return None
    return known.score


def differs(known: Decided, report: c.TakeMatchResult) -> bool:
    """True where a result differs from a record; where only the winner was told, only that."""
    return known.winner != report.winner or (known.score is not None and known.score != report.score)


def counts(state: Tournament, match: Match) -> bool:
    """True for a match that is over as the tournament counts: played, or confirmed by both sides; what a director ruled
    last needs nobody to confirm it."""
    if not race_of(match).finished:
        return False
    return state.plan.counts == "played" or _agreed(state, match) or ruled_last(match)


def _agreed(state: Tournament, match: Match) -> bool:
    """True where both sides have confirmed a match as strongly as its tournament asks for playing on."""
    under = (signature_under(match, side) for side in (0, 1))
    return match_confirmed(match) and all(each is None or plays_on(state, each.strength) for each in under)


def report_of(place: MatchPlace, match: Match) -> c.TakeMatchResult:
    """The result of a finished match. What the games of a match of several were worth does not add up: who wins it has
    won one match, as where only the games are told."""
    race, setup, ruling = race_of(match), match.setup.race, ruling_behind(match)
    winner: Literal[0, 1] | None = None if race.winner is None else 1 if race.winner else 0
    if setup.best_of > 1:
        wins = [sum(game.winner == side for game in race.games) for side in (0, 1)]
        worth = plain_worth(setup, winner)
        score = (wins[0], wins[1])
        return c.TakeMatchResult(place.fixture, winner, score, worth, None, match.version, place.stage, ruling)
    (game,) = race.games
    worth, levels = (game.worth[0], game.worth[1]), (game.levels[0], game.levels[1])
    score = (race.totals[0], race.totals[1])
    return c.TakeMatchResult(place.fixture, winner, score, worth, levels, match.version, place.stage, ruling)
