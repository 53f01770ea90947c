"""The kinds of ending that a game tells the solver of. A game that tells none is searched by its protocol alone, so
that a further game changes nothing here."""

from collections.abc import Callable, Hashable
from typing import Any, Final, TypeAlias

import msgspec

from domain.game.tricks import FREE, CardOrder, Playing


class Hands(msgspec.Struct, frozen=True, gc=False):
    """Two open hands that follow suit, where the number of tricks is all that counts: more are better, or, where
    `even` is said, an even (not even) total of seat 0 is better than any other, and then more. `over` is the
    table after these tricks."""

    order: CardOrder
    hands: tuple[int, int]
    turn: int
    led: int | None
    tricks: tuple[int, int]
    even: bool | None
    over: Callable[[tuple[int, ...]], Any]


class Points(msgspec.Struct, frozen=True, gc=False):
    """Two open hands that follow suit, else trump, where each card counts its `values` to whoever takes it, and a pair
    (bit set, points) counts to who leads one of it while holding both. `totals` are the points so far, the `margin` of
    a deal is a function of the totals that rises with the first and falls with the second. `bound` are the cards
    that may be led now, 0 for any; `setting` tells one order, contract or other rule from another."""

    order: CardOrder
    hands: tuple[int, int]
    turn: int
    led: int | None
    bound: int
    totals: tuple[int, int]
    values: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    setting: Hashable
    margin: Callable[[int, int], int]


class Search(msgspec.Struct, frozen=True, gc=False):
    """Anything else. Tables with one `key` have one future; the score of `sides[0]` less that of `sides[1]` ends
    within `reach`. `tricks` by seat, and how many are `left`, where a claim of tricks can be made."""

    sides: tuple[tuple[int, ...], ...]
    key: Hashable
    reach: tuple[int, int]
    tricks: tuple[int, ...] = ()
    left: int = 0


class Unknown(msgspec.Struct, frozen=True, gc=False):
    """Not to be solved, and why."""

    why: str


Ending: TypeAlias = Hands | Points | Search | Unknown
UNRECORDED: Final = Unknown(
    "the hands were not recorded, and best play needs all of them: give a history, or CTN with [Hands] and [Stock]"
)
UNEVEN: Final = Unknown(
    "a card was played out of turn and the hands are no longer of one size: ask for an earlier table with --at"
)
TWO: Final = ((0,), (1,))


def two_hands(state: Playing, over: Callable[[Playing], Any], even: bool | None = None) -> Ending:
    """The ending of two hands under way; `over` makes the next table from the one whose cards are all played."""
    if state.duty is FREE:
        return UNRECORDED
    one, other = state.hands
    sizes = [one.bit_count(), other.bit_count()]
    if state.cards:
        sizes[1 - state.turn] += 1
    if sizes[0] != sizes[1]:
        return UNEVEN

    def finished(tricks: tuple[int, ...]) -> Any:
        played = {
            "hands": (0, 0),
            "seats": (),
            "cards": (),
            "tricks": tricks,
            "seen": state.seen | one | other,
            "left": 0,
        }
        return over(msgspec.structs.replace(state, **played))

    led = state.cards[0] if state.cards else None
    return Hands(state.order, (one, other), state.turn, led, (state.tricks[0], state.tricks[1]), even, finished)
