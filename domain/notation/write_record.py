"""The record of a match as it lies before the writer, and how it names seats, sides and values."""

from collections.abc import Sequence
from typing import Any

from domain import codec
from domain.facts import Fact
from domain.match import events as e
from domain.match.state import Deal, Match
from domain.notation.write_course import Noted, course_of
from domain.notation.write_words import Words
from domain.seats import NAMES

WHOLE = "PLAY"  # what a game with a single stretch calls it


class Record:
    """A match, the events that made it, and the players' names by side."""

    def __init__(self, match: Match, events: Sequence[Noted], names: Sequence[Sequence[str]]) -> None:
        self.match = match
        self.events = events
        self.names = names
        self.game = match.setup.game
        self.options = match.setup.options
        self.sections = self.game.sections(self.options)
        self.letters = NAMES[self.game.seats(self.options)]
        self.course = course_of(events)
        self.private = {each.version: each.private or {} for each in events}

    @property
    def kept_tags(self) -> list[list[str]]:
        """The tags of the match that were kept as they were read: name and value."""
        found: list[list[str]] = self.private[1].get("tags", [])
        return found

    def mark(self, section: str) -> str:
        """What opens a section; nothing where a game has one stretch, which needs no mark."""
        return "" if section == WHOLE else section

    def comment(self, words: Words, *versions: int) -> None:
        """The private notes of these events, one comment."""
        notes = (self.private.get(version, {}).get("note") or "" for version in versions)
        note = " ".join(" ".join(notes).split())
        if note:
            words.remark("{" + note.replace("}", ")") + "}")

    def of(self, deal: Deal, *kinds: type[e.Event]) -> list[int]:
        """The versions of the events of these kinds that speak of a deal."""
        return [
            each.version
            for each in self.events
            if isinstance(each.event, kinds) and getattr(each.event, "deal", None) == deal.number
        ]

    def summary(self, deal: Deal) -> Any:
        """The entry as calls and sums, for a deal of results only."""
        if deal.entry is None or deal.facts or deal.depth != "summary":
            return None
        return self.game.entry_noted(self.options, deal.dealer, deal.entry[1])

    def shown(self, value: Any) -> str:
        """A fact as a word, a result as JSON without spaces."""
        if not isinstance(value, Fact):
            return codec.encode_plain(value).decode()
        said = (value.as_call(), getattr(value, "card", None), getattr(value, "total", None))
        return f"{self.letters[value.seat]}:{next((each for each in said if each is not None), '??')}"

    def side(self, side: int) -> str:
        """The letters of a side, like `NS`."""
        return "".join(self.letters[seat] for seat in self.match.setup.seats[side])
