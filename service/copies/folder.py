"""The folder of the nightly copies: which ones are there and are whole, the last of them, and which ones go."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from service.copies.erased import recorded, write_beside
from service.copies.frames import CopyError
from service.copies.manifest import Manifest
from service.copies.nightly import last_by, to_delete
from service.copies.reading import checked
from service.copies.taking import SUFFIX, moment_of, named, take

_NAME: Final = re.compile(rf"lurch-(\d{{4}}-\d\d-\d\d-\d{{6}}){re.escape(SUFFIX)}\Z")


class KeptCopies(msgspec.Struct, frozen=True):
    """A folder of copies, the login that may read everything, the version of Lurch, and the passphrase, if any."""

    folder: Path
    owner_url: str
    version: str
    passphrase: str | None = None

    def made(self) -> list[datetime]:
        """The times at which the copies that are there were made, by their names, the newest first; none where
        there is no folder."""
        if not self.folder.is_dir():
            return []
        found = (_NAME.match(each.name) for each in self.folder.iterdir())
        times = (moment_of(each[1]) for each in found if each)
        return sorted((each for each in times if each is not None), reverse=True)

    def last(self) -> datetime | None:
        """The time at which the last one was made; None before there is one."""
        return last_by(self.made(), datetime.now(UTC))

    def sizes(self) -> list[tuple[datetime, int]]:
        """The time at which each copy was made, and its bytes, the newest first."""
        return [(each, (self.folder / named(each)).stat().st_size) for each in self.made()]

    def one_more(self, now: datetime) -> tuple[Path, Manifest]:
        """One more, and those that it makes too many go. A failed one deletes nothing. Raises UnderWayError, CopyError,
        OSError."""
        done = take(self.owner_url, self.folder, self.version, self.passphrase, at=now)
        for each in to_delete([each for each in self.made() if self.is_whole(each)], now):
            (self.folder / named(each)).unlink()
        return done

    def note_erased(self) -> None:
        """Bring the list of erasures up to date. Raises CopyError, OSError."""
        write_beside(self.folder, recorded(self.owner_url))

    def is_whole(self, made: datetime) -> bool:
        """Tells whether a copy can be read back."""
        try:
            checked(self.folder / named(made), self.passphrase)
        except (CopyError, OSError):
            return False
        return True

    def on_the_disk_of(self, data: Path) -> bool:
        """Tells whether the copies lie, or would, on the disk that they are for: one fault would take both."""
        there = next(each for each in (self.folder, *self.folder.parents) if each.exists())
        return data.exists() and there.stat().st_dev == data.stat().st_dev
