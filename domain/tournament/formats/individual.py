"""An evening at tables of four on which partners change: everybody enters alone and takes along what the side wins."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Annotated, ClassVar, Final

import msgspec

from domain.log.message import Catalogue, Explanation, Message
from domain.pairing.crosstable import Crosstable
from domain.pairing.movements.evening import Movement
from domain.pairing.movements.individual import MOST, check_evening, individual
from domain.tournament.crosstable_of import table_of
from domain.tournament.fixtures import Fixture, PartnersSlot, fixture_in
from domain.tournament.format import COMMON, Format, StageSoFar, Template
from domain.tournament.places import RankedSeed, of_table

ENGLISH: Final = COMMON | Catalogue(
    {
        "movement.perfect": "Round {round} of the movement of {players}: everybody partners everybody once.",
        "movement.even": "Round {round} of the movement of {players}: partners change as evenly as can be.",
        "movement.strangers": "Nobody at this table has met anybody here before.",
        "movement.partners": "{pair} were partners in round{rounds:|s} {rounds}.",
        "movement.opponents": "{pair} were opponents in round{rounds:|s} {rounds}.",
        "movement.sits-out": (
            "{player} sits out: {entries} players do not fill tables of four, and all do equally often."
        ),
    }
)


class Individual(Format, frozen=True, tag="individual"):
    """Everybody with everybody, as level as can be. `rounds` 0: a whole movement."""

    title: ClassVar = "Individual movement"
    sentence: ClassVar = "Four at a table. You enter alone and change partners every round."
    templates: ClassVar = (Template("individual", "Partners change", sentence, ({"kind": "individual"},), place=7),)
    english: ClassVar = ENGLISH
    tiebreaks: ClassVar = ("PTS", "GD", "WON")
    enters_alone: ClassVar = True
    most: ClassVar = MOST
    rounds: Annotated[int, msgspec.Meta(ge=0, le=400, title="Rounds")] = 0

    def movement(self, entrants: int) -> Movement:
        """The seats of all rounds, with their balance."""
        check_evening(entrants, self.rounds or None)
        return _movement(entrants, self.rounds or None)

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The tables of each round."""
        return tuple(
            fixture_in("round", each.round, table, (PartnersSlot(one), PartnersSlot(other)))
            for each in self.movement(entrants).rounds
            for table, (one, other) in enumerate(each.tables, start=1)
        )

    def reason(self, field: StageSoFar, fixture: Fixture) -> Explanation:
        """Partners and opponents at this table in rounds before; the first table of a round explains the movement."""
        movement = self.movement(field.entrants)
        one, other = (slot.seeds for slot in fixture.slots if isinstance(slot, PartnersSlot))
        before = list(_before(movement, fixture.round, (*one, *other)))
        return (*_of_round(movement, fixture), *(before or [Message("movement.strangers")]))

    def staying(self, field: StageSoFar) -> set[int]:
        """Everybody, to the last round."""
        return set(range(1, field.entrants + 1)) - field.gone

    def rest(self, field: StageSoFar, seed: int) -> Explanation:
        """Sit-outs are shared."""
        return (Message("movement.sits-out", {"entries": field.entrants}, {"player": seed}),)

    def crosstable(self, field: StageSoFar) -> Crosstable:
        """Everybody's rounds, each with the points of the side."""
        return table_of(field, max(each.fixture.round for each in field.found.values()), fixed=True)

    def places(self, field: StageSoFar) -> tuple[RankedSeed, ...]:
        """By points, then by deal points."""
        return of_table(self.crosstable(field), self.ordered_by(field))


FORMAT = Individual


def _of_round(movement: Movement, fixture: Fixture) -> Iterator[Message]:
    if fixture.number == 1:
        kind = "movement.perfect" if movement.perfect else "movement.even"
        yield Message(kind, {"round": fixture.round, "players": movement.players})


def _before(movement: Movement, round_: int, seats: tuple[int, ...]) -> Iterator[Message]:
    """The rounds before in which two of a table were partners, or opponents."""
    for pair in combinations(seats, 2):
        for word, rounds in zip(("partners", "opponents"), _rounds_of(movement, round_, *pair), strict=True):
            if rounds:
                yield Message(f"movement.{word}", {"rounds": tuple(rounds)}, {"pair": pair})


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
