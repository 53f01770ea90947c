"""Commands on tournaments of the club: list, show, export, import."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import rich_click as click

from domain import codec
from domain.exchange.faults import FaultyError
from domain.log.event import JsonObject
from service.cli.printing import say
from service.cli.terminal import Unable, on_database, settings

if TYPE_CHECKING:
    from domain.exchange.trf.write import FileForm

UNREADABLE = 3


@click.group()
def tournament() -> None:
    """List, show, export and import the tournaments of a club; files alone need `pair` and `standings`.

    \b
    lurch tournament list
    lurch tournament show 01939f5e-…
    lurch tournament export 01939f5e-… --trf > evening.trf
    lurch tournament export 01939f5e-… --json > evening.json
    lurch tournament import evening.json --club "Thursday club"
    """


@tournament.command("list")
@click.option("--club", help="Only those of the club of this name or id.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a tournament.")
def list_tournaments(club: str | None, as_json: bool) -> None:
    """Print every tournament, the newest first: id, status, entries, name, and who won it.

    \b
    lurch tournament list
    lurch tournament list --club "Thursday club" --json
    """
    from service.cli import tournament_clerk as clerk

    for row in on_database(settings(), lambda pool: clerk.listing(pool, club)):
        won = f", won by {row.winner}" if row.winner else ""
        line = f"{row.id}  {row.status:<9}  {row.entries:>3}  {row.name} ({', '.join(row.formats)}){won}"
        if as_json:
            click.echo(codec.encode_plain(row))
        else:
            say(line)


@tournament.command()
@click.argument("tournament_id", metavar="ID", type=click.UUID)
@click.option("--json", "as_json", is_flag=True, help="The views as the API gives them, in one object.")
def show(tournament_id: UUID, as_json: bool) -> None:
    """Print the pairings of the last round, and who is where.

    \b
    lurch tournament show 01939f5e-…
    lurch tournament show 01939f5e-… --json
    """
    from service.cli import tournament_clerk as clerk
    from service.cli.tournament_text import lines_of

    found = on_database(settings(), lambda pool: clerk.show(pool, str(tournament_id)))
    if as_json:
        click.echo(codec.encode_plain(found))
        return
    for line in lines_of(found.tournament, found.standings):
        say(line)


@tournament.command("export")
@click.argument("tournament_id", metavar="ID", type=click.UUID)
@click.option("--csv", "table", type=click.Choice(["entries", "results"]), help="A table for spreadsheets.")
@click.option("--trf", "as_trf", is_flag=True, help="A Swiss or round robin as FIDE's tournament report file.")
@click.option("--json", "as_json", is_flag=True, help="The whole event with its matches; the default.")
@click.option("--format", "form", type=click.Choice(["trf16", "trf26"]), default="trf16", show_default=True)
@click.option("--stage", type=click.IntRange(1, 8), help="From 1; else the one that is on.")
@click.option("--round", "round_", type=click.IntRange(1, 1000), help="Results of one round; else of all.")
def export_file(
    tournament_id: UUID,
    table: str | None,
    as_trf: bool,
    as_json: bool,
    form: "FileForm",
    stage: int | None,
    round_: int | None,
) -> None:
    """Print a tournament as a file.

    \b
    lurch tournament export 01939f5e-… --csv entries > entries.csv
    lurch tournament export 01939f5e-… --csv results --round 2
    lurch tournament export 01939f5e-… --trf --format trf26 | lurch pair --check -
    lurch tournament export 01939f5e-… --json > evening.json
    """
    if sum((table is not None, as_trf, as_json)) > 1:
        raise click.UsageError("one of --csv, --trf and --json at a time")
    from service.cli import tournament_clerk as clerk

    name = str(tournament_id)
    if table is not None:
        what = table
        text = on_database(settings(), lambda pool: clerk.export_table(pool, name, what, stage, round_))
    elif as_trf:
        text = on_database(settings(), lambda pool: clerk.export_trf(pool, name, stage, form))
    else:
        text = on_database(settings(), lambda pool: clerk.export_archive(pool, name))
    click.echo(text.encode(), nl=False)


@tournament.command("import")
@click.argument("file")
@click.option("--club", help="The club's name or id; a new name founds one. Needed where there are several.")
@click.option("--game", default="parity", show_default=True, help="What a report file was played at; it does not say.")
@click.option("--into", type=click.UUID, help="The tournament that a table of entries or results is for.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: the id, and what was left out.")
def import_file(file: str, club: str | None, game: str, into: UUID | None, as_json: bool) -> None:
    """Take a tournament from a file: an archive or a tournament report file; with --into a CSV table of entries or
    results. - reads standard input.

    \b
    lurch tournament import evening.json --club "Thursday club"
    lurch tournament import examples/evening.trf --club "Thursday club" --game cross_game
    lurch tournament import entries.csv --into 01939f5e-…

    Prints the tournament's id. The same archive again prints the same id. What is wrong is named as FILE:LINE:COLUMN;
    then nothing is taken, and the exit status is 3.
    """
    if into is not None and club is not None:
        raise click.UsageError("--into names a tournament, and so its club: leave --club out")
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        click.echo(f"lurch: {file} cannot be opened: {getattr(error, 'strerror', None) or error}", err=True)
        sys.exit(UNREADABLE)
    try:
        said = _take_table(data, str(into)) if into is not None else _take(data, club, game, file)
    except FaultyError as wrong:
        for each in wrong.faults:
            say(f"{file}:{each}", err=True)
        sys.exit(UNREADABLE)
    click.echo(codec.encode_plain(said) if as_json else said["id"])


def _take(data: bytes, club: str | None, game: str, file: str) -> JsonObject:
    """An archive, which begins with a brace, or a report file."""
    from service.cli import tournament_clerk as clerk

    archive = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"
    taken = on_database(settings(), lambda pool: clerk.take(pool, club, data, None if archive else game))
    for each in taken.left_out:
        say(f"{file}: {each}", err=True)
    return {"id": taken.done.loaded.stream, "left_out": taken.left_out}


def _take_table(data: bytes, into: str) -> JsonObject:
    """Take a table of entries or of results; only a header of results names a fixture."""
    from service.cli import tournament_clerk as clerk

    head = data.lstrip(b"\xef\xbb\xbf\r\n").splitlines()[:1]
    if not head:
        raise Unable("the table is empty")
    what = "results" if b"fixture" in head[0].lower() else "entries"
    count = on_database(settings(), lambda pool: clerk.take_table(pool, into, data, what))
    return {"id": into, "events": count}
