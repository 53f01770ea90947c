"""Groups: the field is split by seed, everybody meets everybody in the own group, and the best of each go on."""

import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import groupby, zip_longest
from typing import Annotated, ClassVar, Final

import msgspec

from domain.log.decider import Refusal
from domain.log.message import Catalogue, Explanation, Message
from domain.pairing.crosstable import Crosstable
from domain.tournament.crosstable_of import table_of
from domain.tournament.fixtures import Fixture, SeedSlot, fixture_in, seed_order, size_for
from domain.tournament.format import COMMON, Format, Options, StageSoFar, Template, cut_by_line, place_when_parted
from domain.tournament.formats.round_robin import round_robin
from domain.tournament.places import RankedSeed, of_table

LETTERS: Final = string.ascii_uppercase
ENGLISH: Final = COMMON | Catalogue(
    {
        "groups.meet": "Group {group}: everybody meets everybody, round {round}.",
        "groups.through": "{player}'s group has played all its rounds.",
        "groups.sits-out": "{player} sits out: the group has an odd number, and everybody sits out equally often.",
    }
)


class Groups(Format, frozen=True, tag="groups"):
    """Everybody meets everybody in a group, once or twice."""

    title: ClassVar = "Groups"
    sentence: ClassVar = "Everybody meets everybody in the own group."
    templates: ClassVar = (
        Template(
            "groups",
            "Groups, then knock-out",
            "Everybody in your group, then the best of each group go on.",
            ({"kind": "groups"}, {"kind": "single", "third_place": True}),
            place=5,
        ),
    )
    english: ClassVar = ENGLISH
    balances_first_deal: ClassVar = True
    tiebreaks: ClassVar = ("PTS", "DE", "SB", "WON")
    groups: Annotated[int, msgspec.Meta(ge=2, le=26, title="Groups")] = 4
    double: bool = False

    @classmethod
    def usual_options(cls, entrants: int) -> Options:
        """Four groups, or fewer of two each."""
        return {"groups": min(4, max(2, entrants // 2))}

    def usual_going_on(self) -> int:
        """Two of each group."""
        return 2 * self.groups

    def too_few(self, entrants: int) -> str:
        """Groups are of two at least."""
        if entrants < 2 * self.groups:
            return f"the {entrants} who go on do not fill {self.groups} groups of two"
        return ""

    def members(self, entrants: int) -> tuple[tuple[int, ...], ...]:
        """The seeds of each group: dealt out in a snake, 1 2 3 4, 8 7 6 5, 9 … so that groups are level, each of two at
        least."""
        if entrants < 2:
            raise Refusal("entrants", "a group has nobody to meet: enter at least two")
        count = min(self.groups, entrants // 2)  # of fewer entries than were thought of, fewer groups
        found: list[list[int]] = [[] for _ in range(count)]
        for seed in range(1, entrants + 1):
            row, place = divmod(seed - 1, count)
            found[place if row % 2 == 0 else count - 1 - place].append(seed)
        return tuple(map(tuple, found))

    def fixtures(self, entrants: int) -> tuple[Fixture, ...]:
        """The Berger tables of all groups, round by round."""
        found = []
        for letter, members in zip(LETTERS, self.members(entrants), strict=False):
            for each in round_robin(len(members), self.double).rounds:
                for number, (one, other) in enumerate(each.pairs, start=1):
                    slots = (SeedSlot(members[one - 1]), SeedSlot(members[other - 1]))
                    found.append(fixture_in("group", each.round, number, slots, letter))
        return tuple(sorted(found, key=lambda fixture: fixture.round))

    def reason(self, field: StageSoFar, fixture: Fixture) -> Explanation:
        """The table of the group."""
        return (Message("groups.meet", {"group": fixture.group, "round": fixture.round}),)

    def staying(self, field: StageSoFar) -> set[int]:
        """Everybody, to the last round."""
        return set(range(1, field.entrants + 1)) - field.gone

    def rest(self, field: StageSoFar, seed: int) -> Explanation:
        """An odd group has somebody over; a smaller one is through earlier."""
        group = next(members for members in self.members(field.entrants) if seed in members)
        return (Message("groups.sits-out" if len(group) % 2 else "groups.through", people={"player": seed}),)

    def crosstable(self, field: StageSoFar) -> Crosstable:
        """All groups in one cross table."""
        return table_of(field, self._rounds(field), fixed=True)

    def places(self, field: StageSoFar) -> tuple[RankedSeed, ...]:
        """The winners of the groups, then who came second, and so on; those of one place by their values a match,
        direct encounter left out, for they have not met."""
        found: list[RankedSeed] = []
        for here in self._rows(field, self.tables(field)):
            for at, (merit, each) in enumerate(here):
                level = at > 0 and here[at - 1][0] == merit
                rank = found[-1].rank if level else len(found) + 1
                found.append(RankedSeed(rank, each.seed, each.values))
        return tuple(found)

    def _rows(
        self, field: StageSoFar, tables: Sequence[Sequence[RankedSeed]]
    ) -> Iterator[list[tuple[tuple[Fraction, ...], RankedSeed]]]:
        """The first of each group, the second of each, and so on, each row by merit, then as was said, then by seed."""
        codes = self.ordered_by(field)
        for row in zip_longest(*tables):
            here = [
                (_merit(codes, place.values, len(tables[group])), place)
                for group, place in enumerate(row)
                if place is not None
            ]
            yield sorted(
                here, key=lambda each: (each[0], -place_when_parted(field, each[1].seed), -each[1].seed), reverse=True
            )

    def in_order(self, field: StageSoFar) -> tuple[int, ...]:
        """The first of each group, then the second of each; who is level, in a group or among those of one place, as a
        lot or the director said."""
        rows = (each for here in self._rows(field, self._parted(field)) for _, each in here)
        return tuple(each.seed for each in rows if each.seed not in field.gone)

    def tied(self, field: StageSoFar, go_on: int) -> tuple[tuple[int, ...], ...]:
        """Those who are level on the line in a group, or with the same place in another; sets with a seed in common are
        one."""
        tables = self._parted(field)
        level = [_level(table, lambda each: each.rank) for table in tables]
        own = [seeds for sets in level for seeds in sets]
        across = [
            {each.seed for _, each in equal}
            for here in self._rows(field, tables)
            for _, equal in groupby(here, key=lambda each: each[0])
        ]
        order = self.in_order(field)
        cut = cut_by_line(order, go_on, [*own, *across], field.parted)
        touched = [seeds for seeds in own if any(seeds & each for each in cut)]
        return tuple(tuple(seed for seed in order if seed in each) for each in _joined([*cut, *touched]))

    def _parted(self, field: StageSoFar) -> list[list[RankedSeed]]:
        """The standings of each group, who is level in it as was said."""
        return [
            sorted(table, key=lambda each: (each.rank, place_when_parted(field, each.seed)))
            for table in self.tables(field)
        ]

    def tables(self, field: StageSoFar) -> tuple[tuple[RankedSeed, ...], ...]:
        """The standings of each group."""
        rounds = self._rounds(field)
        return tuple(
            of_table(table_of(field, rounds, True, members), self.ordered_by(field))
            for members in self.members(field.entrants)
        )

    def group_places(self, field: StageSoFar) -> Mapping[int, tuple[str, int]]:
        """By the standings of each group."""
        return {
            place.seed: (letter, place.rank)
            for letter, table in zip(LETTERS, self.tables(field), strict=False)
            for place in table
        }

    def sets(self, field: StageSoFar) -> tuple[tuple[int, ...], ...]:
        """Group by group."""
        return self.members(field.entrants)

    def qualifiers(self, field: StageSoFar, go_on: int) -> tuple[int, ...]:
        """By place; who comes in lower is put where nobody of the own group is met at once, if that can be."""
        order = list(super().qualifiers(field, go_on))
        group = {seed: letter for letter, members in enumerate(self.members(field.entrants)) for seed in members}
        return tuple(apart(order, [group[seed] for seed in order]))

    def _rounds(self, field: StageSoFar) -> int:
        return max(each.fixture.round for each in field.found.values())


FORMAT = Groups


def _joined(sets: Iterable[Set[int]]) -> list[set[int]]:
    """Sets that have nobody in common, made of sets that may."""
    found: list[set[int]] = []
    for each in sets:
        apart = [own for own in found if not own & each]
        found = [*apart, set(each).union(*(own for own in found if own & each))]
    return found


def _level(table: Sequence[RankedSeed], key: Callable[[RankedSeed], int]) -> list[set[int]]:
    return [{each.seed for each in equal} for _, equal in groupby(table, key=key)]


def _merit(codes: Sequence[str], values: Sequence[int | float], size: int) -> tuple[Fraction, ...]:
    """The values that can be compared between groups, a match, for groups may differ by one; fewer lurches taken, and
    an earlier lot, are better."""
    pairs = [(code, Fraction(value)) for code, value in zip(codes, values, strict=True) if code != "DE"]
    return tuple(-value if code == "LOT" else (-value if code == "LT" else value) / (size - 1) for code, value in pairs)


def apart(order: list[int], groups: Sequence[int]) -> list[int]:
    """The order with as few changes in its lower half as keep first opponents of a bracket of different groups; as it
    was, where that cannot be."""
    if len(order) < 4:
        return order
    line = seed_order(size_for(len(order)))
    meets = {low: high for pair in zip(line[::2], line[1::2], strict=True) for high, low in (sorted(pair),)}
    half = size_for(len(order)) // 2
    group = dict(zip(order, groups, strict=True))
    upper, left = order[:half], list(order[half:])
    opponents = [group[upper[meets[half + place + 1] - 1]] for place in range(len(left))]
    found: list[int] = []
    for place, opponent in enumerate(opponents):
        rest = opponents[place + 1 :]
        fits = (
            seed
            for seed in left
            if group[seed] != opponent and _can_be_apart([group[other] for other in left if other != seed], rest)
        )
        seed = next(fits, None)
        if seed is None:
            return order
        left.remove(seed)
        found.append(seed)
    return upper + found


def _can_be_apart(groups: Sequence[int], opponents: Sequence[int]) -> bool:
    """True where these can all meet one of another group: of each there are no more than opponents of the others."""
    own, others = Counter(groups), Counter(opponents)
    return all(count <= len(opponents) - others[group] for group, count in own.items())
