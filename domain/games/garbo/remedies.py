"""Garbo: a card that lay where it may not, put on a legal square by the other player."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from domain.cards.facts import Fact
from domain.game.remedy import Lacking, Remedied, Remedy, Wrong, best_for, either
from domain.games.garbo.judging import breaches
from domain.games.garbo.layout import cells_in
from domain.games.garbo.options import CardCovered, CardPlaced, square_name
from domain.games.garbo.play import evolve
from domain.games.garbo.scoring import score
from domain.games.garbo.state import Building, Covering, State
from domain.log.message import Message, Value

PUT_ELSEWHERE: Final = "other-places"
PHRASES: Final[Mapping[str, str]] = {
    "remedy.square": "{other:seat} puts the card on {square:square}, and matches count from there"
}


def remedy(key: str, wrong: Wrong) -> Remedy | None:
    """The other player puts the card on a legal square: that which is best for him, of those that leave the later cards
    where they lie (GA.4, GA.7)."""
    if key != PUT_ELSEWHERE:
        return None
    found = [_placed(wrong, place) for place in wrong.places]
    return either(found, (1 - wrong.seat,), (wrong.seat,))


def _placed(wrong: Wrong, place: int) -> Remedy:
    ways = list(_ways(wrong, place))
    best = best_for((1 - wrong.seat,), (wrong.seat,), ways)
    return best or Lacking("a legal square on which the card leaves the later ones where they lie")


def _ways(wrong: Wrong, place: int) -> Iterator[Remedied]:
    """The deal with the card on each square that is open to it."""
    table, fact = wrong.tables[place], wrong.facts[place]
    if not isinstance(table, Building | Covering) or not isinstance(fact, CardPlaced | CardCovered):
        return
    later = wrong.facts[place + 1 :]
    was = [len(breaches(*each)) for each in zip(wrong.tables[place + 1 :], later, strict=False)]
    for cell in cells_in(table.free):
        end = _played_on(evolve(table, msgspec.structs.replace(fact, cell=cell)), later, was)
        result = None if end is None else score(end)
        if result is not None:
            values: dict[str, Value] = {"other": 1 - wrong.seat, "square": square_name(cell)}
            yield Remedied(result, Message("remedy.square", values))


def _played_on(table: State, later: tuple[Fact, ...], was: list[int]) -> State | None:
    """The table after the later facts; None where one of them breaks a rule that it did not break."""
    for fact, before in zip(later, was, strict=True):
        if len(breaches(table, fact)) > before:
            return None
        table = evolve(table, fact)
    return table
