"""The `!` lines of a deal: rulings, confirmations, corrections, and that the recording was paused."""

import re

from domain.cards.facts import Fact
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match import events as e
from domain.match.stated import LINE
from domain.notation.read_sheet import ReadingSheet
from domain.notation.read_tricks import TrickReader
from domain.notation.words import read_scores, seats_of

_RULING = re.compile(r"!\s*ruling\s+([A-Z][A-Z0-9]{1,3})(?:@(\S+))?", re.IGNORECASE)
_CONFIRMED = re.compile(r"!\s*confirmed\s+(\S+)\s*\Z")
_PAUSED = re.compile(r"!\s*paused\s*\Z")
_PROCEDURAL = re.compile(r"\bprocedural=(\S+)")
_ACCEPTED = re.compile(r"\baccepted=(\S+)")


def _word(line: str, name: str) -> str | None:
    """The value of `name=value` in a line, outside of what stands in quotes; None where it is not said."""
    found = re.search(rf"(?<!\S){name}=(\S+)", re.sub(r'"[^"]*"', '""', line))
    return found[1] if found else None


class RulingReader:
    """The `!` lines of one deal, whose tricks they name."""

    def __init__(self, sheet: ReadingSheet, tricks: TrickReader) -> None:
        self.sheet = sheet
        self.tricks = tricks

    def line(self, line: str) -> None:
        """One line. Raises Refusal."""
        ruling = _RULING.match(line)
        confirmed = _CONFIRMED.match(line)
        deal = self.sheet.deal
        sides = self._sides(confirmed[1]) if confirmed else ()
        if ruling:
            self._ruling(line, ruling)
        elif _PAUSED.match(line) and not deal.paused:
            self.sheet.do(c.PauseRecording())
        elif sides and not set(sides) & set(deal.confirmed):
            for side in sides:
                self.sheet.do(c.ConfirmResult(deal=deal.number, side=side))
        else:
            # an agreement that has lapsed since, or lapsed before it was given again, is only on record
            self.sheet.do(c.StateScore(what=LINE, line=" ".join(line.split())))

    def _ruling(self, line: str, ruling: re.Match[str]) -> None:
        scores = self._scores(line)
        accepted = _ACCEPTED.search(line)
        sides = self._sides(accepted[1]) if accepted else ()
        code = ruling[1].upper()
        private = {"line": " ".join(line.split())}
        at = self._place(code, ruling[2])
        procedural = self._procedural(line)
        proof, rule = _word(line, "proof"), _word(line, "rule")
        at = self._offence(proof) or at
        findings = (c.NamedFinding(code, at),) if proof and at is not None else ()
        command = c.Rule(
            code=code,
            at=at,
            scores=scores,
            accepted=sides,
            private=private,
            procedural=procedural,
            findings=findings,
            rule=rule,
        )
        self.sheet.do(command)
        self._compare(ruling[2] or "", proof)

    def _offence(self, proof: str | None) -> int | None:
        """The version of the fact that a proof names first, where it names one fact: `P2.4B`, `#3`."""
        found = self._facts((proof or "").partition(",")[0])
        return found[0] if len(found) == 1 else None

    def _compare(self, where: str, proof: str | None) -> None:
        """A proof that names facts one by one, against what is found here: it is not believed."""
        rulings = self.sheet.deal.rulings
        found = next(iter(rulings[-1].findings), None) if rulings else None
        if proof is None or found is None or self._offence(proof) is None:
            return
        named = {version for each in proof.split(",") for version in self._facts(each)}
        if not {*found.rests_on} <= named:
            self.sheet.differ("proof", proof, "other entries", where)

    def _facts(self, point: str) -> tuple[int, ...]:
        """The versions that a word of a proof means: a card by its trick and seat (`P2.4B`), a fact by its number in
        the deal (`#3`), the start (`deal`), or the cards of a trick (`P2.4`)."""
        begun, events = self.sheet.deal.version, self.sheet.events
        if point == "deal":
            return (begun,)
        if re.fullmatch(r"#[0-9]{1,4}", point):
            facts = [at for at, new in enumerate(events, start=1) if at > begun and isinstance(new.event, Fact)]
            return tuple(facts[int(point[1:]) - 1 : int(point[1:])]) if int(point[1:]) else ()
        trick, letter = (point[:-1], point[-1]) if point[-1:].isalpha() else (point, "")
        seats = seats_of(letter, self.sheet.seats) if letter else None
        cards = ((at, events[at - 1].event) for at in self.tricks.versions(trick))
        return tuple(at for at, card in cards if seats is None or (isinstance(card, Fact) and card.seat in seats))

    def _procedural(self, line: str) -> tuple[int, ...] | None:
        """The procedural points by side (`procedural=A:-5,B:0`), if a ruling takes some off."""
        told = _PROCEDURAL.search(line)
        if told is None:
            return None
        sides = self.sheet.match.setup.seats
        points = [0] * len(sides)
        for each in told[1].split(","):
            name, _, figure = each.rpartition(":")
            if not name or not re.fullmatch(r"-?[0-9]{1,6}", figure):
                raise Refusal("malformed", "procedural points stand as `procedural=A:-5,B:0`")
            for side in self._sides(name):
                points[side] = int(figure)
        return tuple(points)

    def _scores(self, line: str) -> tuple[int, ...] | None:
        """The scores by side after `=>`, if the ruling adjusts them."""
        _, arrow, tail = line.rpartition("=>")
        if not arrow:
            return None
        by_seat = read_scores(tail.split(), self.sheet.seats)
        sides = self.sheet.match.setup.seats
        if by_seat is None or any(side[0] not in by_seat for side in sides):
            raise Refusal("malformed", "a ruling ends with => and the score of each side")
        return tuple(by_seat[side[0]] for side in sides)

    def _sides(self, names: str) -> tuple[int, ...]:
        """The sides of seats written like `A,B`."""
        found: list[int] = []
        for name in names.split(","):
            seats = seats_of(name, self.sheet.seats) or ()
            found += [side for side, own in enumerate(self.sheet.match.setup.seats) if set(seats) & set(own)]
        return tuple(dict.fromkeys(found))

    def _place(self, code: str, place: str | None) -> int | None:
        """The version that `P2.4` means: the noted card of that trick, else its last."""
        versions = self.tricks.versions(place)
        events = (new.event for new in self.sheet.events)
        noted = [event.at for event in events if isinstance(event, e.IrregularityNoted) and event.code == code]
        return next((at for at in noted if at in versions), versions[-1] if versions else None)
