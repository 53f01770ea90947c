"""The `!` lines of a deal as they are written: rulings, confirmations, corrections, a pause without a result."""

from collections.abc import Mapping

from domain.match import events as e
from domain.match.state import Deal, agreed_by
from domain.notation.words import statement
from domain.notation.write_course import Course, Noted
from domain.notation.write_record import Record
from domain.notation.write_words import Words


class Rulings:
    """Writes the `!` lines of every deal of a match; `places` says where its facts stand."""

    def __init__(self, record: Record, places: Mapping[int, str]) -> None:
        self.record = record
        self.places = places

    def write(self, words: Words, deal: Deal) -> None:
        """The lines of a deal in log order, each on one line however long."""
        for each in self.record.events:
            line = self._line(deal, each)
            if line:
                words.line(line)
                if not isinstance(each.event, e.EntryCorrected):
                    self.record.comment(words, each.version)
                    words.end()

    def _line(self, deal: Deal, each: Noted) -> str | None:
        event = each.event
        match event:
            case e.ScoreStated(deal=deal.number, what="line"):
                return (each.private or {}).get("line") or statement(event.stated)
            case e.RulingMade(deal=deal.number):
                return (each.private or {}).get("line") or self._ruling(each.version, event)
            case e.RecordingPaused(deal=deal.number) if deal.entry is None and not deal.void:
                return "! paused"
            case e.ResultConfirmed(deal=deal.number):
                lapsed = "" if self._in_force(deal, each) else ", lapsed"
                return f"! confirmed {self.record.side(event.side)}{lapsed}"
            case e.EntryCorrected():
                of = self.record.course[each.version]
                return self._correction(each, of) if of.deal == deal.number and of.now is not None else None
        return None

    def _in_force(self, deal: Deal, confirmed: Noted) -> bool:
        """Whether a confirmation stands: it lapses with a correction or a ruling, and may be given again."""
        side = confirmed.event.side
        same = (
            each.version
            for each in self.record.events
            if isinstance(each.event, e.ResultConfirmed) and (each.event.deal, each.event.side) == (deal.number, side)
        )
        return side in agreed_by(deal) and confirmed.version == max(same)

    def _correction(self, each: Noted, of: Course) -> str:
        """Where, what was, what is, why. The number of an event means nothing outside its log."""
        was, now = of.values[each.event.version], of.values[each.version]
        why = (each.private or {}).get("note", "").replace('"', "'")
        place = self.places.get(of.first, "")
        return f'! correction {place} was={self.record.shown(was)} now={self.record.shown(now)} why="{why}"'

    def _ruling(self, version: int, ruling: e.RulingMade) -> str:
        line = f"! ruling {ruling.code}"
        if ruling.at in self.record.course:
            line += f"@{self.places.get(self.record.course[ruling.at].first, '')}".rstrip("@")
        accepted = self._accepted(version, ruling)
        if accepted:
            line += " accepted=" + ",".join(accepted)
        if ruling.scores is None:
            return line
        scores = enumerate(ruling.scores)
        return f"{line} => " + " ".join(f"{self.record.side(at)} {score}" for at, score in scores)

    def _accepted(self, version: int, ruling: e.RulingMade) -> list[str]:
        """The sides that accepted a ruling before anything else befell the deal."""
        accepted = []
        for each in self.record.events[version:]:
            if isinstance(each.event, e.RulingMade) or getattr(each.event, "deal", None) != ruling.deal:
                break
            accepted += [self.record.side(each.event.side)] if isinstance(each.event, e.RulingAccepted) else []
        return accepted
