"""Decisions: which events a command on a match leads to, or why it is refused.

The table's mistakes are facts and are recorded (`record` mode); what cannot be meant is refused.
"""

from typing import assert_never

from domain.log.actor import Actor
from domain.log.decider import New, Refusal, forbidden
from domain.match import (
    affirming,
    disputes,
    mending,
    proposing,
    recording,
    recusal,
    results,
    rights,
    rulings,
    sealing,
    signatures,
)
from domain.match import commands as c
from domain.match import events as e
from domain.match import mending_commands as m
from domain.match.house import may_open
from domain.match.opening import open_match
from domain.match.sight import salted
from domain.match.starting import private_note, start_deal
from domain.match.state import Match, NoMatch, State


def decide(state: State, command: c.MatchCommand, actor: Actor) -> list[New]:
    """The events of a command of `actor`; none for what stands already. Raises Refusal."""
    if isinstance(command, c.OpenMatch):
        if not may_open(command.host, actor, command.tournament):
            raise forbidden(actor)
        return open_match(state, command)
    match_ = _going(state, command, actor)
    marked = recusal.directing(match_, command, actor)
    match command:
        case c.RecordFacts():
            news = recording.recorded(match_, command, actor)
        case c.EnterResult():
            news = results.entered(match_, command, actor)
        case c.Rule():
            news = rulings.ruled(match_, command, actor)
        case m.AnswerCorrection():
            news = proposing.answered(match_, command, actor)
        case _:
            news = [_one(match_, command, actor)]
    return [salted(new, match_) for new in (*marked, *news)]


def _one(match_: Match, command: c.OneEvent, actor: Actor) -> New:
    """The one event of a command that has no more. Raises Refusal."""
    match command:
        case c.StartDeal():
            return start_deal(match_, command)
        case c.UndoLast():
            return mending.undone(match_, command, actor)
        case m.Correct():
            return mending.corrected(match_, command, actor)
        case m.WithdrawFact():
            return mending.withdrawn(match_, command, actor)
        case m.ProposeCorrection():
            return proposing.proposed(match_, command, actor)
        case c.PauseRecording():
            return results.paused(match_, command, actor)
        case c.VoidDeal():
            return results.voided(match_, command, actor)
        case c.RestoreDeal():
            return results.restored(match_, command, actor)
        case c.OpenHands():
            return results.hands_opened(match_, command)
        case c.VoidMatch():
            return New(e.MatchVoided(), private_note(command.note))
        case c.AbandonMatch():
            return results.abandoned(match_, command, actor)
        case _ as word:
            return _word(match_, word, actor)


def _word(match_: Match, command: c.Word, actor: Actor) -> New:
    """The event of what somebody says of a record. Raises Refusal."""
    match command:
        case c.ConfirmResult():
            return results.confirmed(match_, command, actor)
        case c.CountSilence():
            return results.silence_counted(match_, command)
        case c.RightNames():
            return New(signatures.righted(match_, command, actor))
        case c.AgreeOwnTable():
            return New(recusal.agreed(match_, command, actor))
        case c.DisputeResult():
            return disputes.disputed(match_, command, actor)
        case c.SettleDispute():
            return disputes.settled(match_, command, actor)
        case c.StateScore():
            return disputes.score_stated(match_, command)
        case c.NoteIrregularity():
            return disputes.irregularity(match_, command)
        case c.AcceptRuling():
            return rulings.accepted(match_, command, actor)
        case m.Affirm():
            return affirming.affirmed(match_, command, actor)
        case m.WithdrawAffirmation():
            return affirming.taken_back(match_, command, actor)
        case c.Seal():
            return sealing.sealed(match_, command)
        case _ as unknown:
            assert_never(unknown)


def _going(state: State, command: c.MatchCommand, actor: Actor) -> Match:
    """A match that can be recorded, by this actor. Raises Refusal."""
    if isinstance(state, NoMatch):
        raise Refusal("not-found", "there is no such match")
    rights.check_role(state, command, actor)
    sealing.check_not_sealed(state, command)
    if state.void:
        raise Refusal("misfit", "this match is void: its pairing was taken back")
    return state
