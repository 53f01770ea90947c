"""Lurch opened in a browser: started first, unless it runs already."""

import threading
import webbrowser
from collections.abc import Callable
from typing import Final

import click
import httpx

from service.desk.addresses import at_this_machine
from service.run.serve import link_with, run
from service.run.settings import Settings

ASK_SECONDS: Final = 3.0


def open_lurch(settings: Settings, make_link: Callable[[], str]) -> None:
    """Open the first page as the owner. A service that runs goes on; one that is started here serves until it is told
    to stop. `make_link` makes the secret of a link for one that runs. Raises what `run` does."""
    if settings.port and answers(at_this_machine(settings)):
        _show(link_with(settings, make_link()))
        click.echo("Lurch runs already: its first page is opened in the browser")
        return
    run(settings, follow=lambda link: threading.Thread(target=_show, args=(link,), daemon=True).start())


def answers(site: str) -> bool:
    """Tells whether a Lurch answers at an address."""
    try:
        said = httpx.get(f"{site}/health/live", timeout=ASK_SECONDS, trust_env=False)
        return bool(said.json() == {"status": "live"})
    except (httpx.HTTPError, ValueError):
        return False


def _show(link: str) -> None:
    """Some browsers go on until they are closed."""
    if not webbrowser.open(link):
        click.echo(f"no browser can be opened from here: open {link} in yours", err=True)
