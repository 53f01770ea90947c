"""Bring a database to the schema of this version, and let the service's login in."""

from pathlib import Path
from urllib.parse import urlsplit

import alembic.command
import alembic.config
import psycopg
from alembic.script import ScriptDirectory
from psycopg import sql

import migrations

GRANTS = (
    "grant usage on schema public to {}",
    "grant select, insert on events to {}",
    "grant select, insert, update on logs to {}",
    "grant select, insert, delete on private to {}",
    "grant select, insert, update, delete on views, checkpoints, tokens, sign_ins to {}",
    "grant select, insert, update, delete on webhooks, webhook_deliveries to {}",
    "grant select, insert, update on devices to {}",
    "grant select, insert on device_keys to {}",
    "grant select on alembic_version to {}",
)


class SchemaError(Exception):
    """The database was brought to a schema that this program does not know; the message says what to do."""


def sqlalchemy_url(url: str) -> str:
    """The URL as SQLAlchemy wants it, with psycopg named."""
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgresql", "postgres") else url


def upgrade(owner_url: str, app_url: str | None = None) -> None:
    """Run the migrations as the owner, then grant the service's login what it needs and no more. Raises SchemaError."""
    config = alembic.config.Config()
    folder = Path(str(migrations.__file__)).parent
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", sqlalchemy_url(owner_url).replace("%", "%%"))
    _check_known(owner_url, ScriptDirectory.from_config(config))
    alembic.command.upgrade(config, "head")
    if app_url is not None:
        _grant(owner_url, urlsplit(app_url).username)


def _check_known(owner_url: str, scripts: ScriptDirectory) -> None:
    with psycopg.connect(owner_url) as connection:
        if connection.execute("select to_regclass('alembic_version') is null").fetchone() == (True,):
            return
        found = {row[0] for row in connection.execute("select version_num from alembic_version")}
    known = {each.revision for each in scripts.walk_revisions()}
    if not found <= known:
        newest = ", ".join(scripts.get_heads())
        raise SchemaError(
            f"the database is at schema {', '.join(sorted(found - known))}, and this program knows none after {newest}:"
            " a newer Lurch has used it, so use that one or a newer still. Nothing was changed"
        )


def _grant(owner_url: str, login: str | None) -> None:
    if login is None or login in ("lurch_app", urlsplit(owner_url).username):
        return
    with psycopg.connect(owner_url) as connection:
        for statement in GRANTS:
            connection.execute(sql.SQL(statement).format(sql.Identifier(login)))
