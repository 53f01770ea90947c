"""The database that the settings mean, started or attached to, and migrated."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict

from service.run.at_work import at_work, served
from service.run.before import copy_before
from service.run.embedded import Embedded
from service.run.migrate import upgrade
from service.run.settings import Settings, SettingsError


class Database(msgspec.Struct, frozen=True):
    """The place of the log: the service's URL, the owner's, and the embedded server if it is one; `ours` where this
    process starts that again, which a worker leaves to its parent."""

    url: str
    owner_url: str
    embedded: Embedded | None = None
    ours: bool = True


def _check_readable(settings: Settings) -> None:
    """Checks URLs before PostgreSQL's library quotes from them: what it cannot read may hold the password."""
    for name, url in (("LURCH_DATABASE_URL", settings.database_url), ("LURCH_MIGRATE_URL", settings.migrate_url)):
        if url and not _is_readable(url):
            raise SettingsError(
                f"{name} is no URL of a database: write postgresql://login:password@host/database, and in the password "
                "%40 for @, %2F for /, %25 for % and %20 for a space"
            )


def _is_readable(url: str) -> bool:
    try:
        found = conninfo_to_dict(url)
    except psycopg.Error:
        return False
    return "@" not in str(found.get("host") or "") and str(found.get("port") or "0").replace(",", "").isdecimal()


@contextmanager
def located(settings: Settings, serves: bool = False) -> Iterator[Database]:
    """The database that the settings mean, as it is; an embedded server that we started is stopped at the end, by a
    command when no other is at work there. Raises SettingsError, EmbeddedError."""
    if settings.database_url:
        _check_readable(settings)
        yield Database(settings.database_url, settings.migrate_url or settings.database_url)
        return
    embedded = Embedded(settings.data)
    with served(embedded) if serves else at_work(embedded):
        yield Database(embedded.url("lurch_app"), embedded.url("lurch_owner"), embedded)


@contextmanager
def ready(settings: Settings, serves: bool = False) -> Iterator[Database]:
    """The same, migrated, with a copy before that."""
    with located(settings, serves) as database:
        upgrade(database.owner_url, database.url, lambda: copy_before(settings, database.owner_url))
        yield database
