"""The tricks of a deal while it is read: their numbers, the cards in them, who took them. Where no tricks are
taken every card has a number of its own."""

from typing import Any

from domain.notation.read_sheet import Sheet
from domain.seats import NAMES


class Tricks:
    """The tricks of one deal. `number` is the one that was written and whose card is still to come."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.number: str | None = None
        self._versions: dict[str, list[int]] = {}
        self._section = 0
        self._trick = 0
        self._count = 0
        self._before: Any = None

    def open(self, table: Any) -> None:
        """The trick that the next card at this table belongs to."""
        view = self.sheet.game.view(table, None)
        section = len(self.sheet.game.sums(table))
        self._count = self._count + 1 if section == self._section else 1
        self._section = section
        self._trick = sum(view.tricks) + 1 if view.tricks else self._count
        self._versions.setdefault(self._name(), [])

    def check(self, number: str | None, where: str) -> None:
        """The number written with a card or before it, against the trick that is open."""
        stated, self.number = number or self.number, None
        if stated is not None:
            self.sheet.differ("trick", stated.lstrip("0"), str(self._trick), where)

    def add(self, before: Any) -> None:
        """The card just recorded, and the table before it."""
        self._versions[self._name()].append(len(self.sheet.events))
        self.after(before)

    def after(self, before: Any) -> None:
        """The table before the last word of play."""
        self._before = before

    def versions(self, place: str | None) -> list[int]:
        """The cards of the trick that `P2.4` means. Without phases `4` will do."""
        sections = self.sheet.sections
        name = f"{sections[0]}.{place}" if len(sections) == 1 and place and place.isdecimal() else place or ""
        return self._versions.get(name, [])

    def taken(self) -> tuple[str, int | None] | None:
        """Who took the trick that the last word completed, and its points where points are counted; None while it
        is open."""
        if self._before is None:
            return None
        game, table = self.sheet.game, self.sheet.deal.table
        before, after = game.view(self._before, None), game.view(table, None)
        won, now = before.tricks, after.tricks
        if sum(now) != sum(won) + 1:
            sums = game.sums(table)
            if len(sums) == len(game.sums(self._before)):
                return None
            now = sums[-1]
        rose = [seat for seat, count in enumerate(now) if count > won[seat]]
        if not rose:
            return None
        had, has = points_of(before), points_of(after)
        points = has[rose[0]] - had[rose[0]] if len(had) == len(has) == self.sheet.seats else None
        return NAMES[self.sheet.seats][rose[0]], points

    def _name(self) -> str:
        sections = self.sheet.sections
        return f"{sections[min(self._section, len(sections) - 1)]}.{self._trick}"


def points_of(view: Any) -> tuple[int, ...]:
    """The points of the cards taken so far, where a table counts them."""
    for name in ("points", "card_points"):
        found: tuple[int, ...] | None = getattr(view, name, None)
        if found is not None:
            return found
    return ()
