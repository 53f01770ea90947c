"""Bring a database to the schema of this version, and let the service's login in."""

from pathlib import Path
from urllib.parse import urlsplit

import alembic.command
import alembic.config
from alembic.script import ScriptDirectory

import migrations
from service.store import roles


class SchemaError(Exception):
    """The database was brought to a schema that this program does not know; the message says what to do."""


def sqlalchemy_url(url: str) -> str:
    """The URL as SQLAlchemy wants it, with psycopg named."""
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgresql", "postgres") else url


def config_of(owner_url: str) -> alembic.config.Config:
    """Where the migrations are, and the database that they are for."""
    config = alembic.config.Config()
    folder = Path(str(migrations.__file__)).parent
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", sqlalchemy_url(owner_url).replace("%", "%%"))
    return config


def upgrade(owner_url: str, app_url: str | None = None) -> None:
    """Run the migrations as the owner, then grant the service's login what it needs and no more. Raises SchemaError."""
    config = config_of(owner_url)
    _check_known(owner_url, ScriptDirectory.from_config(config))
    alembic.command.upgrade(config, "head")
    if app_url is not None:
        _let_in(owner_url, urlsplit(app_url).username)


def _check_known(owner_url: str, scripts: ScriptDirectory) -> None:
    found = roles.revisions(owner_url)
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
