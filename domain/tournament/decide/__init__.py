"""Decisions on a tournament: the events that a command becomes, or the reason for which it is refused."""

from typing import Final, assert_never

from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide import claims, closing, contests, entering, outcomes, repairs, rounds
from domain.tournament.decide.announcing import announced
from domain.tournament.decide.rights import check_allowed
from domain.tournament.state import Tournament

NO_CHANCE: Final = c.Chance()


def decide(state: Tournament, command: c.TournamentCommand, actor: Actor, chance: c.Chance = NO_CHANCE) -> list[New]:
    """The events of a command of `actor`, in order. Raises Refusal."""
    if isinstance(command, c.Announce):
        if not actor.directs or actor.tournament is not None or actor.match is not None:  # a deputy is for one
            raise forbidden(actor)
        return [New(announced(state, command))]
    if not state.version:
        raise Refusal("not-found", "there is no such tournament")
    check_allowed(state, command, actor)
    whenever = _whenever(state, command)
    if whenever is not None:
        return [New(whenever)]
    if state.archived:
        raise Refusal("misfit", "the tournament is archived: take it out first")
    if state.finished:
        raise Refusal("misfit", "the tournament is finished: its places are final, unless the director reopens it")
    return [New(event) for event in _while_on(state, command, actor, chance)]


def _whenever(state: Tournament, command: c.TournamentCommand) -> e.TournamentEvent | None:
    """The event of a command that is taken when the tournament is over too. Raises Refusal."""
    match command:
        case c.Archive() | c.Reopen() | c.Finish():
            return closing.closed(state, command)
        case c.Pay():
            return entering.paid(state, command)
        case c.Contest():
            return contests.contested(state, command)
        case c.Uphold() if state.finished:
            return contests.upheld(state, command)
        case _:
            return None


def _while_on(
    state: Tournament, command: c.TournamentCommand, actor: Actor, chance: c.Chance
) -> list[e.TournamentEvent]:
    """The events of a command that is taken while the tournament is on. Raises Refusal."""
    match command:
        case c.Enter() | c.Reinstate() | c.Substitute() | c.CheckIn() | c.CloseCheckIn() | c.Seed() | c.GrantBye():
            return entering.entry_events(state, command, chance)
        case c.Withdraw():
            return entering.withdrawn(state, command)
        case c.PairRound() | c.UnpairRound() | c.StartRound() | c.LockRound() | c.AssignTable():
            return rounds.round_events(state, command, chance)
        case c.Report() if claims.is_claim(state, command, actor):
            return claims.claimed(state, command, actor, chance)
        case c.HearClaim():
            return claims.heard(state, command)
        case c.CountSilence():
            return claims.silence_counted(state, command, chance)
        case c.Report() | c.TakeMatchResult():
            return repairs.reported(state, command, chance)
        case c.Retract(repair="again"):
            return repairs.opened_again(state, command)
        case c.Retract() | c.Dispute() | c.Uphold():
            return outcomes.result_events(state, command)
        case c.Announce() | c.Archive() | c.Reopen() | c.Finish() | c.Pay() | c.Contest():
            raise AssertionError("decided before")
        case _:
            assert_never(command)
