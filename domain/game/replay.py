"""The replay of a deal, every fact with the table before it, and what a breach rests on in it.

A *place* counts the facts from 0; `START` is the deal itself. What a breach rests on is the least set of places such
that changing one fact outside it to another of its kind and seat leaves the breach where it is.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from domain.cards.facts import CardDrawn, Fact, RestAnswered, RestClaimed
from domain.game.judgement import Breach

ASIDE: Final = (CardDrawn, RestClaimed, RestAnswered)
START: Final = -1  # the place of the deal's start, beside those of its facts


class Replay(msgspec.Struct, frozen=True, gc=False):
    """The tables before each fact and after the last one. `lying` tells whose cards lie in the trick on a table, `hand`
    tells what a seat holds on one, or may hold where hands are not known."""

    tables: tuple[Any, ...]
    facts: tuple[Fact, ...]
    known: bool
    lying: Callable[[Any], tuple[int, ...]]
    hand: Callable[[Any, int], int]

    def acts(self, place: int) -> bool:
        """Tells whether a fact moved the game on: a remark leaves the table, a draw only fills a hand, and a claim of
        the rest asks."""
        return self.tables[place] is not self.tables[place + 1] and not isinstance(self.facts[place], ASIDE)

    def lead_of(self, place: int) -> int:
        """The place where the trick began to which a fact was played; its own for a lead."""
        while place and self.lying(self.tables[place]):
            place -= 1
        return place

    def trick_to(self, place: int) -> tuple[int, ...]:
        """The places of the trick before a fact that was played to it, its lead first."""
        return tuple(each for each in range(self.lead_of(place), place) if self.acts(each))

    def trick_before(self, place: int) -> tuple[int, ...]:
        """The places of the trick that was complete before the one of a fact."""
        last = self.lead_of(place) - 1
        while last >= 0 and not (self.acts(last) and self.lying(self.tables[last])):
            last -= 1
        return () if last < 0 else (*self.trick_to(last), last)

    def calls_to(self, place: int) -> tuple[int, ...]:
        """The places before a fact that were no part of a trick."""
        return tuple(
            each
            for each in range(place)
            if self.acts(each) and not self.lying(self.tables[each]) and not self.lying(self.tables[each + 1])
        )

    def own(self, seat: int, place: int) -> tuple[int, ...]:
        """The places before a fact where a seat put a card on the table."""
        return tuple(
            each
            for each in range(place)
            if self.facts[each].seat == seat and self.acts(each) and card_of(self.facts[each]) is not None
        )

    def named(self, card: int, place: int, stop: int | None = None) -> tuple[int, ...]:
        """The places from one on, up to another, whose facts name a card."""
        end = len(self.facts) if stop is None else stop
        return tuple(each for each in range(place, end) if card_of(self.facts[each]) == card)

    def came(self, card: int, seat: int, place: int) -> tuple[int, ...]:
        """With cards known: the places that decided that a card came to a seat before a fact; none for one that it was
        dealt."""
        for at in range(place - 1, -1, -1):
            if self.hand(self.tables[at + 1], seat) & ~self.hand(self.tables[at], seat) & 1 << card:
                return (*self.trick_to(at), at)
        return ()

    def draws_of(self, card: int, place: int) -> tuple[int, ...]:
        """The places before a fact where a card was drawn."""
        return tuple(each for each in self.named(card, 0, place) if isinstance(self.facts[each], CardDrawn))


def card_of(fact: Fact) -> int | None:
    """The card that a fact names, if any."""
    card = getattr(fact, "card", None)
    return None if card is None else int(card)


def places(first: int, *more: Iterable[int]) -> tuple[int, ...]:
    """Places, the offence first and the others in order, each once."""
    rest = {each for some in more for each in some} - {first}
    return (first, *sorted(rest))


def grounds(replay: Replay, place: int, breach: Breach, orders: tuple[int, ...], held: int) -> tuple[int, ...]:
    """The places that a breach of a shared code rests on. `orders` are the facts that order the cards of its trick or
    say who leads first, `held` the cards of the seat that would have been right."""
    match breach.code:
        case "REV" | "FTT":
            return places(place, (replay.lead_of(place),), _holding(replay, place, held) if replay.known else ())
        case "LOT":
            return places(place, replay.trick_before(place), orders)
        case "POT":
            return places(place, replay.trick_to(place))
        case "FPS":
            return places(place, replay.trick_to(place), _holding(replay, place, held) if replay.known else ())
        case "DUP":
            return places(place, _elsewhere(replay, place))
        case "NIH":
            return places(place, _elsewhere_held(replay, place) if replay.known else (), _draws_named(replay, place))
        case "DRW":
            earlier = (each for each in range(place) if isinstance(replay.facts[each], CardDrawn))
            return places(place, replay.trick_before(place), earlier)
        case "CLM":
            claims = [each for each in range(place) if isinstance(replay.facts[each], RestClaimed)]
            return places(place, claims[-1:])
        case "DIM" | "PAS" | "OOB" | "INS":
            return places(place, replay.calls_to(place))
        case _:
            return places(place, range(place))


def _elsewhere(replay: Replay, place: int) -> tuple[int, ...]:
    """The place where the card of a fact was before: the first fact that names it, else the deal. A card is drawn
    before it is played, so of a play that is an earlier play, of a draw an earlier draw, where there is one."""
    fact = replay.facts[place]
    card = card_of(fact)
    before = () if card is None else replay.named(card, 0, place)
    alike = tuple(at for at in before if isinstance(replay.facts[at], CardDrawn) == isinstance(fact, CardDrawn))
    return (alike or before)[:1] or (START,)


def _draws_named(replay: Replay, place: int) -> tuple[int, ...]:
    card = card_of(replay.facts[place])
    return () if card is None else replay.draws_of(card, place)


def _elsewhere_held(replay: Replay, place: int) -> tuple[int, ...]:
    """With cards known: that a card was not in the hand that played it, but dealt to another or drawn by it."""
    card, table = card_of(replay.facts[place]), replay.tables[place]
    if card is None:
        return (START,)
    seats = [seat for seat in range(4) if seat != replay.facts[place].seat and replay.hand(table, seat) >> card & 1]
    return (START, *(at for seat in seats for at in replay.came(card, seat, place)))


def _holding(replay: Replay, place: int, held: int) -> tuple[int, ...]:
    """That a seat held one of these cards: the deal; for one card alone every fact that may have let go of it, and the
    later one that shows it."""
    if held & (held - 1) or not held:
        return (START,)
    seat, card = replay.facts[place].seat, held.bit_length() - 1
    later = (each for each in replay.named(card, place + 1) if replay.facts[each].seat == seat)
    return (START, *replay.own(seat, place), *replay.came(card, seat, place), *later)
