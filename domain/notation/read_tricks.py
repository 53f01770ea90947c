"""The tricks of a deal while it is read: their numbers, their cards, their takers. In a game without tricks every
card has a number of its own."""

from typing import NamedTuple

from domain.cards.seats import NAMES
from domain.game.protocol import AnyTable
from domain.notation.read_sheet import ReadingSheet


class OpenTrick(NamedTuple):
    """The trick that a card belongs to, by what its number follows from: the table before the card, the sections that
    were complete, and the place of the card in its section."""

    table: AnyTable
    section: int
    place: int


class TrickReader:
    """The tricks of one deal. `number` is a trick number that stands before its card. What number a trick has is found
    out once somebody asks: most cards say none, and few deals have rulings."""

    def __init__(self, sheet: ReadingSheet) -> None:
        self.sheet = sheet
        self.number: str | None = None
        self._versions: dict[str, list[int]] = {}
        self._unnamed: list[tuple[OpenTrick, int]] = []
        self._trick: OpenTrick | None = None
        self._before: AnyTable | None = None

    def open(self, table: AnyTable) -> None:
        """The trick that the next card at this table belongs to."""
        section = len(self.sheet.game.script.section_sums(table))
        last = self._trick
        place = last.place + 1 if last is not None and section == last.section else 1
        self._trick = OpenTrick(table, section, place)

    def check(self, number: str | None, where: str) -> None:
        """The number written with a card or before it, against the trick that is open."""
        stated, self.number = number or self.number, None
        if stated is not None:
            assert self._trick is not None
            self.sheet.differ("trick", stated.lstrip("0"), str(self._number(self._trick)), where)

    def add(self, before: AnyTable) -> None:
        """The card just recorded, and the table before it."""
        assert self._trick is not None
        self._unnamed.append((self._trick, len(self.sheet.events)))
        self.after(before)

    def after(self, before: AnyTable) -> None:
        """The table before the last word of play."""
        self._before = before

    def versions(self, place: str | None) -> list[int]:
        """The cards of the trick that `P2.4` means. Without phases `4` will do."""
        for trick, version in self._unnamed:
            self._versions.setdefault(self._name(trick), []).append(version)
        self._unnamed.clear()
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

    def _number(self, trick: OpenTrick) -> int:
        done = self.sheet.game.view(trick.table, None).tricks
        return sum(done) + 1 if done else trick.place

    def _name(self, trick: OpenTrick) -> str:
        sections = self.sheet.sections
        return f"{sections[min(trick.section, len(sections) - 1)]}.{self._number(trick)}"
