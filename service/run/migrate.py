"""Bring a database to the schema of this version, and let the service's login in."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

import psycopg

import migrations
from service.store import copying, roles

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection

Before: TypeAlias = Callable[[], None]
FOLDER: Final = Path(str(migrations.__file__)).parent
PATIENCE: Final = 60.0  # seconds for whoever migrates, copies or restores already: two services may start at once


class SchemaError(Exception):
    """The database was brought to a schema that this program does not know; the message says what to do."""


def sqlalchemy_url(url: str) -> str:
    """The URL as SQLAlchemy wants it, with psycopg named."""
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgresql", "postgres") else url


def newest() -> str:
    """The newest schema, by the names of the revisions: `r0011_cases.py` is `0011`."""
    return max(each.name[1:5] for each in (FOLDER / "versions").glob("r[0-9][0-9][0-9][0-9]_*.py"))


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
        _migrate(owner_url, before=before)
    if app_url is not None:
        _let_in(owner_url, urlsplit(app_url).username)


def upgrade_to(owner_url: str, revision: str) -> None:
    """Run the migrations up to a revision: a copy goes back into the schema that it was taken of."""
    _migrate(owner_url, revision)


def upgrade_within(connection: "Connection", revision: str) -> None:
    """The same in the transaction of whoever has begun one: all of it is there at its end, or none of it."""
    import alembic.command

    config = config_of("")
    config.attributes["connection"] = connection
    alembic.command.upgrade(config, revision)


def check_known(owner_url: str) -> None:
    """Raises SchemaError for a database that a newer program has used."""
    from alembic.script import ScriptDirectory

    _check_known(roles.revisions(owner_url), ScriptDirectory.from_config(config_of(owner_url)))


def _migrate(owner_url: str, to: str = "head", before: Before = lambda: None) -> None:
    import alembic.command
    from alembic.script import ScriptDirectory

    config = config_of(owner_url)
    with copying.alone(owner_url, "migrate", PATIENCE):
        found = roles.revisions(owner_url)
        _check_known(found, ScriptDirectory.from_config(config))
        if found and found != {newest()} and _holds_facts(owner_url):
            before()
        alembic.command.upgrade(config, to)


def _holds_facts(owner_url: str) -> bool:
    with psycopg.connect(owner_url) as connection:
        return copying.holds_facts(connection)


def _check_known(found: set[str], scripts: "ScriptDirectory") -> None:
    known = {each.revision for each in scripts.walk_revisions()}
    if not found <= known:
        newest = ", ".join(scripts.get_heads())
        raise SchemaError(
            f"the database is at schema {', '.join(sorted(found - known))}, and this program knows none after {newest}:"
            " a newer Lurch has used it, so use that one or a newer still. Nothing was changed"
        )


def _let_in(owner_url: str, login: str | None) -> None:
    """The service's own login has its rights by the migrations; any other is given them."""
    if login is not None and login not in ("lurch_app", urlsplit(owner_url).username):
        roles.grant(owner_url, login)
