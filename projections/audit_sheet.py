"""The audit of a match with the people's names: a finding in words, and each entry that it rests on."""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from domain import english
from domain.match.audit.finding import START
from domain.match.audit.report import AuditReport, ReportedFinding
from domain.match.state import Deal, Match

GRADES: Final = {
    "P": "proven by the record",
    "C": "a slip of the scorer would explain it",
    "T": "said at the table",
}


class AuditSheet(msgspec.Struct, frozen=True):
    """A report with its match (None: it could not be read) and the names by side."""

    report: AuditReport
    match: Match | None
    names: tuple[tuple[str | None, ...], ...]

    @property
    def title(self) -> str:
        """The sides, or where the report comes from."""
        sides = [" & ".join(name or "(name removed)" for name in side) for side in self.names]
        return " – ".join(sides) if sides else self.report.source or self.report.match or ""

    def named(self, text: str) -> str:
        """A sentence that counts seats, with the names of who sits there."""
        people = self._people()
        return re.sub(r"\bseat ([0-3])", lambda found: people.get(int(found[1]), found[0]), text)

    def graded(self, entry: ReportedFinding) -> str:
        """The certainty of a finding in words, with what would explain it."""
        why = f": {self.named(entry.explained_by)}" if entry.explained_by else ""
        return f"{GRADES[entry.grade]}{why}"

    def evidence(self, entry: ReportedFinding) -> Iterator[str]:
        """Each entry on which a finding rests, in words, with its place."""
        if self.match is None:
            return
        deal = self.match.deals[entry.deal - 1]
        for number, place in enumerate(entry.rests_on):
            version = "" if entry.versions is None else f" (entry {entry.versions[number]} of the log)"
            yield f"{self._told(deal, place)}{version}"

    def unproven(self) -> Iterator[str]:
        """The places at which nothing can be proven, in words; none where nobody asked for them."""
        for each in self.report.openings or ():
            assert self.match is not None
            told = self._told(self.match.deals[each.deal - 1], each.place)
            yield f"deal {each.deal}, {each.rule}: {told}: {each.detail}"

    def _told(self, deal: Deal, place: int) -> str:
        if place == START or place >= len(deal.facts):
            return f"the start of the deal: {self.named(f'seat {deal.dealer}')} dealt"
        assert self.match is not None
        fact = deal.facts[place][1]
        said = english.sentence(self.match.setup.game.key, fact.said())
        return f"fact {place + 1}: {self.named(f'seat {fact.seat} {said}')}"

    def _people(self) -> dict[int, str]:
        if self.match is None:
            return {}
        seats = self.match.setup.seats
        return {
            seat: self.names[side][place] or "(name removed)"
            for side, own in enumerate(seats)
            if side < len(self.names)
            for place, seat in enumerate(own)
            if place < len(self.names[side])
        }
