"""Copies before migrations: where they lie, how one is taken, and the one that a rollback brings back."""

from pathlib import Path
from typing import Final

import click
import structlog

from service import VERSION
from service.copies.folder import KeptCopies
from service.copies.frames import CopyError
from service.copies.taking import named, take_alone
from service.run.settings import Settings

FOLDER: Final = "before-migrations"
MOST: Final = 3  # that are kept
LOGGER = structlog.get_logger()


def passphrase_of(settings: Settings) -> str | None:
    """The passphrase of the copies that nobody is asked about, where one is set. Raises CopyError, OSError."""
    name = settings.backup_passphrase_file
    return None if name is None else passphrase_in(Path(name))


def passphrase_in(file: Path) -> str:
    """The passphrase in a file; without one everybody could read what is encrypted. Raises CopyError, OSError."""
    try:
        found = file.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        found = ""
    if not found:
        raise CopyError(f"{file} holds no passphrase: write one there as text in UTF-8 (LURCH_BACKUP_PASSPHRASE_FILE)")
    return found


def beside(settings: Settings) -> Path:
    """The folder of copies, else the data directory."""
    return settings.data if settings.backup_dir is None else Path(settings.backup_dir).absolute()


def copies_before(settings: Settings, owner_url: str) -> KeptCopies:
    """The copies that were taken before migrations. Raises OSError."""
    return KeptCopies(beside(settings) / FOLDER, owner_url, VERSION, passphrase_of(settings))


def copy_before(settings: Settings, owner_url: str) -> None:
    """Take a copy before a migration, for who is alone at it; older ones than the last few go, and never this one: the
    names of others may be of a time to come, by a clock that was wrong. Raises CopyError."""
    folder = beside(settings) / FOLDER
    try:
        copies = copies_before(settings, owner_url)
        place, manifest = take_alone(owner_url, folder, VERSION, copies.passphrase)
    except (CopyError, OSError) as error:
        raise CopyError(
            f"no copy can be written to {folder} before the migration, so it has not begun ({error}): make room there, "
            "or set LURCH_BACKUP_DIR to another folder"
        ) from None
    if settings.log == "json" and structlog.is_configured():  # by a service: a command has nobody who gathers its lines
        LOGGER.info("copied before the migration", schema=manifest.revision, file=str(place))
    else:
        click.echo(f"copied before the migration from schema {manifest.revision}: {place}", err=True)
    for each in copies.made()[MOST:]:
        if named(each) != place.name:
            (folder / named(each)).unlink()
