"""The words of a playthrough: seats, cards, facts and members of tables, each on one line."""

import itertools
from typing import Any

import msgspec

from domain import codec
from domain.cards.card import Card
from domain.cards.seats import seat_name
from domain.game.protocol import Call, Played
from domain.games.garbo.options import square_name
from domain.games.get_stuck.options import square_of

SQUARES = {"garbo": square_name, "get_stuck": square_of}


def suits(cards: Any) -> str:
    """Write cards by suit, high ones first: `SAK5 H97 XRB`."""
    found = []
    for suit in "SHDCX":
        ranks = [card.rank for card in sorted(cards, reverse=True) if card.suit == suit]
        found += [suit + "".join(ranks)] if ranks else []
    return " ".join(found) or "-"


class Teller:
    """Writes the words of one game for a number of seats."""

    def __init__(self, course: Any) -> None:
        self.game, self.course = course.game, course
        self.seats = course.game.seats(course.options)
        self.square = SQUARES.get(course.game.key, lambda cell: f"{cell[0]},{cell[1]}")
        self.unseen: set[Any] = set()  # with physical cards: every card that anybody may hold

    def seat(self, seat: int | None) -> str:
        return "nobody" if seat is None else seat_name(seat, self.seats)

    def value(self, name: str, value: Any) -> str:
        """Write a member of a table, a result or a fact."""
        if value is None:
            return "?"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, (Card, str)):
            return str(value)
        if isinstance(value, int):
            return self.seat(value) if name in ("bidder", "stuck") else str(value)
        if name in ("gap", "came", "cell"):
            return self.square(value)
        if isinstance(value, tuple):
            return self._several(name, value)
        return str(codec.encode(value).decode())

    def _several(self, name: str, values: tuple[Any, ...]) -> str:
        if not values:
            return "-"
        first = values[0]
        if isinstance(first, Played):
            return " ".join(f"{self.seat(each.seat)}:{each.card}" for each in values)
        if isinstance(first, Call):
            return " ".join(f"{self.seat(each.seat)}:{each.call}" for each in values)
        if isinstance(first, Card):
            return suits(values)
        if name == "sides":
            return " ".join("+".join(self.seat(seat) for seat in side) for side in values)
        if isinstance(first, int) and not isinstance(first, bool):
            return ":".join(map(str, values)) if name != "passed" else " ".join(map(self.seat, values))
        return " ".join(
            f"({self.value(name, each)})" if isinstance(each, tuple) else self.value(name, each) for each in values
        )

    def members(self, fact: Any) -> list[str]:
        fields = msgspec.structs.fields(fact)[1:]
        pairs = [(each.name, getattr(fact, each.name)) for each in fields]
        while pairs and pairs[-1][1] is None:
            pairs.pop()
        return [self.value(name, value) for name, value in pairs]

    def fact(self, fact: Any) -> str:
        """Write a fact: `A play SA`."""
        return " ".join([self.seat(fact.seat), word(fact), *self.members(fact)])

    def facts(self, facts: Any) -> str:
        """Write facts on one line, grouping those that differ in one member only."""
        if facts is None:
            return "?"
        found = []
        for (seat, name), group in itertools.groupby(facts, lambda each: (each.seat, word(each))):
            rows = [msgspec.structs.astuple(each)[1:] for each in group]
            found.append(" ".join([self.seat(seat), name, self._rows(rows)]).strip())
        return "; ".join(found) or "nothing"

    def _rows(self, rows: list[tuple[Any, ...]]) -> str:
        if len(rows[0]) < 2:
            return self._set([row[0] for row in rows if row])
        if isinstance(rows[0][0], str):  # a dimension and its values
            by_name = itertools.groupby(rows, lambda row: row[0])
            return ", ".join(f"{name} {''.join(row[1] for row in group)}" for name, group in by_name)
        by_first: dict[Any, list[Any]] = {}
        for first, *rest in rows:
            by_first.setdefault(first, []).append(rest[0])
        alike: dict[tuple[Any, ...], list[Any]] = {}
        for first, seconds in by_first.items():
            alike.setdefault(tuple(seconds), []).append(first)
        return ", ".join(
            f"{self._set(firsts)} {'' if seconds == (None,) else '@ ' + self._set(list(seconds))}".strip()
            for seconds, firsts in alike.items()
        )

    def _cards(self, cards: list[Any]) -> str:
        """Write cards; a set of most unseen cards by those that are missing."""
        gone = self.unseen - set(cards)
        if not self.unseen or len(gone) >= min(6, len(cards)):
            return suits(cards)
        return f"unseen but {suits(gone)}" if gone else "unseen"

    def _set(self, values: list[Any]) -> str:
        known = [value for value in values if value is not None]
        start = "?? " if len(known) < len(values) and values else ""
        if not known:
            return ""
        if isinstance(known[0], Card):
            return start + self._cards(known)
        if isinstance(known[0], tuple):
            return start + " ".join(self.square(cell) for cell in known)
        if (
            len(known) > 3
            and all(isinstance(each, int) for each in known)
            and known == list(range(known[0], known[-1] + 1))
        ):
            return f"{known[0]}-{known[-1]}"
        return " ".join(self.value("", each) for each in known)


def word(fact: Any) -> str:
    """Return the word of a type of fact."""
    return str(type(fact).__struct_config__.tag)
