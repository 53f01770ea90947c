"""Move everything between an embedded server and another: a copy of here, restored there; here stays as it was."""

import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import psycopg

from service import VERSION
from service.copies.taking import take
from service.run.database import ready
from service.run.restoring import Restored, restore
from service.run.rolling_back import check_alone
from service.run.settings import Settings
from service.store.restored import is_waiting

Told = Callable[[int], None]


def is_url(target: str) -> bool:
    """Tells the URL of a database from a data directory."""
    return target.startswith(("postgresql://", "postgres://"))


def target_of(settings: Settings, target: str) -> Settings:
    """The settings of where it goes: the URL of a database, else a data directory."""
    if is_url(target):
        return msgspec.structs.replace(settings, database_url=target, migrate_url=None)
    return msgspec.structs.replace(settings, data_dir=target, database_url=None, migrate_url=None)


def move(settings: Settings, target: str, told: Told = lambda rows: None) -> Restored:
    """Bring everything into another database or data directory that holds nothing; what waits for the owner's word
    waits there too. Raises CopyError where a service is at work here, for what it records meanwhile would stay behind;
    UnderWayError, EmbeddedError, OSError."""
    there, passphrase = target_of(settings, target), secrets.token_urlsafe(24)  # on the way nobody reads it
    with tempfile.TemporaryDirectory(prefix="lurch-move-") as folder:
        with ready(settings) as database:
            with psycopg.connect(database.owner_url) as connection:
                check_alone(connection)
                waits = is_waiting(connection)
            place, _ = take(database.owner_url, Path(folder), VERSION, passphrase, told, beside=False)
        return restore(place, there, passphrase, told, gone=not waits)
