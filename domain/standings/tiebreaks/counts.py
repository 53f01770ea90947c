"""Tie-breaks that look at a player's own rounds alone: points, progress, wins, games as second dealer."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from domain.pairing.crosstable import Outcome, RoundCell
from domain.pairing.tenths import shown
from domain.standings.tiebreaks.event import TieBreakTable, voluntary
from domain.standings.tiebreaks.terms import Term, ValuesAndWorking

Counts: TypeAlias = Callable[[TieBreakTable, RoundCell, int], bool]
_KINDS = {
    Outcome.PAIRING_BYE: "pairing bye",
    Outcome.HALF_BYE: "half-point bye",
    Outcome.FULL_BYE: "full-point bye",
    Outcome.ZERO_BYE: "absent",
    Outcome.UNKNOWN: "absent",
}
_RESULTS = {
    "1": "beat",
    "W": "beat",
    "=": "drew with",
    "D": "drew with",
    "0": "lost to",
    "L": "lost to",
    "+": "won without play against",
    "-": "lost without play to",
    " ": "no result yet against",
}


def described(event: TieBreakTable, cell: RoundCell) -> str:
    """A round in words."""
    if not cell.opponent:
        return "sat out" if event.fixed and cell.outcome is Outcome.UNKNOWN else _KINDS[cell.outcome]
    return f"{_RESULTS[cell.outcome.value]} {event.rows[event.place[cell.opponent]].name or cell.opponent}"


def win(event: TieBreakTable, cell: RoundCell, won: int) -> bool:
    """WIN (7.1): a round with a win's points, played or not."""
    return won == event.points.win and (cell.outcome is not Outcome.UNKNOWN)


def won_at_table(event: TieBreakTable, cell: RoundCell, won: int) -> bool:
    """WON (7.2): a win at the table."""
    return cell.outcome in (Outcome.WIN, Outcome.UNRATED_WIN)


def played_second(event: TieBreakTable, cell: RoundCell, won: int) -> bool:
    """BPG (7.3): a game played with black, that is without dealing first."""
    return cell.first is False and cell.outcome.played


def won_second(event: TieBreakTable, cell: RoundCell, won: int) -> bool:
    """BWG (7.4): such a game that was won."""
    return cell.first is False and won_at_table(event, cell, won)


def ready_to_play(event: TieBreakTable, cell: RoundCell, won: int) -> bool:
    """REP (7.6): every round but half- and zero-point byes and forfeit losses."""
    return not voluntary(cell)


def counter(
    counts: Counts,
) -> ValuesAndWorking:
    """Values and working of a tie-break that counts rounds."""

    def values(event: TieBreakTable) -> list[int]:
        pairs = zip(event.cells, event.won, strict=True)
        return [sum(counts(event, *each) for each in zip(cells, won, strict=True)) for cells, won in pairs]

    def working(event: TieBreakTable, place: int) -> tuple[Term, ...]:
        rounds = enumerate(zip(event.cells[place], event.won[place], strict=True), start=1)
        return tuple(
            Term(1, described(event, cell), round_) for round_, (cell, won) in rounds if counts(event, cell, won)
        )

    return values, working


def points(event: TieBreakTable) -> list[int]:
    """PTS: the points, byes as they were awarded."""
    return event.scores


def points_working(event: TieBreakTable, place: int) -> tuple[Term, ...]:
    """Round by round; who came late had not entered before."""
    late = event.rows[place].late
    rounds = enumerate(zip(event.cells[place], event.won[place], strict=True), start=1)
    return tuple(
        Term(won, "not yet entered" if round_ <= late else described(event, cell), round_)
        for round_, (cell, won) in rounds
    )


def progressive(
    cut: int,
) -> ValuesAndWorking:
    """PS (7.5): the sum of the running scores; cut, without those of the first rounds."""

    def values(event: TieBreakTable) -> list[int]:
        return [sum(_running(won)[cut:]) for won in event.won]

    def working(event: TieBreakTable, place: int) -> tuple[Term, ...]:
        running = enumerate(_running(event.won[place]), start=1)
        return tuple(Term(value, f"{shown(value)} after round {n}", n, n > cut) for n, value in running)

    return values, working


def _running(won: Sequence[int]) -> list[int]:
    score, found = 0, []
    for each in won:
        score += each
        found.append(score)
    return found


def koya(event: TieBreakTable) -> list[int]:
    """KS (9.2): points against opponents with at least half of the most that can be had."""
    strong = _strong(event)
    pairs = zip(event.cells, event.won, strict=True)
    return [sum(won for cell, won in zip(*each, strict=True) if cell.opponent in strong) for each in pairs]


def koya_working(event: TieBreakTable, place: int) -> tuple[Term, ...]:
    """Those opponents."""
    strong = _strong(event)
    rounds = enumerate(zip(event.cells[place], event.won[place], strict=True), start=1)
    return tuple(Term(won, described(event, cell), n) for n, (cell, won) in rounds if cell.opponent in strong)


def _strong(event: TieBreakTable) -> set[int]:
    most = event.points.win * event.games
    return {row.number for row, score in zip(event.rows, event.scores, strict=True) if 2 * score >= most}
