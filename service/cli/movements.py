"""The command that seats an evening on which partners change, without a database: movement."""

from collections.abc import Iterator

import rich_click as click

from domain.pairing.movements.evening import Frequencies, Movement
from domain.pairing.movements.individual import check_evening, individual
from service.cli.draws import as_json_option, check_all, entrants_argument, print_answer


@click.command()
@click.argument("kind", metavar="individual", type=click.Choice(["individual"]))
@entrants_argument
@click.option("--rounds", type=int, help="How many rounds; otherwise N, or N-1 where four divide N.")
@as_json_option
def movement(kind: str, numbers: tuple[int, ...], rounds: int | None, as_json: bool) -> None:
    """Seat N players at tables of four with partners that change: nobody twice, opponents level; the balance is told.

    \b
    lurch movement individual 12
    lurch movement individual 20 --rounds 6 --json
    """
    check_all(numbers, lambda players: check_evening(players, rounds))
    for players in numbers:
        found = individual(players, rounds)
        print_answer(found if as_json else _movement_lines(found))


def _movement_lines(found: Movement) -> Iterator[str]:
    named = "everybody partners everybody once and opposes everybody twice"
    yield f"{found.players} players, {len(found.rounds)} rounds{f': {named}' if found.perfect else ''}"
    width, digits = len(str(len(found.rounds))), len(str(found.players))
    for each in found.rounds:
        tables = "   ".join(" - ".join(_side(side, digits) for side in table) for table in each.tables)
        out = f"   out {' '.join(map(str, each.out))}" if each.out else ""
        yield f"{each.round:>{width}}:  {tables}{out}"
    yield f"partners:    {_told(found.balance.partners, 'pair')}"
    yield f"opponents:   {_told(found.balance.opponents, 'pair')}"
    yield f"sitting out: {_told(found.balance.out, 'player')}"


def _side(side: tuple[int, int], digits: int) -> str:
    return " ".join(f"{player:>{digits}}" for player in side)


def _told(tally: Frequencies, what: str) -> str:
    often = {0: "never", 1: "once", 2: "twice"}
    return ", ".join(
        f"{count} {what}{'' if count == 1 else 's'} {often.get(times, f'{times} times')}"
        for times, count in tally.items()
    )
