"""Lurch opened in a browser: started first, unless it runs already.

A link is made only for a service that is on this database: one that has a lease of it listens on the port. Whatever
else listens there gets none.
"""

import threading
import webbrowser
from collections.abc import Callable

import click
import psutil

from service.run.holders import holders
from service.run.leasing import FOLLOWING
from service.run.serve import link_with, run
from service.run.settings import Settings


def open_lurch(settings: Settings, make_link: Callable[[], str], holder_of: Callable[[str], str | None]) -> None:
    """Open the first page as the owner. A service that runs goes on; one that is started here serves until it is told
    to stop. `make_link` makes the secret of a link for one that runs, `holder_of` says who has a lease of the database.
    Raises what `run` does."""
    if has_a_server(settings) and listens(holder_of(FOLLOWING), settings.port):
        _show(link_with(settings, make_link()))
        click.echo("Lurch runs already: its first page is opened in the browser")
        return
    run(settings, follow=lambda link: threading.Thread(target=_show, args=(link,), daemon=True).start())


def has_a_server(settings: Settings) -> bool:
    """Tells whether somebody can be asked: a database of one's own, or an embedded one that runs."""
    return settings.database_url is not None or bool(holders(settings.data / "pg"))


def listens(holder: str | None, port: int) -> bool:
    """Tells whether the process that has a lease, as the lease names it, listens on a port of this machine."""
    number = (holder or "").rpartition(" ")[2]
    try:
        found = psutil.Process(int(number)).net_connections("tcp")
    except (psutil.Error, ValueError):
        return False
    return any(each.status == psutil.CONN_LISTEN and each.laddr.port == port for each in found)


def _show(link: str) -> None:
    """Some browsers go on until they are closed."""
    if not webbrowser.open(link):
        click.echo(f"no browser can be opened from here: open {link} in yours", err=True)
