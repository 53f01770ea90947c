"""The `!` lines of a deal as they are written: rulings, confirmations, corrections, a pause without a result."""

from collections.abc import Mapping

from domain.match import events as e
from domain.match.state import Deal, agreed_by
from domain.notation.words import stated_text
from domain.notation.write_course import MatchCourse, NumberedEvent
from domain.notation.write_record import MatchRecord
from domain.notation.write_words import LineWriter


class RulingWriter:
    """Writes the `!` lines of every deal of a match; `places` holds the place of each fact by its version."""

    def __init__(self, record: MatchRecord, places: Mapping[int, str]) -> None:
        self.record = record
        self.places = places

    def write(self, words: LineWriter, deal: Deal) -> None:
        """The lines of a deal in log order, each on one line however long."""
        for each in self.record.events:
            line = self._line(deal, each)
            if line:
                words.line(line)
                if not isinstance(each.event, e.EntryCorrected):
                    self.record.comment(words, each.version)
                    words.end()

    def _line(self, deal: Deal, each: NumberedEvent) -> str | None:
        event = each.event
        match event:
            case e.ScoreStated(deal=deal.number, what="line"):
                return (each.private or {}).get("line") or stated_text(event.stated)
            case e.RulingMade(deal=deal.number) if any(each.version == ruling.supersedes for ruling in deal.rulings):
                return None  # a later ruling stands in its place
            case e.RulingMade(deal=deal.number):
                return (each.private or {}).get("line") or self._ruling(each.version, event)
            case e.RecordingPaused(deal=deal.number) if deal.entry is None and not deal.void:
                return "! paused"
            case e.ResultConfirmed(deal=deal.number):
                lapsed = "" if self._in_force(deal, each) else ", lapsed"
                return f"! confirmed {self.record.side_letters(event.side)}{lapsed}"
            case e.EntryCorrected():
                of = self.record.course[each.version]
                return self._correction(each, of) if of.deal == deal.number and of.now is not None else None
        return None

    def _in_force(self, deal: Deal, confirmed: NumberedEvent) -> bool:
        """Tell a standing confirmation from one that lapsed with a correction or a ruling, or was given again later."""
        side = confirmed.event.side
        same = (
            each.version
            for each in self.record.events
            if isinstance(each.event, e.ResultConfirmed) and (each.event.deal, each.event.side) == (deal.number, side)
        )
        return side in agreed_by(deal) and confirmed.version == max(same)

    def _correction(self, each: NumberedEvent, of: MatchCourse) -> str:
        """A correction with its place, the old and the new value, and the reason; event numbers mean nothing outside
        their log."""
        was, now = of.values[each.event.version], of.values[each.version]
        why = (each.private or {}).get("note", "").replace('"', "'")
        place = self.places.get(of.first, "")
        return f'! correction {place} was={self.record.value_text(was)} now={self.record.value_text(now)} why="{why}"'

    def _ruling(self, version: int, ruling: e.RulingMade) -> str:
        line = f"! ruling {ruling.code}"
        if ruling.at in self.record.course:
            line += f"@{self.places.get(self.record.course[ruling.at].first, '')}".rstrip("@")
        accepted = self._accepted(version, ruling)
        if accepted:
            line += " accepted=" + ",".join(accepted)
        if ruling.procedural is not None:
            taken = enumerate(ruling.procedural)
            line += " procedural=" + ",".join(f"{self.record.side_letters(at)}:{points}" for at, points in taken)
        if ruling.scores is None:
            return line
        scores = enumerate(ruling.scores)
        return f"{line} => " + " ".join(f"{self.record.side_letters(at)} {score}" for at, score in scores)

    def _accepted(self, version: int, ruling: e.RulingMade) -> list[str]:
        """The sides that accepted a ruling before anything else befell the deal."""
        accepted = []
        for each in self.record.events[version:]:
            if isinstance(each.event, e.RulingMade) or getattr(each.event, "deal", None) != ruling.deal:
                break
            accepted += [self.record.side_letters(each.event.side)] if isinstance(each.event, e.RulingAccepted) else []
        return accepted
