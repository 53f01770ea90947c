"""Bring a database to the schema of this version, and let the service's login in."""

from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import migrations
from service.store import roles

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

FOLDER: Final = Path(str(migrations.__file__)).parent


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
    """Where the migrations are, and the database that they are for."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", sqlalchemy_url(owner_url).replace("%", "%%"))
    return config


def upgrade(owner_url: str, app_url: str | None = None) -> None:
    """Run the migrations as the owner, then grant the service's login what it needs and no more. Raises SchemaError.
    What runs them takes a second to load: a database that is as new as this program needs none."""
    found = roles.revisions(owner_url)
    if found != {newest()}:
        _migrate(owner_url, found)
    if app_url is not None:
        _let_in(owner_url, urlsplit(app_url).username)


def _migrate(owner_url: str, found: set[str]) -> None:
    import alembic.command
    from alembic.script import ScriptDirectory

    config = config_of(owner_url)
    _check_known(found, ScriptDirectory.from_config(config))
    alembic.command.upgrade(config, "head")


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
