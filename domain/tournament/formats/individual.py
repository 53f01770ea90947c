"""An evening at tables of four on which partners change: everybody enters alone and takes along what the side wins."""

from functools import lru_cache
from typing import Annotated, ClassVar

import msgspec

from domain.tournament.bracket import Fixture, PartnersSlot
from domain.tournament.crosstable import Crosstable
from domain.tournament.format import Field, Format
from domain.tournament.movements.evening import Movement
from domain.tournament.movements.individual import MOST, check_evening, individual
from domain.tournament.places import Place, of_table
from domain.tournament.tabled import table_of


class Individual(Format, frozen=True, tag="individual"):
    """Everybody with everybody, as level as can be. `rounds` 0: a whole movement."""

    title: ClassVar = "Individual movement"
    columns: ClassVar = ("PTS", "GD", "WON")
    alone: ClassVar = True
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

    def reason(self, field: Field, fixture: Fixture) -> str:
        """The movement says so, and how level it is."""
        balance = self.movement(field.entrants)
        level = "everybody partners everybody once" if balance.perfect else "partners change as evenly as can be"
        return f"Round {fixture.round} of the movement of {field.entrants}: {level}."

    def staying(self, field: Field) -> set[int]:
        """Everybody, to the last round."""
        return set(range(1, field.entrants + 1)) - field.gone

    def rest(self, field: Field, seed: int) -> str:
        """Sit-outs are shared."""
        return f"{{{seed}}} sits out: {field.entrants} players do not fill tables of four, and all do equally often."

    def crosstable(self, field: Field) -> Crosstable:
        """Everybody's rounds, each with the points of the side."""
        return table_of(field, max(each.fixture.round for each in field.found.values()), fixed=True)

    def places(self, field: Field) -> tuple[Place, ...]:
        """By points, then by deal points."""
        return of_table(self.crosstable(field), self.ordered_by(field))


FORMAT = Individual


@lru_cache(64)
def _movement(entrants: int, rounds: int | None) -> Movement:
    """A movement that has to be searched for is searched for once."""
    return individual(entrants, rounds)
