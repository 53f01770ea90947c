"""The command that asks for best play: solve."""

import sys
from collections.abc import Iterator

import rich_click as click

from domain import codec
from domain.cards.facts import CardPlayed, Fact
from domain.cards.seats import seat_name
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from domain.notation.tables import DealFault, DealTable, deal_tables
from domain.solve import WORK, Best, best
from service.cli.printing import say
from service.cli.replayed import word
from service.cli.terminal import Progress, is_ctn, read_text


@click.command()
@click.argument("file")
@click.option("--at", type=click.IntRange(0, 10_000), help="After this many facts of the deal; all when left out.")
@click.option("--work", default=WORK, show_default=True, type=click.IntRange(1), help="Tables a search may look at.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a deal.")
def solve(file: str, at: int | None, work: int, as_json: bool) -> None:
    """Say what best play by both sides gives from here, every hand being known; - reads standard input.

    \b
    lurch solve deal.jsonl --at 12
    lurch deal parity | lurch solve --at 2 -

    FILE holds deals with their hands, as histories (.jsonl) or CTN (.ctn); each is solved. --at counts the calls,
    cards and moves of the deal (not its remarks, and not the events that `lurch replay` counts): 0 is before the
    first. Each side plays for its own score less the other's. An answer is exact, or a bound that says so.

    Exit status 1 when a deal cannot be solved or read; 3 when the file cannot be opened or is not text.
    """
    text = read_text(file)
    if text is None:
        sys.exit(3)
    sys.exit(_each(file, text, at, work, as_json))


def _each(file: str, text: str, at: int | None, work: int, as_json: bool) -> int:
    worst = 0
    for each in deal_tables(text, is_ctn(file, text), at):
        answer = _solved(each, work)
        worst = max(worst, int(isinstance(answer, DealFault)))
        if as_json:
            click.echo(codec.encode_plain(_plain(each, answer)))
        else:
            say("\n".join(_said(each, answer)))
    return worst


def _solved(each: DealTable | DealFault, work: int) -> Best | DealFault:
    if isinstance(each, DealFault):
        return each
    try:
        with Progress(f"solving {each.label}", None) as bar:  # gone before the answer is printed
            return best(each.game, each.options, each.table, work, bar.step)
    except Refusal as refusal:
        return DealFault(each.label, {"rule": "unsolvable", "detail": refusal.detail})


def _plain(each: DealTable | DealFault, answer: Best | DealFault) -> JsonObject:
    """One answer for programs; facts as histories write them."""
    if isinstance(each, DealFault):
        return {"deal": each.label, "error": each.error}
    if isinstance(answer, DealFault):
        return {"deal": each.label, "error": answer.error}
    return {
        "deal": each.label,
        "game": each.game.key,
        "at": each.at,
        "facts": each.facts,
        "to_act": answer.to_act,
        "exact": answer.exact,
        "sides": answer.sides,
        "margin": answer.margin,
        "scores": answer.scores,
        "tricks": answer.tricks,
        "best": [codec.to_list(fact) for fact in answer.best],
        "line": [codec.to_list(fact) for fact in answer.line],
    }


def _said(each: DealTable | DealFault, answer: Best | DealFault) -> Iterator[str]:
    """One answer for people."""
    if isinstance(each, DealFault):
        yield _failed(each)
        return
    if isinstance(answer, DealFault):
        yield _failed(answer)
        return
    seats = each.game.seats(each.options)
    names = [seat_name(seat, seats) for seat in range(seats)]
    acting = "complete" if answer.to_act is None else f"{names[answer.to_act]} to act"
    yield f"{each.label}: {each.game.title}, after {each.at} of {each.facts} facts, {acting}"
    if answer.to_act is None and each.at:
        yield f"  note    nothing is left to play: --at 0 to {each.at - 1} asks for an earlier table"
    if answer.best:
        yield f"  best    {', '.join(_named(fact) for fact in answer.best)}"
    if answer.tricks:
        yield "  tricks  " + ", ".join(f"{names[seat]} {count}" for seat, count in enumerate(answer.tricks))
    if answer.scores is not None:
        yield f"  score   {' - '.join(map(str, answer.scores))}"
    if answer.to_act is None:
        return
    one, other = ("&".join(names[seat] for seat in side) for side in answer.sides)
    low, high = answer.margin
    if answer.exact:
        yield f"  exact   {one} less {other}: {low:+}"
    else:
        yield f"  bound   {one} less {other}: from {low:+} to {high:+}, not settled (more --work may settle it)"


def _failed(fault: DealFault) -> str:
    """The error on one line."""
    error = fault.error
    places = [f"{name} {error[name]}" for name in ("line", "column", "action") if name in error]
    where = f" ({', '.join(places)})" if places else ""
    return f"{fault.label}: {error['rule']}{where}: {error['detail']}"


def _named(fact: Fact) -> str:
    """A card by its name, any other fact by its words."""
    return str(fact.card) if type(fact) is CardPlayed else word(codec.plain(fact))
