"""Run the service: the database, migrated, then the server, then both stopped in order."""

import asyncio
import os
from typing import Any

import click

from service.app import create_app
from service.auth import make_link
from service.database import make_pool, ready
from service.server import bind, serve
from service.settings import Settings
from service.store import log


def run(settings: Settings) -> None:
    """Serve until told to stop. Raises OSError for a port in use, EmbeddedError."""
    os.environ.pop("LITESTAR_DEBUG", None)
    listener = bind(settings.host, settings.port)
    port = listener.getsockname()[1]
    with ready(settings) as database:
        clubs, secret = asyncio.run(_first_look(database.url))
        app = create_app(database, settings)
        address = f"http://{settings.host}:{port}"
        click.echo(f"Lurch serves on {address}  (API pages: {address}/docs)")
        click.echo(f"owner's sign-in link, good once for 15 minutes: {address}/sign-in?link={secret}")
        if not clubs:
            click.echo("there is no club yet")
        serve(app, listener)


async def _first_look(url: str) -> tuple[Any, str]:
    async with make_pool(url, 2) as pool:
        return await log.clubs(pool), await make_link(pool)
