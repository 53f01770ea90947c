"""What every format answers: the plan of its matches or the draw of its next round, when it is over, who ends where."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias

import msgspec

from domain.decider import Refusal
from domain.tournament.bracket import Fixture
from domain.tournament.crosstable import Crosstable
from domain.tournament.meetings import Meeting
from domain.tournament.places import Place
from domain.tournament.terms import Terms

Own: TypeAlias = Sequence[tuple[int, int]]  # pairs by seed that somebody made; (seed, 0) is the bye


class Field(msgspec.Struct, frozen=True):
    """What a format looks at, by seed: how many entered, what has become of every match, the byes of each round that
    was paired (kind by seed), who rests from the next one, who has left, and the lot of the stage."""

    entrants: int
    found: Mapping[str, Meeting]
    byes: tuple[Mapping[int, str], ...] = ()
    away: Mapping[int, str] = {}
    gone: frozenset[int] = frozenset()
    lot: int = 0
    terms: Terms = Terms()

    @property
    def rounds(self) -> int:
        """How many rounds have been paired."""
        return len(self.byes)


class Drawn(msgspec.Struct, frozen=True):
    """A round that can be played: its number in the plan, its matches, byes by seed, and why, by match or by seed, in
    words that name a seed like {1}."""

    round: int
    fixtures: tuple[Fixture, ...]
    byes: Mapping[int, str] = {}
    why: Mapping[str, str] = {}
    why_bye: Mapping[int, str] = {}


class Format(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A way to find a winner, with its own options as members. A further one is a module in `formats/`."""

    title: ClassVar[str]
    columns: ClassVar[tuple[str, ...]] = ()  # the tie-breaks that its places are put in order by, if any
    late: ClassVar[bool] = False  # whether somebody may enter once it is on
    alone: ClassVar[bool] = False  # whether players enter alone although partners play
    level: ClassVar[bool] = False  # whether its pairings see to it who deals first
    most: ClassVar[int] = 4096  # how many entries it takes
    drawn: ClassVar[bool] = False  # whether a round is drawn only when those before it are known

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The plan for so many, round by round; empty where rounds are drawn. Raises Refusal for a field that it is
        not made for."""
        raise NotImplementedError

    def draw(self, field: Field) -> Drawn:
        """The next round: of a plan, the earliest part of it that can be played. Raises Refusal."""
        ready = [each for each in field.found.values() if each.status == "ready"]
        if not ready:
            raise Refusal("misfit", "there is nothing to pair")
        first = ready[0].fixture
        now = [each.fixture for each in ready if self.together(each.fixture, first)]
        busy = {seed for each in ready if each.fixture in now for seed in each.seeds}
        byes = dict.fromkeys(sorted(self.staying(field) - busy), "rest")
        why = {each.id: self.reason(field, each) for each in now}
        return Drawn(first.round, tuple(now), byes, why, {seed: self.rest(field, seed) for seed in byes})

    def staying(self, field: Field) -> set[int]:
        """The seeds that are still in it."""
        going = (each for each in field.found.values() if each.status in ("waiting", "ready"))
        return {seed for each in going for seed in each.sides if seed > 0}

    def together(self, fixture: Fixture, first: Fixture) -> bool:
        """Whether a match is played in one round with the first that can be."""
        return (fixture.id[0], fixture.round) == (first.id[0], first.round)

    def reason(self, field: Field, fixture: Fixture) -> str:
        """Why these meet, in words that a player understands."""
        raise NotImplementedError

    def rest(self, field: Field, seed: int) -> str:
        """Why somebody has nobody to play now."""
        return f"{{{seed}}} waits for an opponent."

    def own(self, field: Field, pairs: Own, knowingly: bool) -> Drawn:
        """A round that the director made, checked; asked where rounds are drawn. Raises Refusal."""
        raise NotImplementedError

    def over(self, field: Field) -> bool:
        """Whether nothing is left to play."""
        return not any(each.status in ("waiting", "ready") for each in field.found.values())

    def may_end(self, field: Field) -> bool:
        """Whether the stage may be ended as it is."""
        return self.over(field)

    def places(self, field: Field) -> tuple[Place, ...]:
        """Everybody's place so far, or at the end."""
        raise NotImplementedError

    def came(self, field: Field, seed: int) -> str:
        """How far somebody came, as "lost in round 2"; nothing where points say it."""
        return ""

    def onward(self, field: Field, go_on: int) -> tuple[int, ...]:
        """Who goes on to the next stage (0: all), by the seeds they will have there."""
        staying = [place.seed for place in self.places(field) if place.seed not in field.gone]
        return tuple(staying[: go_on or len(staying)])

    def crosstable(self, field: Field) -> Crosstable | None:
        """The cross table that the places come from; none where they come from how far everybody got."""
        return None

    def sets(self, field: Field) -> tuple[tuple[int, ...], ...]:
        """The seeds that are ranked among each other: all, unless there are groups."""
        return (tuple(range(1, field.entrants + 1)),)

    def ordered_by(self, field: Field) -> tuple[str, ...]:
        """The tie-breaks in force: the stage's, else the format's own."""
        return field.terms.tiebreaks or self.columns
