"""Whole tournaments with simulated players, through the same commands as real ones.

Chance is a keyed stream (`domain/chance.py`): the same seed gives the same tournament on every machine. Seed 1 is the
best player; whoever is a hundred points better wins 64 of 100 matches.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from domain.chance import below, words
from domain.games import stand_in
from domain.log.actor import SERVICE
from domain.log.decider import Refusal
from domain.pairing.crosstable import Crosstable
from domain.tournament import commands as c
from domain.tournament.decide import NO_CHANCE, decide
from domain.tournament.evolve import fold
from domain.tournament.format import Options
from domain.tournament.formats import read_format
from domain.tournament.points import Pace, Terms
from domain.tournament.state import Tournament

BEST: Final = 2000  # the rating of seed 1
STEP: Final = 25  # how much less each next one has
LOWEST: Final = 100
FINE: Final = 1_000_000
TIEBREAKS: Final = ("PTS", "DE", "BH/C1", "BH", "SB")
MOST_ROUNDS: Final = 5000  # a ladder without a number of rounds is played so often as its players are


class Chances(msgspec.Struct, frozen=True):
    """The chances of a player to stay away for a round, of a match to be forfeited, and to be drawn (0 to 1)."""

    byes: float = 0.0
    forfeits: float = 0.0
    draws: float = 0.0


CERTAIN: Final = Chances()


class Simulated(msgspec.Struct, frozen=True):
    """The end of a tournament: the seeds by place, best first, how many rounds of time it took, those that were on
    side by side counted once, and how many matches."""

    places: tuple[tuple[int, int], ...]
    rounds: int
    matches: int


class Luck:
    """A stream of chances that a seed fixes."""

    def __init__(self, seed: int) -> None:
        self._words = words(b"simulate %d" % seed)

    def happens(self, chance: float) -> bool:
        """Something that happens so often."""
        return below(self._words, FINE) < chance * FINE

    def wins(self, ahead: float) -> bool:
        """True where a side that is so many rating points ahead wins."""
        return self.happens(1 / (1 + 10 ** (-ahead / 400)))


def rating(seed: int) -> int:
    """The rating of a seed."""
    return max(LOWEST, BEST - STEP * (seed - 1))


def crosstable(format_: Options, players: int, seed: int, chances: Chances) -> Crosstable:
    """A tournament of points as its cross table. Raises Refusal where nobody can be paired any more."""
    state, _ = played(format_, players, seed, chances)
    table = state.stage.format.crosstable(state.field(0))
    if table is None:
        raise Refusal("misfit", f"{state.stage.format.title} has no cross table: its places come from a bracket")
    rows = tuple(
        msgspec.structs.replace(row, name=f"Player {row.number}", rating=rating(row.number)) for row in table.rows
    )
    return msgspec.structs.replace(table, rows=rows, name=f"Simulation {seed}")


def event(format_: Options, players: int, seed: int, chances: Chances = CERTAIN) -> Simulated:
    """A tournament of any format. Raises Refusal."""
    state, times = played(format_, players, seed, chances)
    stage = state.stage
    matches = sum(len(each.names) for each in stage.rounds)
    places = tuple((place.rank, int(stage.order[place.seed - 1])) for place in state.places_of(0))
    return Simulated(places, times, matches)


def played(
    format_: Options, players: int, seed: int, chances: Chances, rounds: Pace = "ready"
) -> tuple[Tournament, int]:
    """A tournament from its announcement to its last result, and how often all that could be paired was played, each
    match in one round of time. Raises Refusal."""
    luck = Luck(seed)
    lot = int(luck.happens(0.5))
    state, times = _announced(format_, players, rounds), 0
    while not _over(state, times):
        state = _rested(state, luck, chances)
        ids = tuple(f"{times}.{place}" for place in range(players))
        state = _ordered(state, c.PairRound(), c.Chance(ids, lot))
        _check_legal(state)
        for report in _reports(state, luck, chances):
            state = _ordered(state, report)
        times += 1
    return state, times


def _announced(format_: Options, players: int, rounds: Pace) -> Tournament:
    """The tournament with its entries by rating; where partners change, at a table of four."""
    kind = read_format(format_)
    game = stand_in(2 if kind.enters_alone else 1).key
    terms = Terms(tiebreaks=TIEBREAKS if kind.drawn_round_by_round and kind.tiebreaks else (), rounds=rounds)
    state = _ordered(
        Tournament(), c.Announce("Simulation", (c.StagePlan(format=dict(format_), game=game, terms=terms),))
    )
    for number in range(1, players + 1):
        state = _ordered(state, c.Enter(str(number), (f"player {number}",), rating(number)))
    return _ordered(state, c.Seed("rating"))


def _over(state: Tournament, times: int) -> bool:
    if state.at < 0:
        return False
    return state.stage.format.over(state.field(0)) or times >= MOST_ROUNDS


def _rested(state: Tournament, luck: Luck, chances: Chances) -> Tournament:
    """The byes that are asked for before a round that is drawn."""
    stage = state.stages[0]
    if not stage.format.drawn_round_by_round or not chances.byes:
        return state
    for entry in state.entries:
        if luck.happens(chances.byes):
            state = _ordered(state, c.GrantBye(entry, len(stage.rounds) + 1))
    return state


def _check_legal(state: Tournament) -> None:
    """A simulated Swiss stops where a director would have to break a rule. Raises Refusal."""
    stage = state.stage
    if stage.format.breaks(state.field(state.at)):
        number = stage.rounds[-1].number
        raise Refusal("misfit", f"round {number} cannot be paired: play fewer rounds, or enter more players")


def _reports(state: Tournament, luck: Luck, chances: Chances) -> Iterator[c.Report]:
    """The results of the matches that are on."""
    stage = state.stage
    for name in [each for each in stage.pairings if each not in stage.decided]:
        one, other = stage.pairings[name].sides
        forfeited, drawn = luck.happens(chances.forfeits), luck.happens(chances.draws)
        ahead = sum(rating(int(entry)) for entry in one) - sum(rating(int(entry)) for entry in other)
        won = luck.wins(ahead / len(one))
        if forfeited:
            yield c.Report(name, 0 if won else 1, "walkover")
        elif drawn and stage.format.tiebreaks:
            yield c.Report(name)
        else:
            yield c.Report(name, 0 if won else 1)


def _ordered(state: Tournament, command: c.TournamentCommand, chance: c.Chance = NO_CHANCE) -> Tournament:
    news = decide(state, command, SERVICE, chance)
    return fold(state, [(state.version + place, new.event) for place, new in enumerate(news, start=1)])
