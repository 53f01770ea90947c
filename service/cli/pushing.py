"""The command that pushes what was recorded elsewhere to the club's server."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from domain import codec
from service.cli.terminal import Progress, Unable, on_database, one_line_errors, settings

if TYPE_CHECKING:
    from service.cli.push_clerk import PushedSum, PushLine
    from service.store.pool import Pool


@click.command()
@click.argument("url")
@click.option("--dry-run", "dry", is_flag=True, help="Say what would happen, and record nothing anywhere.")
@click.option("--club", help="The name of the club here, where there are several.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A file with a director's token of the club there; else LURCH_PUSH_TOKEN_FILE, or it is asked for.",
)
@click.option("--authority", type=click.Path(dir_okay=False, exists=True), help="Trust this authority.pem too.")
@click.option("--json", "as_json", is_flag=True, help="A line of JSON a stream or person.")
def push(url: str, dry: bool, club: str | None, token_file: Path | None, authority: str | None, as_json: bool) -> None:
    """Bring what was recorded here, away from the club, to the club's server at URL.

    \b
    lurch push https://lurch.our-club.org --dry-run
    lurch push https://lurch.our-club.org --token-file token.txt

    In a copy of the club (`lurch restore`) each match and tournament keeps its id, hashes and times. In a club of its
    own a tournament that is over goes as an archive. What was changed at both ends is refused as a fork, and its file
    kept there for the director. Again it does no harm. Roles, settings, merges and cases stay here.
    """
    from service.cli import push_ways
    from service.cli.push_door import DoorRefusal, ServerDoor, checked_url, is_open

    if is_open(checked_url(url)):
        click.echo("this address has no TLS: others in the network could read the token, and what is pushed", err=True)
    secret = _token(token_file)

    def told(line: "PushLine") -> None:
        if as_json:
            click.echo(codec.encode_plain(line))
        else:
            click.echo(line.text, err=not line.good)

    with Progress("pushing", None, scrolls=True) as bar:

        async def act(pool: "Pool") -> "PushedSum":
            async with ServerDoor(url, secret, authority) as door:
                try:
                    return await push_ways.push(pool, door, club, told, bar.step, dry)
                except DoorRefusal as refusal:
                    raise Unable(f"the server refuses: {refusal.detail}") from None

        done = on_database(settings(), act)
    if not as_json:
        click.echo(done.text(dry))
    sys.exit(1 if done.bad else 0)


def _token(file: Path | None) -> str:
    """The token: from the file that is named, that of the environment, else as it is typed."""
    name = file or os.environ.get("LURCH_PUSH_TOKEN_FILE")
    if name:
        with one_line_errors():
            found = Path(name).read_bytes().decode(errors="replace").strip()
    else:
        found = str(click.prompt("token of a director there", hide_input=True)).strip()
    if not found or not found.isascii() or not found.isprintable() or " " in found:
        raise Unable(f"{name or 'what was typed'} holds no token: it is one word")
    return found
