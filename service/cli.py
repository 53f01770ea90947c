"""The command line: `lurch`. Exit status 0, 1 (a rule is broken or a line is malformed), 2 (usage), 3 (a
file cannot be opened or is not text); of several the highest."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import rich_click as click

from domain import codec
from domain.dealing import random_deal
from domain.decider import Refusal
from domain.games import all_games
from domain.match.opening import read_options
from domain.notation.report import Line, score_text
from projections.games import game_views
from service.settings import Settings, SettingsError, load

VERSION = "0.1.0"


def settings() -> Settings:
    """The settings, or one line and exit status 2."""
    try:
        return load()
    except SettingsError as error:
        raise click.UsageError(str(error)) from None


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="lurch")
def cli() -> None:
    """Lurch keeps the score of card games and can prove it.

    Examples: lurch serve · lurch score night.ctn · lurch games · lurch deal parity --count 3
    """


@cli.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a deal.")
def score(files: tuple[str, ...], as_json: bool) -> None:
    """Score deal histories (.jsonl) or CTN (.ctn) without a database; - reads standard input."""
    worst = 0
    for name in files:
        text = read_text(name)
        if text is None:
            worst = 3
            continue
        for line in score_text(text, ctn=name.endswith(".ctn") or looks_like_ctn(name, text)):
            click.echo(codec.encode_plain(line.answer).decode() if as_json else shown(line))
            worst = max(worst, line.status)
    sys.exit(worst)


def looks_like_ctn(name: str, text: str) -> bool:
    """Standard input says what it is by its first character."""
    return name == "-" and text.lstrip()[:1] in ("[", "%")


def read_text(name: str) -> str | None:
    """A file's text; None after one line of why not."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        click.echo(f"lurch: {name} is not text in UTF-8", err=True)
    except OSError as error:
        click.echo(f"lurch: {name} cannot be opened: {error.strerror}", err=True)
    return None


def shown(line: Line) -> str:
    """One deal for people."""
    answer = line.answer
    if "error" in answer:
        error = answer["error"]
        place = f" (action {error['action']})" if "action" in error else ""
        place += f" (line {error['line']}, column {error['column']})" if "line" in error else ""
        return f"{line.label}: {error['rule']} {error.get('code', '')}{place}: {error['detail']}"
    if not answer.get("complete"):
        return f"{line.label}: not complete"
    text = "void" if answer.get("void") else " - ".join(str(each) for each in answer["scores"])
    if answer.get("in_force") and list(answer["in_force"]) != list(answer["scores"]):
        text += "; in force " + " - ".join(str(each) for each in answer["in_force"])
    for finding in answer.get("findings", ()):
        text += f"\n  {finding['rule']} {finding.get('code') or ''}: {finding['detail']}"
    for each in answer.get("recorded", ()):
        text += f"\n  written down {each['what']} {each['stated']}, derived {each['derived']}"
    return f"{line.label}: {text}"


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def games(as_json: bool) -> None:
    """List every game with its options, values, defaults and ledger numbers."""
    for view in game_views():
        if as_json:
            click.echo(codec.encode_plain(view).decode())
            continue
        click.echo(f"{view.key}: {view.title}, to {view.target}, won by {view.win_by}")
        for option in view.options:
            values = " / ".join(str(value).lower() for value in option.values)
            click.echo(f"  {option.name}: {values} ({option.ledger}, {option.level}) {option.description}")


@cli.command()
@click.argument("game")
@click.option("--count", default=1, show_default=True, type=click.IntRange(1, 1_000_000), help="How many deals.")
@click.option("--seed", default=1, show_default=True, type=int, help="The same seed gives the same file.")
@click.option("--option", "given", multiple=True, help="A deal option, like variant=fixed.")
def deal(game: str, count: int, seed: int, given: tuple[str, ...]) -> None:
    """Write random complete deals (legal random play) as histories."""
    if game not in all_games():
        raise click.UsageError(f"there is no game {game!r}; there are {', '.join(all_games())}")
    values = dict(each.partition("=")[::2] for each in given)
    typed: dict[str, Any] = {name: {"true": True, "false": False}.get(value, value) for name, value in values.items()}
    try:
        options = read_options(all_games()[game], typed)
    except Refusal as refusal:
        raise click.UsageError(refusal.detail) from None
    for number in range(1, count + 1):
        click.echo(random_deal(all_games()[game], options, typed, seed, number))


@cli.command()
def migrate() -> None:
    """Bring the database to the schema of this version."""
    from service.database import ready  # noqa: PLC0415  # the domain's commands start without the database's weight

    with guarded(), ready(settings()):
        click.echo("the database is up to date")


@cli.command()
def serve() -> None:
    """Serve the API; stop with Ctrl-C."""
    from service.run import run  # noqa: PLC0415  # as above

    with guarded():
        run(settings())


@cli.command("owner-link")
def owner_link() -> None:
    """Print a one-time sign-in link for the owner."""
    from service.auth import make_link  # noqa: PLC0415  # as above

    chosen = settings()
    secret = on_database(chosen, make_link)
    click.echo(f"http://{chosen.host}:{chosen.port}/sign-in?link={secret}")


def on_database(chosen: Settings, act: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
    """Do something with a pool on the database, which is started for it if it does not run."""
    from service.database import make_pool, ready  # noqa: PLC0415  # as above

    async def inside(url: str) -> Any:
        async with make_pool(url, 2) as pool:
            return await act(pool)

    with guarded(), ready(chosen) as database:
        return asyncio.run(inside(database.url))


@cli.group()
def token() -> None:
    """Create, list and revoke the tokens of people and devices."""


@token.command("create")
@click.option("--role", type=click.Choice(["owner", "director", "scorer", "player", "spectator"]), required=True)
@click.option("--name", required=True, help="Whose it is, or which device.")
@click.option("--club", help="The club's name; it is founded if there is none.")
@click.option("--public", is_flag=True, help="A club that is founded can be read by everybody.")
def token_create(role: Any, name: str, club: str | None, public: bool) -> None:
    """Print a new token, alone, on standard output; it is shown once."""
    from service import auth, clerk  # noqa: PLC0415  # as above

    async def make(pool: Any) -> str:
        return await auth.create_token(pool, await clerk.club_named(pool, club, public), role, name)

    click.echo(on_database(settings(), make))


@token.command("list")
def token_list() -> None:
    """List the tokens without themselves."""
    from service import auth  # noqa: PLC0415  # as above

    for row in on_database(settings(), lambda pool: auth.list_tokens(pool, None)):
        click.echo(f"{row.id}  {row.role:9}  {row.name}  {'revoked' if row.revoked_at else ''}")


@token.command("revoke")
@click.argument("token_id", type=click.UUID)
def token_revoke(token_id: Any) -> None:
    """Revoke a token by its id; what is running hears of it at once."""
    from service import auth  # noqa: PLC0415  # as above

    if not on_database(settings(), lambda pool: auth.revoke_token(pool, str(token_id))):
        raise click.ClickException("there is no such token that is still good: see lurch token list")


@cli.command("import")
@click.argument("file")
@click.option("--club", required=True, help="The club's name; it is founded if there is none.")
@click.option("--public", is_flag=True, help="A club that is founded can be read by everybody.")
def import_file(file: str, club: str, public: bool) -> None:
    """Record the matches of a CTN file as facts; the same file again does no harm."""
    from service import clerk  # noqa: PLC0415  # as above

    text = read_text(file)
    if text is None:
        sys.exit(3)
    bad = 0
    for line in on_database(settings(), lambda pool: clerk.import_text(pool, club, public, text)):
        click.echo(line.text, err=not line.good)
        bad = max(bad, 0 if line.good else 1)
    sys.exit(bad)


@cli.command()
@click.argument("match", type=click.UUID)
def export(match: Any) -> None:
    """Print a match as canonical CTN."""
    from service import clerk  # noqa: PLC0415  # as above

    click.echo(on_database(settings(), lambda pool: clerk.export_match(pool, str(match))), nl=False)


@cli.command()
def verify() -> None:
    """Recompute the hash chain of every stream and the density of every club's log."""
    from service import clerk  # noqa: PLC0415  # as above

    count, wrong = on_database(settings(), clerk.verify)
    if wrong:
        click.echo(wrong)
        sys.exit(1)
    click.echo(f"{count} events, every chain holds")


@cli.command()
def rebuild() -> None:
    """Fold the kept views again from the log."""
    from service import clerk  # noqa: PLC0415  # as above

    click.echo(f"{on_database(settings(), clerk.rebuild)} clubs rebuilt")


class guarded:  # noqa: N801  # reads as a word in a `with`
    """One line and exit status 2 for what stops a command."""

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        """Say what went wrong without a traceback."""
        if isinstance(error, Refusal):
            raise click.ClickException(error.detail) from None
        if isinstance(error, OSError) or type(error).__name__ in ("EmbeddedError", "OperationalError"):
            raise click.ClickException(str(error)) from None


def main() -> None:
    """The entry point."""
    cli()
