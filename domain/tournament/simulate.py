"""Whole tournaments with simulated players, through the same pairing and the same commands as real ones.

Chance is a keyed stream (`domain/shuffle.py`): the same seed gives the same tournament on every machine. Seed 1 is the
best player; whoever is a hundred points better wins 64 of 100 matches.
"""

from typing import Final

import msgspec

from domain.decider import Refusal
from domain.shuffle import below, words
from domain.tournament import commands as c
from domain.tournament.crosstable import Cell, Crosstable, Outcome, Row, Rules
from domain.tournament.decide import NO_CHANCE, decide
from domain.tournament.movements.individual import individual
from domain.tournament.state import Tournament, fold
from domain.tournament.swiss.answer import NoLegalPairing, Paired
from domain.tournament.swiss.pairing import pair
from domain.tournament.tiebreaks.ranking import standings
from domain.tournament.tiebreaks.registry import named

BEST: Final = 2000  # the rating of seed 1
STEP: Final = 25  # how much less each next one has
LOWEST: Final = 100
FINE: Final = 1_000_000
FLIPPED: Final = {Outcome.WIN: Outcome.LOSS, Outcome.FORFEIT_WIN: Outcome.FORFEIT_LOSS, Outcome.DRAW: Outcome.DRAW}
TIEBREAKS: Final = ("PTS", "DE", "BH/C1", "BH", "SB")


class Chances(msgspec.Struct, frozen=True):
    """How likely it is that somebody stays away for a round, that a match is forfeited, that it is drawn (0 to 1)."""

    byes: float = 0.0
    forfeits: float = 0.0
    draws: float = 0.0


class Simulated(msgspec.Struct, frozen=True):
    """What a tournament came to: the seeds by place, best first, how many rounds it took and how many matches."""

    places: tuple[tuple[int, int], ...]
    rounds: int
    matches: int

    @property
    def champion(self) -> int:
        """The seed that won; of several the first in the draw."""
        return self.places[0][1]


class Luck:
    """A stream of chances that a seed fixes."""

    def __init__(self, seed: int) -> None:
        self._words = words(b"simulate %d" % seed)

    def happens(self, chance: float) -> bool:
        """Something that happens so often."""
        return below(self._words, FINE) < chance * FINE

    def wins(self, ahead: float) -> bool:
        """Whether who is so many rating points ahead wins."""
        return self.happens(1 / (1 + 10 ** (-ahead / 400)))


def rating(seed: int) -> int:
    """What a seed is worth."""
    return max(LOWEST, BEST - STEP * (seed - 1))


def swiss(players: int, rounds: int, seed: int, rules: Rules, chances: Chances) -> Crosstable:
    """A Swiss tournament round by round. Raises Refusal where nobody can be paired any more."""
    luck = Luck(seed)
    rows = tuple(Row(number, f"Player {number}", (), rating(number)) for number in range(1, players + 1))
    table = Crosstable(rows, rounds=rounds, rules=rules, first_deals=luck.happens(0.5), name=f"Simulation {seed}")
    for number in range(1, rounds + 1):
        away = {row.number: Outcome.HALF_BYE for row in rows if luck.happens(chances.byes)}
        paired = pair(table, number, rules, away)
        if isinstance(paired, NoLegalPairing):
            raise Refusal("misfit", f"round {number} cannot be paired: play fewer rounds, or enter more players")
        table = _played(table, paired, luck, chances)
    return table


def _played(table: Crosstable, paired: Paired, luck: Luck, chances: Chances) -> Crosstable:
    cells = {number: Cell(0, None, letter) for number, letter in paired.absent.items()}
    if paired.bye:
        cells[paired.bye] = Cell(0, None, Outcome.PAIRING_BYE)
    for one, other in paired.pairs:
        forfeited, drawn = luck.happens(chances.forfeits), luck.happens(chances.draws)
        won = luck.wins(rating(one) - rating(other))
        best = Outcome.FORFEIT_WIN if forfeited else Outcome.DRAW if drawn else Outcome.WIN
        outcomes = (best, FLIPPED[best]) if won else (FLIPPED[best], best)
        cells[one], cells[other] = Cell(other, True, outcomes[0]), Cell(one, False, outcomes[1])
    rows = tuple(msgspec.structs.replace(row, cells=(*row.cells, cells[row.number])) for row in table.rows)
    return msgspec.structs.replace(table, rows=rows)


def swiss_result(table: Crosstable) -> Simulated:
    """What a Swiss came to, by points and the usual tie-breaks."""
    ranked = standings(table, named(TIEBREAKS)).rows
    played = sum(cell.outcome.played for row in table.rows for cell in row.cells)
    return Simulated(tuple((row.rank, row.number) for row in ranked), table.played, played // 2)


def event(format_: dict[str, object], players: int, seed: int, game: str = "parity") -> Simulated:
    """A tournament of any format, by the commands of a director. Raises Refusal."""
    luck = Luck(seed)
    state = _ordered(Tournament(), c.Announce("Simulation", (c.StagePlan(format=format_, game=game),)))
    for number in range(1, players + 1):
        state = _ordered(state, c.Enter(str(number), (f"player {number}",), rating(number)))
    state = _ordered(state, c.Seed("rating"))
    matches = 0
    while state.at < 0 or not state.stage.format.over(state.field(state.at)):
        ids = tuple(f"match {len(state.stage.rounds) if state.at >= 0 else 0}.{number}" for number in range(players))
        state = _ordered(state, c.PairRound(), c.Chance(ids, seed))
        for name in state.stage.rounds[-1].names:
            one, other = (sum(rating(int(entry)) for entry in side) for side in state.stage.pairings[name].sides)
            share = len(state.stage.pairings[name].sides[0])
            state = _ordered(state, c.Report(name, 0 if luck.wins((one - other) / share) else 1))
            matches += 1
    places = tuple((place.rank, int(state.stage.order[place.seed - 1])) for place in state.places_of(state.at))
    return Simulated(places, len(state.stage.rounds), matches)


def _ordered(state: Tournament, command: c.TournamentCommand, chance: c.Chance = NO_CHANCE) -> Tournament:
    news = decide(state, command, chance)
    return fold(state, [(state.version + place, new.event) for place, new in enumerate(news, start=1)])


def evening(players: int, rounds: int | None, seed: int) -> Simulated:
    """An evening on which partners change: a point for each won match. Raises Refusal."""
    luck, movement = Luck(seed), individual(players, rounds)
    points = dict.fromkeys(range(1, players + 1), 0)
    matches = 0
    for each in movement.rounds:
        for one, other in each.tables:
            ahead = (sum(map(rating, one)) - sum(map(rating, other))) / 2
            matches += 1
            for player in one if luck.wins(ahead) else other:
                points[player] += 1
    order = sorted(points, key=lambda player: (-points[player], player))
    better = {player: sum(points[other] > points[player] for other in points) for player in order}
    return Simulated(tuple((better[player] + 1, player) for player in order), len(movement.rounds), matches)
