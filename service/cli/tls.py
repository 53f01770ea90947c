"""TLS for the club's own tablets, where nobody else vouches for the service's name."""

import shlex
from pathlib import Path

import rich_click as click

from service.cli.terminal import one_line_errors, settings


@click.group()
def tls() -> None:
    """Make what TLS needs, for tablets that the club owns."""


@tls.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME ...")
@click.option("--folder", type=click.Path(path_type=Path), help="Where to write; else `tls` in the data directory.")
def make(names: tuple[str, ...], folder: Path | None) -> None:
    """Make an authority that can vouch for these names alone, and a certificate for them.

    \b
    lurch tls make lurch.our-club.org 192.168.1.20
    lurch serve --cert …/cert.pem --key …/key.pem

    Install authority.pem on the club's own tablets, once. Guests' phones do not need it and should not be asked: they
    use the plain address, or a certificate that every phone trusts (docs/network.md). The authority's own key is
    never written down: the next certificate, in two years, has an authority of its own.
    """
    from service.run import tls as pair

    place = folder or settings().data / "tls"
    with one_line_errors():
        try:
            made = pair.make(names, place)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    click.echo(f"for tablets to trust: {made.authority}")
    click.echo(f"good until {made.until:%Y-%m-%d}; serve with it:")
    click.echo(shlex.join(["lurch", "serve", "--cert", str(made.pair.cert), "--key", str(made.pair.key)]))
