"""Recusal: who plays at a table, or is close to somebody who does, does not direct there, unless every other side
agrees to it once."""

from typing import TypeAlias

from domain.log.actor import Actor
from domain.log.decider import New, Refusal
from domain.log.strength import asks_persons
from domain.match import commands as c
from domain.match import events as e
from domain.match import mending_commands as m
from domain.match.changing import closed_to_scorers, window_of
from domain.match.mending import deal_with
from domain.match.said import Consent
from domain.match.sight import sides_near
from domain.match.state import Deal, Match, side_of
from domain.match.windows import window


def recused(match: Match, actor: Actor) -> Refusal | None:
    """The refusal for a director who belongs to this table; None for one who does not."""
    if not actor.directs or not sides_near(match, actor):
        return None
    return Refusal(
        "recused",
        "you play at this table, or are close to somebody who does: ask another director or a deputy, or the other "
        "side to agree that you decide",
    )


def directing(match: Match, command: c.MatchCommand, actor: Actor) -> list[New]:
    """The mark of a command that only a director gives, where the director belongs to this table and the other sides
    have agreed; nothing for everybody else. Raises Refusal."""
    if not actor.directs or not _directs(match, command, actor):
        return []
    if actor.person is None and actor.strength == "token" and asks_persons(command.asks):
        raise Refusal("forbidden", "here a person directs, not a program: sign in as yourself")
    refusal = recused(match, actor)
    if refusal is None:
        return []
    number = _deal_of(match, command)
    given = _consents(match, number, actor)
    if not given:
        raise refusal
    assert actor.person is not None
    return [New(e.OwnTableDirected(actor.person, number, tuple(each.version for each in given)))]


def _consents(match: Match, number: int | None, actor: Actor) -> list[Consent]:
    """The consents of all other sides that this actor directs; none where one is missing."""
    near = sides_near(match, actor)
    others = {side for side in range(len(match.setup.sides)) if side not in near}
    found = [each for each in match.consents if each.deal == number and each.ruler in actor.people]
    given = {each.side: each for each in found if each.side in others}
    return list(given.values()) if others and set(given) == others else []


def _directs(match: Match, command: c.MatchCommand, actor: Actor) -> bool:
    """Tells whether a command is one that nobody but a director could give now."""
    match command:
        case c.Rule() | c.OpenHands() | c.VoidMatch():
            return True
        case c.AbandonMatch():
            return any(deal.facts or deal.entry for deal in match.deals)
        case c.SettleDispute(how="withdrawn"):
            found = next((each for each in match.disputes if command.version in (None, each.version)), None)
            return found is None or found.side is None or found.side != side_of(match, actor)
        case c.SettleDispute():
            return True
        case c.Seal() | m.Affirm(inspected=True):
            return True
        case m.WithdrawAffirmation():
            given = (each for deal in match.deals for each in deal.affirmed if each.version == command.affirmation)
            return all(each.side is None for each in given)
        case m.AnswerCorrection():
            return not (actor.administers and _late(match, command))
        case m.ProposeCorrection() | m.Correct() | m.WithdrawFact() | c.UndoLast() | c.VoidDeal() | c.RestoreDeal():
            deal = _deal_meant(match, command)
            return deal is not None and _closed(match, deal, command, actor)
        case _:
            return False


def _closed(match: Match, deal: Deal, command: c.MatchCommand, actor: Actor) -> bool:
    """Tells whether only a director does this now, who is not one of the table's."""
    found = window_of(match, deal, actor, command.moment)
    if isinstance(command, m.ProposeCorrection):
        return found == "T3"
    return closed_to_scorers(match, deal, found, command.moment) is not None


def _late(match: Match, command: m.AnswerCorrection) -> bool:
    """Tells whether the secretary answers a proposal now."""
    deal = _deal_meant(match, command)
    return deal is not None and window(match, deal, command.moment) == "T3"


Meant: TypeAlias = (
    m.Correct | m.WithdrawFact | m.ProposeCorrection | m.AnswerCorrection | c.UndoLast | c.VoidDeal | c.RestoreDeal
)


def _deal_meant(match: Match, command: Meant) -> Deal | None:
    """The deal that would be changed: that of the entry which is put right, else the last one."""
    match command:
        case m.AnswerCorrection():
            numbers = [each.event.deal for each in match.proposals if each.version == command.proposal]
            return match.deals[numbers[0] - 1] if numbers else None
        case c.UndoLast() | c.VoidDeal() | c.RestoreDeal():
            return match.deals[-1] if match.deals else None
        case _:
            inserting = not isinstance(command, m.WithdrawFact) and command.do == "insert"
            try:
                return deal_with(match, command.version, inserting=inserting)
            except Refusal:
                return None


def _deal_of(match: Match, command: c.MatchCommand) -> int | None:
    """The number of the deal that a command of a director is about; None for the match."""
    match command:
        case c.Rule() | c.OpenHands():
            return command.deal if command.deal is not None else len(match.deals) or None
        case c.SettleDispute():
            found = (each.deal for each in match.disputes if command.version in (None, each.version))
            return next(found, None)
        case m.Affirm():
            return command.deal if 1 <= command.deal <= len(match.deals) else None
        case m.WithdrawAffirmation():
            held = (deal.number for deal in match.deals for own in deal.affirmed if own.version == command.affirmation)
            return next(held, None)
        case (
            m.Correct()
            | m.WithdrawFact()
            | m.ProposeCorrection()
            | m.AnswerCorrection()
            | c.UndoLast()
            | c.VoidDeal()
            | c.RestoreDeal()
        ):
            deal = _deal_meant(match, command)
            return None if deal is None else deal.number
        case _:
            return None


def agreed(match: Match, command: c.AgreeOwnTable, actor: Actor) -> e.OwnTableAgreed:
    """The consent of a player's side. Raises Refusal for one that is no person's, or that stands already."""
    side = side_of(match, actor)
    if side is None:
        raise Refusal("forbidden", "only a player of this table agrees for a side")
    if actor.strength not in ("own device", "pin"):
        raise Refusal("forbidden", "agree on your own phone, or with your PIN: a name that was tapped is not enough")
    if command.ruler in match.setup.sides[side]:
        raise Refusal("misfit", "that is somebody of your own side: the other side agrees to that")
    if command.deal is not None and not 1 <= command.deal <= len(match.deals):
        raise Refusal("misfit", f"there is no deal {command.deal}")
    if any((each.deal, each.side, each.ruler) == (command.deal, side, command.ruler) for each in match.consents):
        raise Refusal("misfit", "your side has agreed to that already")
    return e.OwnTableAgreed(command.deal, side, command.ruler, actor.person, actor.strength)
