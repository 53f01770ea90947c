"""The audit of every match of a club, from its log, by several processes side by side."""

import multiprocessing
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from projections.audit_sheet import AuditSheet
from service.cli import audit_worker
from service.cli.audit_worker import AuditorError, AuditTask, Printed, Worker
from service.cli.clubs import club_of
from service.desk.auditing import reported_in
from service.run.pool import make_pool
from service.store import finding
from service.store.streams import Streams

BATCH: Final = 40  # matches that are read in one statement


async def matches_of(url: str, club: str, openings: bool, as_json: bool) -> AuditTask:
    """All matches of the club of that name or id. Raises Refusal."""
    async with make_pool(url, 1) as pool:
        known = Streams(pool)
        loaded = await club_of(known, club)
        streams, _ = await finding.streams_begun_with(pool, loaded.club, "MatchOpened")
        reported = await reported_in(known, loaded.club)
        return AuditTask(loaded.club, tuple(streams), loaded.state.names(), openings, as_json, reported)


def batches_of(asked: AuditTask) -> list[tuple[str, ...]]:
    """The matches as they are given to processes."""
    return [asked.streams[first : first + BATCH] for first in range(0, len(asked.streams), BATCH)]


def printed(url: str, asked: AuditTask, processes: int) -> Iterator[Printed]:
    """The lines about all matches, batch by batch, in order. Raises AuditorError for a process that could not begin, or
    has ended."""
    batches = batches_of(asked)
    if processes == 1 or len(batches) < processes:
        with Worker(url, asked) as worker:
            yield from map(worker.printed, batches)
        return
    context = multiprocessing.get_context(_start())
    workers = ProcessPoolExecutor(processes, context, audit_worker.begin, (url, asked))
    try:
        yield from workers.map(audit_worker.printed, batches)
    except BrokenProcessPool:
        raise AuditorError("a process that audits ended before it had answered: audit again") from None
    finally:
        workers.shutdown(cancel_futures=True)


def _start() -> str:
    """The way in which processes start: as copies of this one, loaded already, where no other thread runs in it."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def sheets(url: str, asked: AuditTask) -> Iterator[AuditSheet]:
    """The sheet of every match, in order, made by this process alone."""
    with Worker(url, asked) as worker:
        for batch in batches_of(asked):
            yield from worker.sheets(batch)
