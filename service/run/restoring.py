"""Restore a copy: read whole first, loaded beside, verified, and only then in its place."""

import asyncio
import glob
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
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
from service.run.migrate import in_one_transaction, let_in, newest, revisions, upgrade, upgrade_within
from service.run.pool import make_pool
from service.run.settings import Settings
from service.store import copying, unfinished
from service.store.restored import BECAUSE
from service.store.rolling_back import drop_all

NOT_EMPTY: Final = "choose an empty data directory (LURCH_DATA_DIR), or move what is there away: nothing was changed"
BESIDE: Final = ".restoring-"
IN_YOURS: Final = (
    "where a restore works beside its place: choose a place in a folder of yours (LURCH_DATA_DIR). Nothing was changed"
)
IN_IT: Final = "choose a folder in it (LURCH_DATA_DIR), for that may be new. Nothing was changed"
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
    if manifest.revision not in revisions():
        raise CopyError(f"this copy has schema {manifest.revision}, which there never was: choose another one")
    source = Source(copy, manifest, passphrase, gone, tuple(erased))
    if settings.database_url:
        database = Database(settings.database_url, settings.migrate_url or settings.database_url)
        return _filled(database, source, told)
    return _beside(source, settings.data, told)


def _beside(source: Source, place: Path, told: Told) -> Restored:
    """An embedded server in a folder beside, renamed when all of it is there and verified."""
    with put_in_place(place) as beside, started(beside) as database:
        return _filled(database, source, told)


@contextmanager
def put_in_place(place: Path) -> Iterator[Path]:
    """A folder beside an empty place, which takes its name at the end, and is gone where that was not reached. Raises
    CopyError."""
    place = place.resolve()  # a link stays, and leads to what is put there
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise CopyError(f"{place} holds something: {NOT_EMPTY}")
    if place.is_mount():
        raise CopyError(f"{place} is a disk of its own, which nothing can take the place of: {IN_IT}")
    beside = place.with_name(f"{place.name}{BESIDE}{secrets.token_hex(4)}")
    try:
        beside.mkdir(parents=True)
    except OSError as error:
        raise CopyError(f"nothing can be made in {place.parent} ({error.strerror}), {IN_YOURS}") from None
    try:
        yield beside
        if place.exists():
            place.rmdir()
        beside.rename(place)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def left_beside(place: Path) -> list[Path]:
    """The folders that restores into a place left when they were killed; one that is at work has such a folder too."""
    place = place.resolve()
    return sorted(place.parent.glob(f"{glob.escape(place.name)}{BESIDE}*"))


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
    """Put a copy into a database, which nobody serves before all of it was verified; what does not verify is put away
    again, and where the process ends or the server is away, the next restore does that."""
    with copying.alone(database.owner_url, "restore"):
        _put(database.owner_url, source, told)
        try:
            let_in(database.owner_url, database.url)
            restored = Restored(source.manifest, *_proven(database, source.erased))
        except BaseException:
            with suppress(psycopg.Error), psycopg.connect(database.owner_url) as connection:
                _put_away(connection)
            raise
        with psycopg.connect(database.owner_url) as connection:
            unfinished.end(connection, newest())
    return restored


def _put(owner_url: str, source: Source, told: Told) -> None:
    """The rows in the schema of the copy, then that of today, with nobody let in: all of it or nothing."""
    with in_one_transaction(owner_url, "restore") as (outer, connection):
        _put_away(connection)
        if copying.tables(connection):
            raise CopyError("the database of LURCH_DATABASE_URL has tables: choose an empty one. Nothing was changed")
        upgrade_within(outer, source.manifest.revision)
        put_tables(connection, source.copy, source.passphrase, told)
        check_same(connection, source.manifest)
        upgrade_within(outer, newest())
        _let_nobody_in(connection, source.gone)
        unfinished.begin(connection)


def put_tables(connection: copying.Owner, copy: Path, passphrase: str | None, told: Told) -> None:
    """Every row of a copy, into the tables of its schema. Raises CopyError where one does not go there."""
    for rows in tables(copy, passphrase):
        if rows.table not in copying.KEPT:
            raise CopyError(f"this copy holds a table that no copy has ({rows.table!r}): nothing was put in place")
        try:
            told(copying.put_rows(connection, rows.table, rows.columns, rows.text))
        except (psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError) as error:
            raise CopyError(
                f"rows of {rows.table} in this copy do not fit ({type(error).__name__}): nothing was put in place"
            ) from None


def _put_away(connection: copying.Owner) -> None:
    """Drop what a restore left that did not end."""
    if unfinished.is_left(connection):
        drop_all(connection)


def _let_nobody_in(connection: copying.Owner, gone: bool) -> None:
    """Nobody who came in before comes in, and what the old machine may do still waits for the owner's word."""
    copying.begin_anew(connection, secrets.token_hex(4), None if gone else BECAUSE)
    copying.wait_for_the_owner(connection, waits=not gone)


def made_ready(database: Database, gone: bool, erased: Sequence[Erasure]) -> tuple[int, Again]:
    """Migrate what came back in a folder beside, let nobody in who came in before, verify it, and erase again who was
    `erased` since; how many events were verified, and what became of the erasures. Raises CopyError."""
    upgrade(database.owner_url, database.url)
    with psycopg.connect(database.owner_url) as connection:
        _let_nobody_in(connection, gone)
    return _proven(database, erased)


def _proven(database: Database, erased: Sequence[Erasure]) -> tuple[int, Again]:
    """Verify, then erase again. Raises CopyError."""
    found = asyncio.run(_verified(database))
    if found.wrong:
        raise CopyError(f"the log of this copy does not verify, {found.wrong[0].text}: nothing was put in place")
    return found.events, erased_again(database.url, erased)


def erased_again(url: str, wanted: Sequence[Erasure]) -> Again:
    """Erase again who is `wanted`, by this login; what became of it."""

    async def inside() -> Again:
        async with make_pool(url, 2) as pool:
            return await erase_again(pool, wanted)

    return asyncio.run(inside()) if wanted else Again()


async def _verified(database: Database) -> Verified:
    async with make_pool(database.owner_url, 1, timed=False) as pool:
        return await verify(pool)


def check_same(connection: copying.Owner, manifest: Manifest) -> None:
    """Checks that what came back is what was copied, by schema, heads and counts. Raises CopyError."""
    heads = tuple(LogHead(*row) for row in copying.heads(connection))
    if heads != manifest.heads or copying.counts(connection) != manifest.rows:
        raise CopyError("what came back is not what the copy says it holds: nothing was put in place")
