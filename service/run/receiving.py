"""The changes of the embedded server as they are received while a service runs, so that every moment can come back."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import fasteners
import psycopg
import structlog

from service.copies.base_manifest import fault_of
from service.copies.changes import NAME, Changes, begun_anew, newest_of
from service.copies.frames import CopyError
from service.run.binaries import EmbeddedError
from service.run.embedded import Embedded
from service.store import changes as store
from service.store.meters import RECEIVING

AGAIN_SECONDS: Final = 60.0
TIDY_SECONDS: Final = 3600.0
END_SECONDS: Final = 5.0
GONE: Final = "has already been removed"  # what the server says of changes that it no longer has
LOGGER = structlog.get_logger()
Hear = Callable[[bool], None]  # whether changes are received now


class GapError(Exception):
    """Changes are missing since the last one received: they follow a new base from now on."""


async def receive(embedded: Embedded, folder: Path, waits: Callable[[], Awaitable[bool]], hear: Hear) -> None:
    """Receive every change into a folder, with a base of each week, as long as the service runs; none while a service
    that was restored `waits`. Of several services with one server one receives."""
    hear(False)
    while True:
        try:
            if not await waits():
                await _received(embedded, folder / NAME, hear)
        except GapError:
            await asyncio.to_thread(store.let_go, embedded.url("postgres", "postgres"))
            LOGGER.warning("changes were missed: what can be brought back begins anew with a base")
            continue
        except (CopyError, EmbeddedError, OSError, psycopg.Error) as error:
            LOGGER.error("changes are not received, another try follows", error=str(error))
        await asyncio.sleep(AGAIN_SECONDS)


async def forget(embedded: Embedded) -> None:
    """Hold no change back for a folder that is no longer set, as soon as the database answers."""
    while True:
        try:
            return await asyncio.to_thread(store.let_go, embedded.url("postgres", "postgres"))
        except (EmbeddedError, psycopg.Error):
            await asyncio.sleep(AGAIN_SECONDS)


async def _received(embedded: Embedded, folder: Path, hear: Hear) -> None:
    """Receive until the connection or the folder is lost."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = fasteners.InterProcessLock(str(folder / "lock"))
    if not lock.acquire(blocking=False):
        hear(True)
        return  # another service of this server is at it
    try:
        changes = await asyncio.to_thread(_held, embedded, folder)
        async with _receiver(embedded, changes, hear) as ended:
            while not ended.done():
                if changes.is_due(datetime.now(UTC)):
                    await take_base(embedded, changes)
                await asyncio.to_thread(changes.tidy)
                await asyncio.wait([ended], timeout=TIDY_SECONDS)
            said = await ended
        if GONE in said:
            raise GapError
        raise CopyError(said or "the receiver has ended")
    finally:
        lock.release()


def _held(embedded: Embedded, folder: Path) -> Changes:
    """The place where changes go on, or a new one where nobody held them back."""
    url = embedded.url("postgres", "postgres")
    server = "{}-{}".format(*store.identity(url))
    last = newest_of(folder, server)
    if last is not None and store.is_held(url):
        return last
    store.let_go(url)
    store.hold(url)
    return begun_anew(folder, server)


@contextlib.asynccontextmanager
async def _receiver(embedded: Embedded, changes: Changes, hear: Hear) -> AsyncIterator["asyncio.Task[str]"]:
    """The program that receives, ended with us; the task ends when it does, with what it said."""
    process = await embedded.client(
        "pg_receivewal", "-D", str(changes.files), "-S", store.SLOT, "--no-loop", "--synchronous"
    )
    ended = asyncio.create_task(_said(process))
    RECEIVING.set(1)
    hear(True)
    try:
        yield ended
    finally:
        RECEIVING.set(0)
        hear(False)
        await end(process)


async def take_base(embedded: Embedded, changes: Changes) -> None:
    """One more base, checked before it has its name. Raises CopyError."""
    part = changes.part
    await asyncio.to_thread(shutil.rmtree, part, ignore_errors=True)
    # `fetch` makes no second process, which a stop would leave behind with the connection
    asked = ("-X", "fetch", "-c", "fast", "--manifest-checksums", "SHA256")
    await _done(await embedded.client("pg_basebackup", "-D", str(part), *asked))
    wrong = await asyncio.to_thread(fault_of, part)
    if wrong is not None:
        raise CopyError(f"the base that was taken is not whole: {wrong}. Is the disk sound?")
    base = changes.take_in(datetime.now(UTC))
    LOGGER.info("a base was taken", folder=str(base.folder))


async def _done(process: asyncio.subprocess.Process) -> None:
    try:
        said = await _said(process)
    finally:
        await end(process)
    if process.returncode:
        raise CopyError(f"no base could be taken: {said}")


async def _said(process: asyncio.subprocess.Process) -> str:
    """The words of a program until it ends."""
    assert process.stderr is not None
    said = await process.stderr.read()
    await process.wait()
    return said.decode(errors="replace").strip()


async def end(process: asyncio.subprocess.Process) -> None:
    """End a program, in order if it can; whoever is told to stop meanwhile sees to that first."""
    ending = asyncio.create_task(_ended(process))
    while not ending.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(ending)


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), END_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
