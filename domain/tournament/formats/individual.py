"""An evening at tables of four on which partners change: everybody enters alone and takes along what the side wins."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Annotated, ClassVar

import msgspec

from domain.tournament.bracket import Fixture, PartnersSlot
from domain.tournament.crosstable import Crosstable
from domain.tournament.format import Format, StageSoFar
from domain.tournament.movements.evening import Movement
from domain.tournament.movements.individual import MOST, check_evening, individual
from domain.tournament.naming import listed
from domain.tournament.places import Place, of_table
from domain.tournament.tabled import table_of


class Individual(Format, frozen=True, tag="individual"):
    """Everybody with everybody, as level as can be. `rounds` 0: a whole movement."""

    title: ClassVar = "Individual movement"
    tiebreaks: ClassVar = ("PTS", "GD", "WON")
    enters_alone: ClassVar = True
    most: ClassVar = MOST
    rounds: Annotated[int, msgspec.Meta(ge=0, le=400)] = 0

    def movement(self, entrants: int) -> Movement:
        """Who sits where; its balance is stated in it."""
        check_evening(entrants, self.rounds or None)
        return _movement(entrants, self.rounds or None)

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The tables of each round."""
        return tuple(
            Fixture(f"R{each.round}.{table}", each.round, (PartnersSlot(one), PartnersSlot(other)))
            for each in self.movement(entrants).rounds
            for table, (one, other) in enumerate(each.tables, start=1)
        )

    def reason(self, field: StageSoFar, fixture: Fixture) -> str:
        """Who of the table has been whose partner or opponent; of the movement tells the first table of a round."""
        movement = self.movement(field.entrants)
        one, other = (slot.seeds for slot in fixture.slots if isinstance(slot, PartnersSlot))
        before = list(_before(movement, fixture.round, (*one, *other)))
        told = before or ["Nobody at this table has met anybody here before."]
        return " ".join([*_of_round(movement, fixture), *told])

    def staying(self, field: StageSoFar) -> set[int]:
        """Everybody, to the last round."""
        return set(range(1, field.entrants + 1)) - field.gone

    def rest(self, field: StageSoFar, seed: int) -> str:
        """Sit-outs are shared."""
        return f"{{{seed}}} sits out: {field.entrants} players do not fill tables of four, and all do equally often."

    def crosstable(self, field: StageSoFar) -> Crosstable:
        """Everybody's rounds, each with the points of the side."""
        return table_of(field, max(each.fixture.round for each in field.found.values()), fixed=True)

    def places(self, field: StageSoFar) -> tuple[Place, ...]:
        """By points, then by deal points."""
        return of_table(self.crosstable(field), self.ordered_by(field))


FORMAT = Individual


def _of_round(movement: Movement, fixture: Fixture) -> Iterator[str]:
    if fixture.id.endswith(".1"):
        level = "everybody partners everybody once" if movement.perfect else "partners change as evenly as can be"
        yield f"Round {fixture.round} of the movement of {movement.players}: {level}."


def _before(movement: Movement, round_: int, seats: tuple[int, ...]) -> Iterator[str]:
    """What two of a table were to each other in the rounds before."""
    for one, other in combinations(seats, 2):
        for word, rounds in zip(("partners", "opponents"), _rounds_of(movement, round_, one, other), strict=True):
            if rounds:
                when = f"round{'s' if len(rounds) > 1 else ''} {listed([str(each) for each in rounds])}"
                yield f"{{{one}}} and {{{other}}} were {word} in {when}."


def _rounds_of(movement: Movement, round_: int, one: int, other: int) -> tuple[list[int], list[int]]:
    """The rounds in which two were partners, and opponents."""
    partners, opponents = [], []
    for each in movement.rounds[: round_ - 1]:
        for sides in each.tables:
            if any(one in side and other in side for side in sides):
                partners.append(each.round)
            elif all(one in side or other in side for side in sides):
                opponents.append(each.round)
    return partners, opponents


@lru_cache(64)
def _movement(entrants: int, rounds: int | None) -> Movement:
    """A movement that has to be searched for is searched for once."""
    return individual(entrants, rounds)
