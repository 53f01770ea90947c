"""Broken duties: with hands unknown, a card that falls later shows what a seat held when it did not follow.

A seat that did not follow and later plays a card of the suit, with no draw between, has shown that it held it: the
record proves the revoke by itself.
"""

from typing import Final

import msgspec

from domain.cards.card import CARDS
from domain.cards.facts import CardPlayed, Fact, Passed
from domain.game.judgement import Breach, Duty, Late
from domain.game.protocol import AnyGame, AnyTable

WHAT: Final = {"REV": "did not follow suit", "FTT": "did not trump", "FPS": "passed"}


class Pending(msgspec.Struct, frozen=True, gc=False):
    """A duty that may not have been met: the seat, the place, and the cards that would prove it."""

    seat: int
    place: int
    segment: int
    cards: int
    rule: str
    code: str


def owed(game: AnyGame, table: AnyTable, seat: int) -> Duty | None:
    """The duty of a seat to the trick, out of turn too; who has a card in it has none, but the stretch goes on."""
    duty = game.duty(table)
    if duty is None or seat == game.to_act(table):
        return duty
    done = any(each.seat == seat for each in game.view(table, None).trick)
    return Duty(duty.segment, () if done else duty.masks)


def settled(pending: list[Pending], fact: CardPlayed, duty: Duty | None) -> tuple[list[Pending], list[Pending]]:
    """The pending duties that this card proves broken, and those that remain.

    Only the earliest duty of a play counts: one who could have followed did not have to trump.
    """
    bit = 1 << fact.card
    proven: dict[int, Pending] = {}
    for each in pending:
        if each.seat == fact.seat and each.cards & bit and (duty is None or duty.segment == each.segment):
            proven.setdefault(each.place, each)
    if not proven:
        return [], pending
    firsts = {place: pending.index(each) for place, each in proven.items()}
    rest = [each for at, each in enumerate(pending) if each.place not in proven or at < firsts[each.place]]
    return list(proven.values()), rest


def left_open(place: int, fact: Fact, duty: Duty | None) -> list[Pending]:
    """The duties that a card does not meet, or that forbid a pass: a later card may prove them broken."""
    made: list[Pending] = []
    if duty is None or not isinstance(fact, CardPlayed | Passed):
        return made
    bit = 1 << fact.card if isinstance(fact, CardPlayed) else 0
    for cards, rule, code in duty.masks if bit else duty.passing:
        if cards & bit:
            break
        made.append(Pending(fact.seat, place, duty.segment, cards, rule, code))
    return made


def shown(each: Pending, place: int, card: int) -> Late:
    """The breach that a card proves, by its own place and that of the card."""
    what = WHAT.get(each.code, "broke the rule")
    detail = f"seat {each.seat} {what}, and held {CARDS[card]}"
    return Late((each.place, place), Breach(each.rule, each.code, detail))
