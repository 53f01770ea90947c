"""The `!` lines of a deal as they are written: rulings, confirmations, corrections, a pause without a result."""

from domain.cards.facts import Fact
from domain.log.event import Json
from domain.match import events as e
from domain.match.agreement import agreed_by
from domain.match.ruling_events import Found
from domain.match.state import Deal
from domain.notation.words import stated_text
from domain.notation.write_course import MatchCourse, NumberedEvent
from domain.notation.write_play import PlayWriter
from domain.notation.write_record import MatchRecord
from domain.notation.write_words import LineWriter


class RulingWriter:
    """Writes the `!` lines of every deal of a match; `play` knows the place of each fact once it is written."""

    def __init__(self, record: MatchRecord, play: PlayWriter) -> None:
        self.record = record
        self.play = play
        made = [each.event for each in record.events if isinstance(each.event, e.RulingMade)]
        self.superseded = {each.supersedes for each in made}

    def write(self, words: LineWriter, deal: Deal) -> None:
        """The lines of a deal in log order, each on one line however long."""
        for each in self.record.events:
            line = self._line(deal, each)
            if line:
                words.line(line)
                if _for_everybody(each):
                    self.record.comment(words, each.version)
                    words.end()

    def _line(self, deal: Deal, each: NumberedEvent) -> str | None:
        event = each.event
        match event:
            case e.ScoreStated(deal=deal.number, what="line"):
                return (each.private or {}).get("line") or stated_text(event.stated)
            case e.RulingMade(deal=deal.number) if each.version not in self.superseded:
                return (each.private or {}).get("line") or self._ruling(each.version, event)
            case e.RecordingPaused(deal=deal.number) if deal.entry is None and not deal.void:
                return "! paused"
            case e.ResultConfirmed(deal=deal.number):
                lapsed = "" if self._in_force(deal, each) else ", lapsed"
                return f"! confirmed {self.record.side_letters(event.side)}{lapsed}"
            case e.EntryCorrected():
                of = self.record.course[each.version]
                return self._correction(each, of, event.window) if of.deal == deal.number else None
            case e.FactInserted(deal=deal.number):
                of = self.record.course[each.version]
                return f"! inserted {self._place(of)}{self._now(of.values[each.version])}{_window(event.window)}"
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

    def _correction(self, each: NumberedEvent, of: MatchCourse, window: str | None) -> str | None:
        """A correction with its place, the old and the new value; event numbers mean nothing outside their log. The
        reason is somebody's words, and stays in the log; one of before there were windows stands in files that were
        taken along, which still have to prove their match."""
        if each.version not in of.values:
            now = " now=-"
        elif of.now is None:
            return None
        else:
            now = self._now(of.values[each.version])
        line = f"! correction {self._place(of)} was={self.record.value_text(of.values[each.event.version])}{now}"
        if window is not None:
            return f"{line} window={window}"
        why = (each.private or {}).get("note", "").replace('"', "'")
        return f'{line} why="{why}"'

    def _place(self, of: MatchCourse) -> str:
        """The place of a fact; of one that was taken out that of the one before it."""
        places, facts = self.play.places, self.record.facts.get(of.deal, [])
        upto = facts[: facts.index(of) + 1] if of in facts else [of]
        return next((places[each.first] for each in reversed(upto) if each.first in places), "")

    def _now(self, value: Fact | Json) -> str:
        return f" now={self.record.value_text(value)}"

    def _ruling(self, version: int, ruling: e.RulingMade) -> str:
        line = f"! ruling {ruling.code}"
        if ruling.at in self.record.course:
            line += f"@{self._place(self.record.course[ruling.at])}".rstrip("@")
        line += "".join(f" {name}={value}" for name, value in self._named(ruling) if value)
        accepted = self._accepted(version, ruling)
        if accepted:
            line += " accepted=" + ",".join(accepted)
        if ruling.scores is None:
            return line
        scores = enumerate(ruling.scores)
        return f"{line} => " + " ".join(f"{self.record.side_letters(at)} {score}" for at, score in scores)

    def _named(self, ruling: e.RulingMade) -> list[tuple[str, str]]:
        """The rule, the finding with its proof and grade, the remedy, and procedural points by side."""
        found = next((each for each in ruling.findings if each.at == ruling.at), None)
        points = enumerate(ruling.procedural or ())
        procedural = ",".join(f"{self.record.side_letters(side)}:{taken}" for side, taken in points)
        return [
            ("rule", ruling.rule or ""),
            ("proof", self._proof(found)),
            ("grade", found.grade if found is not None else ""),
            ("remedy", ruling.remedy or ""),
            ("procedural", procedural),
            ("instance", str(ruling.instance) if ruling.instance > 1 else ""),
        ]

    def _proof(self, found: Found | None) -> str:
        """The facts on which a finding rests; the deal's start is `deal`."""
        if found is None:
            return ""
        course, points = self.record.course, self.play.points
        told = (points.get(course[at].first, "") if at in course else "deal" for at in found.rests_on)
        return ",".join(filter(None, told))

    def _accepted(self, version: int, ruling: e.RulingMade) -> list[str]:
        """The sides that accepted a ruling before anything else befell the deal."""
        accepted = []
        for each in self.record.events[version:]:
            if isinstance(each.event, e.DisputeSettled):
                continue  # the ruling itself settled it
            if isinstance(each.event, e.RulingMade) or getattr(each.event, "deal", None) != ruling.deal:
                break
            accepted += [self.record.side_letters(each.event.side)] if isinstance(each.event, e.RulingAccepted) else []
        return accepted


def _for_everybody(each: NumberedEvent) -> bool:
    """Tells a comment, which came in from a file or from the table, from the reason of a correction or a ruling."""
    if isinstance(each.event, e.RulingMade):
        return "line" in (each.private or {})
    return not isinstance(each.event, e.EntryCorrected | e.FactInserted)


def _window(window: str | None) -> str:
    return f" window={window}" if window else ""
