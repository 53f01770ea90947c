"""The database that the settings mean, started or attached to, and migrated."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from service.run.before import copy_before
from service.run.embedded import Embedded
from service.run.migrate import upgrade
from service.run.settings import Settings


class Database(msgspec.Struct, frozen=True):
    """The place of the log: the service's URL, the owner's, and the embedded server if it is one; `ours` where this
    process starts that again, which a worker leaves to its parent."""

    url: str
    owner_url: str
    embedded: Embedded | None = None
    ours: bool = True


def locate(settings: Settings) -> Database:
    """The database that the settings mean; the embedded server is started or attached to."""
    if settings.database_url:
        return Database(settings.database_url, settings.migrate_url or settings.database_url)
    embedded = Embedded(settings.data)
    embedded.start()
    return Database(embedded.url("lurch_app"), embedded.url("lurch_owner"), embedded)


@contextmanager
def located(settings: Settings) -> Iterator[Database]:
    """The database as it is; an embedded server that we started is stopped at the end."""
    database = locate(settings)
    try:
        yield database
    finally:
        if database.embedded is not None:
            database.embedded.stop()


@contextmanager
def ready(settings: Settings) -> Iterator[Database]:
    """The same, migrated, with a copy before that."""
    with located(settings) as database:
        upgrade(database.owner_url, database.url, lambda: copy_before(settings, database.owner_url))
        yield database
