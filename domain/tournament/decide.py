"""Which command on a tournament becomes which events, and why another one is refused."""

from typing import Final, assert_never

from domain.actor import Actor
from domain.decider import New, Refusal
from domain.tournament import closing, entering, outcomes, repairs, rounds
from domain.tournament import commands as c
from domain.tournament.announcing import announced
from domain.tournament.state import Tournament

NO_CHANCE: Final = c.Chance()


def decide(state: Tournament, command: c.TournamentCommand, actor: Actor, chance: c.Chance = NO_CHANCE) -> list[New]:
    """The events of a command of `actor`, in order. Raises Refusal."""
    if isinstance(command, c.Announce):
        return [New(announced(state, command))]
    if not state.version:
        raise Refusal("not-found", "there is no such tournament")
    match command:
        case c.Archive() | c.Reopen() | c.Finish():
            return [New(closing.closed(state, command))]
        case c.Pay():
            return [New(entering.paid(state, command))]
        case _:
            pass
    if state.archived:
        raise Refusal("misfit", "the tournament is archived: take it out first")
    if state.finished:
        raise Refusal("misfit", "the tournament is finished: its places are final, unless the director reopens it")
    match command:
        case c.Enter() | c.Reinstate() | c.Substitute() | c.CheckIn() | c.CloseCheckIn() | c.Seed() | c.GrantBye():
            return [New(event) for event in entering.decided(state, command, chance)]
        case c.Withdraw():
            return [New(event) for event in entering.withdrawn(state, command)]
        case c.PairRound() | c.UnpairRound() | c.StartRound() | c.LockRound() | c.AssignTable():
            return [New(event) for event in rounds.decided(state, command, chance)]
        case c.Report() | c.Hear():
            return [New(event) for event in repairs.reported(state, command, chance)]
        case c.Retract() | c.Dispute() | c.Uphold():
            return [New(event) for event in outcomes.decided(state, command)]
        case _:
            assert_never(command)
