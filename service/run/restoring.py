"""Restore a copy: read whole first, loaded beside, verified, and only then in its place."""

import asyncio
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
import psycopg

from service.copies.erased import Erasure
from service.copies.frames import CopyError
from service.copies.manifest import LogHead, Manifest
from service.copies.reading import checked, tables
from service.desk.erasing_again import Again, erase_again
from service.desk.verifying import Verified, verify
from service.run.database import Database
from service.run.embedded import Embedded
from service.run.migrate import newest, upgrade, upgrade_to
from service.run.pool import make_pool
from service.run.settings import Settings
from service.store import copying
from service.store.restored import BECAUSE

NOT_EMPTY: Final = "choose an empty data directory (LURCH_DATA_DIR), or move what is there away: nothing was changed"
Told = Callable[[int], None]


class Source(msgspec.Struct, frozen=True):
    """The source of a restoring: a file with its manifest and passphrase, whether the machine of before is gone, and
    the people erased since."""

    copy: Path
    manifest: Manifest
    passphrase: str | None
    gone: bool
    erased: tuple[Erasure, ...]


class Restored(msgspec.Struct, frozen=True):
    """The outcome of a restoring: the manifest of the copy, the number of events verified, and the people erased
    again."""

    manifest: Manifest
    events: int
    again: Again


def restore(
    copy: Path,
    settings: Settings,
    passphrase: str | None = None,
    told: Told = lambda rows: None,
    gone: bool = False,
    erased: Sequence[Erasure] = (),
) -> Restored:
    """Bring a copy back, into a data directory that holds nothing or a database without tables. Where the old machine
    is not known to be `gone`, what both would do waits for the owner's word. Who was `erased` since is erased again.
    Raises CopyError before anything is made, UnderWayError, EmbeddedError, OSError."""
    manifest = checked(copy, passphrase)
    if manifest.revision > newest():
        raise CopyError(
            f"this copy has schema {manifest.revision}, and this program knows none after {newest()}: use the Lurch "
            f"that made it ({manifest.lurch}) or a newer one. Nothing was changed"
        )
    source = Source(copy, manifest, passphrase, gone, tuple(erased))
    if settings.database_url:
        database = Database(settings.database_url, settings.migrate_url or settings.database_url)
        _check_empty(database)
        return _filled(database, source, told)
    return _beside(source, settings.data, told)


def _check_empty(database: Database) -> None:
    with psycopg.connect(database.owner_url) as connection:
        if copying.tables(connection):
            raise CopyError("the database of LURCH_DATABASE_URL has tables: choose an empty one. Nothing was changed")


def _beside(source: Source, place: Path, told: Told) -> Restored:
    """An embedded server in a folder beside, renamed when all of it is there and verified."""
    with put_in_place(place) as beside, started(beside) as database:
        return _filled(database, source, told)


@contextmanager
def put_in_place(place: Path) -> Iterator[Path]:
    """A folder beside an empty place, which takes its name at the end, and is gone where that was not reached. Raises
    CopyError."""
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise CopyError(f"{place} holds something: {NOT_EMPTY}")
    beside = place.with_name(f"{place.name}.restoring-{secrets.token_hex(4)}")
    try:
        yield beside
        if place.exists():
            place.rmdir()
        beside.rename(place)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


@contextmanager
def started(root: Path) -> Iterator[Database]:
    """An embedded server of this folder, stopped at the end."""
    embedded = Embedded(root)
    embedded.start()
    try:
        yield Database(embedded.url("lurch_app"), embedded.url("lurch_owner"), embedded)
    finally:
        embedded.stop()


def _filled(database: Database, source: Source, told: Told) -> Restored:
    upgrade_to(database.owner_url, source.manifest.revision)
    with copying.alone(database.owner_url, "restore"), psycopg.connect(database.owner_url) as connection:
        for rows in tables(source.copy, source.passphrase):
            told(copying.put_rows(connection, rows.table, rows.columns, rows.text))
        check_same(connection, source.manifest)
    return Restored(source.manifest, *made_ready(database, source.gone, source.erased))


def made_ready(database: Database, gone: bool, erased: Sequence[Erasure]) -> tuple[int, Again]:
    """Migrate and verify what came back, let nobody in who came in before, and erase again who was `erased` since; how
    many events were verified, and what became of the erasures. Raises CopyError."""
    upgrade(database.owner_url, database.url)
    found = asyncio.run(_verified(database))
    if found.wrong:
        raise CopyError(f"the log of this copy does not verify, {found.wrong[0].text}: nothing was put in place")
    with psycopg.connect(database.owner_url) as connection:
        copying.begin_anew(connection, secrets.token_hex(4), None if gone else BECAUSE)
        copying.wait_for_the_owner(connection, waits=not gone)
    return found.events, asyncio.run(_erased_again(database, erased)) if erased else Again()


async def _erased_again(database: Database, wanted: Sequence[Erasure]) -> Again:
    async with make_pool(database.url, 2) as pool:
        return await erase_again(pool, wanted)


async def _verified(database: Database) -> Verified:
    async with make_pool(database.owner_url, 1, timed=False) as pool:
        return await verify(pool)


def check_same(connection: copying.Owner, manifest: Manifest) -> None:
    """Checks that what came back is what was copied, by schema, heads and counts. Raises CopyError."""
    heads = tuple(LogHead(*row) for row in copying.heads(connection))
    if heads != manifest.heads or copying.counts(connection) != manifest.rows:
        raise CopyError("what came back is not what the copy says it holds: nothing was put in place")
