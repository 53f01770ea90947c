"""Figure: the standings of a large tournament by every tie-break, beside a plain recomputation of the same."""

import importlib.util
import random
from collections.abc import Callable
from typing import Any

from bench.measure import Figure, below, in_turns, milliseconds, row
from bench.stage import Run
from domain.exchange import trf
from domain.pairing.crosstable import Crosstable, Outcome, PlayerRow, RoundCell
from domain.standings import tiebreaks

ALL = tuple(tiebreaks.TIEBREAKS.values())
GACRUX = importlib.util.find_spec("gacrux") is not None
AWAY = 0.03  # of the players have a bye of their own will in a round


def tournament(players: int, rounds: int) -> Crosstable:
    """Pairs by score, results by lot, the same for every run; rematches are nobody's concern here."""
    chance = random.Random(1)
    cells: dict[int, list[RoundCell]] = {number: [] for number in range(1, players + 1)}
    score = dict.fromkeys(cells, 0)
    for _ in range(rounds):
        here = []
        for number, out in cells.items():
            if chance.random() < AWAY:
                out.append(RoundCell(outcome=Outcome(chance.choice("HZ"))))
            else:
                here.append(number)
        here.sort(key=lambda number: (-score[number], chance.random()))
        if len(here) % 2:
            cells[here.pop()].append(RoundCell(outcome=Outcome.PAIRING_BYE))
        for one, other in zip(here[::2], here[1::2], strict=True):
            mine, theirs = chance.choice(("10", "01", "==", "10", "01", "+-"))
            cells[one].append(RoundCell(other, True, Outcome(mine)))
            cells[other].append(RoundCell(one, False, Outcome(theirs)))
            score[one] += (mine in "1+") - (theirs in "1+")
    return Crosstable(tuple(PlayerRow(number, f"P{number}", tuple(row)) for number, row in cells.items()), rounds)


class Plain:
    """Each value from the cells alone, nothing kept, as in a script that follows the text of the rules."""

    def __init__(self, table: Crosstable) -> None:
        self.table, self.rounds = table, table.played
        self.rows = {row.number: row for row in table.rows}

    def adjusted(self, number: int) -> int:
        """The score of an opponent."""
        total, ending = 0, True
        for cell in reversed(self.rows[number].cells):
            ending = ending and (cell.outcome.value in "HZ-")
            total += 5 if ending and not cell.opponent else self.table.points.of(cell.outcome)
        return total

    def terms(self, number: int) -> list[tuple[bool, int, int]]:
        """For each round: True for an absence, the value, the points won."""
        own, found = self.table.score(self.rows[number], self.rounds), []
        for cell in self.rows[number].cells:
            value = self.adjusted(cell.opponent) if cell.opponent else 5 * self.rounds
            value = value if cell.outcome.played else min(value, own)
            found.append((cell.outcome.value in "HZ-", value, self.table.points.of(cell.outcome)))
        return found

    def buchholz(self, number: int, low: int = 0, high: int = 0) -> int:
        """BH, cut or not."""
        kept = sorted(self.terms(number), key=lambda term: (not term[0], term[1]))[low:]
        values = sorted(value for _, value, _ in kept)
        return sum(values[: len(values) - high])

    def values(self) -> list[list[int]]:
        """The sums, which are the bulk of the work; neither direct encounter nor counts."""
        return [
            [
                *(self.buchholz(number, *cut) for cut in ((0, 0), (1, 0), (2, 0), (1, 1), (2, 2))),
                sum(value * won for _, value, won in self.terms(number)),
                sum(self.buchholz(cell.opponent) for cell in self.rows[number].cells if cell.outcome.played),
            ]
            for number in self.rows
        ]


def check(table: Crosstable, plain: Plain) -> None:
    """Compare the values that both compute. Raises AssertionError."""
    chosen = tiebreaks.tiebreaks_named(["BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "SB"])
    ours = {row.number: list(row.values) for row in tiebreaks.standings(table, chosen).rows}
    if [ours[number] for number in plain.rows] != [values[:6] for values in plain.values()]:
        raise AssertionError("the plain recomputation has other values")


def gacrux(table: Crosstable) -> Callable[[], Any]:
    """The same tie-breaks by gacrux, if it is installed; its file is read beforehand."""
    from gacrux.tiebreak import tiebreak  # type: ignore[import-not-found]  # noqa: PLC0415
    from gacrux.trf2json import trf2json  # type: ignore[import-not-found]  # noqa: PLC0415

    file = trf2json()
    file.parse_file(trf.compose(table, "trf26"), 0)

    def compute() -> None:
        codes = [each.code for each in ALL]
        params = {"tiebreak": codes, "check": False, "pre_determined": False, "swiss": True, "unrated": None}
        event = file.get_tournament(1)
        tiebreak(event, table.played, params).compute_tiebreaks(event, params)

    return compute


def measure(run: Run) -> Figure:
    """All tie-breaks at once, in turns with the reference."""
    rounds, players, length = run.pick(7, 2), run.pick(500, 40), run.pick(11, 5)
    table = tournament(players, length)
    plain = Plain(table)
    check(table, plain)
    reference = gacrux(table) if GACRUX else plain.values
    pairs = in_turns(
        rounds, lambda: milliseconds(lambda: tiebreaks.standings(table, ALL)), lambda: milliseconds(reference), run.tick
    )
    found = row(f"{players} players, {length} rounds", "ms", pairs, "lower")
    what = "a plain recomputation from the cells, of the Buchholz family, SB and AOB alone"
    if GACRUX:
        what = "gacrux, the same tie-breaks, its file read beforehand"
    return Figure(
        name="standings",
        title=f"Standings of {players} players after {length} rounds by all {len(ALL)} tie-breaks",
        ours_is="`standings` of a cross table in memory: every tie-break, ranks",
        reference_is=what,
        rounds=rounds,
        rows=(found,),
        aims=(below(found.label, "below 100 ms", 100, found.ours),),
    )
