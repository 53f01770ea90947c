"""Files: whole streams that are taken in, a page of them a statement, each once however often its file comes."""

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from domain import registry
from domain.log.decider import New, Refusal
from domain.log.upcast import UPCASTERS
from service.desk.recording import Recorder, last_part
from service.desk.requests import BusyError, Request
from service.store import appending, log
from service.store.appending import AppendBatch, Behind, LostRaceError
from service.store.filed_batch import filed
from service.store.gathering import Answer
from service.store.groups import AppendResult
from service.store.ids import new_id
from service.store.kinds import MATCH
from service.store.loaded import fresh
from service.store.log import Head
from service.store.written import WrittenEvent

PAGE: Final = 400  # events: whoever begins to record beside an import waits for one such page
PAGE_BESIDE: Final = 50  # events, while somebody records in the same log
MOMENT: Final = 1.0  # seconds from what somebody recorded for which he is taken to go on


class FiledStream(msgspec.Struct, frozen=True):
    """A match of a file: its events, decided here or written already where it was read; the request that takes it,
    which the same file makes again; `stream` is the id that it gets."""

    news: list[New] | list[WrittenEvent]
    request: Request
    stream: str

    @property
    def is_long(self) -> bool:
        """Tells what takes more than one statement: it may have been taken by half before, and goes on."""
        return len(self.news) > appending.APPEND_LIMIT


class Filing:
    """Takes the matches of files into a club. While one page is written the next can be made ready."""

    def __init__(self, recorder: Recorder, club: str) -> None:
        self.recorder, self.club = recorder, club
        self._order = asyncio.Lock()  # pages are sent in the order in which they were brought
        self._ends: int | None = None  # where the log ended behind the last of ours
        self._beside: float | None = None  # when somebody else's was last found there
        self.others: int | None = None  # how often that was, once a page of ours is in the log

    @property
    def is_beside(self) -> bool:
        """Tells whether somebody recorded in this log a moment ago: he goes first, in smaller pages with rests."""
        return self._beside is not None and time.monotonic() - self._beside < MOMENT

    @property
    def page(self) -> int:
        """The number of events of a page, now."""
        return PAGE_BESIDE if self.is_beside else PAGE

    async def known(self, taken: Iterable[tuple[Request, int]]) -> dict[str, str]:
        """The matches that were taken before to their last event, by the id of their request; each is asked for with
        the number of its events."""
        keys = {last_part(request, count).command_id: request.command_id for request, count in taken}
        found = await log.known_commands(self.recorder.streams.pool, self.club, list(keys))
        return {keys[key]: stream for key, stream in found.items()}

    async def file(self, taken: Sequence[FiledStream]) -> list[str | Refusal]:
        """Append all of them, those together that a statement holds; the ids under which they stand, which are others
        where somebody took the same meanwhile, or why one that goes part by part cannot go on. Raises Refusal for a key
        that was used for something else, and BusyError. Where somebody records beside it, it rests behind that for as
        long as that took."""
        began = time.monotonic()
        page = new_id()
        async with self._order:
            batches = {each.stream: await self._batch(each, page) for each in taken if not each.is_long}
            answers = {stream: self._put(batch) for stream, batch in batches.items()}
            done = {each.stream: await self._long(each) for each in taken if each.is_long}
        streams = [
            done[each.stream] if each.is_long else await self._settled(each, answers[each.stream]) for each in taken
        ]
        if self.is_beside:
            await asyncio.sleep(time.monotonic() - began)
        return streams

    async def _batch(self, each: FiledStream, page: str) -> AppendBatch:
        request, recorder = each.request, self.recorder
        written = [event for event in each.news if isinstance(event, WrittenEvent)]
        if not written:
            decided = [_decided(event) for event in each.news]
            return await recorder.batch(fresh(self.club, each.stream, MATCH), decided, request, page)
        at = recorder.clock()
        by = await recorder.devices.placed(self.club, request.by, at)
        behind = Behind(self.club, each.stream, Head(), page=page)
        return filed(behind, written, by, at, request.command_id, request.fingerprint)

    def _put(self, batch: AppendBatch) -> Answer:
        """Send it with the rest of its page. Nobody looks at it yet: nothing is kept of it in memory."""

        def heard(outcome: AppendResult) -> None:
            if isinstance(outcome, appending.Appended):
                self._look(outcome.base, batch.count)
                self.recorder.said(self.club, False)

        return self.recorder.appends.put(batch, heard)

    def _look(self, base: int, count: int) -> None:
        """Look whether the log ended where ours did."""
        if self._ends is None:
            self.others = 0
        elif self._ends != base:
            self._beside = time.monotonic()
            self.others = (self.others or 0) + 1
        self._ends = base + count

    async def _settled(self, each: FiledStream, answer: Answer) -> str:
        try:
            await asyncio.shield(answer)
        except LostRaceError:
            before = await self.recorder.answered(self.club, each.request)
            if before is None:
                raise BusyError(self.club) from None
            return before.loaded.stream
        return each.stream

    async def _long(self, each: FiledStream) -> str | Refusal:
        news = list(map(_decided, each.news))
        try:
            done = await self.recorder.import_match(self.club, news, each.request, each.stream)
        except Refusal as refusal:  # it holds up no other
            return refusal
        return done.loaded.stream


def _decided(event: New | WrittenEvent) -> New:
    """An event as it was decided."""
    if isinstance(event, New):
        return event
    private = None if event.private is None else msgspec.json.decode(event.private)
    read = registry.reader(f"{event.type}/{UPCASTERS.current(event.type)}")
    return New(read(event.text), private, secret=event.private is not None)


async def file_all(recorder: Recorder, club: str, taken: Iterable[FiledStream]) -> None:
    """Take in those that are not there, page by page. Raises Refusal, BusyError."""
    filing = Filing(recorder, club)
    for page in _paged(taken):
        known = await filing.known((each.request, len(each.news)) for each in page)
        for stream in await filing.file([each for each in page if each.request.command_id not in known]):
            if isinstance(stream, Refusal):
                raise stream


def _paged(taken: Iterable[FiledStream]) -> Iterator[list[FiledStream]]:
    """The same in order, as many together as make a page."""
    page: list[FiledStream] = []
    for each in taken:
        page.append(each)
        if sum(len(one.news) for one in page) >= PAGE:
            yield page
            page = []
    if page:
        yield page
