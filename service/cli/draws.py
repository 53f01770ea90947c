"""Commands on draws before any play, without a database: bracket, schedule."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final

import msgspec
import rich_click as click

from domain.log.decider import Refusal
from domain.tournament.fixtures import Bracket, Fixture, PlanPart, WonBy, printed, size_for
from domain.tournament.formats.double import double
from domain.tournament.formats.round_robin import Schedule, check_entrants, round_robin
from domain.tournament.formats.single import single

as_json_option = click.option("--json", "as_json", is_flag=True, help="One line of JSON per N.")
entrants_argument = click.argument("numbers", metavar="N...", nargs=-1, required=True, type=int)


class BracketMatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match of a bracket as it is printed."""

    id: str
    round: int
    slots: tuple[str, str]
    only_if: str | None = None


class BracketText(msgspec.Struct, frozen=True):
    """A bracket as it is printed."""

    format: str
    entrants: int
    size: int
    order: tuple[int, ...]
    matches: tuple[BracketMatch, ...]


@click.command()
@click.argument("kind", metavar="single|double", type=click.Choice(["single", "double"]))
@entrants_argument
@click.option("--third-place", is_flag=True, help="The losers of the semi-finals play (single).")
@click.option("--no-reset", is_flag=True, help="One grand final, whoever wins it (double).")
@as_json_option
def bracket(kind: str, numbers: tuple[int, ...], third_place: bool, no_reset: bool, as_json: bool) -> None:
    """Draw the bracket of an elimination of N entrants by seed; byes go to the best and leave no match.

    \b
    lurch bracket single 12 --third-place
    lurch bracket double 24 --json | jq .matches
    """
    if third_place and kind == "double":
        raise click.UsageError("--third-place is for single: in a double elimination the last L match decides it")
    if no_reset and kind == "single":
        raise click.UsageError("--no-reset is for double: a single elimination has one final")
    check_all(numbers, size_for)
    for entrants in numbers:
        drawn = single(entrants, third_place) if kind == "single" else double(entrants, not no_reset)
        print_answer(_view(drawn) if as_json else _bracket_lines(drawn))


@click.command()
@click.argument("kind", metavar="round-robin", type=click.Choice(["round-robin"]))
@entrants_argument
@click.option("--double", "twice", is_flag=True, help="Everybody meets everybody twice, once from each side.")
@as_json_option
def schedule(kind: str, numbers: tuple[int, ...], twice: bool, as_json: bool) -> None:
    """List the rounds in which N entrants all meet (Berger tables); the first-named deals first.

    \b
    lurch schedule round-robin 6
    lurch schedule round-robin 5 --double --json
    """
    check_all(numbers, check_entrants)
    for entrants in numbers:
        found = round_robin(entrants, twice)
        print_answer(found if as_json else _schedule_lines(found))


def check_all(numbers: Iterable[int], check: Callable[[int], object]) -> None:
    """Check all numbers before the first answer. Raises UsageError."""
    for number in numbers:
        try:
            check(number)
        except Refusal as refusal:
            raise click.UsageError(refusal.detail) from None


def print_answer(answer: object) -> None:
    """Print a Struct as a line of JSON, or lines of text."""
    if isinstance(answer, msgspec.Struct):
        click.echo(msgspec.json.encode(answer))
    elif isinstance(answer, Iterator):
        click.echo("\n".join(answer))


def _view(drawn: Bracket) -> BracketText:
    matches = tuple(
        BracketMatch(each.id, each.round, _slots(each), _condition(each.only_if)) for each in drawn.fixtures
    )
    return BracketText(drawn.format, drawn.entrants, drawn.size, drawn.order, matches)


def _slots(fixture: Fixture) -> tuple[str, str]:
    one, other = fixture.slots
    return printed(one), printed(other)


def _condition(only_if: WonBy | None) -> str | None:
    """F1.1 won by slot 2."""
    return None if only_if is None else f"{only_if.fixture} won by slot {only_if.side + 1}"


HEADS: Final[Mapping[PlanPart, str]] = {
    "winners": "winners, round",
    "losers": "losers, round",
    "final": "grand final",
    "third": "third place",
    "group": "groups, round",
    "round": "round",
}


def _bracket_lines(drawn: Bracket) -> Iterator[str]:
    byes = drawn.size - drawn.entrants
    told = {0: "no byes", 1: "a bye for seed 1"}.get(byes, f"byes for seeds 1 to {byes}")
    yield f"{drawn.format} elimination, {drawn.entrants} entrants, {len(drawn.fixtures)} matches, {told}"
    for (part, round_), fixtures in groupby(drawn.fixtures, key=lambda each: (each.part, each.round)):
        yield f"{_head(drawn, part)} {round_}" if part in ("winners", "losers") else HEADS[part]
        for each in fixtures:
            one, other = _slots(each)
            condition = f"  only if {_condition(each.only_if)}" if each.only_if else ""
            yield f"  {each.id:<8}{one} - {other}{condition}"


def _head(drawn: Bracket, part: PlanPart) -> str:
    return "round" if drawn.format == "single" else HEADS[part]


def _schedule_lines(found: Schedule) -> Iterator[str]:
    yield f"round robin{', double' if found.double else ''}, {found.entrants} entrants, {len(found.rounds)} rounds"
    width = len(str(len(found.rounds)))
    for each in found.rounds:
        pairs = "  ".join(f"{one}-{other}" for one, other in each.pairs)
        yield f"{each.round:>{width}}:  {pairs}{f'  bye {each.bye}' if each.bye else ''}"
