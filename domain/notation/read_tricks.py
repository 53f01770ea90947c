"""The tricks of a deal while it is read: their numbers, the cards in them, who took them."""

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
        self._before: Any = None

    def open(self, table: Any) -> None:
        """The trick that the next card at this table belongs to."""
        view = self.sheet.game.view(table, None)
        self._section = len(self.sheet.game.sums(table))
        self._trick = sum(view.tricks) + 1
        self._versions.setdefault(self._name(), [])

    def check(self, number: str | None, where: str) -> None:
        """The number written with a card or before it, against the trick that is open."""
        stated, self.number = number or self.number, None
        if stated is not None:
            self.sheet.differ("trick", stated.lstrip("0"), str(self._trick), where)

    def add(self, before: Any) -> None:
        """The card just recorded, and the table before it."""
        self._versions[self._name()].append(len(self.sheet.events))
        self._before = before

    def versions(self, place: str | None) -> list[int]:
        """The cards of the trick that `P2.4` means. Without phases `4` will do."""
        sections = self.sheet.sections
        name = f"{sections[0]}.{place}" if len(sections) == 1 and place and place.isdecimal() else place or ""
        return self._versions.get(name, [])

    def taken(self) -> str | None:
        """Who took the trick that the last card completed; None while it is open."""
        if self._before is None:
            return None
        game, table = self.sheet.game, self.sheet.deal.table
        won, now = game.view(self._before, None).tricks, game.view(table, None).tricks
        if sum(now) != sum(won) + 1:
            sums = game.sums(table)
            if len(sums) == len(game.sums(self._before)):
                return None
            now = sums[-1]
        rose = (NAMES[self.sheet.seats][seat] for seat, count in enumerate(now) if count > won[seat])
        return next(rose, None)

    def _name(self) -> str:
        sections = self.sheet.sections
        return f"{sections[min(self._section, len(sections) - 1)]}.{self._trick}"
