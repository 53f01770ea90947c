"""Keeping of a running service's data in a second place: copies by night, and every change where that can be."""

import asyncio
from collections.abc import Coroutine, Iterator
from pathlib import Path

from service.copies.keeping import Keeping
from service.run.database import Database
from service.run.leasing import COPYING, Lease
from service.run.nights import copy_by_night, note_erasures
from service.run.receiving import forget, receive
from service.run.settings import Settings
from service.store.pool import Pool
from service.store.restored import restored_at


def kept_safe(
    settings: Settings, database: Database, copies: Keeping | None, pool: Pool
) -> Iterator[Coroutine[None, None, None]]:
    """The tasks that go on as long as the service runs; a service that was restored waits with them for the owner's
    word. Changes are written in the clear, so there are none where copies are encrypted."""
    lease = Lease(pool, COPYING)

    async def waits() -> bool:
        return await restored_at(pool) is not None

    async def by_night(copies: Keeping) -> None:
        """Copies, in the process that has the lease; the others look when the last one was taken."""
        await lease.looked.wait()
        await copy_by_night(copies, waits_here)

    async def waits_here() -> bool:
        return lease.held is None or await waits()

    async def waits_for_changes() -> bool:
        """Raises CopyError where the disk that they go to is away: they are held back until it is there again."""
        if copies is not None:
            await asyncio.to_thread(copies.check_disk)
        return await waits()

    def hear(receives: bool) -> None:
        if copies is not None:
            copies.receives = receives

    if copies is not None:
        yield lease.keep()
        yield by_night(copies)
        yield note_erasures(copies, lease.had)
    if database.embedded is None:
        return
    if settings.backup_dir is None or settings.backup_passphrase_file is not None:
        yield forget(database.embedded)
    else:
        yield receive(database.embedded, Path(settings.backup_dir).absolute(), waits_for_changes, hear)
