"""Round robin by the Berger tables (FIDE C.05, annex): everybody meets everybody, and sides are even by construction.

The first-named deals first (has White in the texts of chess).
"""

from typing import ClassVar, Final, Literal

import msgspec

from domain.log.decider import Refusal
from domain.log.message import Catalogue, Explanation, Message
from domain.pairing.crosstable import Crosstable
from domain.tournament.crosstable_of import table_of
from domain.tournament.fixtures import Fixture, SeedSlot, fixture_in
from domain.tournament.format import COMMON, Format, StageSoFar, Template
from domain.tournament.places import RankedSeed, of_table

FEWEST: Final = 2
MOST: Final = 512
ENGLISH: Final = COMMON | Catalogue(
    {
        "round-robin.meet": "Everybody meets everybody: round {round} of the Berger table of {entries}.",
        "round-robin.sits-out": "{player} sits out: of an odd number one does in each round, everybody equally often.",
    }
)


class RoundRobin(Format, frozen=True, tag="round-robin"):
    """Everybody meets everybody, once or twice."""

    title: ClassVar = "Round robin"
    english: ClassVar = ENGLISH
    balances_first_deal: ClassVar = True
    sentence: ClassVar = "You meet everybody once. Best for up to eight."
    templates: ClassVar = (
        Template("round-robin", "Everybody against everybody", sentence, ({"kind": "round-robin"},), place=2),
    )
    report_system: ClassVar = "FIDE_ROUNDROBIN"
    tiebreaks: ClassVar = ("PTS", "DE", "SB", "WON")
    most: ClassVar = 128  # more rounds than anybody plays
    double: bool = False

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The Berger tables; the first-named deals first."""
        if entrants > self.most:
            raise Refusal("entrants", f"a round robin of {entrants} would never end: play groups or a Swiss")
        return tuple(
            fixture_in("round", each.round, place, (SeedSlot(first), SeedSlot(second)))
            for each in round_robin(entrants, self.double).rounds
            for place, (first, second) in enumerate(each.pairs, start=1)
        )

    def reason(self, field: StageSoFar, fixture: Fixture) -> Explanation:
        """The table says so."""
        return (Message("round-robin.meet", {"round": fixture.round, "entries": field.entrants}),)

    def staying(self, field: StageSoFar) -> set[int]:
        """Everybody, to the last round."""
        return set(range(1, field.entrants + 1)) - field.gone

    def rest(self, field: StageSoFar, seed: int) -> Explanation:
        """An odd field has somebody over in each round."""
        return (Message("round-robin.sits-out", people={"player": seed}),)

    def crosstable(self, field: StageSoFar) -> Crosstable:
        """The results of everybody against everybody, the pairings fixed beforehand."""
        rounds = max(each.fixture.round for each in field.found.values())
        return table_of(field, rounds, fixed=True)

    def places(self, field: StageSoFar) -> tuple[RankedSeed, ...]:
        """By points, direct encounter, Sonneborn-Berger, wins, unless the stage says otherwise."""
        return of_table(self.crosstable(field), self.ordered_by(field))


FORMAT = RoundRobin


class RobinRound(msgspec.Struct, frozen=True):
    """One round: pairs by number, who deals first named first; the bye of an odd field."""

    round: int
    pairs: tuple[tuple[int, int], ...]
    bye: int | None


class Schedule(msgspec.Struct, frozen=True):
    """All rounds of a round robin."""

    format: Literal["round-robin"]
    entrants: int
    double: bool
    rounds: tuple[RobinRound, ...]


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


def _round(number: int, pairs: list[tuple[int, int]], entrants: int) -> RobinRound:
    here = tuple(pair for pair in pairs if max(pair) <= entrants)
    absent = [min(pair) for pair in pairs if max(pair) > entrants]
    return RobinRound(number, here, absent[0] if absent else None)
