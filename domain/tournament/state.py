"""The state of a tournament, folded from its events."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from domain.log.actor import Strength
from domain.tournament import events as e
from domain.tournament.fixtures import Fixture, PartnersSlot, PlanPart, SeedSlot, Slot
from domain.tournament.format import Format, StageSoFar
from domain.tournament.meetings import NOBODY, WAITING, Decided, Meeting, meetings
from domain.tournament.places import RankedSeed
from domain.tournament.plan import Plan, StageSetup


class Entry(msgspec.Struct, frozen=True):
    """An entry: one player, or partners. `before` are those for whom others play now; `paid` in hundredths;
    `version` is that of the event which entered them."""

    id: str
    players: tuple[str, ...]
    rating: int | None = None
    withdrawn: e.Leaving | None = None
    table: int | None = None
    here: bool = False
    paid: int = 0
    before: tuple[tuple[str, ...], ...] = ()


class Round(msgspec.Struct, frozen=True):
    """A round as it was paired: its number in the plan, the names of its matches, byes by entry, what was assumed of
    matches that were still open; its clock, the version that set it, and whether its results are locked. `part` is that
    of its matches in the plan: a bracket has a round 1 of winners and one of losers."""

    number: int
    names: tuple[str, ...]
    byes: tuple[e.Bye, ...] = ()
    pending: tuple[str, ...] = ()
    own: bool = False
    minutes: int | None = None
    clock: int = 0
    locked: bool = False
    part: PlanPart = "round"


class Claim(msgspec.Struct, frozen=True):
    """The word of a side on the result of its match: at which version, of whom (None: whoever keeps the score), and how
    strong."""

    winner: int | None
    score: tuple[int, int] | None
    games: tuple[tuple[int, int], ...] | None = None
    version: int = 0
    person: str | None = None
    strength: Strength | None = None

    def same(self, other: "Claim") -> bool:
        """True where two words are one, whoever said them."""
        return (self.winner, self.score, self.games) == (other.winner, other.score, other.games)

    def agrees(self, winner: int | None, score: tuple[int, int] | None) -> bool:
        """True where a result says the same; a score that is left out does not part them."""
        return self.winner == winner and (None in (self.score, score) or self.score == score)


class Contested(msgspec.Struct, frozen=True):
    """A contest: the record of a match says something else, at a version, than the result that stands, and why; the
    version of the ruling that moved it."""

    version: int
    winner: int | None
    score: tuple[int, int] | None
    because: e.Because
    ruling: int | None = None


class Stage(msgspec.Struct, frozen=True):
    """A stage as it stands. `order` are entries by seed, empty before it began; `pairings` and `decided` by the name
    of the match in the plan; `granted` are byes by round and entry; `featured` is watched by everybody. Of a result
    that was `withdrawn` stands the version of the match which had said so (0: the director had). `claims` are what the
    sides of a match say came of it; `contested` what its record says against the result, and `upheld` the version of a
    record that was settled so; `reported` and `disputed_at` are the versions of the tournament at which a result was
    reported, or disputed; `signed` are the words of sides that say the same as a result that stands, and `stands` those
    that the director let stand. `parted` says who goes before whom of those who were level on the qualifying line."""

    setup: StageSetup
    format: Format
    order: tuple[str, ...] = ()
    lot: int = 0
    pairings: Mapping[str, e.Pairing] = {}
    rounds: tuple[Round, ...] = ()
    decided: Mapping[str, Decided] = {}
    withdrawn: Mapping[str, int] = {}
    disputed: frozenset[str] = frozenset()
    claims: Mapping[str, Mapping[int, Claim]] = {}
    contested: Mapping[str, Contested] = {}
    upheld: Mapping[str, int] = {}
    reported: Mapping[str, int] = {}
    disputed_at: Mapping[str, int] = {}
    signed: Mapping[str, Mapping[int, Claim]] = {}
    stands: frozenset[str] = frozenset()
    granted: Mapping[int, Mapping[str, e.ByeKind]] = {}
    featured: frozenset[str] = frozenset()
    parted: e.SeedsGiven | None = None

    @property
    def begun(self) -> bool:
        """True once it has entries."""
        return bool(self.order)

    def fixtures(self) -> tuple[Fixture, ...]:
        """Every match of the plan, and those that were drawn."""
        plan = plan_of(self.format, len(self.order))
        if not self.format.drawn_round_by_round:
            return plan
        seeds = {entry: seed for seed, entry in enumerate(self.order, start=1)}
        places = {
            name: (each.number, number) for each in self.rounds for number, name in enumerate(each.names, start=1)
        }
        found = []
        for name, each in self.pairings.items():
            round_, number = places[name]
            slots = (_slot(each.sides[0], seeds), _slot(each.sides[1], seeds))
            found.append(Fixture(name, round_, slots, number=number))
        return tuple(found)

    def meetings(self) -> dict[str, Meeting]:
        """Every match of the stage as it stands."""
        return meetings(self.fixtures(), self.decided)

    def entries(self, seeds: Iterable[int]) -> tuple[str, ...]:
        """The entries with these seeds, nobody left out."""
        return tuple(self.order[seed - 1] for seed in seeds if seed not in (NOBODY, WAITING))

    @property
    def side_by_side(self) -> bool:
        """True where its rounds may be on at once: matches wait for nothing but their own sides."""
        return not self.format.drawn_round_by_round and self.setup.terms.rounds == "ready"

    def part_of(self, fixture: str) -> PlanPart:
        """The part of the plan that a match belongs to; rounds that are drawn have one."""
        return "round" if self.format.drawn_round_by_round else _parts_of(self.format, len(self.order))[fixture]

    def place_of(self, part: PlanPart, number: int) -> int | None:
        """The place, from 0, of the last round that was paired of that part and number in the plan."""
        places = [place for place, each in enumerate(self.rounds) if (each.part, each.number) == (part, number)]
        return places[-1] if places else None

    def unpaired_in(self, place: int) -> tuple[str, ...]:
        """The matches of a round, by its place from 0, that are still to be paired."""
        here = self.rounds[place]
        return tuple(
            name
            for name, each in self.meetings().items()
            if (each.fixture.part, each.fixture.round) == (here.part, here.number)
            and name not in self.pairings
            and each.status in ("waiting", "ready")
        )

    def round_of(self, fixture: str) -> int | None:
        """The place, from 0, of the last round in which a match was paired."""
        places = [place for place, each in enumerate(self.rounds) if fixture in each.names]
        return places[-1] if places else None


@lru_cache(256)
def plan_of(format_: Format, entrants: int) -> tuple[Fixture, ...]:
    """A format's plan; the same again for as many. Raises Refusal."""
    return format_.fixtures(entrants)


@lru_cache(256)
def _parts_of(format_: Format, entrants: int) -> Mapping[str, PlanPart]:
    """The part of each match of a plan, by its name."""
    return {each.id: each.part for each in plan_of(format_, entrants)}


def _slot(side: tuple[str, ...], seeds: Mapping[str, int]) -> Slot:
    if len(side) == 1:
        return SeedSlot(seeds[side[0]])
    return PartnersSlot((seeds[side[0]], seeds[side[1]]))


class Tournament(msgspec.Struct, frozen=True):
    """A tournament. `seeds` are the entries as they were put in order; `at` is the stage that is on (-1: none yet);
    `places` once it is finished; `rested` the version up to which everybody may see it, where results wait for
    their round."""

    version: int = 0
    name: str = ""
    plan: Plan = Plan()
    stages: tuple[Stage, ...] = ()
    entries: Mapping[str, Entry] = {}
    seeds: tuple[str, ...] = ()
    seeded: e.SeedsGiven | None = None
    at: int = -1
    places: tuple[tuple[int, str], ...] = ()
    archived: bool = False
    rested: int = 0

    @property
    def finished(self) -> bool:
        """True once the places are final."""
        return bool(self.places)

    @property
    def stage(self) -> Stage:
        """The stage that is on; only once one has begun."""
        return self.stages[self.at]

    def active(self) -> tuple[str, ...]:
        """The entries that have not left, in the order in which they entered."""
        return tuple(each.id for each in self.entries.values() if not each.withdrawn)

    def field(self, number: int) -> StageSoFar:
        """A stage as its format looks at it."""
        stage = self.stages[number]
        seeds = {entry: seed for seed, entry in enumerate(stage.order, start=1)}
        away = stage.granted.get(len(stage.rounds) + 1, {})
        return StageSoFar(
            entrants=len(stage.order),
            found=stage.meetings(),
            byes=tuple({seeds[bye.entry]: bye.kind for bye in each.byes} for each in stage.rounds),
            away={seeds[entry]: kind for entry, kind in away.items() if entry in seeds},
            gone=frozenset(seeds[entry] for entry in stage.order if self.entries[entry].withdrawn),
            lot=stage.lot,
            terms=stage.setup.terms,
            met=self._met_before(number, seeds),
            parted=tuple(seeds[entry] for entry in stage.parted.order if entry in seeds) if stage.parted else (),
        )

    def _met_before(self, number: int, seeds: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
        """The pairs that have met in the stages before, where the draw of the next round has to know."""
        stage = self.stages[number]
        if not stage.format.drawn_round_by_round or stage.setup.terms.meetings == "stage":
            return ()
        played = (
            before.pairings[name].sides
            for before in self.stages[:number]
            for name, each in before.decided.items()
            if each.how == "played" and name in before.pairings
        )
        pairs = {
            (min(seeds[one[0]], seeds[other[0]]), max(seeds[one[0]], seeds[other[0]]))
            for one, other in played
            if len(one) == 1 and one[0] in seeds and other[0] in seeds
        }
        return tuple(sorted(pairs))

    def places_of(self, number: int) -> tuple[RankedSeed, ...]:
        """The places of a stage so far, by seed."""
        return self.stages[number].format.places(self.field(number))
