"""Broken duties: with hands unknown, a card that falls later shows what a seat held when it did not follow.

A seat that did not follow and later plays a card of the suit, with no draw between, has shown that it held it: the
record proves the revoke by itself. So does a card that it faced with a claim, and a card played after draws, if each of
its draws is on record with another card.
"""

from typing import Final

import msgspec

from domain.cards.card import CARDS
from domain.cards.facts import CardPlayed, Fact, Passed, RestClaimed
from domain.game.judgement import Breach, Duty, Late
from domain.game.protocol import AnyGame, AnyTable
from domain.match.audit.draws import Drawn

WHAT: Final = {"REV": "did not follow suit", "FTT": "did not trump", "FPS": "passed"}


class Pending(msgspec.Struct, frozen=True, gc=False):
    """A duty that may not have been met: the seat, the place, and the cards that would prove it; how many draws of the
    seat nobody had seen by then, and the cards of those that were seen."""

    seat: int
    place: int
    segment: int
    cards: int
    rule: str
    code: str
    unseen: int = 0
    named: int = 0


def owed(game: AnyGame, table: AnyTable, seat: int) -> Duty | None:
    """The duty of a seat to the trick, out of turn too; who has a card in it has none, but the stretch goes on."""
    duty = game.duty(table)
    if duty is None or seat == game.to_act(table):
        return duty
    return Duty(duty.segment, () if seat in game.lying(table) else duty.masks)


def shown_by(fact: Fact) -> tuple[tuple[int, int], ...]:
    """The cards that a fact puts on the table face up, by seat: played, or faced with a claim of the rest."""
    if isinstance(fact, CardPlayed):
        return ((fact.seat, fact.card),)
    return fact.shown if isinstance(fact, RestClaimed) else ()


def settled(
    pending: list[Pending], seat: int, card: int, duty: Duty | None, drawn: Drawn
) -> tuple[list[Pending], list[Pending]]:
    """The pending duties that a card of a seat proves broken, and those that remain.

    Only the earliest duty of a play counts: one who could have followed did not have to trump.
    """
    proven: dict[int, Pending] = {}
    for each in pending:
        if each.seat == seat and each.cards >> card & 1 and was_held(each, card, duty, drawn):
            proven.setdefault(each.place, each)
    if not proven:
        return [], pending
    firsts = {place: pending.index(each) for place, each in proven.items()}
    rest = [each for at, each in enumerate(pending) if each.place not in proven or at < firsts[each.place]]
    return list(proven.values()), rest


def was_held(each: Pending, card: int, duty: Duty | None, drawn: Drawn) -> bool:
    """Tells whether a card was in hand when a duty was not met: no draw lies between, or each is on record with another
    card."""
    if duty is None or duty.segment == each.segment:
        return True
    if not drawn.game.drawing_rule or drawn.unseen[each.seat] != each.unseen:
        return False  # another hand, or a draw that nobody saw
    return not (drawn.named[each.seat] & ~each.named) >> card & 1


def left_open(place: int, fact: Fact, duty: Duty | None, drawn: Drawn) -> list[Pending]:
    """The duties that a card does not meet, or that forbid a pass: a later card may prove them broken."""
    made: list[Pending] = []
    if duty is None or not isinstance(fact, CardPlayed | Passed) or fact.seat >= len(drawn.unseen):
        return made
    bit = 1 << fact.card if isinstance(fact, CardPlayed) else 0
    unseen, named = drawn.unseen[fact.seat], drawn.named[fact.seat]
    for cards, rule, code in duty.masks if bit else duty.passing:
        if cards & bit:
            break
        made.append(Pending(fact.seat, place, duty.segment, cards, rule, code, unseen, named))
    return made


def shown(each: Pending, place: int, card: int, drawn: Drawn) -> Late:
    """The breach that a card proves, by its own place, those of the draws between, and that of the card."""
    what = WHAT.get(each.code, "broke the rule")
    detail = f"seat {each.seat} {what}, and held {CARDS[card]}"
    between = (at for at in drawn.places[each.seat] if at > each.place)
    return Late((each.place, *between, place), Breach(each.rule, each.code, detail))
