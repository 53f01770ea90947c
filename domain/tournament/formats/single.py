"""Single elimination: one defeat and out; third place is played by the losers of the semi-finals, if anybody asks."""

from collections.abc import Mapping
from typing import ClassVar

from domain.tournament.bracket import Bracket, Fixture, knock_out, pair_up, seed_order, size_for
from domain.tournament.format import Format
from domain.tournament.meetings import Meeting
from domain.tournament.places import Place, of_elimination


class SingleElimination(Format, frozen=True, tag="single"):
    """One defeat and out."""

    title: ClassVar = "Single elimination"
    third_place: bool = False

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The bracket by seed; byes go to the best."""
        return single(entrants, self.third_place).fixtures

    def places(self, entrants: int, found: Mapping[str, Meeting]) -> tuple[Place, ...]:
        """By how far everybody came."""
        return of_elimination(entrants, found)


FORMAT = SingleElimination


def single(entrants: int, third_place: bool = False) -> Bracket:
    """The bracket; its final is the last W match. Among three there is one semi-final and nobody to play for third
    place. Raises Refusal for a field without a match."""
    fixtures: list[Fixture] = []
    _, dropped = knock_out(entrants, fixtures)
    if third_place and len(dropped) > 1:
        one, other = dropped[-2]
        pair_up("C", 1, [one], [other], fixtures)
    size = size_for(entrants)
    return Bracket("single", entrants, size, seed_order(size), tuple(fixtures))
