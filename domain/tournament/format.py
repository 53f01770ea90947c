"""What every format answers: the plan of its matches or the draw of its next round, when it is over, who ends where."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import ClassVar, TypeAlias

import msgspec

from domain.decider import Refusal
from domain.tournament.bracket import Fixture
from domain.tournament.crosstable import Crosstable
from domain.tournament.meetings import Meeting
from domain.tournament.places import Place
from domain.tournament.terms import Terms

Own: TypeAlias = Sequence[tuple[int, int]]  # pairs by seed that somebody made; (seed, 0) is the bye


class StageSoFar(msgspec.Struct, frozen=True):
    """What a format looks at, by seed: how many entered, what has become of every match, the byes of each round that
    was paired (kind by seed), who rests from the next one, who has left, and the lot of the stage. `paired` are matches
    that were, `held` those that are not to be paired now. `met` are pairs who have met in stages before; `parted` are
    those who were level on the qualifying line, in the order that a lot or the director put them in."""

    entrants: int
    found: Mapping[str, Meeting]
    byes: tuple[Mapping[int, str], ...] = ()
    away: Mapping[int, str] = {}
    gone: frozenset[int] = frozenset()
    lot: int = 0
    terms: Terms = Terms()
    paired: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    met: tuple[tuple[int, int], ...] = ()
    parted: tuple[int, ...] = ()

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
    tiebreaks: ClassVar[tuple[str, ...]] = ()  # the tie-breaks that its places are put in order by, if any
    late_entry: ClassVar[bool] = False  # whether somebody may enter once it is on
    enters_alone: ClassVar[bool] = False  # whether players enter alone although partners play
    balances_first_deal: ClassVar[bool] = False  # whether its pairings see to it who deals first
    most: ClassVar[int] = 4096  # how many entries it takes
    drawn_round_by_round: ClassVar[bool] = False  # whether a round is drawn only when those before it are known

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The plan for so many, round by round; empty where rounds are drawn. Raises Refusal for a field that it is
        not made for."""
        raise NotImplementedError

    def draw(self, field: StageSoFar) -> Drawn:
        """The next round: of a plan, the earliest part of it that can be played. Raises Refusal."""
        ready = [each for each in field.found.values() if each.status == "ready"]
        if not ready:
            raise Refusal("misfit", "nothing is left to pair")
        first = ready[0].fixture
        now = [each.fixture for each in ready if self.together(each.fixture, first)]
        busy = {seed for each in ready if each.fixture in now for seed in each.seeds}
        byes = dict.fromkeys(sorted(self.staying(field) - busy), "rest")
        why = {each.id: self.reason(field, each) for each in now}
        return Drawn(first.round, tuple(now), byes, why, {seed: self.rest(field, seed) for seed in byes})

    def ready(self, field: StageSoFar) -> tuple[Drawn, ...]:
        """Of a plan all that can be played now, round by round: both sides are known, and none of them is at a table,
        or has an earlier match to play."""
        rounds: list[list[Fixture]] = []
        open_ones = [each for each in field.found.values() if each.status == "ready"]
        busy = {seed for each in open_ones if each.fixture.id in field.paired for seed in each.seeds}
        for each in open_ones:
            if each.fixture.id in field.paired:
                continue
            if busy.isdisjoint(each.seeds) and each.fixture.id not in field.held:
                same = next((own for own in rounds if self.together(each.fixture, own[0])), None)
                if same is None:
                    rounds.append([each.fixture])
                else:
                    same.append(each.fixture)
            busy.update(each.seeds)
        return tuple(self._part(field, own) for own in rounds)

    def _part(self, field: StageSoFar, now: Sequence[Fixture]) -> Drawn:
        """Matches of one round that can be played now, with who sits out in that round."""
        byes = dict.fromkeys(self.resting(field, now[0]), "rest")
        why = {each.id: self.reason(field, each) for each in now}
        return Drawn(now[0].round, tuple(now), byes, why, {seed: self.rest(field, seed) for seed in byes})

    def resting(self, field: StageSoFar, first: Fixture) -> tuple[int, ...]:
        """Who has no match in the round of this one by the plan."""
        here = {seed for each in field.found.values() if self.together(each.fixture, first) for seed in each.seeds}
        return tuple(sorted(self.staying(field) - here))

    def further(self, field: StageSoFar) -> Drawn:
        """Tables for who came late to the last round that was drawn. Raises Refusal."""
        raise Refusal("misfit", f"{self.title}: nothing is added to a round; late entries play in the next one")

    def staying(self, field: StageSoFar) -> set[int]:
        """The seeds that are still in it."""
        going = (each for each in field.found.values() if each.status in ("waiting", "ready"))
        return {seed for each in going for seed in each.sides if seed > 0}

    def together(self, fixture: Fixture, first: Fixture) -> bool:
        """Whether a match is played in one round with the first that can be."""
        return (fixture.id[0], fixture.round) == (first.id[0], first.round)

    def reason(self, field: StageSoFar, fixture: Fixture) -> str:
        """Why these meet, in words that a player understands."""
        raise NotImplementedError

    def rest(self, field: StageSoFar, seed: int) -> str:
        """Why somebody has nobody to play now."""
        return f"{{{seed}}} waits for an opponent."

    def director_pairs(self, field: StageSoFar, pairs: Own, knowingly: bool) -> Drawn:
        """A round that the director made, checked; asked where rounds are drawn. Raises Refusal."""
        raise NotImplementedError

    def over(self, field: StageSoFar) -> bool:
        """Whether nothing is left to play."""
        return not any(each.status in ("waiting", "ready") for each in field.found.values())

    def to_come(self, field: StageSoFar) -> int:
        """How many rounds are still to be drawn; of a plan all matches are known."""
        return 0

    def may_end(self, field: StageSoFar) -> bool:
        """Whether the stage may be ended as it is."""
        return self.over(field)

    def places(self, field: StageSoFar) -> tuple[Place, ...]:
        """Everybody's place so far, or at the end."""
        raise NotImplementedError

    def came(self, field: StageSoFar, seed: int) -> str:
        """How far somebody came, as "lost in round 2"; nothing where points say it."""
        return ""

    def qualifiers(self, field: StageSoFar, go_on: int) -> tuple[int, ...]:
        """Who goes on to the next stage (0: all), by the seeds they will have there."""
        order = self.in_order(field)
        return order[: go_on or len(order)]

    def in_order(self, field: StageSoFar) -> tuple[int, ...]:
        """Who is still there, best first; who is level as a lot or the director said, else by seed."""
        staying = (place for place in self.places(field) if place.seed not in field.gone)
        return tuple(
            place.seed for place in sorted(staying, key=lambda place: (place.rank, place_said(field, place.seed)))
        )

    def tied(self, field: StageSoFar, go_on: int) -> tuple[tuple[int, ...], ...]:
        """Who is level on the qualifying line, each set best first, as long as nobody has parted them."""
        ranks: dict[int, set[int]] = {}
        for place in self.places(field):
            ranks.setdefault(place.rank, set()).add(place.seed)
        order = self.in_order(field)
        cut = cut_by_line(order, go_on, ranks.values(), field.parted)
        return tuple(tuple(seed for seed in order if seed in each) for each in cut)

    def crosstable(self, field: StageSoFar) -> Crosstable | None:
        """The cross table that the places come from; none where they come from how far everybody got."""
        return None

    def sets(self, field: StageSoFar) -> tuple[tuple[int, ...], ...]:
        """The seeds that are ranked among each other: all, unless there are groups."""
        return (tuple(range(1, field.entrants + 1)),)

    def ordered_by(self, field: StageSoFar) -> tuple[str, ...]:
        """The tie-breaks in force: the stage's, else the format's own."""
        return field.terms.tiebreaks or self.tiebreaks


def place_said(field: StageSoFar, seed: int) -> int:
    """The place of a seed among those who were parted; nobody said anything of the others."""
    return field.parted.index(seed) if seed in field.parted else len(field.parted)


def cut_by_line(order: Sequence[int], go_on: int, sets: Iterable[Set[int]], parted: Sequence[int]) -> list[Set[int]]:
    """Those sets of level seeds through which the line goes, but for what was parted whole."""
    inside, outside = set(order[:go_on]), set(order[go_on:])
    if not go_on:
        return []
    return [each for each in sets if each & inside and each & outside and not each & {*order} <= set(parted)]
