"""Single elimination: one defeat and out; third place is played by the losers of the semi-finals, if anybody asks."""

from typing import ClassVar

from domain.tournament.fixtures import Bracket, Fixture, knock_out, pair_up, seed_order, size_for
from domain.tournament.format import Template
from domain.tournament.formats.elimination import Elimination


class SingleElimination(Elimination, frozen=True, tag="single"):
    """One defeat and out."""

    title: ClassVar = "Single elimination"
    sentence: ClassVar = "One defeat and you are out."
    templates: ClassVar = (
        Template(
            "single",
            "Knock-out",
            "One defeat and you are out. Third place is played.",
            ({"kind": "single", "third_place": True},),
            place=1,
        ),
    )
    third_place: bool = False

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The bracket by seed; byes go to the best."""
        return single(entrants, self.third_place).fixtures

    def together(self, fixture: Fixture, first: Fixture) -> bool:
        """Third place is played beside the final."""
        return super().together(fixture, first) or fixture.part == "third"


FORMAT = SingleElimination


def single(entrants: int, third_place: bool = False) -> Bracket:
    """The bracket; its final is the last W match. Among three there is one semi-final and nobody to play for third
    place. Raises Refusal for a field without a match."""
    fixtures: list[Fixture] = []
    _, dropped = knock_out(entrants, fixtures)
    if third_place and len(dropped) > 1:
        one, other = dropped[-2]
        pair_up("third", 1, [one], [other], fixtures)
    size = size_for(entrants)
    return Bracket("single", entrants, size, seed_order(size), tuple(fixtures))
