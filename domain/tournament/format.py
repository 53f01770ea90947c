"""The protocol of a format: the plan of its matches or the draw of its next round, its end, its places, its words."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import ClassVar, Final, TypeAlias

import msgspec

from domain.log.decider import Refusal
from domain.log.message import Catalogue, Explanation, Message
from domain.pairing.crosstable import Crosstable
from domain.tournament.events import ByeKind
from domain.tournament.fixtures import Fixture
from domain.tournament.meetings import Meeting
from domain.tournament.places import RankedSeed
from domain.tournament.points import Terms

Options: TypeAlias = Mapping[str, str | int | bool]
SeedPairs: TypeAlias = Sequence[tuple[int, int]]  # pairs by seed that somebody made; (seed, 0) is the bye
COMMON: Final = Catalogue({"format.waits": "{player} waits for an opponent."})


class StageSoFar(msgspec.Struct, frozen=True):
    """A stage as its format looks at it, by seed: how many entered, what has become of every match, the byes of each
    round that was paired (kind by seed), who rests from the next one, who has left, and the lot of the stage. `paired`
    are matches that were, `held` those that are not to be paired now. `met` are pairs who have met in stages before;
    `parted` are those who were level on the qualifying line, in the order that a lot or the director put them in."""

    entrants: int
    found: Mapping[str, Meeting]
    byes: tuple[Mapping[int, str], ...] = ()
    away: Mapping[int, ByeKind] = {}
    gone: frozenset[int] = frozenset()
    lot: int = 0
    terms: Terms = Terms()
    paired: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    met: tuple[tuple[int, int], ...] = ()
    parted: tuple[int, ...] = ()

    @property
    def rounds(self) -> int:
        """The number of rounds that have been paired."""
        return len(self.byes)


class DrawnRound(msgspec.Struct, frozen=True):
    """A round that can be played: its number in the plan, its matches, byes by seed, and the explanation of each, by
    match or by seed, in which people are seeds."""

    round: int
    fixtures: tuple[Fixture, ...]
    byes: Mapping[int, ByeKind] = {}
    why: Mapping[str, Explanation] = {}
    why_bye: Mapping[int, Explanation] = {}


class Template(msgspec.Struct, frozen=True):
    """A ready-made plan that a director can choose: its word in a form, its title, one sentence for players, and the
    format of each stage with what differs from the usual. Those of a smaller `place` are offered first."""

    key: str
    title: str
    sentence: str
    stages: tuple[Options, ...]
    place: int = 100


class Format(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A way to find a winner, with its own options as members. A further one is a module in `formats/`: pages, files
    and the terminal know a format by what it says here, never by its word. The form of a new tournament asks for the
    options that have a title in their `Meta`."""

    title: ClassVar[str]
    sentence: ClassVar[str] = ""  # how it is played, for players
    templates: ClassVar[tuple[Template, ...]] = ()  # its ready-made plans; without any, it is offered as it is
    bracket: ClassVar[bool] = False  # whether it is shown as a picture of matches that lead to each other
    report_system: ClassVar[str] = ""  # its pairing system in a report file; nothing where such a file cannot hold it
    moves_club_ladder: ClassVar[bool] = False  # whether its places are those of the club's ladder afterwards
    english: ClassVar[Catalogue] = COMMON  # the words of its explanations
    tiebreaks: ClassVar[tuple[str, ...]] = ()  # the tie-breaks that its places are put in order by, if any
    late_entry: ClassVar[bool] = False  # whether somebody may enter once it is on
    enters_alone: ClassVar[bool] = False  # whether players enter alone although partners play
    balances_first_deal: ClassVar[bool] = False  # whether its pairings see to it who deals first
    most: ClassVar[int] = 4096  # how many entries it takes
    drawn_round_by_round: ClassVar[bool] = False  # whether a round is drawn only when those before it are known

    @classmethod
    def usual_options(cls, entrants: int) -> Options:
        """The options that so many would play with, where the usual ones do not suit every number."""
        return {}

    def usual_going_on(self) -> int:
        """The number of those who go on to the next stage where nobody says it (0: all)."""
        return 0

    def endless(self) -> bool:
        """True where it goes on until the director ends it."""
        return False

    def too_few(self, entrants: int) -> str:
        """A sentence on what is wrong with so many who come from the stage before; nothing where they are enough."""
        return ""

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The plan for so many, round by round; empty where rounds are drawn. Raises Refusal for a field that it is
        not made for."""
        raise NotImplementedError

    def draw(self, field: StageSoFar) -> DrawnRound:
        """The next round: of a plan, the earliest part of it that can be played. Raises Refusal."""
        ready = [each for each in field.found.values() if each.status == "ready"]
        if not ready:
            raise Refusal("misfit", "nothing is left to pair")
        first = ready[0].fixture
        now = [each.fixture for each in ready if self.together(each.fixture, first)]
        busy = {seed for each in ready if each.fixture in now for seed in each.seeds}
        byes: dict[int, ByeKind] = dict.fromkeys(sorted(self.staying(field) - busy), "rest")
        why = {each.id: self.reason(field, each) for each in now}
        return DrawnRound(first.round, tuple(now), byes, why, {seed: self.rest(field, seed) for seed in byes})

    def ready(self, field: StageSoFar) -> tuple[DrawnRound, ...]:
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

    def _part(self, field: StageSoFar, now: Sequence[Fixture]) -> DrawnRound:
        """Matches of one round that can be played now, with who sits out in that round."""
        byes: dict[int, ByeKind] = dict.fromkeys(self.resting(field, now[0]), "rest")
        why = {each.id: self.reason(field, each) for each in now}
        return DrawnRound(now[0].round, tuple(now), byes, why, {seed: self.rest(field, seed) for seed in byes})

    def resting(self, field: StageSoFar, first: Fixture) -> tuple[int, ...]:
        """The seeds without a match in the round of this one by the plan."""
        here = {seed for each in field.found.values() if self.together(each.fixture, first) for seed in each.seeds}
        return tuple(sorted(self.staying(field) - here))

    def further(self, field: StageSoFar) -> DrawnRound:
        """Tables for who came late to the last round that was drawn. Raises Refusal."""
        raise Refusal("misfit", f"{self.title}: nothing is added to a round; late entries play in the next one")

    def staying(self, field: StageSoFar) -> set[int]:
        """The seeds that are still in it."""
        going = (each for each in field.found.values() if each.status in ("waiting", "ready"))
        return {seed for each in going for seed in each.sides if seed > 0}

    def together(self, fixture: Fixture, first: Fixture) -> bool:
        """True for a match that is played in one round with the first that can be."""
        return (fixture.part, fixture.round) == (first.part, first.round)

    def reason(self, field: StageSoFar, fixture: Fixture) -> Explanation:
        """The explanation of a match, people by seed."""
        raise NotImplementedError

    def rest(self, field: StageSoFar, seed: int) -> Explanation:
        """The explanation for a seed that has nobody to play now."""
        return (Message("format.waits", people={"player": seed}),)

    def director_pairs(self, field: StageSoFar, pairs: SeedPairs, knowingly: bool) -> DrawnRound:
        """A round that the director made, checked; asked where rounds are drawn. Raises Refusal."""
        raise NotImplementedError

    def over(self, field: StageSoFar) -> bool:
        """True once nothing is left to play."""
        return not any(each.status in ("waiting", "ready") for each in field.found.values())

    def to_come(self, field: StageSoFar) -> int:
        """The number of rounds that are still to be drawn; of a plan all matches are known."""
        return 0

    def may_end(self, field: StageSoFar) -> bool:
        """True where the stage may be ended as it is."""
        return self.over(field)

    def places(self, field: StageSoFar) -> tuple[RankedSeed, ...]:
        """Everybody's place so far, or at the end."""
        raise NotImplementedError

    def came(self, field: StageSoFar, seed: int) -> str:
        """The end that a seed came to, as "lost in round 2"; nothing where points say it."""
        return ""

    def qualifiers(self, field: StageSoFar, go_on: int) -> tuple[int, ...]:
        """The qualifiers for the next stage (0: all), by the seeds they will have there."""
        order = self.in_order(field)
        return order[: go_on or len(order)]

    def in_order(self, field: StageSoFar) -> tuple[int, ...]:
        """The seeds that are still there, best first; who is level as a lot or the director said, else by seed."""
        staying = (place for place in self.places(field) if place.seed not in field.gone)
        return tuple(
            place.seed
            for place in sorted(staying, key=lambda place: (place.rank, place_when_parted(field, place.seed)))
        )

    def tied(self, field: StageSoFar, go_on: int) -> tuple[tuple[int, ...], ...]:
        """The seeds that are level on the qualifying line, each set best first, as long as nobody has parted them."""
        ranks: dict[int, set[int]] = {}
        for place in self.places(field):
            ranks.setdefault(place.rank, set()).add(place.seed)
        order = self.in_order(field)
        cut = cut_by_line(order, go_on, ranks.values(), field.parted)
        return tuple(tuple(seed for seed in order if seed in each) for each in cut)

    def crosstable(self, field: StageSoFar) -> Crosstable | None:
        """The cross table that the places come from; none where they come from how far everybody got."""
        return None

    def reported(self, table: Crosstable, field: StageSoFar) -> Crosstable:
        """The cross table as a report file holds it."""
        return table

    def system_reported(self) -> str:
        """The pairing system with its variants, as a report file names it."""
        return self.report_system

    def breaks(self, field: StageSoFar) -> bool:
        """True where the round that was paired last breaks a rule that the director alone may set aside."""
        return False

    def group_places(self, field: StageSoFar) -> Mapping[int, tuple[str, int]]:
        """The letter of the group, and the rank in it, by seed; nothing where there are no groups."""
        return {}

    def sets(self, field: StageSoFar) -> tuple[tuple[int, ...], ...]:
        """The seeds that are ranked among each other: all, unless there are groups."""
        return (tuple(range(1, field.entrants + 1)),)

    def ordered_by(self, field: StageSoFar) -> tuple[str, ...]:
        """The tie-breaks in force: the stage's, else the format's own."""
        return field.terms.tiebreaks or self.tiebreaks


def place_when_parted(field: StageSoFar, seed: int) -> int:
    """The place of a seed among those who were parted; nobody said anything of the others."""
    return field.parted.index(seed) if seed in field.parted else len(field.parted)


def cut_by_line(order: Sequence[int], go_on: int, sets: Iterable[Set[int]], parted: Sequence[int]) -> list[Set[int]]:
    """Those sets of level seeds through which the line goes, but for what was parted whole."""
    inside, outside = set(order[:go_on]), set(order[go_on:])
    if not go_on:
        return []
    return [each for each in sets if each & inside and each & outside and not each & {*order} <= set(parted)]
