"""Single elimination: one defeat and out; third place is played by the losers of the semi-finals, if anybody asks."""

from domain.tournament.bracket import Bracket, Fixture, knock_out, pair_up, seed_order, size_for


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
