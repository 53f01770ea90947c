"""Claims: the word of each side on its match, where a result counts only when both have confirmed it, or is final only
then."""

from typing import Literal

from domain.log.actor import Actor, Strength
from domain.log.decider import Refusal
from domain.log.strength import stronger
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide.outcomes import check_unlocked, read_outcome, stage_with
from domain.tournament.decide.repairs import reported
from domain.tournament.decide.rights import by_program, own_side
from domain.tournament.evolve import evolve
from domain.tournament.signatures import plays_on
from domain.tournament.state import Claim, Stage, Tournament


def is_claim(state: Tournament, command: c.Report, actor: Actor) -> bool:
    """True for a report that is no more than the word of one side, or of whoever keeps the score for both: where both
    have to confirm, or signatures are asked for."""
    if (actor.directs and not by_program(state, actor)) or command.how != "played":
        return False
    asks = state.plan.plays_on is not None or state.plan.final is not None
    side = own_side(state, command, actor)
    return asks if side is None else asks or state.plan.counts == "confirmed"


def claimed(state: Tournament, command: c.Report, actor: Actor, chance: c.Chance) -> list[e.TournamentEvent]:
    """The events of a claim: when the other side says the same that is the result, when it says something else
    it is disputed. Who keeps the score speaks for both. Raises Refusal."""
    number, stage = stage_with(state, command.fixture, command.stage)
    check_unlocked(stage, command.fixture)
    outcome, side = read_outcome(stage, command), own_side(state, command, actor)
    said = Claim(outcome.winner, outcome.score, command.games)
    person, strength = _signing(stage, command, side, actor)
    events: list[e.TournamentEvent] = []
    for each in (0, 1) if side is None else (side,):
        found = _said(state, number, command, each, said, person, strength)
        events += found
        for event in found:
            state = evolve(state, event)
    return [*events, *_agreed(state, number, command, chance)]


def _said(
    state: Tournament,
    number: int,
    command: c.Report,
    side: int,
    said: Claim,
    person: str | None,
    strength: Strength,
) -> list[e.TournamentEvent]:
    """The word of one side, and the dispute where the other one has said something else."""
    stage = state.stages[number]
    event = _event(stage, number, command.fixture, side, said, person, strength)
    other = stage.claims.get(command.fixture, {}).get(1 - side)
    return [event, *([] if other is None or _same(said, other) else _disputed(stage, number, command.fixture))]


def _agreed(state: Tournament, number: int, command: c.Report, chance: c.Chance) -> list[e.TournamentEvent]:
    """The result, where both sides say the same, strongly enough to play on."""
    claims = state.stages[number].claims.get(command.fixture, {})
    one, other = claims.get(0), claims.get(1)
    if one is None or other is None or not _same(one, other):
        return []
    if state.plan.counts == "confirmed" and not plays_on(state, one.strength, other.strength):
        return []
    winner: Literal[0, 1] | None = None if one.winner is None else 1 if one.winner else 0
    score, games = one.score or other.score, one.games or other.games
    whole = c.Report(command.fixture, winner, score=score, stage=command.stage, games=games)
    return reported(state, whole, chance)


def _signing(stage: Stage, command: c.Report, side: int | None, actor: Actor) -> tuple[str | None, Strength]:
    """The person who says it, and the strength of it: a device that has spoken for the other side under another name is
    the scorer."""
    plain = actor.strength in ("token", "file")
    if side is None:
        return None, actor.strength if plain else "scorer"
    other = stage.claims.get(command.fixture, {}).get(1 - side)
    if plain or other is None or actor.strength == "pin":
        return actor.person, actor.strength
    if command.upto is not None and other.version > command.upto:
        raise Refusal("changed", "the other side has said something meanwhile: look at it, then send yours again")
    shared = any(version == other.version and who not in actor.people for version, who in command.own)
    return (None, "scorer") if shared else (actor.person, actor.strength)


def heard(state: Tournament, command: c.HearClaim) -> list[e.TournamentEvent]:
    """The events of a score that a side has signed in the record of its match. Raises Refusal."""
    number, stage = stage_with(state, command.fixture, command.stage)
    check_unlocked(stage, command.fixture)
    said, outcome = Claim(command.winner, command.score), stage.decided.get(command.fixture)
    if outcome is not None:
        stands = stage.signed.get(command.fixture, {}).get(command.side)
        if not said.agrees(outcome.winner, outcome.score):
            raise Refusal("misfit", "there is a result already")
        if stands is not None and not stronger(command.strength, stands.strength):
            raise Refusal("misfit", "that signature is known already")
        return [_claim(number, command.fixture, command.side, said, command.person, command.strength)]
    event = _event(stage, number, command.fixture, command.side, said, command.person, command.strength)
    other = stage.claims.get(command.fixture, {}).get(1 - command.side)
    return [event, *(_disputed(stage, number, command.fixture) if other and not _same(said, other) else ())]


def silence_counted(state: Tournament, command: c.CountSilence, chance: c.Chance) -> list[e.TournamentEvent]:
    """The events of a side that has not answered the other one's word for as long as the plan waits. Raises Refusal."""
    number, stage = stage_with(state, command.fixture, command.stage)
    claims = stage.claims.get(command.fixture, {})
    said = claims.get(1 - command.side)
    if state.plan.timeout is None or said is None or command.side in claims or command.fixture in stage.disputed:
        raise Refusal("misfit", "nobody is waited for at this match")
    if said.version != command.since or command.waited < state.plan.timeout:
        raise Refusal("misfit", f"that side has {state.plan.timeout} minutes to answer")
    check_unlocked(stage, command.fixture)
    event = _claim(number, command.fixture, command.side, said, None, "timeout")
    whole = c.Report(command.fixture, stage=command.stage)
    return [event, *_agreed(evolve(state, event), number, whole, chance)]


def _event(
    stage: Stage, number: int, fixture: str, side: int, said: Claim, person: str | None, strength: Strength | None
) -> e.OutcomeClaimed:
    """The claim as an event. Raises Refusal for what that side has said already, as strongly."""
    before = stage.claims.get(fixture, {}).get(side)
    if before is not None and before.same(said) and not stronger(strength, before.strength):
        raise Refusal("misfit", "your side has said so already: the other side has to say the same")
    return _claim(number, fixture, side, said, person, strength)


def _claim(
    number: int, fixture: str, side: int, said: Claim, person: str | None, strength: Strength | None
) -> e.OutcomeClaimed:
    return e.OutcomeClaimed(number, fixture, side, said.winner, said.score, said.games, person, strength)


def _disputed(stage: Stage, number: int, fixture: str) -> list[e.OutcomeDisputed]:
    """Two sides that say different things: the director decides."""
    return [] if fixture in stage.disputed else [e.OutcomeDisputed(number, fixture)]


def _same(one: Claim, other: Claim) -> bool:
    """True where two claims agree; a score that one of them leaves out does not part them."""
    return (
        one.winner == other.winner
        and (None in (one.score, other.score) or one.score == other.score)
        and (None in (one.games, other.games) or one.games == other.games)
    )
