"""Writing CTN: a match's recorded events as canonical text, the same bytes however often it goes round."""

from collections.abc import Sequence

from domain.game.script import NotedSection
from domain.game.sheet import Result
from domain.match import events as e
from domain.match.evolve import fold
from domain.match.state import Deal, Match, NoMatch, by_seat, played
from domain.notation.ctn_read import ReadMatch
from domain.notation.tags import SEAL
from domain.notation.words import stated_text
from domain.notation.write_course import NumberedEvent
from domain.notation.write_play import PlayWriter
from domain.notation.write_record import MatchRecord
from domain.notation.write_rulings import RulingWriter
from domain.notation.write_tags import tags_of_deal, tags_of_match
from domain.notation.write_words import LineWriter


def dumps(events: Sequence[NumberedEvent], names: Sequence[Sequence[str]], seal: str | None = None) -> str:
    """One match as canonical CTN; `names` are the players' by side, `seal` is what ties it to the log (`seal_of`),
    else the one it was read with."""
    state = fold(NoMatch(), [(each.version, each.event) for each in events])
    assert isinstance(state, Match)
    return MatchWriter(MatchRecord(state, events, names)).text(seal)


def seal_of(version: int, digest: bytes) -> str:
    """The value of `[Seal]`: the last event that a text holds, and its hash in the chain."""
    return f"{version} {digest.hex()}"


def rewritten(read: ReadMatch) -> str:
    """A match that was read, in canonical form. Raises ValueError for one that never began."""
    if read.tags is None or not read.events:
        raise ValueError("there is no match to write")
    events = [NumberedEvent(version, new.event, new.private) for version, new in enumerate(read.events, start=1)]
    return dumps(events, read.tags.names)


class MatchWriter:
    """Writes one match, deal by deal, in log order."""

    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        self.play = PlayWriter(record)
        self.rulings = RulingWriter(record, self.play)

    def text(self, seal: str | None) -> str:
        """The whole match."""
        lines = tags_of_match(self.record)
        words = LineWriter(lines)
        self.record.comment(words, 1)
        words.end()
        for deal in self.record.match.deals:
            lines += tags_of_deal(self.record, deal)
            lines += self._deal(deal)
        kept = [value for name, value in self.record.kept_tags if name == SEAL]
        lines += [f'[{SEAL} "{value}"]' for value in ([seal] if seal else kept[-1:])]
        return "\n".join(lines) + "\n"

    def _deal(self, deal: Deal) -> list[str]:
        lines: list[str] = []
        words = LineWriter(lines)
        self.record.comment(words, deal.version)
        summary = self.record.summary(deal)
        if summary is not None:
            self._summary(words, summary)
        elif deal.depth != "summary" or deal.facts:
            self.play.write(words, deal)
        result = played(self.record.match, deal)
        if deal.void or (result is not None and result.void):
            words.add("=void")
            self.record.comment(words, *self._entered(deal), *self.record.versions_of(deal, e.DealVoided))
        words.end()
        self._score(words, deal, result)
        self.rulings.write(words, deal)
        return lines

    def _entered(self, deal: Deal) -> list[int]:
        """The events that made a deal a result. A correction's note is its reason, not a comment."""
        made = self.record.versions_of(deal, e.RecordingPaused, e.ResultEntered) if deal.entry is not None else []
        course = self.record.course
        return [version for version in made if version not in course or course[version].now is not None]

    def _summary(self, words: LineWriter, summary: tuple[NotedSection, ...]) -> None:
        """A deal of results only, section by section: calls and sums."""
        sections = self.record.sections
        for place, section in enumerate(summary):
            if place:
                words.end()
            if len(sections) > 1 or section.calls:
                words.add(self.record.section_mark(sections[place]))
            for seat, call in section.calls:
                words.add(f"{self.record.letters[seat]}:{call}")
            words.add("=" + "-".join(str(figure) for figure in section.sums))

    def _score(self, words: LineWriter, deal: Deal, result: Result | None) -> None:
        """`R`: what was written down, else what the facts give."""
        stated = [each for each in deal.stated if each.what == "R"]
        if stated:
            line = self.record.private[stated[-1].version].get("line")
            words.add("R " + (line or stated_text(stated[-1].stated)))
        elif result is None or result.void or deal.void:
            return
        else:
            words.add("R " + self._derived(result))
        if not deal.void:
            self.record.comment(words, *self._entered(deal))
        self.record.comment(words, *(each.version for each in stated))
        words.end()

    def _derived(self, result: Result) -> str:
        """The score sheet of each side as the facts give it: partners in fixed seats as `NS`, others as `N+E`."""
        letters, setup = self.record.letters, self.record.match.setup
        own = getattr(result, "sides", ()) or setup.seats
        joint = "" if own == setup.seats else "+"
        figures = by_seat(setup, result.sheet)
        return " ".join(joint.join(letters[seat] for seat in side) + f" {figures[side[0]]}" for side in own)
