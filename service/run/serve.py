"""Run the service: the database, migrated, then the server, then both stopped in order."""

import asyncio
import os
import socket
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import click
import msgspec
import structlog

from service.desk.addresses import EVERYWHERE, at_this_machine, overheard
from service.run import tracing
from service.run.app import create_app
from service.run.before import passphrase_of
from service.run.database import ready
from service.run.logs import configure
from service.run.notify import READY, notify
from service.run.pool import make_pool
from service.run.server import bind, serve
from service.run.settings import Settings
from service.run.tls import checked, name_of, wrong_with
from service.store import log
from service.store.pool import Pool
from service.store.roles import owns_log
from service.store.tokens import make_link

OWNER_WARNING = (
    "warning: the service logs in as the owner of its log, who could change it. Make a login of its own, set "
    "LURCH_DATABASE_URL to that and LURCH_MIGRATE_URL to the owner; `lurch migrate` then grants what it needs."
)
REFUSED = (
    "warning: without TLS nobody becomes the owner by that link, for others could listen at this address: start with "
    "LURCH_HOST=0.0.0.0, whose link opens on this machine, or with LURCH_PLAIN_ROLES=1"
)
NO_CLUB = (
    "there is no club yet: sign in and found yours, or stop and run `lurch demo` (`make demo` in a checkout) to see a "
    "demo club"
)
LOOPBACK = ("127.0.0.1", "localhost", "::1")
LOGGER = structlog.get_logger()
Load = Callable[[Pool], Awaitable[None]]
FollowLink = Callable[[str], None]


def with_tls(settings: Settings, cert: str | None = None, key: str | None = None) -> Settings:
    """The settings with the pair of files to serve with, and the name that they vouch for. Raises SettingsError."""
    pair = checked(cert or settings.cert, key or settings.key)
    if pair is None:
        return settings
    name = name_of(pair.cert)
    address = settings.address or (f"https://{name}:{settings.port}" if name and settings.port else None)
    return msgspec.structs.replace(settings, cert=str(pair.cert), key=str(pair.key), address=address)


def check(settings: Settings) -> None:
    """Set the log up, find what would end every start, and say that the certificate ends. Raises OSError or CopyError
    for a passphrase that cannot be read, and SettingsError for traces without OpenTelemetry."""
    os.environ.pop("LITESTAR_DEBUG", None)
    configure(settings.log)
    passphrase_of(settings)
    if settings.traces:
        tracing.check()
    tell_of_certificate(settings, datetime.now(UTC))


def tell_of_certificate(settings: Settings, now: datetime) -> None:
    """Say in the log that phones refuse the certificate, now or soon."""
    wrong = None if settings.cert is None else wrong_with(Path(settings.cert), now)
    if wrong is not None:
        LOGGER.warning(wrong)


def run(settings: Settings, load: Load | None = None, follow: FollowLink | None = None) -> None:
    """Serve until told to stop; /health/ready waits for `load`, and `follow` gets the owner's link as soon as requests
    are answered. Raises OSError for a port in use, EmbeddedError."""
    check(settings)
    if settings.traces:
        tracing.begin()
    with bind(settings.host, settings.port) as listener:
        if settings.database_url is None and sys.stderr.isatty():
            click.echo("starting the embedded database …", err=True)
        _run_on(listener, settings, load, follow)


def _run_on(listener: socket.socket, settings: Settings, load: Load | None, follow: FollowLink | None) -> None:
    port = listener.getsockname()[1]
    with ready(settings, serves=True) as database:
        here = own_hosts(msgspec.structs.replace(settings, port=port))
        app = create_app(database, here, load=load)
        link = announce(database.url, here, loads=load is not None)

        def tell(word: bytes) -> bool:
            if word == READY and follow is not None:
                follow(link)
            return notify(word)

        serve(app, listener, settings.cert, settings.key, tell)


def link_with(settings: Settings, secret: str) -> str:
    """The address that signs the owner in, in a browser of this machine."""
    return f"{at_this_machine(settings)}/sign-in?link={secret}"


def is_refused(settings: Settings) -> bool:
    """Tells whether that link would be refused: a browser of this machine comes by another address than loopback, and
    that is a stranger's."""
    return overheard(settings) and not settings.plain_roles and settings.host not in EVERYWHERE


def announce(url: str, settings: Settings, loads: bool = False) -> str:
    """Say where the service is and how its owner comes in; the owner's link, which no log for programs tells."""
    clubs, secret, owner = asyncio.run(_first_look(url))
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"{'http' if settings.cert is None else 'https'}://{host}:{settings.port}"
    link = link_with(settings, secret)
    if settings.log == "json":
        _announce_without_link(address, owner)
        return link
    if owner:
        click.echo(OWNER_WARNING, err=True)
    click.echo(f"Lurch serves on {address}  (the API's pages: {address}/docs)")
    click.echo(f"owner's sign-in link, good once for 15 minutes: {link}")
    if is_refused(settings):
        click.echo(REFUSED, err=True)
    if loads:
        where = settings.data if settings.database_url is None else "the database that LURCH_DATABASE_URL names"
        click.echo(f"the demo club is {'there' if clubs else 'being loaded'}: data in {where}")
    elif not clubs:
        click.echo(NO_CLUB)
    return link


def _announce_without_link(address: str, owner: bool) -> None:
    """Say in the log where the service is. A log for programs is kept and passed on: no secret stands there."""
    if owner:
        LOGGER.warning(OWNER_WARNING)
    LOGGER.info("Lurch serves; `lurch owner-link` prints a link that signs the owner in", address=address)


def own_hosts(settings: Settings) -> Settings:
    """On loopback only our own names are answered to, so that no other site's name can be pointed at us. That of the
    address for phones is one: a proxy passes it on."""
    if settings.allowed_hosts or not settings.alone:
        return settings
    named = urlsplit(settings.address or "").hostname
    own = dict.fromkeys((*LOOPBACK, settings.host, named))
    return msgspec.structs.replace(settings, allowed_hosts=",".join(filter(None, own)))


async def _first_look(url: str) -> tuple[list[tuple[str, int]], str, bool]:
    async with make_pool(url, 2) as pool:
        return await log.clubs(pool), await make_link(pool), await owns_log(pool)
