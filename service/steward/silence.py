"""Silence: who has signed a result of a tournament and waits for the other side, and since when."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from domain.log.strength import reaches
from domain.match.agreement import figures_of
from domain.match.state import Match, race_of, race_scores
from domain.tournament.signatures import is_final
from domain.tournament.state import Stage, Tournament


class Waiting(msgspec.Struct, frozen=True):
    """A side that has not answered: its match, the stage and name of that in the plan, and the version at which the
    other side signed. `deal` is the deal under which that stands in the record; without one it was said in the
    tournament."""

    match: str
    stage: int
    fixture: str
    side: Literal[0, 1]
    since: int
    deal: int | None = None


def asked_for(state: Tournament, number: int, fixture: str) -> bool:
    """True where the silence of a side would say something: the result does not count yet, or is not final and would be
    by silence."""
    stage = state.stages[number]
    if fixture in stage.disputed or fixture in stage.contested:
        return False
    if fixture not in stage.decided:
        return state.plan.counts == "confirmed"
    by_silence = state.plan.final is not None and reaches("timeout", state.plan.final)
    return by_silence and not is_final(state, stage, fixture)


def said(state: Tournament) -> Iterator[Waiting]:
    """The sides that have not answered what the other one said in the tournament itself."""
    for number, stage in enumerate(state.stages):
        for fixture, claims in stage.claims.items():
            if len(claims) == 1 and fixture in stage.pairings and asked_for(state, number, fixture):
                ((side, claim),) = claims.items()
                yield Waiting(stage.pairings[fixture].match, number, fixture, _other(side), claim.version)


def signed(stage: Stage, number: int, fixture: str, match: Match) -> Waiting | None:
    """The side that has not answered what the other one signed in the record of their match, once that is over."""
    if match.disputes or match.void or not race_of(match).finished:
        return None
    last = [deal for deal in match.deals if race_scores(match, deal) is not None][-1]
    under = {side for side in last.confirmed if last.signed.get(side) == figures_of(match)}
    if len(under) != 1 or len(last.confirmed) != 1:
        return None
    (side,) = under
    by = last.signatures.get(side)
    if by is None:
        return None
    return Waiting(stage.pairings[fixture].match, number, fixture, _other(side), by.version, last.number)


def _other(side: int) -> Literal[0, 1]:
    return 0 if side else 1
