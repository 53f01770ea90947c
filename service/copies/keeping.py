"""The copies that a running service keeps: taken one at a time, whoever asks, and what became of the last one."""

import asyncio
import contextlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
import psycopg

from service.copies.folder import KeptCopies
from service.copies.frames import CopyError
from service.copies.manifest import Manifest
from service.store.copying import UnderWayError
from service.store.meters import COPIES

APART: Final = "copies-apart"  # beside the data: the folder of copies that was seen on a disk of its own
AWAY: Final = "the disk of {} is away: put it back, or set LURCH_BACKUP_DIR to another folder"
FAILS: Final = (CopyError, UnderWayError, OSError, psycopg.Error)


class Failure(msgspec.Struct, frozen=True):
    """The time at which the last copy failed, and the reason; there is none after one that did not."""

    at: datetime
    why: str


class Keeping:
    """The folder, the place of the data (None: another machine's), and what is under way or failed."""

    def __init__(self, kept: KeptCopies, data: Path | None, clock: Callable[[], datetime] | None = None) -> None:
        self.kept, self.data = kept, data
        self.failed: Failure | None = None
        self.task: asyncio.Task[tuple[Path, Manifest]] | None = None
        self.receives: bool | None = None  # each change, for a restore to a moment; None where none ever is
        self.erased = asyncio.Event()  # somebody was: the list beside the copies has to say so
        self.erased.set()
        self._clock = clock or (lambda: datetime.now(UTC))
        self._apart = self._was_apart()

    @property
    def under_way(self) -> bool:
        """Tells whether a copy is being taken."""
        return self.task is not None and not self.task.done()

    def beside_the_data(self) -> bool:
        """Tells whether the copies lie, or would, on the disk that they are for; where not, that is remembered."""
        beside = self.data is not None and self.kept.on_the_disk_of(self.data)
        self._apart = self._apart or not beside
        return beside

    def is_away(self) -> bool:
        """Tells whether the disk of the copies is away, also since before the service began: they would lie beside the
        data, and have lain on a disk of their own."""
        return self.beside_the_data() and self._apart

    def begin(self) -> "asyncio.Task[tuple[Path, Manifest]]":
        """Begin one more, or go on with the one that is under way."""
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._take())
            self.task.add_done_callback(_heard)
        return self.task

    async def _take(self) -> tuple[Path, Manifest]:
        try:
            done = await asyncio.to_thread(self._one_more)
        except FAILS as error:
            COPIES.labels("failed").inc()
            self.failed = Failure(self._clock(), str(error).strip().splitlines()[0] if str(error) else repr(error))
            raise
        COPIES.labels("made").inc()
        self.failed = None
        return done

    def _one_more(self) -> tuple[Path, Manifest]:
        self.check_disk()
        return self.kept.one_more(self._clock())

    def check_disk(self) -> None:
        """Raises CopyError where the disk of the copies is away: under its name there is then an empty folder on
        another, or none, and what went there would be beside the data without anybody's knowing."""
        if self.is_away():
            raise CopyError(AWAY.format(self.kept.folder))
        if self._apart and self.data is not None and not self._was_apart():
            with contextlib.suppress(OSError):  # then it is known for as long as this process lives
                (self.data / APART).write_text(f"{self.kept.folder}\n")

    def _was_apart(self) -> bool:
        """Tells whether a service has seen this folder on a disk of its own."""
        with contextlib.suppress(OSError, UnicodeError):
            return self.data is not None and (self.data / APART).read_text().strip() == str(self.kept.folder)
        return False


def _heard(task: "asyncio.Task[tuple[Path, Manifest]]") -> None:
    """Takes up what failed, which is kept for the page: nobody else may be waiting for it."""
    if not task.cancelled():
        task.exception()
