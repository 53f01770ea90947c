"""The nightly copies of a service that runs: taken when they are due, told when they fail, never in anybody's way."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog

from service.copies.folder import KeptCopies
from service.copies.frames import CopyError
from service.copies.keeping import FAILS, Keeping
from service.copies.nightly import is_due
from service.run.before import passphrase_of
from service.run.database import Database
from service.run.settings import Settings
from service.store.copying import UnderWayError
from service.store.leases import LeaseNumber
from service.store.meters import LAST_COPY

LOOK_SECONDS: Final = 60.0
AGAIN_SECONDS: Final = 3600.0  # after one that failed
BESIDE: Final = "copies lie on the disk of the data: one fault would take both"
LOGGER = structlog.get_logger()


def kept_copies(settings: Settings, database: Database, version: str) -> Keeping | None:
    """The folder of the nightly copies, where one is set. Raises OSError for a passphrase that cannot be read."""
    if settings.backup_dir is None:
        return None
    kept = KeptCopies(Path(settings.backup_dir).absolute(), database.owner_url, version, passphrase_of(settings))
    return Keeping(kept, None if database.embedded is None else database.embedded.root)


def noted(copies: Keeping | None, forget: Callable[[str | None], None]) -> Callable[[str | None], None]:
    """The same forgetting; where it is of a club somebody may have been erased, which is written down."""

    def forgotten(club: str | None) -> None:
        forget(club)
        if club is not None and copies is not None:
            copies.erased.set()

    return forgotten


async def copy_by_night(copies: Keeping, waits: Callable[[], Awaitable[bool]]) -> None:
    """Take a copy whenever one is due, as long as the service runs; none while a service that was restored `waits`."""
    with contextlib.suppress(OSError):  # then the copy fails too, and says why
        if await asyncio.to_thread(copies.beside_the_data) and not copies.is_away():
            LOGGER.warning(BESIDE, folder=str(copies.kept.folder))
    while True:
        pause = LOOK_SECONDS
        try:
            last = await asyncio.to_thread(copies.kept.last)
            LAST_COPY.set(0 if last is None else last.timestamp())
            if is_due(datetime.now().astimezone(), last) and not await waits():
                place, manifest = await copies.begin()
                LAST_COPY.set(manifest.made_at.timestamp())
                LOGGER.info("copied", file=str(place), events=manifest.rows["events"])
        except (CopyError, UnderWayError, OSError) as error:
            pause = AGAIN_SECONDS
            LOGGER.error("the nightly copy failed, another try follows in an hour", error=str(error))
        except Exception as error:  # the database is away: said in its own words
            LOGGER.error("the nightly copy failed, another try follows", error=str(error))
        await asyncio.sleep(pause)


async def note_erasures(copies: Keeping, its_turn: Callable[[], Awaitable[LeaseNumber]]) -> None:
    """Write down who is erased as soon as somebody is: a copy of before knows nothing of it. Of several processes the
    one whose turn it is writes; what the others heard they write when it comes to them."""
    while True:
        await copies.erased.wait()
        await its_turn()
        copies.erased.clear()
        try:
            await asyncio.to_thread(copies.kept.note_erased)
        except FAILS as error:
            LOGGER.error("the list of erasures could not be written, another try follows", error=str(error))
            copies.erased.set()
            await asyncio.sleep(LOOK_SECONDS)
