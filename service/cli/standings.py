"""The command `standings`: ranks and tie-breaks of a tournament file, without a database."""

import sys

import msgspec
import rich_click as click

from domain.exchange import trf
from domain.standings import tiebreaks
from service.cli.printing import say
from service.cli.tournament_files import UNREADABLE, open_files

USUAL = ("PTS", "DE", "BH/C1", "BH", "SB", "WON")


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--tiebreaks",
    "asked",
    metavar="CODE,CODE…",
    help="What orders the players, PTS included; else as the file says, else PTS,DE,BH/C1,BH,SB,WON.",
)
@click.option("--fixed-pairings", is_flag=True, help="All pairings were made beforehand, as in a round robin.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON a file.")
def standings(files: tuple[str, ...], asked: str | None, fixed_pairings: bool, as_json: bool) -> None:
    """Order the players of tournament files (TRF16, TRF26) by FIDE's tie-breaks; - reads standard input.

    \b
    lurch standings evening.trf
    lurch standings evening.trf --tiebreaks PTS,DE,BH/C1,BH,SB,WON --json
    lurch standings league.trf --tiebreaks PTS,DE,SB,KS --fixed-pairings

    \b
    PTS points            DE direct encounter      BH Buchholz: BH/C1 BH/C2 BH/M1 BH/M2
    SB Sonneborn-Berger   AOB average Buchholz     PS progressive: PS/C1    SB/C1
    KS Koya               WIN, WON wins            BPG, BWG dealt second    REP rounds ready to play

    DE is 0 for the best of those tied so far, else how many of them are placed before. Equal in everything is the
    same rank. Exit status 3 when a file cannot be read; it is named with line and column, the others are answered.
    """
    wanted = None if asked is None else _named(asked)
    worst = 0
    for each in open_files(files, as_json):
        if each.tournament is None:
            worst = UNREADABLE
            continue
        chosen = wanted or _of_file(each.name, each.tournament)
        found = tiebreaks.standings(each.tournament.table, chosen, fixed_pairings or None)
        if as_json:
            click.echo(_json(each.name, found))
        else:
            say(_table(each.name, each.tournament, found, len(files) > 1))
    sys.exit(worst)


def _named(asked: str) -> tuple[tiebreaks.TieBreak, ...]:
    codes = [code for code in asked.split(",") if code.strip()]
    if not codes:
        raise click.UsageError("--tiebreaks names none")
    try:
        return tiebreaks.tiebreaks_named(codes)
    except tiebreaks.UnknownTieBreak as error:
        raise click.UsageError(str(error)) from None


def _of_file(name: str, tournament: trf.TournamentFile) -> tuple[tiebreaks.TieBreak, ...]:
    """The tie-breaks of codes 202 and 212; an unknown one is left out with a warning."""
    found: list[tiebreaks.TieBreak] = []
    for code in tournament.table.tiebreaks:
        try:
            found += tiebreaks.tiebreaks_named([code])
        except tiebreaks.UnknownTieBreak:
            click.echo(f"{name}: the file asks for {code}, which is left out", err=True)
    return tuple(found) or tiebreaks.tiebreaks_named(USUAL)


def _json(name: str, found: tiebreaks.Standings) -> bytes:
    rows = [{"no": row.number, "rank": row.rank, "values": _values(found, row)} for row in found.rows]
    codes = [each.code for each in found.tiebreaks]
    return msgspec.json.encode({"file": name, "tiebreaks": codes, "rows": rows})


def _values(found: tiebreaks.Standings, row: tiebreaks.RankedPlayer) -> list[int | float]:
    return [each.number(value) for each, value in zip(found.tiebreaks, row.values, strict=True)]


def _table(name: str, tournament: trf.TournamentFile, found: tiebreaks.Standings, several: bool) -> str:
    """For people: rank, number, name, and a column for each tie-break."""
    names = {row.number: row.name for row in tournament.table.rows}
    cells: list[list[str | int | None]] = [["rank", "no", "name", *(each.code for each in found.tiebreaks)]]
    cells += [[row.rank, row.number, names[row.number], *(f"{v:g}" for v in _values(found, row))] for row in found.rows]
    widths = [max(len(str(line[column])) for line in cells) for column in range(len(cells[0]))]
    title = " ".join(filter(None, (f"{name}:" if several else "", tournament.table.name)))
    head = [f"{title}{', ' if tournament.table.name else ' '}after round {found.rounds}".strip()]
    return "\n".join(head + [_line(line, widths) for line in cells])


def _line(cells: list[str | int | None], widths: list[int]) -> str:
    """Numbers at the right, names at the left."""
    parts = [
        str(cell).ljust(width) if column == 2 else str(cell).rjust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(parts).rstrip()
