"""A process that audits matches of a club: it has a connection of its own, and is given a batch at a time.

It reads a batch in one statement, folds and audits it, and answers with what is to be printed; matches and findings
themselves stay where they were made. It loads no more of the program than that takes: starting costs too.
"""

import asyncio
import ctypes
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
import psycopg

from domain import codec
from domain.match.audit.report import report_of
from domain.match.evolve import fold, initial
from domain.match.state import Match
from projections.audit_sheet import AuditSheet
from service.cli import audit_lines
from service.heap import settle
from service.run.pool import make_pool
from service.store.news import read_many_for_fold
from service.store.pool import Pool

_END_WITH_PARENT: Final = 1  # the call of Linux that says so
PATIENCE: Final = 30.0  # seconds for the first connection: a busy machine is waited for


class AuditorError(RuntimeError):
    """A process that audits could not begin, or ended before it had answered."""


class AuditTask(msgspec.Struct, frozen=True):
    """The matches of a club that are to be audited, in the order in which they began, the names of its people, what is
    wanted of them, and the figures by which some were `reported` to their tournament beside the record."""

    club: str
    streams: tuple[str, ...]
    names: Mapping[str, str | None]
    openings: bool = False
    as_json: bool = False
    reported: Mapping[str, tuple[int, int]] = {}


class Printed(msgspec.Struct, frozen=True):
    """The text of a batch: the number of its matches, of those with findings, and what is printed of them."""

    matches: int
    found: int
    text: str


class Worker:
    """A process that audits: a connection of its own, and what is asked."""

    def __init__(self, url: str, asked: AuditTask) -> None:
        self.asked = asked
        self._runner = asyncio.Runner()
        self._pool: Pool = make_pool(url, 1)
        self._runner.run(self._pool.open(wait=True, timeout=PATIENCE))

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection; a process that ends needs not."""
        self._runner.run(self._pool.close())
        self._runner.close()

    def printed(self, streams: Sequence[str]) -> Printed:
        """The lines about some matches: of people's lines only those of matches in which something was found."""
        made = list(self.sheets(streams))
        wrong = [each for each in made if each.report.findings or each.report.openings]
        if self.asked.as_json:
            lines = [codec.encode_plain(each.report).decode() for each in made]
        else:
            lines = [line for each in wrong for line in audit_lines.told(each)]
        return Printed(len(made), sum(bool(each.report.findings) for each in wrong), "".join(f"{x}\n" for x in lines))

    def sheets(self, streams: Sequence[str]) -> Iterator[AuditSheet]:
        """The sheet of each of some matches."""
        for stream, match in self.matches(streams):
            reported = self.asked.reported.get(stream)
            report = report_of(match, stream=stream, wants_openings=self.asked.openings, reported=reported)
            yield AuditSheet(report, match, self._sides(match))

    def matches(self, streams: Sequence[str]) -> list[tuple[str, Match]]:
        """Some matches from the log, in this order."""
        return self._runner.get_loop().run_until_complete(self._read(streams))

    async def _read(self, streams: Sequence[str]) -> list[tuple[str, Match]]:
        found = await read_many_for_fold(self._pool, self.asked.club, streams)
        folded = ((stream, fold(initial(), events)) for stream, events in found)
        return [(stream, match) for stream, match in folded if isinstance(match, Match)]

    def _sides(self, match: Match) -> tuple[tuple[str | None, ...], ...]:
        names = self.asked.names
        return tuple(tuple(names.get(player) for player in side) for side in match.setup.sides)


_own: Worker | str


def begin(url: str, asked: AuditTask) -> None:
    """A process begins. A terminal's Ctrl-C is a word to whoever asks, and not to this one, which ends with that one
    even after kill -9."""
    global _own  # noqa: PLW0603  # a process has one, and is told of it once
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    try:
        _own = Worker(url, asked)
    except psycopg.Error as error:
        _own = str(error)
    settle()


def printed(streams: Sequence[str]) -> Printed:
    """The lines about some matches, made by this process. Raises AuditorError where it could not begin."""
    if isinstance(_own, str):
        raise AuditorError(_own)
    return _own.printed(streams)
