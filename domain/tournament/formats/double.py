"""Double elimination: two defeats and out, and whoever has met meets again as late as any bracket can do it.

The losers bracket takes the losers of round r of the winners bracket moved by a fraction of it: 0, 1/2, 1/4, 3/4, 1/8 …
(r - 1 with its binary digits mirrored), added without carrying, so that blocks stay whole. Two losers may have met only
where their parts of the winners bracket overlap. The part of the losers bracket below a match draws from one block of
each round; these blocks are apart as long as the fractions differ in the digits that the size of a block leaves: b
digits keep 2^b rounds apart. That is the bound: j + 1 rounds, a share f of each, (j + 1) f <= 1.
"""

from typing import ClassVar

from domain.tournament.fixtures import (
    Bracket,
    BracketLine,
    Fixture,
    LoserOf,
    Slot,
    WinnerOf,
    WonBy,
    fixture_in,
    knock_out,
    pair_up,
    seed_order,
    size_for,
)
from domain.tournament.format import Template
from domain.tournament.formats.elimination import Elimination


class DoubleElimination(Elimination, frozen=True, tag="double"):
    """Two defeats and out."""

    title: ClassVar = "Double elimination"
    sentence: ClassVar = "Two defeats and you are out."
    templates: ClassVar = (Template("double", title, sentence, ({"kind": "double"},), place=6),)
    reset: bool = True

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """Both brackets and the final, which is played again if its winner has lost before."""
        return double(entrants, self.reset).fixtures


FORMAT = DoubleElimination


def double(entrants: int, reset: bool = True) -> Bracket:
    """The bracket; with `reset` a second final, should the first give its loser the first defeat. Raises Refusal."""
    fixtures: list[Fixture] = []
    through, dropped = knock_out(entrants, fixtures)
    back = _losers(dropped, fixtures)
    final = fixture_in("final", 1, 1, (through, back))
    fixtures.append(final)
    if reset:
        again = (WinnerOf(final.id), LoserOf(final.id))
        fixtures.append(fixture_in("final", 2, 1, again, only_if=WonBy(final.id, 1)))
    size = size_for(entrants)
    return Bracket("double", entrants, size, seed_order(size), tuple(fixtures))


def _losers(dropped: list[list[Slot | None]], fixtures: list[Fixture]) -> Slot:
    """The losers bracket: who comes through. Rounds in which everybody has a bye keep their number."""
    line = dropped[0]
    for round_, fresh in enumerate(dropped[1:], start=2):
        line, _ = pair_up("losers", 2 * round_ - 3, line[::2], line[1::2], fixtures)
        line, _ = pair_up("losers", 2 * round_ - 2, moved(fresh, round_ - 1), line, fixtures)
    (through,) = line
    assert through is not None
    return through


def moved(line: BracketLine, step: int) -> list[Slot | None]:
    """The line with its halves, quarters, eighths … exchanged where the 1st, 2nd, 3rd … binary digit of `step` is 1."""
    width, by = len(line), 0
    while step and width > 1:
        width //= 2
        by += width * (step & 1)
        step >>= 1
    return [line[place ^ by] for place in range(len(line))]
