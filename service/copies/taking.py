"""Take a copy: beside its place, synced, read back, and only then under its name."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from service.copies.frames import END, MANIFEST, ROWS, CopyError, FrameWriter
from service.copies.manifest import FORMAT, Ending, LogHead, Manifest, TableRows
from service.copies.reading import checked
from service.copies.resting import Rests
from service.store import copying
from service.store.copying import Owner

SUFFIX: Final = ".lurch"
TIME: Final = "%Y-%m-%d-%H%M%S"  # of names, in UTC
FRAME: Final = 1_000_000  # bytes of rows in a frame, about
READ: Final = 65_536  # bytes of rows that are read before a rest
LEFT: Final = 86_400.0  # seconds without a write
Told = Callable[[int], None]


def named(moment: datetime) -> str:
    """The name of a copy of a moment; names sort as the copies were made."""
    return f"lurch-{moment.astimezone(UTC):{TIME}}{SUFFIX}"


def moment_of(name: str) -> datetime | None:
    """The moment that a name tells; None where no calendar has it, for somebody has renamed that."""
    try:
        return datetime.strptime(name, TIME).replace(tzinfo=UTC)
    except ValueError:
        return None


def take(
    owner_url: str,
    folder: Path,
    version: str,
    passphrase: str | None = None,
    told: Told = lambda rows: None,
    at: datetime | None = None,
    beside: bool = True,
) -> tuple[Path, Manifest]:
    """Copy everything into one new file of a folder; `told` hears of rows that are written. Where others record
    `beside` it, it rests again and again. Raises UnderWayError, CopyError, OSError."""
    with copying.alone(owner_url, "backup"):
        return take_alone(owner_url, folder, version, passphrase, told, at, beside)


def take_alone(
    owner_url: str,
    folder: Path,
    version: str,
    passphrase: str | None = None,
    told: Told = lambda rows: None,
    at: datetime | None = None,
    beside: bool = False,
) -> tuple[Path, Manifest]:
    """The same for who is alone already, to migrate or to roll back. Raises CopyError, OSError."""
    moment = at or datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / named(moment)
    part, rests = place.with_name(f"{place.name}.part"), Rests(beside)
    _tidy(folder)
    try:
        with _opened(part) as file, copying.snapshot(owner_url) as connection:
            manifest = _write(file, connection, version, moment, passphrase, told, rests)
        if checked(part, passphrase, rests.take) != manifest:
            raise CopyError(f"{part} is not what was written: is the disk sound? Copy to another one")
        _name(part, place)
    except OSError as error:
        error.filename = error.filename or str(folder)  # a write to a full disk names none
        raise
    finally:
        part.unlink(missing_ok=True)
    return place, manifest


def _tidy(folder: Path) -> None:
    """Delete the parts of copies that were cut off: they take room, and hold the keys. One of today may be at work."""
    for each in folder.glob(f"lurch-*{SUFFIX}.part"):
        with suppress(OSError):
            if time.time() - each.stat().st_mtime > LEFT:
                each.unlink()


def _name(part: Path, place: Path) -> None:
    if place.exists():
        raise CopyError(f"{place} is there already: wait a second and copy again")
    part.rename(place)
    folder = os.open(place.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _opened(part: Path) -> BinaryIO:
    """A file for its owner alone."""
    return os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _write(
    file: BinaryIO,
    connection: Owner,
    version: str,
    moment: datetime,
    passphrase: str | None,
    told: Told,
    rests: Rests,
) -> Manifest:
    writer = FrameWriter(file, passphrase, rests.take)
    manifest = _manifest(connection, version, moment)
    writer.put(MANIFEST, msgspec.json.encode(manifest))
    written = {name: _table(connection, writer, name, told, rests) for name in manifest.rows}
    if written != manifest.rows:
        raise CopyError(f"rows were counted and read differently: {manifest.rows} and {written}")
    writer.put(END, msgspec.json.encode(Ending(written)))
    file.flush()
    os.fsync(file.fileno())
    return manifest


def _manifest(connection: Owner, version: str, moment: datetime) -> Manifest:
    counts = copying.counts(connection)
    revision, postgres = copying.about(connection)
    heads = tuple(LogHead(*row) for row in copying.heads(connection))
    return Manifest(FORMAT, moment, revision, version, postgres, heads, counts)


def _table(connection: Owner, writer: FrameWriter, name: str, told: Told, rests: Rests) -> int:
    names, total = copying.columns(connection, name), 0
    held, size, worked = list[bytes](), 0, 0

    def put() -> None:
        writer.put(ROWS, msgspec.msgpack.encode(TableRows(name, names, b"".join(held))))
        told(len(held))
        held.clear()

    for block in copying.rows_of(connection, name, names):
        held.append(block)
        total, size, worked = total + block.count(b"\n"), size + len(block), worked + len(block)
        if worked >= READ:
            rests.take()
            worked = 0
        if size >= FRAME:
            put()
            size = 0
    if held:
        put()
    return total
