"""Strengths in a tournament: which results are final, which are agreed to strongly enough to play on."""

from domain.log.actor import Strength
from domain.log.strength import reaches
from domain.tournament.state import Stage, Tournament


def plays_on(state: Tournament, *given: Strength | None) -> bool:
    """True where the words of both sides let a tournament play on; silence does once it counts at all."""
    silent = state.plan.timeout is not None
    return all(reaches(each, state.plan.plays_on) or (silent and each == "timeout") for each in given)


def is_final(state: Tournament, stage: Stage, fixture: str) -> bool:
    """True for a result that is final: agreed to as strongly as the plan asks, or a director's word."""
    outcome = stage.decided.get(fixture)
    if outcome is None or fixture in stage.disputed or fixture in stage.contested:
        return False
    if state.plan.final is None or outcome.how != "played" or fixture in stage.stands:
        return True
    signed = stage.signed.get(fixture, {})
    if outcome.version is None and len(signed) < 2:
        return True  # neither both sides nor a record said it: the director did
    return len(signed) == 2 and all(reaches(each.strength, state.plan.final) for each in signed.values())


def not_final(state: Tournament, number: int) -> tuple[str, ...]:
    """The results of a stage that stand and are not final."""
    stage = state.stages[number]
    return tuple(name for name in stage.decided if name in stage.pairings and not is_final(state, stage, name))


def words_on(state: Tournament, match: str) -> frozenset[int]:
    """The versions at which sides have said how a match ended."""
    return frozenset(
        each.version
        for stage in state.stages
        for fixture, pairing in stage.pairings.items()
        if pairing.match == match
        for said in (stage.claims, stage.signed)
        for each in said.get(fixture, {}).values()
    )
