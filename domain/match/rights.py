"""Rights on a match: by role, by seat, and by how far a result has come. `decide` asks, on the state that is written
to."""

from collections.abc import Iterable
from typing import Final

from domain.cards.facts import Fact
from domain.game.protocol import ALL
from domain.log.actor import Actor
from domain.log.decider import New, Refusal, decided, forbidden
from domain.match import commands as c
from domain.match.mending_commands import Affirm, AnswerCorrection, ProposeCorrection, WithdrawAffirmation
from domain.match.sight import hands_open, holds_hidden, is_players_program, seat_of, table_seen, viewer_of
from domain.match.state import Deal, Match, is_complete, side_of

LIES_OPEN: Final = (c.RecordFacts, c.UndoLast, c.StateScore, c.NoteIrregularity)


def check_any(match: Match, command: c.MatchCommand, actor: Actor) -> None:
    """Checks that one of the actor's rights allows the command. Raises Refusal."""

    def checked(state: Match, asked: c.MatchCommand, each: Actor) -> list[New]:
        check_role(state, asked, each)
        return []

    decided(checked, match, command, actor)


def check_role(match: Match, command: c.MatchCommand, actor: Actor) -> None:
    """Checks that the actor's role allows the command. Raises Refusal."""
    plays = actor.role == "player" and side_of(match, actor) is not None
    match command:
        case c.Rule(named=True):
            allowed = True
        case c.Rule() | c.OpenHands() | c.VoidMatch():
            allowed = actor.directs
        case c.SettleDispute():
            allowed = actor.directs or (command.how == "withdrawn" and (plays or actor.records))
        case c.EnterResult() | c.ConfirmResult() | c.DisputeResult():
            allowed = actor.records or plays
        case c.RecordFacts() if plays and not actor.records:  # a player claims the rest, and answers, for himself
            allowed = bool(command.facts) and all(_own_word(match, fact, actor) for fact in command.facts)
        case c.RightNames() | c.AgreeOwnTable() | c.AcceptRuling():
            allowed = plays
        case ProposeCorrection():
            allowed = actor.records or plays
        case AnswerCorrection():
            allowed = actor.directs or actor.administers or plays
        case Affirm() | WithdrawAffirmation():
            allowed = actor.directs or plays
        case c.Seal():
            allowed = actor.directs
        case c.CountSilence():  # the steward alone counts it
            allowed = actor.directs and actor.strength == "file"
        case _:
            allowed = actor.records
    if not allowed:
        raise forbidden(actor)
    if actor.records and (actor.by_code or is_players_program(match, actor)):
        check_lies_open(match, command)


def _own_word(match: Match, fact: Fact, actor: Actor) -> bool:
    """Tells whether a fact is said by a player at his own seat, and shows no card of another."""
    seat = seat_of(match, actor)
    return fact.is_word and fact.seat == seat and all(each == seat for each, _ in fact.shown)


def check_lies_open(match: Match, command: c.MatchCommand) -> None:
    """Leaves to who may see every hand what ends a deal whose hands are hidden: then everybody sees them. Whoever keeps
    the score by a table's code, or by a player's program, records what lies open. Raises Refusal."""
    hidden = any(holds_hidden(match, deal) and not hands_open(match, deal) for deal in match.deals)
    if hidden and not isinstance(command, LIES_OPEN):
        raise Refusal(
            "forbidden",
            "the hands of this deal are hidden, and you keep the score by the table's code, or by a player's program: "
            "ask the players, the director or a scorer of the club",
        )


def check_stays_over(match: Match, deal: Deal) -> None:
    """Raises Refusal where a deal would be put back on whose hands everybody has seen."""
    if deal.opened and is_complete(match, deal) and holds_hidden(match, deal):
        raise Refusal("window-closed", f"the hands of deal {deal.number} were opened: it cannot be put back on")


def claiming_side(match: Match, deal: Deal, actor: Actor) -> int | None:
    """The side for which a player speaks of a deal whose hands are hidden; None where what is said is so."""
    side = side_of(match, actor)
    return side if side is not None and holds_hidden(match, deal) else None


def check_neutral(match: Match, deal: Deal, actor: Actor) -> None:
    """Raises Refusal for a player where hands are hidden and the deal is over."""
    if claiming_side(match, deal, actor) is not None:
        raise Refusal(
            "forbidden", "you play in this match, and its hands are hidden: ask a scorer who does not, or the director"
        )


def check_own_hand(match: Match, deal: Deal, seats: Iterable[int], actor: Actor) -> None:
    """Refuses a player the facts of a hand that the player may not see: a refusal is not in the log, so every card
    could be tried until the hand is known. Raises Refusal."""
    viewer = viewer_of(match, actor)
    if not isinstance(viewer, int) or deal.cards is None:
        return
    hands = match.setup.game.view(table_seen(match, deal, viewer), viewer).hands
    if any(seat != viewer and seat in range(len(hands)) and hands[seat] is None for seat in seats):
        raise Refusal("forbidden", f"you sit at seat {viewer}: somebody who may see the other hands records them")


def check_tries(match: Match, deal: Deal, facts: Iterable[Fact], actor: Actor) -> None:
    """Refuses facts of a deal to who may not see the cards of which they tell: what is taken and what is refused would
    tell the hand, card by card. Raises Refusal."""
    viewer = viewer_of(match, actor)
    if viewer == ALL or hands_open(match, deal):
        return
    if viewer is None and holds_hidden(match, deal):
        raise Refusal("forbidden", "the hands of this deal are hidden: somebody who may see them puts it right")
    tried = tuple(facts)
    shown = [seat for fact in tried for seat, _ in fact.shown]
    check_own_hand(match, deal, [*(fact.seat for fact in tried), *shown], actor)
    if any(fact.hides and fact.seat != viewer for fact in tried):
        raise Refusal("forbidden", "you have not seen that card: the player who did, or the director, puts it right")
