"""The one door to Swiss pairing: a cross table, a round, rules; the pairs by board, or that there is no pairing."""

from collections.abc import Iterator, Mapping, Sequence

from domain.tournament.crosstable import Crosstable, Outcome, Rules
from domain.tournament.swiss import dutch, dutch_till_2026
from domain.tournament.swiss.answer import NO_OPPONENT, NoLegalPairing, Paired
from domain.tournament.swiss.bracket import Bracket, Split
from domain.tournament.swiss.entrants import Entrant, entrants
from domain.tournament.swiss.sides import allocated, initial_side

BYES = frozenset({Outcome.HALF_BYE, Outcome.FULL_BYE, Outcome.ZERO_BYE, Outcome.FORFEIT_LOSS})


def granted(table: Crosstable, round_: int) -> dict[int, Outcome]:
    """Who is absent from a round by what the table holds for it."""
    cells = ((row.number, row.cell(round_)) for row in table.rows)
    return {number: cell.outcome for number, cell in cells if cell.outcome in BYES and not cell.opponent}


def pair(
    table: Crosstable,
    round_: int,
    rules: Rules = "dutch-2026",
    absent: Mapping[int, Outcome] | None = None,
    sides: bool = True,
) -> Paired | NoLegalPairing:
    """Pair a round from the rounds before it; without `sides` nobody wants to deal first."""
    away = granted(table, round_) if absent is None else dict(absent)
    players = entrants(table, round_, rules, away, sides)
    odd_first = initial_side(table)
    system = dutch_till_2026 if rules == "dutch-till-2026" else dutch
    found = system.brackets(players, odd_first)
    if found is None:
        return NoLegalPairing(rules, round_, away, "")
    brackets = list(found)
    pairs = [allocated(one, other, odd_first)[:2] for _, split in brackets for one, other in split.pairs]
    pairs.sort(key=board)
    bye = brackets[-1][1].left[0].number if brackets and brackets[-1][1].left else None
    return Paired(rules, round_, tuple((one.number, other.number) for one, other in pairs), bye, away, ())


def board(pair: tuple[Entrant, Entrant]) -> tuple[int, int, int]:
    """Boards go by the score of the higher-ranked, the sum of scores, the number of the higher-ranked."""
    high = min(pair, key=lambda player: player.rank)
    return (-high.score, -sum(player.score for player in pair), high.number)
