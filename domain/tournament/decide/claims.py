"""Claims: the word of each side on its match, where a result counts only when both have confirmed it."""

from typing import Literal

from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide.outcomes import check_unlocked, read_outcome, stage_with
from domain.tournament.decide.repairs import reported
from domain.tournament.decide.rights import own_side
from domain.tournament.evolve import evolve
from domain.tournament.state import Claim, Stage, Tournament


def is_claim(state: Tournament, command: c.Report, actor: Actor) -> bool:
    """True for a report that is no more than the word of one side: of a player, where both have to confirm."""
    return state.plan.counts == "confirmed" and not actor.directs and own_side(state, command, actor) is not None


def claimed(state: Tournament, command: c.Report, actor: Actor, chance: c.Chance) -> list[e.TournamentEvent]:
    """The events of a claim: when the other side says the same that is the result, when it says something else
    it is disputed. Raises Refusal."""
    number, stage = stage_with(state, command.fixture, command.stage)
    check_unlocked(stage, command.fixture)
    outcome, side = read_outcome(stage, command), own_side(state, command, actor)
    assert side is not None
    said = Claim(outcome.winner, outcome.score, command.games)
    event = _event(stage, number, command.fixture, side, said)
    other = stage.claims.get(command.fixture, {}).get(1 - side)
    if other is None or not _same(said, other):
        return [event, *_disputed(stage, number, command.fixture, other)]
    winner: Literal[0, 1] | None = None if said.winner is None else 1 if said.winner else 0
    score, games = said.score or other.score, said.games or other.games
    whole = c.Report(command.fixture, winner, score=score, stage=command.stage, games=games)
    return [event, *reported(evolve(state, event), whole, chance)]


def heard(state: Tournament, command: c.HearClaim) -> list[e.TournamentEvent]:
    """The events of a score that a side has signed in the record of its match. Raises Refusal."""
    number, stage = stage_with(state, command.fixture, command.stage)
    check_unlocked(stage, command.fixture)
    if command.fixture in stage.decided:
        raise Refusal("misfit", "there is a result already")
    said = Claim(command.winner, command.score)
    event = _event(stage, number, command.fixture, command.side, said)
    other = stage.claims.get(command.fixture, {}).get(1 - command.side)
    return [event, *(_disputed(stage, number, command.fixture, other) if other and not _same(said, other) else ())]


def _event(stage: Stage, number: int, fixture: str, side: int, said: Claim) -> e.OutcomeClaimed:
    """The claim as an event. Raises Refusal for what that side has said already."""
    if stage.claims.get(fixture, {}).get(side) == said:
        raise Refusal("misfit", "your side has said so already: the other side has to say the same")
    return e.OutcomeClaimed(number, fixture, side, said.winner, said.score, said.games)


def _disputed(stage: Stage, number: int, fixture: str, other: Claim | None) -> list[e.OutcomeDisputed]:
    """Two sides that say different things: the director decides."""
    return [] if other is None or fixture in stage.disputed else [e.OutcomeDisputed(number, fixture)]


def _same(one: Claim, other: Claim) -> bool:
    """True where two claims agree; a score that one of them leaves out does not part them."""
    return (
        one.winner == other.winner
        and (None in (one.score, other.score) or one.score == other.score)
        and (None in (one.games, other.games) or one.games == other.games)
    )
