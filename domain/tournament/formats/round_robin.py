"""Round robin by the Berger tables (FIDE C.05, annex): everybody meets everybody, and sides are even by construction.

The first-named deals first (has White in the texts of chess).
"""

from typing import ClassVar, Final, Literal

import msgspec

from domain.decider import Refusal
from domain.tournament.bracket import Fixture, SeedSlot
from domain.tournament.crosstable import Crosstable
from domain.tournament.format import Format, StageSoFar
from domain.tournament.places import Place, of_table
from domain.tournament.tabled import table_of

FEWEST: Final = 2
MOST: Final = 512


class RoundRobin(Format, frozen=True, tag="round-robin"):
    """Everybody meets everybody, once or twice."""

    title: ClassVar = "Round robin"
    balances_first_deal: ClassVar = True
    tiebreaks: ClassVar = ("PTS", "DE", "SB", "WON")
    most: ClassVar = 128  # more rounds than anybody plays
    double: bool = False

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The Berger tables; the first-named deals first."""
        if entrants > self.most:
            raise Refusal("entrants", f"a round robin of {entrants} would never end: play groups or a Swiss")
        return tuple(
            Fixture(f"R{each.round}.{place}", each.round, (SeedSlot(first), SeedSlot(second)))
            for each in round_robin(entrants, self.double).rounds
            for place, (first, second) in enumerate(each.pairs, start=1)
        )

    def reason(self, field: StageSoFar, fixture: Fixture) -> str:
        """The table says so."""
        return f"Everybody meets everybody: round {fixture.round} of the Berger table of {field.entrants}."

    def staying(self, field: StageSoFar) -> set[int]:
        """Everybody, to the last round."""
        return set(range(1, field.entrants + 1)) - field.gone

    def rest(self, field: StageSoFar, seed: int) -> str:
        """An odd field has somebody over in each round."""
        return f"{{{seed}}} sits out: of an odd number one does in each round, everybody equally often."

    def crosstable(self, field: StageSoFar) -> Crosstable:
        """Who met whom, the pairings fixed beforehand."""
        rounds = max(each.fixture.round for each in field.found.values())
        return table_of(field, rounds, fixed=True)

    def places(self, field: StageSoFar) -> tuple[Place, ...]:
        """By points, direct encounter, Sonneborn-Berger, wins, unless the stage says otherwise."""
        return of_table(self.crosstable(field), self.ordered_by(field))


FORMAT = RoundRobin


class Round(msgspec.Struct, frozen=True):
    """One round: pairs by number, who deals first named first; the bye of an odd field."""

    round: int
    pairs: tuple[tuple[int, int], ...]
    bye: int | None


class Schedule(msgspec.Struct, frozen=True):
    """All rounds of a round robin."""

    format: Literal["round-robin"]
    entrants: int
    double: bool
    rounds: tuple[Round, ...]


def round_robin(entrants: int, double: bool = False) -> Schedule:
    """The schedule. In a double one the last two rounds of the first cycle change places, so that nobody has the same
    side three times running where the cycles meet. Raises Refusal."""
    check_entrants(entrants)
    cycle = berger(entrants + entrants % 2)
    if double:
        back = [[(second, first) for first, second in pairs] for pairs in cycle]
        cycle = [*cycle[:-2], *cycle[-2:][::-1], *back]
    rounds = (_round(number, pairs, entrants) for number, pairs in enumerate(cycle, start=1))
    return Schedule("round-robin", entrants, double, tuple(rounds))


def check_entrants(entrants: int) -> None:
    """Raises Refusal for a field in which nobody, or too many, would meet."""
    if entrants < FEWEST:
        raise Refusal(
            "entrants", f"a round robin of {entrants} has no match: enter at least two, or declare the winner"
        )
    if entrants > MOST:
        raise Refusal("entrants", f"a round robin takes at most {MOST}, not {entrants}: play groups or a Swiss")


def berger(even: int) -> list[list[tuple[int, int]]]:
    """The table of an even number: the last stays and changes sides, all others move on by half."""
    last, circle = even, even - 1
    rounds = []
    for turn in range(circle):
        shift = turn * (even // 2) - 1
        moved = [((one + shift) % circle + 1, (even + 1 - one + shift) % circle + 1) for one in range(1, even // 2 + 1)]
        meets = moved[0][0]
        rounds.append([(meets, last) if turn % 2 == 0 else (last, meets), *moved[1:]])
    return rounds


def _round(number: int, pairs: list[tuple[int, int]], entrants: int) -> Round:
    here = tuple(pair for pair in pairs if max(pair) <= entrants)
    absent = [min(pair) for pair in pairs if max(pair) > entrants]
    return Round(number, here, absent[0] if absent else None)
