"""The folder that brings a moment back: a base of each week, and every change since, as the server wrote them.

It has a folder for each server and each time that receiving had to begin anew, for changes without a gap follow a base
of their own alone.
"""

import gzip
import os
import re
import shutil
import zlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from service.copies.frames import CopyError
from service.copies.taking import TIME, moment_of

NAME: Final = "pitr"
WEEK: Final = timedelta(days=7)
BASES: Final = 2  # that are kept, with every change since the first
_NUMBER: Final = re.compile(r"[1-9]\d{0,8}\Z", re.ASCII)
_BASE: Final = re.compile(r"base-(\d{4}-\d\d-\d\d-\d{6})\Z")
_SEGMENT: Final = re.compile(r"([0-9A-F]{8})([0-9A-F]{16})(\.partial|\.gz)?\Z")
_HISTORY: Final = re.compile(r"[0-9A-F]{8}\.history\Z")
_BEGINS: Final = re.compile(r"^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$", re.MULTILINE)


class Base(msgspec.Struct, frozen=True, order=True):
    """A base: when it was finished, from which moment on it can be brought back, and its folder."""

    made: datetime
    folder: Path

    @property
    def begins(self) -> str:
        """The first file of changes that it needs. Raises CopyError."""
        try:
            found = _BEGINS.search((self.folder / "backup_label").read_text(encoding="utf-8"))
        except OSError:
            found = None
        if found is None:
            raise CopyError(f"{self.folder} is no whole base: delete it")
        return found[1]


class Changes(msgspec.Struct, frozen=True):
    """The bases and changes of one server, without a gap."""

    folder: Path

    @property
    def files(self) -> Path:
        """The folder of the files of changes."""
        return self.folder / "changes"

    @property
    def part(self) -> Path:
        """A base that is being taken."""
        return self.folder / "base.part"

    def bases(self) -> list[Base]:
        """The bases, the newest first."""
        if not self.folder.is_dir():
            return []
        found = ((each, _BASE.match(each.name)) for each in self.folder.iterdir())
        named = ((moment_of(name[1]), each) for each, name in found if name)
        return sorted((Base(made, each) for made, each in named if made is not None), reverse=True)

    def is_due(self, now: datetime) -> bool:
        """Tells whether a base is to be taken: there is none of the last week. One of the future is one too: a clock
        that was put back deletes and takes nothing."""
        bases = self.bases()
        return not bases or now - bases[0].made >= WEEK

    def take_in(self, now: datetime) -> Base:
        """Give the base that was taken its name."""
        base = Base(now.replace(microsecond=0), self.folder / f"base-{now.strftime(TIME)}")
        self.part.rename(base.folder)
        return base

    def tidy(self) -> None:
        """Pack files of changes that are complete, and delete bases and changes that nobody needs any more."""
        bases = self.bases()
        for each in bases[BASES:]:
            shutil.rmtree(each.folder)
        if not bases:
            return
        first = bases[:BASES][-1].begins
        for place, name in self._segments():
            if name[2] < first[8:]:
                place.unlink()
            elif name[3] is None:
                _pack(place)

    def missing_since(self, base: Base) -> str | None:
        """The first file of changes since a base that is not there though a later one is; None where each follows."""
        there = {_number(name[2]) for _, name in self._segments()}
        first = _number(base.begins[8:])
        gone = next((each for each in range(first, max(there, default=first)) if each not in there), None)
        return None if gone is None else f"{base.begins[:8]}{gone // 256:08X}{gone % 256:08X}"

    def put_into(self, place: Path, base: Base) -> None:
        """Lay every file of changes since a base where the server looks for them. Raises CopyError, OSError."""
        first = base.begins
        for each, name in self._segments():
            if name[2] < first[8:]:
                continue
            laid = place / f"{name[1]}{name[2]}"
            if name[3] == ".gz":
                _unpack(each, laid)
            else:
                shutil.copyfile(each, laid)
        for each in self.files.iterdir():
            if _HISTORY.match(each.name) and not each.is_symlink():
                shutil.copyfile(each, place / each.name)

    def _segments(self) -> Iterator[tuple[Path, re.Match[str]]]:
        for each in sorted(self.files.iterdir()):
            name = _SEGMENT.match(each.name)
            if name and not each.is_symlink():  # which may lead anywhere
                yield each, name


def _pack(place: Path) -> None:
    """A file of changes in less room, whole or not at all."""
    packed, part = place.with_name(f"{place.name}.gz"), place.with_name(f"{place.name}.packing")
    with place.open("rb") as file, part.open("wb") as out:
        with gzip.GzipFile(filename="", fileobj=out, mode="wb", compresslevel=1, mtime=0) as zipped:
            shutil.copyfileobj(file, zipped)
        out.flush()
        os.fsync(out.fileno())
    part.rename(packed)
    place.unlink()


def _unpack(packed: Path, laid: Path) -> None:
    """The same back. Raises CopyError for a file that is not whole, OSError."""
    try:
        with gzip.open(packed) as zipped, laid.open("wb") as file:
            shutil.copyfileobj(zipped, file)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CopyError(f"{packed} cannot be unpacked ({error}): nothing after it can be brought back") from None
    if laid.stat().st_size == 0:
        raise CopyError(f"{packed} is empty: nothing after it can be brought back")


def _number(segment: str) -> int:
    """The number of a file of changes, which are of 16 MB each: 256 of them have their first eight digits alike."""
    return int(segment[:8], 16) * 256 + int(segment[8:], 16)


def newest_of(folder: Path, server: str) -> Changes | None:
    """The folder where the changes of this server were received last."""
    found = (each.name.rpartition("-")[2] for each in folder.glob(f"{server}-*") if each.is_dir())
    numbers = [int(each) for each in found if _NUMBER.match(each)]  # not one that somebody's hand has copied
    return Changes(folder / f"{server}-{max(numbers)}") if numbers else None


def begun_anew(folder: Path, server: str) -> Changes:
    """A new folder for the changes of this server, after the last one."""
    last = newest_of(folder, server)
    number = 1 if last is None else int(last.folder.name.rpartition("-")[2]) + 1
    made = Changes(folder / f"{server}-{number}")
    made.files.mkdir(parents=True, mode=0o700)
    return made


def first_moment(folder: Path) -> datetime | None:
    """The first moment from which on every one up to the last change received can be brought back; None without a
    base. Changes that were begun anew after a gap reach no further back."""
    of_each = [Changes(each).bases() for each in (folder / NAME).glob("*-*-*") if each.is_dir()]
    newest = max(filter(None, of_each), key=lambda bases: bases[0], default=None)
    return newest[-1].made if newest else None


def before(folder: Path, moment: datetime) -> list[tuple[Base, Changes]]:
    """The bases from before a moment with their changes, the newest first. Raises CopyError where there is none."""
    folder = folder / NAME if (folder / NAME).is_dir() else folder
    all_of = [Changes(each) for each in folder.glob("*-*-*") if each.is_dir()] if folder.is_dir() else []
    found = sorted(((base, changes) for changes in all_of for base in changes.bases()), key=lambda each: each[0])
    if not found:
        raise CopyError(f"there is no base in {folder}: name the folder that LURCH_BACKUP_DIR named")
    earlier = [each for each in found if each[0].made <= moment]
    if not earlier:
        raise CopyError(f"the first moment that can be brought back is {found[0][0].made:%Y-%m-%dT%H:%M:%SZ}")
    return earlier[::-1]
