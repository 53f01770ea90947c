"""The reading of a history file: a line is a match of one deal, or a fault. It needs no database and nothing of it."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

import msgspec

from domain import codec
from domain.cards.seats import seat_name
from domain.log.decider import New, Refusal
from domain.match.events import ScoreStated
from domain.notation import history
from domain.notation.history import MalformedError
from domain.notation.match_history import events_of, places_of
from service.store.written import WrittenEvent

BATCH: Final = 20  # lines that are read before anything is done with them
PlayersBySide: TypeAlias = tuple[tuple[str, ...], ...]  # by side and seat


class WrittenMatch(msgspec.Struct, frozen=True, tag="match", array_like=True):
    """A match of a file: its events, with placeholders of the players; their names; its place in the file; and the mark
    of what it holds."""

    events: list[WrittenEvent]
    names: PlayersBySide
    place: int
    mark: str


class ReadFault(msgspec.Struct, frozen=True, tag="fault", array_like=True):
    """A place of a file at which something cannot be read, and what is said of it."""

    text: str
    line: int | None = None
    column: int | None = None


Found: TypeAlias = WrittenMatch | ReadFault


def lines_of(text: str) -> list[tuple[int, str]]:
    """The lines of a file that hold something, with their numbers."""
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def batches_of(lines: Sequence[tuple[int, str]], names: Sequence[str]) -> Iterator[list[Found]]:
    """The matches and faults of lines, some at a time. Players without `names` are called by the letter of a seat."""
    for first in range(0, len(lines), BATCH):
        yield [read_line(line, number, names) for number, line in lines[first : first + BATCH]]


def read_line(line: str, number: int, names: Sequence[str]) -> Found:
    """A line of a history file as a match, or its fault."""
    try:
        read = history.read(line)
        sides = _seated(places_of(read), names)
        return match_of(events_of(read, sides), sides, number)
    except MalformedError as error:
        return ReadFault(f"line {number}, column {error.column}: {error}", number, error.column)
    except Refusal as refusal:
        place = f", action {refusal.extra['fact']}" if "fact" in refusal.extra else ""
        said = refusal.extra.get("about", refusal.detail)
        return ReadFault(f"line {number}{place}: {refusal.rule}: {said}", number)


def _seated(places: tuple[tuple[int, ...], ...], names: Sequence[str]) -> PlayersBySide:
    """The names by side and seat. Raises Refusal when they do not fill the table."""
    seats = sum(len(side) for side in places)
    if names and len(names) != seats:
        raise Refusal("malformed", f"this game has {seats} seats, and {len(names)} names were given")
    return tuple(tuple(names[seat] if names else f"Seat {seat_name(seat, seats)}" for seat in side) for side in places)


def match_of(news: Sequence[New], names: PlayersBySide, place: int) -> WrittenMatch:
    """A match of a history file, whose events are none that sign."""
    return WrittenMatch([_written(new) for new in news], names, place, mark_of(news))


def mark_of(news: Iterable[New]) -> str:
    """The mark of what a match of a file holds, so that a second import is recognised."""
    return hashlib.sha256(b"\0".join(map(_content, news))).hexdigest()


def _content(new: New) -> bytes:
    """The bytes that identify an event of a file. A private line counts as part of the event, where it once stood, so
    that older imports are recognised too."""
    event, private = new.event, new.private
    if isinstance(event, ScoreStated) and private and "line" in private:
        event = msgspec.structs.replace(event, stated=msgspec.Raw(msgspec.json.encode(private["line"])))
        private = {name: words for name, words in private.items() if name != "line"} or None
    return codec.encode(event) + msgspec.json.encode(private)


def _written(new: New) -> WrittenEvent:
    """An event as it will stand in the log; one that is hidden has a private part, be it nothing."""
    private = None
    if new.secret or new.private is not None:
        private = msgspec.json.encode(new.private, order="deterministic").decode()
    return WrittenEvent(type(new.event).__name__, codec.encode(new.event).decode(), private)
