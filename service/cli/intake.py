"""The intake of `lurch import`: matches of a file in their order, a page of them a statement."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final, TypeAlias, TypeGuard

import msgspec

from domain import codec, registry
from domain.log.decider import New, Refusal
from domain.match.capacity import check_length
from domain.match.events import MatchOpened
from domain.match.state import Match
from domain.notation.ctn_read import loads
from service.cli.clerk import CLERK, FileResult, club_named
from service.desk.filing import FiledStream, Filing
from service.desk.reading import BATCH, PlayersBySide, ReadFault, WrittenMatch, mark_of
from service.desk.reading_aside import Reading, reading
from service.desk.recording import Recorder
from service.desk.requests import Request, own_request
from service.store.ids import new_id
from service.store.pool import Pool
from service.store.streams import Streams
from service.store.written import WrittenEvent

OnResult: TypeAlias = Callable[[FileResult], None]
_OPENED: Final = codec.decoder(MatchOpened)
UNDER_WAY: Final = 2  # pages: one is written, and one waits for it, where nobody else records


class FileMatch(msgspec.Struct, frozen=True):
    """A match of a CTN file: its events, with placeholders of the players; their names; its place in the file; and the
    mark of what it holds."""

    events: list[New]
    names: PlayersBySide
    place: int
    mark: str


AnyMatch: TypeAlias = FileMatch | WrittenMatch
Taken: TypeAlias = AnyMatch | FileResult


class PageMatch(msgspec.Struct, frozen=True):
    """A match of a page with the request that takes it, and the stream where it stands already."""

    match: AnyMatch
    request: Request
    before: str | None

    def filed(self, sides: PlayersBySide) -> FiledStream:
        """The match between these players, as it is taken in."""
        return FiledStream(_between(self.match, sides), self.request, new_id())


Page: TypeAlias = list[PageMatch | FileResult]


class Intake:
    """Takes what a file holds in its order, and tells the results in the same. While one page is written the next is
    made ready."""

    def __init__(self, recorder: Recorder, club: str, told: OnResult) -> None:
        self._recorder, self._club, self._told = recorder, club, told
        self.filing = Filing(recorder, club)
        self._page: Page = []
        self._events = self._seen = 0
        self._others: int | None = None  # of the filing, when the club was last looked at
        self._players: dict[PlayersBySide, PlayersBySide] = {}
        self._written: deque[asyncio.Task[list[FileResult]]] = deque()

    async def take(self, found: Sequence[Taken | ReadFault]) -> None:
        """More of the file: matches, and faults in it."""
        for each in await self._looked_up(list(map(_checked, found))):
            self._page.append(each)
            self._events += len(each.match.events) if isinstance(each, PageMatch) else 0
            if self._events >= self.filing.page:
                await self._turn()
        await asyncio.sleep(0)  # what is being written goes on

    async def end(self) -> None:
        """The file has ended: everything is written and told."""
        await self._turn()
        while self._written:
            await self._tell()

    async def _looked_up(self, taken: Sequence[Taken]) -> Page:
        """Matches with what is known of them."""
        requests = {each.place: _request(each) for each in taken if not isinstance(each, FileResult)}
        matches = [each for each in taken if not isinstance(each, FileResult)]
        known = await self.filing.known((requests[each.place], len(each.events)) for each in matches)
        return [
            each
            if isinstance(each, FileResult)
            else PageMatch(each, requests[each.place], known.get(requests[each.place].command_id))
            for each in taken
        ]

    async def _turn(self) -> None:
        while len(self._written) >= (1 if self.filing.is_beside else UNDER_WAY):
            await self._tell()
        page, self._page, self._events = self._page, [], 0
        await self._look()
        filed: list[FiledStream] = []
        for place, each in enumerate(page):
            if _is_new(each):
                try:
                    filed.append(each.filed(await self._seated(each.match.names)))
                except Refusal as refusal:  # it ends none of the others
                    page[place] = _unseated(each.match, refusal)
        writing = asyncio.create_task(self._write(page, filed))
        writing.add_done_callback(_taken_note_of)
        self._written.append(writing)

    async def _tell(self) -> None:
        for result in await self._written.popleft():
            self._told(result)

    async def _write(self, page: Page, filed: Sequence[FiledStream]) -> list[FileResult]:
        """Write what is new of a page; the results of all of it, in order."""
        streams = iter(await self.filing.file(filed))
        return [each if isinstance(each, FileResult) else _result(each, each.before or next(streams)) for each in page]

    async def _look(self) -> None:
        """Forget who sits where when the club's own stream has grown: somebody may be merged, parted or erased. It has
        not while the log ends with our own pages."""
        others = self.filing.others
        if others is not None and others == self._others:
            return
        self._others = others
        version = (await self._recorder.club(self._club)).head.version
        if version != self._seen:
            self._players.clear()
            self._seen = version

    async def _seated(self, names: PlayersBySide) -> PlayersBySide:
        """The players of these names."""
        found = self._players.get(names)
        if found is None:
            found = self._players[names] = await self._recorder.players(self._club, names, own_request(CLERK))
        return found


def _taken_note_of(writing: asyncio.Task[list[FileResult]]) -> None:
    """A page that fails behind one that failed is no error of its own."""
    if not writing.cancelled():
        writing.exception()


def _is_new(each: PageMatch | FileResult) -> TypeGuard[PageMatch]:
    """Tells a match that is not in the log."""
    return isinstance(each, PageMatch) and each.before is None


def _request(match: AnyMatch) -> Request:
    """The request that takes a match, the same for the same match at the same place of a file."""
    return own_request(CLERK, f"import-{match.place}-{match.mark}")


def _between(match: AnyMatch, sides: PlayersBySide) -> list[New] | list[WrittenEvent]:
    """The events of a match between these players."""
    if isinstance(match, FileMatch):
        first = match.events[0]
        assert isinstance(first.event, MatchOpened)
        opened = msgspec.structs.replace(first.event, sides=sides)
        return [msgspec.structs.replace(first, event=opened), *match.events[1:]]
    text = registry.write_event(msgspec.structs.replace(_OPENED.decode(match.events[0].text), sides=sides))
    return [msgspec.structs.replace(match.events[0], text=text.decode()), *match.events[1:]]


def _checked(found: Taken | ReadFault) -> Taken:
    """A match, or the fault that it is too long; what cannot be read."""
    if isinstance(found, FileResult):
        return found
    if isinstance(found, ReadFault):
        return FileResult(found.text, False, line=found.line, column=found.column)
    try:
        check_length(len(found.events))
    except Refusal as refusal:
        return FileResult(f"{_versus(found.names)}: {refusal.detail}", False)
    return found


def _result(each: PageMatch, stream: str | Refusal) -> FileResult:
    """The result for a match: what it became now, or was before, or why it could not be taken."""
    if isinstance(stream, Refusal):
        return FileResult(f"{_versus(each.match.names)}: {stream.detail}", False)
    more = "" if each.before is None else "  (imported before)"
    return FileResult(f"{stream}  {_versus(each.match.names)}{more}", match=stream)


def _unseated(match: AnyMatch, refusal: Refusal) -> FileResult:
    """The fault of a match whose names are not those of so many people."""
    line = match.place if isinstance(match, WrittenMatch) else None
    where = f"match {match.place}" if line is None else f"line {line}"
    return FileResult(f"{where}, {_versus(match.names)}: {refusal.detail}", False, line=line)


def _versus(names: tuple[tuple[str, ...], ...]) -> str:
    return " - ".join(" & ".join(side) for side in names)


async def import_ctn(
    pool: Pool, club_name: str, public: bool, text: str, told: OnResult, recorder: Recorder | None = None
) -> None:
    """Record every match of a CTN text; one that was imported before is left as it is. A `recorder` has a clock of its
    own."""
    await _take(_read(text), pool, club_name, public, told, recorder)


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
    with reading(text, names) as read:
        await import_read(pool, club_name, public, read, told, recorder)


async def import_read(
    pool: Pool, club_name: str, public: bool, read: Reading, told: OnResult, recorder: Recorder | None = None
) -> None:
    """The same of a history file that is being read. Raises WorkerError."""
    await _take(read.batches(), pool, club_name, public, told, recorder)


async def _read(text: str) -> AsyncIterator[list[Taken]]:
    """The matches and faults of a CTN text, some at a time."""
    found: list[Taken] = []
    for place, script in enumerate(loads(text), start=1):
        for fault in script.problems:
            where = f"line {fault.line}, column {fault.column}: {fault.token}: {fault.detail}"
            found.append(FileResult(where, False, line=fault.line, column=fault.column))
        if isinstance(script.state, Match) and script.tags is not None:
            found.append(FileMatch(script.events, script.tags.names, place, mark_of(script.events)))
        if len(found) >= BATCH:
            yield found
            found = []
    yield found


async def _take(
    batches: AsyncIterator[Sequence[Taken | ReadFault]],
    pool: Pool,
    club_name: str,
    public: bool,
    told: OnResult,
    recorder: Recorder | None,
) -> None:
    """Take in what was read. A club is founded only for what can be."""
    intake: Intake | None = None
    async for found in batches:
        if intake is None:
            faults = [each for each in map(_checked, found) if isinstance(each, FileResult)]
            if len(faults) == len(found):
                for each in faults:
                    told(each)
                continue
            club = await club_named(pool, club_name, public)
            intake = Intake(recorder or Recorder(Streams(pool)), club, told)
        await intake.take(found)
    if intake is not None:
        await intake.end()
