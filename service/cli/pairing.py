"""The command `pair`: the next round of a tournament file, or a check of the rounds that it has."""

import sys
from collections.abc import Iterator
from typing import Final, get_args

import msgspec
import rich_click as click

from domain.exchange import trf
from domain.log.event import JsonObject
from domain.log.message import explained, words
from domain.pairing.crosstable import NOTHING, Crosstable, Outcome, Rules
from domain.pairing.swiss.acceleration import baku
from domain.pairing.swiss.answer import NoLegalPairing, Paired, PairReason
from domain.pairing.swiss.english import ENGLISH
from domain.pairing.swiss.pairing import granted, pair
from service.cli.tournament_files import UNREADABLE, OpenedFile, open_files

NO: Final = 1
Pairs = list[tuple[int, int]]


@click.command("pair")
@click.argument("files", nargs=-1, required=True)
@click.option("--rules", type=click.Choice(get_args(Rules)), help="Else as the file says (192), else dutch-2026.")
@click.option(
    "--round",
    "round_",
    type=click.IntRange(min=1),
    help="Pair this round from those before it; else the first in which somebody has neither result nor bye.",
)
@click.option("--check", is_flag=True, help="Pair each round of the file again and say where it differs.")
@click.option("--explain", is_flag=True, help="Say of each pair why.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON a file.")
def pairs(
    files: tuple[str, ...], rules: Rules | None, round_: int | None, check: bool, explain: bool, as_json: bool
) -> None:
    """Pair the next round of tournament files (TRF16, TRF26) by a Swiss system; - reads standard input.

    \b
    lurch pair evening.trf
    lurch pair evening.trf --explain
    lurch pair evening.trf --rules monrad --round 2 --json
    lurch pair --check evening.trf

    \b
    dutch-2026        FIDE (Dutch) System, C.04.3, of 1 February 2026
    dutch-till-2026   the same until January 2026
    monrad            by score and number, the next one below not met yet

    The answer is the number of boards, then a line for each: who deals first, the other; the bye as number and 0.
    Exit status 1 when nobody can pair the round, or a check finds differences; 3 when a file cannot be read.
    """
    worst = 0
    for each in open_files(files, as_json):
        if each.tournament is None:
            worst = UNREADABLE
            continue
        chosen = rules or each.tournament.table.rules or "dutch-2026"
        answer = _checked if check else _paired
        worst = max(worst, answer(each, each.tournament, chosen, round_, explain, as_json))
    sys.exit(worst)


def _paired(
    file: OpenedFile, tournament: trf.TournamentFile, rules: Rules, asked: int | None, explain: bool, as_json: bool
) -> int:
    round_ = asked or tournament.upcoming
    said = {"file": file.name, "rules": rules, "round": round_}
    wrong = _out_of_reach(tournament, round_)
    table = _before(tournament, round_)
    found = None if wrong else pair(table, round_, rules)
    absent = found.absent if found else {}
    said |= {"pairs": None, "bye": None, "absent": {str(number): letter for number, letter in absent.items()}}
    if isinstance(found, Paired):
        said |= {"pairs": found.pairs, "bye": found.bye}
        if explain:
            said["why"] = [_why(each) for each in found.why]
        click.echo(msgspec.json.encode(said) if as_json else _text(found, explain))
        return 0
    code = "no_such_round" if wrong else "no_legal_pairing"
    message = words(found.message, ENGLISH) if found else wrong
    said["error"] = {"code": code, "message": message}
    if as_json:
        click.echo(msgspec.json.encode(said))
    else:
        click.echo(f"{file.name}: round {round_} cannot be paired: {message}", err=True)
    return NO


def _out_of_reach(tournament: trf.TournamentFile, round_: int) -> str:
    """The reason against pairing a round; empty for one that can be paired."""
    rounds = tournament.table.rounds
    if rounds and round_ > rounds:
        return f"there are {rounds} rounds and no round {round_}"
    if round_ > tournament.upcoming:
        return f"round {round_} follows round {tournament.upcoming}, which is not played"
    return ""


def _before(tournament: trf.TournamentFile, round_: int) -> Crosstable:
    table = trf.before_round(tournament, round_)
    return baku(table) if "BAKU" in tournament.system.split("_") else table


def _text(found: Paired, explain: bool) -> str:
    """As other programs print a pairing; the reasons follow it."""
    boards = [*found.pairs, *([(found.bye, 0)] if found.bye is not None else [])]
    lines = [str(len(boards)), *(f"{first} {other}" for first, other in boards)]
    if explain:
        lines += ["", *(f"{why.pair[0]} {why.pair[1]}: {explained(why.told, ENGLISH)}" for why in found.why)]
    return "\n".join(lines)


def _why(why: PairReason) -> JsonObject:
    level = why.bracket / 10
    return {
        "pair": why.pair,
        "bracket": int(level) if level == int(level) else level,
        "float": {"down": why.down, "up": why.up},
        "criteria": why.criteria,
        "sides": why.sides,
        "text": explained(why.told, ENGLISH),
    }


def _checked(
    file: OpenedFile, tournament: trf.TournamentFile, rules: Rules, asked: int | None, explain: bool, as_json: bool
) -> int:
    """Pair the rounds of a file again, and compare. A player with neither pairing nor bye counts as absent."""
    last = _last(tournament.table)
    if asked is not None and asked > last:
        wrong = f"round {asked} cannot be checked: the last in the file is {last}"
        if as_json:
            error = {"code": "no_such_round", "message": wrong}
            click.echo(msgspec.json.encode({"file": file.name, "rules": rules, "error": error}))
        else:
            click.echo(f"{file.name}: {wrong}", err=True)
        return NO
    rounds = [round_ for round_ in range(1, last + 1) if asked in (None, round_)]
    differences = []
    for round_ in rounds:
        mine, theirs = _again(tournament, rules, round_), _in_file(tournament.table, round_)
        if mine is None or set(mine) != set(theirs):
            kept = set(mine or ()) & set(theirs)
            other = None if mine is None else [each for each in mine if each not in kept]
            differences.append({"round": round_, "file": [each for each in theirs if each not in kept], "lurch": other})
    equal = len(rounds) - len(differences)
    said = {"file": file.name, "rules": rules, "rounds": len(rounds), "equal": equal, "differences": differences}
    click.echo(msgspec.json.encode(said) if as_json else "\n".join(_told(said)))
    return NO if differences else 0


def _again(tournament: trf.TournamentFile, rules: Rules, round_: int) -> Pairs | None:
    table = _before(tournament, round_)
    blank = [row.number for row in tournament.table.rows if row.cell(round_) == NOTHING]
    found = pair(table, round_, rules, granted(table, round_) | dict.fromkeys(blank, Outcome.ZERO_BYE))
    if isinstance(found, NoLegalPairing):
        return None
    return [*found.pairs, *([(found.bye, 0)] if found.bye is not None else [])]


def _last(table: Crosstable) -> int:
    """The last round with a pairing or with the bye of the pairing."""
    rounds = range(table.played, 0, -1)
    return next((round_ for round_ in rounds if _in_file(table, round_)), 0)


def _in_file(table: Crosstable, round_: int) -> Pairs:
    """The pairs of a round in the file, the first dealer first; the bye last."""
    found: Pairs = []
    byes: Pairs = []
    for row in table.rows:
        cell = row.cell(round_)
        if cell.opponent and (cell.first or (cell.first is None and row.number < cell.opponent)):
            found.append((row.number, cell.opponent))
        elif cell.outcome is Outcome.PAIRING_BYE:
            byes.append((row.number, 0))
    return found + byes


def _told(said: JsonObject) -> Iterator[str]:
    yield f"{said['file']}: {said['equal']} of {said['rounds']} rounds as by {said['rules']}"
    for each in said["differences"]:
        theirs, mine = (
            "nobody can pair it" if pairs is None else ", ".join(f"{first} {other}" for first, other in pairs)
            for pairs in (each["file"], each["lurch"])
        )
        yield f"round {each['round']}: the file has {theirs}; by the rules {mine}"
