"""Lurch opened in a browser: started first, unless it runs already.

A link is made only for a service that is on this database: one that has a lease of it listens on the port. Whatever
else listens there gets none.
"""

import threading
import webbrowser
from collections.abc import Callable
from typing import Final

import click
import psutil

from service.desk.addresses import is_loopback
from service.run.holders import holders
from service.run.leasing import FOLLOWING
from service.run.serve import link_with, run
from service.run.settings import Settings

ALONE: Final = (
    "phones do not reach it, for it was started for this machine alone: stop it where it runs (Ctrl-C), then "
    "`lurch open --phones` again"
)


def open_lurch(settings: Settings, make_link: Callable[[], str], holder_of: Callable[[str], str | None]) -> None:
    """Open the first page as the owner. A service that runs goes on; one that is started here serves until it is told
    to stop. `make_link` makes the secret of a link for one that runs, `holder_of` says who has a lease of the database.
    Raises what `run` does."""
    places = listening(holder_of(FOLLOWING), settings.port) if has_a_server(settings) else []
    if places:
        _show(link_with(settings, make_link()))
        click.echo("Lurch runs already: its first page is opened in the browser")
        if not settings.alone and all(map(is_loopback, places)):
            click.echo(ALONE, err=True)
        return
    run(settings, follow=lambda link: threading.Thread(target=_show, args=(link,), daemon=True).start())


def has_a_server(settings: Settings) -> bool:
    """Tells whether somebody can be asked: a database of one's own, or an embedded one that runs."""
    return settings.database_url is not None or bool(holders(settings.data / "pg"))


def listening(holder: str | None, port: int) -> list[str]:
    """The addresses of this machine on whose port the process listens that has a lease, as the lease names it."""
    number = (holder or "").rpartition(" ")[2]
    try:
        found = psutil.Process(int(number)).net_connections("tcp")
    except (psutil.Error, ValueError):
        return []
    return [each.laddr.ip for each in found if each.status == psutil.CONN_LISTEN and each.laddr.port == port]


def _show(link: str) -> None:
    """Some browsers go on until they are closed."""
    if not webbrowser.open(link):
        click.echo(f"no browser can be opened from here: open {link} in yours", err=True)
