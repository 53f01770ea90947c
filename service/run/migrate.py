"""Bring a database to the schema of this version, and let the service's login in."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

import psycopg

import migrations
from service.store import copying, roles
from service.store.unfinished import UNFINISHED

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection

Before: TypeAlias = Callable[[], None]
FOLDER: Final = Path(str(migrations.__file__)).parent
OLDEST: Final = 15  # the first PostgreSQL that what is here was run on
PATIENCE: Final = 60.0  # seconds for whoever migrates, copies or restores already: two services may start at once

CUT_OFF: Final = (
    "a restore into this database was cut off before it had verified: give `lurch restore` once more, which puts away "
    "what is there"
)


class SchemaError(Exception):
    """The database was brought to a schema that this program does not know; the message says what to do."""


def sqlalchemy_url(url: str) -> str:
    """The URL as SQLAlchemy wants it, with psycopg named."""
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgresql", "postgres") else url


def newest() -> str:
    """The newest schema, by the names of the revisions: `r0011_cases.py` is `0011`."""
    return max(revisions())


def revisions() -> set[str]:
    """All schemas that this program knows."""
    return {each.name[1:5] for each in (FOLDER / "versions").glob("r[0-9][0-9][0-9][0-9]_*.py")}


def config_of(owner_url: str) -> "Config":
    """The place of the migrations, and the database that they are for."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", sqlalchemy_url(owner_url).replace("%", "%%"))
    return config


def upgrade(owner_url: str, app_url: str | None = None, before: Before = lambda: None) -> None:
    """Run the migrations as the owner, then grant the service's login what it needs and no more. Where there is
    something to migrate and something to lose, `before` is called first; what it raises is raised, and nothing has
    begun. Raises SchemaError, and UnderWayError while a copy is taken or restored for longer than a minute. What runs
    them takes a second to load: a database that is as new as this program needs none."""
    if roles.revisions(owner_url) != {newest()}:
        _migrate(owner_url, before)
    if app_url is not None:
        let_in(owner_url, app_url)


@contextmanager
def in_one_transaction(owner_url: str, what: str) -> Iterator[tuple["Connection", copying.Owner]]:
    """A transaction in which migrations run beside statements of ours, on a connection that says `what`: all of it is
    there at its end, or none of it."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(
        sqlalchemy_url(owner_url),
        poolclass=sqlalchemy.pool.NullPool,
        creator=lambda: psycopg.connect(owner_url, application_name=f"lurch {what}"),
    )
    with engine.begin() as outer:
        connection = outer.connection.driver_connection
        assert isinstance(connection, psycopg.Connection)
        yield outer, connection


def upgrade_within(connection: "Connection", revision: str) -> None:
    """Run the migrations up to a revision in such a transaction."""
    import alembic.command

    config = config_of("")
    config.attributes["connection"] = connection
    alembic.command.upgrade(config, revision)


def check_known(owner_url: str) -> None:
    """Raises SchemaError for a database that a newer program has used."""
    from alembic.script import ScriptDirectory

    _check_known(roles.revisions(owner_url), ScriptDirectory.from_config(config_of(owner_url)))


def _migrate(owner_url: str, before: Before) -> None:
    import alembic.command
    from alembic.script import ScriptDirectory

    config = config_of(owner_url)
    with copying.alone(owner_url, "migrate", PATIENCE):
        _check_server(owner_url)
        found = roles.revisions(owner_url)
        _check_known(found, ScriptDirectory.from_config(config))
        with _as_owner():
            if found and found != {newest()} and _holds_facts(owner_url):
                before()
            alembic.command.upgrade(config, "head")


@contextmanager
def _as_owner() -> Iterator[None]:
    """Raises SchemaError where the login may not do what a migration does."""
    import sqlalchemy.exc

    try:
        yield
    except (psycopg.errors.InsufficientPrivilege, sqlalchemy.exc.ProgrammingError) as error:
        why = getattr(error, "orig", error)
        if not isinstance(why, psycopg.errors.InsufficientPrivilege):
            raise
        raise SchemaError(
            f"the database is to be migrated, and this login may not ({str(why).splitlines()[0]}): set "
            "LURCH_MIGRATE_URL to the login of its owner"
        ) from None


def _check_server(owner_url: str) -> None:
    with psycopg.connect(owner_url) as connection:
        major = connection.info.server_version // 10_000
    if major < OLDEST:
        raise SchemaError(
            f"LURCH_DATABASE_URL leads to PostgreSQL {major}, and Lurch needs {OLDEST} or newer: bring the server "
            "to a newer version, or name another one. Nothing was changed"
        )


def _holds_facts(owner_url: str) -> bool:
    with psycopg.connect(owner_url) as connection:
        return copying.holds_facts(connection)


def _check_known(found: set[str], scripts: "ScriptDirectory") -> None:
    if UNFINISHED in found:
        raise SchemaError(f"{CUT_OFF}. Nothing was changed")
    known = {each.revision for each in scripts.walk_revisions()}
    if not found <= known:
        newest = ", ".join(scripts.get_heads())
        raise SchemaError(
            f"the database is at schema {', '.join(sorted(found - known))}, and this program knows none after {newest}:"
            " a newer Lurch has used it, so use that one or a newer still. Nothing was changed"
        )


def let_in(owner_url: str, app_url: str) -> None:
    """The service's own login has its rights by the migrations; any other is given them."""
    login = urlsplit(app_url).username
    if login is not None and login not in ("lurch_app", urlsplit(owner_url).username):
        roles.grant(owner_url, login)
