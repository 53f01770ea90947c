"""The claim of all tricks that are left: who is asked, what may be faced, and when the rest is given.

A claim and its answers are facts that are said, not done: never among the legal ones, and the turn goes on as it was.
The table keeps the claim (`Rest`) until a card falls, which makes an unanswered claim lapse, or until everybody who was
asked has agreed: then the tricks go as claimed. A *no* stands in the record (CLM), and play goes on.
"""

from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

import msgspec

from domain.cards.card import Card, mask_of
from domain.cards.facts import Fact, RestAnswered, RestClaimed
from domain.game.judgement import Breach, misfit

REST: Final = (RestClaimed, RestAnswered)
RULE: Final = "ALL.5"  # an irregularity is recorded, whatever the game
Table = TypeVar("Table")
Won: TypeAlias = tuple[int, ...]  # the tricks that are left, by the seat that takes them


class Rest(msgspec.Struct, frozen=True, gc=False):
    """The claim that lies on the table: by which seat, of how many tricks (None: all that are left), the cards faced by
    seat as bits, and the seats that have agreed, as bits."""

    seat: int
    tricks: int | None
    faced: tuple[int, ...] = ()
    yes: int = 0


class Tricks(msgspec.Struct, frozen=True, gc=False):
    """The tricks under way, as far as a claim of the rest asks: the cards that each seat holds or may hold, those that
    were played, the pack; how many tricks are `left`, the one on the table included; the sides; the claim."""

    hands: tuple[int, ...]
    seen: int
    pack: int
    left: int
    sides: tuple[tuple[int, ...], ...]
    claim: Rest | None = None

    def asked(self, seat: int) -> tuple[int, ...]:
        """The players of the other side, who answer a claim of this seat."""
        return tuple(sorted(each for side in self.sides if seat not in side for each in side))


def rest_breaches(on: Tricks | None, fact: Fact) -> tuple[Breach, ...]:
    """Every reason against a claim or an answer. `on` is None where no tricks are under way."""
    if on is None:
        return misfit("no tricks are under way: the rest can be claimed while they are played")
    if fact.seat >= len(on.hands):
        return misfit(f"seat {fact.seat} is no seat of this table")
    if isinstance(fact, RestClaimed):
        return _claim(on, fact)
    return _answer(on, fact) if isinstance(fact, RestAnswered) else misfit("neither a claim nor an answer")


def _claim(on: Tricks, fact: RestClaimed) -> tuple[Breach, ...]:
    if fact.tricks is not None and fact.tricks > on.left:
        return misfit(f"{fact.tricks} tricks are claimed, and {on.left} are left")
    if fact.tricks is not None and won_by(on, _rest(fact)) is None:
        return misfit(f"with four players all {on.left} tricks that are left are claimed, by one seat")
    if len(fact.hands) > len(on.hands):
        return misfit(f"hands of {len(fact.hands)} seats are faced, and {len(on.hands)} play")
    found: list[Breach] = []
    lying = 0
    for seat, cards in enumerate(fact.hands):
        for card in cards:
            found += _faced(on, seat, card, lying)
            lying |= 1 << card
    return tuple(found)


def _faced(on: Tricks, seat: int, card: Card, lying: int) -> tuple[Breach, ...]:
    """A faced card that cannot be there: played before or faced twice (DUP), of another pack or not in that hand."""
    bit = 1 << card
    if on.seen & bit:
        return (Breach(RULE, "DUP", f"{card} is faced by seat {seat}, and has been played already"),)
    if lying & bit:
        return (Breach(RULE, "DUP", f"{card} is faced twice"),)
    if not on.pack & bit:
        return (Breach(RULE, "NIH", f"{card} is not in the pack of this game"),)
    if not on.hands[seat] & bit:
        return (Breach(RULE, "NIH", f"{card} is not in the hand of seat {seat}, which faced it"),)
    return ()


def _answer(on: Tricks, fact: RestAnswered) -> tuple[Breach, ...]:
    """A *no* contests the claim (CLM): it is recorded, and play goes on."""
    if on.claim is None:
        return misfit("no claim of the rest lies on the table: a card that falls makes it lapse")
    if fact.seat not in on.asked(on.claim.seat):
        return misfit(f"seat {on.claim.seat} claims the rest, and only the other side answers")
    if fact.yes:
        return ()
    return (Breach(RULE, "CLM", f"seat {fact.seat} contests that seat {on.claim.seat} takes the rest"),)


def _rest(fact: RestClaimed) -> Rest:
    return Rest(fact.seat, fact.tricks, tuple(mask_of(cards) for cards in fact.hands))


def won_by(on: Tricks, claim: Rest) -> Won | None:
    """The tricks that are left by seat, as claimed; None where it does not say who takes the others."""
    won = [0] * len(on.hands)
    won[claim.seat] = on.left if claim.tricks is None else claim.tricks
    others = on.left - won[claim.seat]
    if others and len(won) > len((0, 1)):
        return None
    if others:
        won[1 - claim.seat] = others
    return tuple(won)


def rest_after(table: Table, on: Tricks | None, fact: Fact, given: Callable[[Table, Won, Rest], Table | None]) -> Table:
    """The table after a claim or an answer. `given` makes the table in which the tricks went as claimed; None where the
    score does not follow from that: then the claim is agreed to, and the result is entered."""
    if on is None or any(breach.misfit for breach in rest_breaches(on, fact)):
        return table
    if isinstance(fact, RestClaimed):
        return _with(table, _rest(fact))
    assert on.claim is not None
    assert isinstance(fact, RestAnswered)
    bit = 1 << fact.seat
    claim = msgspec.structs.replace(on.claim, yes=on.claim.yes | bit if fact.yes else on.claim.yes & ~bit)
    after = None
    if all(claim.yes >> seat & 1 for seat in on.asked(claim.seat)):
        won = won_by(on, claim)
        after = None if won is None else given(table, won, claim)
    return _with(table, claim) if after is None else after


def _with(table: Table, claim: Rest) -> Table:
    """The table with this claim on it."""
    after: Table = msgspec.structs.replace(table, claim=claim)  # type: ignore[type-var]  # every table is a Struct
    return after


def faced_cards(claim: Rest) -> int:
    """Every card that was faced with a claim, as bits."""
    cards = 0
    for faced in claim.faced:
        cards |= faced
    return cards


def ended_by_claim(before: Tricks | None, after: Tricks | None, fact: Fact) -> bool:
    """Tells whether a fact was the answer with which the rest was given."""
    asked = isinstance(fact, RestAnswered) and fact.yes and before is not None and before.claim is not None
    return asked and (after is None or after.claim is None)
