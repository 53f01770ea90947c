"""The record of a match in front of the writer, with its names of seats, sides and values."""

from collections.abc import Sequence

from domain import codec
from domain.cards.facts import Fact, RestClaimed
from domain.cards.seats import NAMES
from domain.game.script import NotedSection, mark_of
from domain.log.event import Json
from domain.match import events as e
from domain.match.state import Deal, Match
from domain.notation.words import write_rest
from domain.notation.write_course import NumberedEvent, course_of
from domain.notation.write_words import LineWriter


class MatchRecord:
    """A match, the events that made it, and the players' names by side."""

    def __init__(self, match: Match, events: Sequence[NumberedEvent], names: Sequence[Sequence[str]]) -> None:
        self.match = match
        self.events = events
        self.names = names
        self.game = match.setup.game
        self.options = match.setup.options
        self.sections = self.game.script.sections(self.options)
        self.letters = NAMES[self.game.seats(self.options)]
        courses = course_of(events)
        self.course, self.facts = courses.by_version, courses.facts
        self.private = {each.version: each.private or {} for each in events}

    @property
    def kept_tags(self) -> list[list[str]]:
        """The tags of the match that were kept as they were read: name and value."""
        found: list[list[str]] = self.private[1].get("tags", [])
        return found

    def section_mark(self, section: str) -> str:
        """The mark that opens a section; empty for a game with a single one."""
        return mark_of(section)

    def comment(self, words: LineWriter, *versions: int) -> None:
        """The private notes of these events, one comment."""
        notes = (self.private.get(version, {}).get("note") or "" for version in versions)
        note = " ".join(" ".join(notes).split())
        if note:
            words.remark("{" + note.replace("}", ")") + "}")

    def versions_of(self, deal: Deal, *kinds: type[e.Event]) -> list[int]:
        """The versions of the events of these kinds in a deal."""
        return [
            each.version
            for each in self.events
            if isinstance(each.event, kinds) and getattr(each.event, "deal", None) == deal.number
        ]

    def summary(self, deal: Deal) -> tuple[NotedSection, ...] | None:
        """The entry as calls and sums, for a deal of results only."""
        if deal.entry is None or deal.facts or deal.depth != "summary":
            return None
        noted: tuple[NotedSection, ...] | None = self.game.script.entry_noted(self.options, deal.dealer, deal.entry[1])
        return noted

    def value_text(self, value: Fact | Json) -> str:
        """A fact as a word, a result as JSON without spaces."""
        if not isinstance(value, Fact):
            return codec.encode_plain(value).decode()
        if isinstance(value, RestClaimed):
            return write_rest(value, self.letters)
        said = (value.as_call(), getattr(value, "card", None), getattr(value, "total", None))
        return f"{self.letters[value.seat]}:{next((each for each in said if each is not None), '??')}"

    def side_letters(self, side: int) -> str:
        """The letters of a side, like `NS`."""
        return "".join(self.letters[seat] for seat in self.match.setup.seats[side])
