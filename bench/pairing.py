"""Figure: a Swiss round of a large field, beside gacrux where it is installed, and beside one matching."""

import importlib.util
import random
from collections.abc import Callable
from typing import Any, Final

from bench.measure import Aim, Detail, Figure, below, in_turns, milliseconds, row, series
from bench.stage import Run
from domain.exchange import trf
from domain.pairing.crosstable import Crosstable, Outcome, PlayerRow, RoundCell, Rules
from domain.pairing.swiss.answer import Paired
from domain.pairing.swiss.entrants import players_of_round
from domain.pairing.swiss.matcher import NO_MATE, heaviest_matching
from domain.pairing.swiss.pairing import pair

ROUNDS, ROUND = 9, 5
SEED: Final = 1
NEAREST: Final = 64
AWAY: Final = "gacrux is not installed: Dutch rounds stand alone (pip install gacrux)"
NOTES: Final = (
    "round 5 of 9, four rounds paired by ourselves, the better seed wins two of three games, none is drawn: brackets "
    "are as large as they get",
    "gacrux has its file read beforehand; its pairs are compared with ours before anything is measured",
    f"the reference of Monrad is one matching of rustworkx by score, each with the {NEAREST} next below not met",
)


def field(players: int, rounds: int = ROUND - 1) -> Crosstable:
    """A tournament before round 5, or after another number of rounds; the same for every run."""
    chance = random.Random(SEED)
    cells: dict[int, list[RoundCell]] = {number: [] for number in range(1, players + 1)}
    for round_ in range(1, rounds + 1):
        for first, other in paired(_table(cells), round_, "dutch-2026").pairs:
            won = (first < other) == (chance.random() < 2 / 3)
            cells[first].append(RoundCell(other, True, Outcome.WIN if won else Outcome.LOSS))
            cells[other].append(RoundCell(first, False, Outcome.LOSS if won else Outcome.WIN))
    return _table(cells)


def _table(cells: dict[int, list[RoundCell]]) -> Crosstable:
    rows = tuple(PlayerRow(number, f"P{number}", tuple(row)) for number, row in cells.items())
    return Crosstable(rows, ROUNDS, first_deals=True)


def paired(table: Crosstable, round_: int, rules: Rules) -> Paired:
    """The round; it is known to be pairable."""
    found = pair(table, round_, rules)
    if not isinstance(found, Paired):
        raise AssertionError(found.message)
    return found


def gacrux(table: Crosstable) -> Callable[[], set[tuple[int, int]]]:
    """The same round by gacrux, its file read beforehand."""
    from gacrux.pairingdutch import pairing_dutch  # type: ignore[import-not-found]  # noqa: PLC0415
    from gacrux.trf2json import trf2json  # type: ignore[import-not-found]  # noqa: PLC0415

    file = trf2json()
    file.parse_file(trf.compose(table, "trf26", "FIDE_DUTCH_2025"), 0)
    params: dict[str, Any] = {"experimental": [], "verbose": 0, "top_color": "w", "unpaired": [], "maxmeets": "0"}

    def compute() -> set[tuple[int, int]]:
        brackets = pairing_dutch(file.get_tournament(1), ROUND, params).compute_pairing(False, True)
        return {(each["w"], each["b"]) for bracket in brackets for each in bracket["pairs"]}

    return compute


def one_matching(table: Crosstable) -> Callable[[], None]:
    """One matching by score alone: no order of choice, no sides, no bye."""
    players = players_of_round(table, ROUND, "monrad", (), with_sides=False)

    def compute() -> None:
        edges = []
        for one, player in enumerate(players):
            for other in range(one + 1, min(one + 1 + NEAREST, len(players))):
                if players[other].number not in player.met:
                    edges.append((one, other, 1000 - player.score + players[other].score))
        if NO_MATE in heaviest_matching(len(players), edges, whole=True):
            raise AssertionError("a player has no opponent")

    return compute


def measure(run: Run) -> Figure:
    """Dutch and Monrad, in turns with their references."""
    rounds, small, large = run.pick(5, 1), run.pick(500, 40), run.pick(2000, 80)
    table, wide = field(small), field(large)
    found, details, notes, aims = [], [], list(NOTES), list[Aim]()
    label = f"Dutch, {small} players"
    if importlib.util.find_spec("gacrux") is not None:
        theirs = gacrux(table)
        if theirs() != set(paired(table, ROUND, "dutch-2026").pairs):
            raise AssertionError("gacrux has other pairs")
        dutch = row(
            label, "ms", in_turns(rounds, _own(table, "dutch-2026"), lambda: milliseconds(theirs), run.tick), "lower"
        )
        found.append(dutch)
        aims.append(below(label, "below 3,500 ms, the best seen", 3500, dutch.ours))
    else:
        notes.append(AWAY)
        details.append(_alone(label, table, rounds))
    details.append(_alone(f"Dutch, {large} players", wide, rounds))
    matching = one_matching(wide)
    pairs = in_turns(rounds, _own(wide, "monrad"), lambda: milliseconds(matching), run.tick)
    monrad = row(f"Monrad, {large} players", "ms", pairs, "lower")
    aims.append(below(monrad.label, "below 2,000 ms", 2000, monrad.ours))
    return Figure(
        name="pairing",
        title="A Swiss round from a cross table in memory, with its reasons",
        ours_is="`pair`: floats, criteria, order of choice, sides, boards, a text for each pair",
        reference_is="as named in the notes",
        rounds=rounds,
        rows=(*found, monrad),
        aims=tuple(aims),
        details=tuple(details),
        notes=tuple(notes),
    )


def _own(table: Crosstable, rules: Rules) -> Callable[[], float]:
    return lambda: milliseconds(lambda: paired(table, ROUND, rules))


def _alone(label: str, table: Crosstable, rounds: int) -> Detail:
    own = _own(table, "dutch-2026")
    return Detail(label, series("ms", [own() for _ in range(rounds + 1)][1:]))
