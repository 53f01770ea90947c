"""Get Stuck: what the cards left face up are worth, for full play and entered results alike."""

import itertools
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from domain.cards.card import cards_in
from domain.game.sheet import EntryError, EntryField, Result
from domain.games.get_stuck.state import GaveUp, Moving, State, Stuck, left_blind, left_laid

Pip: TypeAlias = Annotated[int, msgspec.Meta(ge=2, le=9)]
Rank: TypeAlias = Pip | Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K"]
Left: TypeAlias = Annotated[tuple[Rank, ...], msgspec.Meta(max_length=24)]
LOW: Final = -60
HIGH: Final = 150
LOSER_HIGH: Final = 90


class GetStuckResult(Result, frozen=True, omit_defaults=True):
    """Scores, with who got stuck, and by seat the numerals and the number of courts left face up."""

    stuck: int | None = None
    numerals: tuple[int, ...] = ()
    courts: tuple[int, ...] = ()

    @property
    def seats_named(self) -> Mapping[str, int]:
        """The player who got stuck."""
        return {} if self.stuck is None else {"stuck": self.stuck}


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The seat that got stuck, and by seat either the ranks left face up or the totals."""

    stuck: Annotated[int, msgspec.Meta(ge=0, le=1)]
    cards: tuple[Left, Left] | None = None
    totals: tuple[int, int] | None = None


def ranks_of(cards: int) -> list[str]:
    """The ranks of a bit set of cards."""
    return [card.rank for card in cards_in(cards)]


def figures(ranks: Sequence[int | str]) -> tuple[int, int]:
    """Numerals at face value, an ace for 1, and how many courts (GS.7)."""
    names = [str(rank) for rank in ranks]
    numerals = sum(1 if name == "A" else int(name) for name in names if name not in "JQK")
    return numerals, sum(name in "JQK" for name in names)


def score_left(stuck: int, left: Sequence[Sequence[int | str]]) -> GetStuckResult:
    """A court is 10 to the winner and minus 10 to the one who got stuck (GS.7)."""
    counted = [figures(ranks) for ranks in left]
    return GetStuckResult(
        scores=tuple(
            numerals + (-10 if seat == stuck else 10) * courts for seat, (numerals, courts) in enumerate(counted)
        ),
        stuck=stuck,
        numerals=tuple(numerals for numerals, _ in counted),
        courts=tuple(courts for _, courts in counted),
    )


def score_entry(entry: Entry) -> GetStuckResult:
    """An entered deal. Raises EntryError with the invariant that is broken."""
    if entry.cards is not None and entry.totals is None:
        _check_cards(entry.stuck, entry.cards)
        return score_left(entry.stuck, entry.cards)
    if entry.totals is None or entry.cards is not None:
        raise EntryError("GS.7", "give either `cards`, the ranks left face up by seat, or `totals`")
    _check_totals(entry.stuck, entry.totals)
    return GetStuckResult(scores=entry.totals, stuck=entry.stuck)


def _check_cards(stuck: int, cards: tuple[Left, Left]) -> None:
    for ranks in cards:
        names = [str(rank) for rank in ranks]
        twice = next((name for name in names if names.count(name) > 2), None)
        if twice is not None:
            raise EntryError("GS.i4", f"a colour has two cards of a rank, not {names.count(twice)} of {twice}")
    turned = [24 - len(ranks) for ranks in cards]
    if turned[1 - stuck] - turned[stuck] not in (0, 1):
        raise EntryError(
            "GS.i3",
            f"seat {stuck} got stuck after {turned[stuck]} moves: the other has made as many or one more, "
            f"not {turned[1 - stuck]}",
        )


def _check_totals(stuck: int, totals: tuple[int, int]) -> None:
    if not 0 <= totals[1 - stuck] <= HIGH:
        raise EntryError("GS.i4", f"seat {1 - stuck} won and can have 0 to {HIGH} points, not {totals[1 - stuck]}")
    if not LOW <= totals[stuck] <= LOSER_HIGH:
        raise EntryError(
            "GS.i4", f"seat {stuck} got stuck and can have {LOW} to {LOSER_HIGH} points, not {totals[stuck]}"
        )
    won, lost = _turned(totals[1 - stuck], 10), _turned(totals[stuck], -10)
    if not any(moves - own in (0, 1) for moves in won for own in lost):
        raise EntryError(
            "GS.i3",
            f"{totals[0]} and {totals[1]} do not go together: both turned as many cards, or the winner one more",
        )


@cache
def _turned(total: int, court: int) -> frozenset[int]:
    """The numbers of cards of a colour that may lie face down where the others make this total, a court counting so much."""
    found = set()
    for courts, numerals in itertools.product(range(7), range(19)):
        pips = total - court * courts
        ranks = sorted(2 * tuple(range(1, 10)))
        if sum(ranks[:numerals]) <= pips <= sum(ranks[18 - numerals :]):
            found.add(24 - courts - numerals)
    return frozenset(found)


FORM: Final = (  # the two totals: the winner may have the lower one (GS.g3)
    EntryField("stuck", "Who got stuck?", "seat", (0, 1)),
    EntryField("totals.0", "total", "number", low=LOW, high=HIGH, seat=0),
    EntryField("totals.1", "total", "number", low=LOW, high=HIGH, seat=1),
)


def ranks_left(state: State) -> list[list[str]] | None:
    """The ranks that each seat has left face up, where the record tells them."""
    at = state.at if isinstance(state, Stuck | GaveUp) else state
    left = left_laid(at) if isinstance(at, Moving) else left_blind(at)
    return None if left is None else [ranks_of(cards) for cards in left]


def score(state: State) -> Result | None:
    """The score of a complete deal, as far as the record tells what is left."""
    if not isinstance(state, Stuck | GaveUp):
        return None
    left = ranks_left(state)
    stuck = state.at.turn if isinstance(state, Stuck) else state.stuck
    return None if left is None else score_left(stuck, left)
