"""The intake of `lurch import`: matches of a file in their order, a page of them a statement."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from domain import registry
from domain.cards.seats import seat_name
from domain.log.decider import New, Refusal
from domain.match.capacity import check_length
from domain.match.events import MatchOpened, ScoreStated
from domain.match.state import Match
from domain.notation import history
from domain.notation.ctn_read import loads
from domain.notation.history import MalformedError
from domain.notation.match_history import events_of, places_of
from service.cli.clerk import CLERK, FileResult, club_named
from service.desk.filing import PAGE, FiledStream, Filing
from service.desk.recording import Recorder
from service.desk.requests import Request, own_request
from service.store.ids import new_id
from service.store.pool import Pool
from service.store.streams import Streams

PlayersBySide: TypeAlias = tuple[tuple[str, ...], ...]  # by side and seat


OnResult: TypeAlias = Callable[[FileResult], None]


class FileMatch(msgspec.Struct, frozen=True):
    """A match of a file: its events, with placeholders of the players; their names; its place in the file."""

    news: list[New]
    names: PlayersBySide
    place: int

    def request(self) -> Request:
        """The request that takes it, the same for the same match at the same place of a file."""
        content = b"\0".join(map(_content, self.news))
        return own_request(CLERK, f"import-{self.place}-{hashlib.sha256(content).hexdigest()}")

    def between(self, sides: PlayersBySide) -> list[New]:
        """The events between these players."""
        first = self.news[0]
        assert isinstance(first.event, MatchOpened)
        return [msgspec.structs.replace(first, event=msgspec.structs.replace(first.event, sides=sides)), *self.news[1:]]


class Intake:
    """Takes what a file holds in its order, and tells the results in the same. While one page is written the next is
    read."""

    def __init__(self, recorder: Recorder, club: str, told: OnResult) -> None:
        self._recorder, self._club, self._told = recorder, club, told
        self._filing = Filing(recorder, club)
        self._page: list[FileMatch | FileResult] = []
        self._events = 0
        self._written: asyncio.Task[list[FileResult]] | None = None

    async def take(self, found: FileMatch | FileResult) -> None:
        """One more match of the file, or a fault in it."""
        self._page.append(found)
        self._events += len(found.news) if isinstance(found, FileMatch) else 0
        if self._events >= PAGE:
            await self._turn()
        await asyncio.sleep(0)  # what is being written goes on

    async def end(self) -> None:
        """The file has ended: everything is written and told."""
        await self._turn()
        await self._tell()

    async def _turn(self) -> None:
        await self._tell()
        page, self._page, self._events = self._page, [], 0
        self._written = asyncio.create_task(self._write(page))

    async def _tell(self) -> None:
        written, self._written = self._written, None
        for result in [] if written is None else await written:
            self._told(result)

    async def _write(self, page: Sequence[FileMatch | FileResult]) -> list[FileResult]:
        """Write what is new of a page; the results of all of it, in order."""
        taken = [_checked(each) for each in page]
        requests = {each.place: each.request() for each in taken if isinstance(each, FileMatch)}
        known = await self._filing.known(
            (requests[each.place], len(each.news)) for each in taken if isinstance(each, FileMatch)
        )
        new = [each for each in taken if isinstance(each, FileMatch) and requests[each.place].command_id not in known]
        players = {names: await self._players(names) for names in {each.names for each in new}}
        filed = [FiledStream(each.between(players[each.names]), requests[each.place], new_id()) for each in new]
        streams = dict(zip((each.place for each in new), await self._filing.file(filed), strict=True))
        return [
            each if isinstance(each, FileResult) else _result(each, streams, known.get(requests[each.place].command_id))
            for each in taken
        ]

    async def _players(self, names: PlayersBySide) -> PlayersBySide:
        return await self._recorder.players(self._club, names, own_request(CLERK))


def _checked(found: FileMatch | FileResult) -> FileMatch | FileResult:
    """A match, or the fault that it is too long."""
    if isinstance(found, FileResult):
        return found
    try:
        check_length(len(found.news))
    except Refusal as refusal:
        return FileResult(f"{_versus(found.names)}: {refusal.detail}", False)
    return found


def _result(match: FileMatch, streams: Mapping[int, str], before: str | None) -> FileResult:
    """The result for a match: what it became now, or `before`."""
    stream, more = (streams[match.place], "") if before is None else (before, "  (imported before)")
    return FileResult(f"{stream}  {_versus(match.names)}{more}", match=stream)


def _content(new: New) -> bytes:
    """The bytes that identify an event of a file, so that a second import is recognised. A private line counts as part
    of the event, where it once stood, so that older imports are recognised too."""
    event, private = new.event, new.private
    if isinstance(event, ScoreStated) and private and "line" in private:
        event = msgspec.structs.replace(event, stated=msgspec.Raw(msgspec.json.encode(private["line"])))
        private = {name: words for name, words in private.items() if name != "line"} or None
    return registry.write_event(event) + msgspec.json.encode(private)


def _versus(names: tuple[tuple[str, ...], ...]) -> str:
    return " - ".join(" & ".join(side) for side in names)


async def import_ctn(
    pool: Pool, club_name: str, public: bool, text: str, told: OnResult, recorder: Recorder | None = None
) -> None:
    """Record every match of a CTN text; one that was imported before is left as it is. A `recorder` has a clock of its
    own."""
    intake = await _intake(pool, club_name, public, told, recorder)
    for place, script in enumerate(loads(text), start=1):
        for fault in script.problems:
            where = f"line {fault.line}, column {fault.column}: {fault.token}: {fault.detail}"
            await intake.take(FileResult(where, False, line=fault.line, column=fault.column))
        if isinstance(script.state, Match) and script.tags is not None:
            await intake.take(FileMatch(script.events, script.tags.names, place))
    await intake.end()


async def import_histories(
    pool: Pool,
    club_name: str,
    public: bool,
    text: str,
    told: OnResult,
    names: Sequence[str] = (),
    recorder: Recorder | None = None,
) -> None:
    """Record every deal of a history file as a match of one deal. Players without `names` are called by the letter of
    their seat."""
    intake = await _intake(pool, club_name, public, told, recorder)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            await intake.take(_history(line, number, names))
    await intake.end()


async def _intake(pool: Pool, club_name: str, public: bool, told: OnResult, recorder: Recorder | None) -> Intake:
    club = await club_named(pool, club_name, public)
    return Intake(recorder or Recorder(Streams(pool)), club, told)


def _history(line: str, number: int, names: Sequence[str]) -> FileMatch | FileResult:
    """A line of a history file as a match, or its fault."""
    try:
        read = history.read(line)
        sides = _seated(places_of(read), names)
        return FileMatch(events_of(read, sides), sides, number)
    except MalformedError as error:
        where = f"line {number}, column {error.column}: {error}"
        return FileResult(where, False, line=number, column=error.column)
    except Refusal as refusal:
        place = f", action {refusal.extra['fact']}" if "fact" in refusal.extra else ""
        said = refusal.extra.get("about", refusal.detail)
        return FileResult(f"line {number}{place}: {refusal.rule}: {said}", False, line=number)


def _seated(places: tuple[tuple[int, ...], ...], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The names by side and seat. Raises Refusal when they do not fill the table."""
    seats = sum(len(side) for side in places)
    if names and len(names) != seats:
        raise Refusal("malformed", f"this game has {seats} seats, and {len(names)} names were given")
    return tuple(tuple(names[seat] if names else f"Seat {seat_name(seat, seats)}" for seat in side) for side in places)
