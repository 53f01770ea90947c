"""The tricks of a deal while it is read: their numbers, their cards, their takers. In a game without tricks every
card has a number of its own."""

from domain.cards.seats import NAMES
from domain.game.protocol import AnyTable
from domain.notation.read_sheet import ReadingSheet


class TrickReader:
    """The tricks of one deal. `number` is a trick number that stands before its card."""

    def __init__(self, sheet: ReadingSheet) -> None:
        self.sheet = sheet
        self.number: str | None = None
        self._versions: dict[str, list[int]] = {}
        self._section = 0
        self._trick = 0
        self._count = 0
        self._before: AnyTable | None = None

    def open(self, table: AnyTable) -> None:
        """The trick that the next card at this table belongs to."""
        view = self.sheet.game.view(table, None)
        section = len(self.sheet.game.script.section_sums(table))
        self._count = self._count + 1 if section == self._section else 1
        self._section = section
        self._trick = sum(view.tricks) + 1 if view.tricks else self._count
        self._versions.setdefault(self._name(), [])

    def check(self, number: str | None, where: str) -> None:
        """The number written with a card or before it, against the trick that is open."""
        stated, self.number = number or self.number, None
        if stated is not None:
            self.sheet.differ("trick", stated.lstrip("0"), str(self._trick), where)

    def add(self, before: AnyTable) -> None:
        """The card just recorded, and the table before it."""
        self._versions[self._name()].append(len(self.sheet.events))
        self.after(before)

    def after(self, before: AnyTable) -> None:
        """The table before the last word of play."""
        self._before = before

    def versions(self, place: str | None) -> list[int]:
        """The cards of the trick that `P2.4` means. Without phases `4` will do."""
        sections = self.sheet.sections
        name = f"{sections[0]}.{place}" if len(sections) == 1 and place and place.isdecimal() else place or ""
        return self._versions.get(name, [])

    def taken(self) -> tuple[str, int | None] | None:
        """The taker of the trick that the last word completed, with its points in games that count them; None while
        the trick is open."""
        if self._before is None:
            return None
        game, table = self.sheet.game, self.sheet.deal.table
        before, after = game.view(self._before, None), game.view(table, None)
        won, now = before.tricks, after.tricks
        if sum(now) != sum(won) + 1:
            sums = game.script.section_sums(table)
            if len(sums) == len(game.script.section_sums(self._before)):
                return None
            now = sums[-1]
        rose = [seat for seat, count in enumerate(now) if count > won[seat]]
        if not rose:
            return None
        had, has = game.points_taken(self._before), game.points_taken(table)
        points = has[rose[0]] - had[rose[0]] if len(had) == len(has) == self.sheet.seats else None
        return NAMES[self.sheet.seats][rose[0]], points

    def _name(self) -> str:
        sections = self.sheet.sections
        return f"{sections[min(self._section, len(sections) - 1)]}.{self._trick}"
