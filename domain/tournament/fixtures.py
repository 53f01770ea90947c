"""Brackets as values: matches whose sides are seeds, or winners and losers of other matches; a bye is no match.

Matches are named by letter, round and place in the full size (W1.1), so that a name does not depend on the byes. Nobody
reads a name for its meaning: a fixture says itself which part, round and place it has.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from domain.log.decider import Refusal

FEWEST: Final = 2
MOST: Final = 4096


class SeedSlot(msgspec.Struct, frozen=True, tag="seed"):
    """The entrant with this seed."""

    seed: int


class WinnerOf(msgspec.Struct, frozen=True, tag="winner"):
    """The winner of that match."""

    fixture: str


class LoserOf(msgspec.Struct, frozen=True, tag="loser"):
    """The loser of that match."""

    fixture: str


class PartnersSlot(msgspec.Struct, frozen=True, tag="partners"):
    """Two entrants who play this match together."""

    seeds: tuple[int, int]


Slot: TypeAlias = SeedSlot | WinnerOf | LoserOf | PartnersSlot
BracketLine: TypeAlias = Sequence[Slot | None]  # the way into a round: None where nobody comes


PlanPart: TypeAlias = Literal["winners", "losers", "final", "third", "group", "round"]
LETTERS: Final[Mapping[PlanPart, str]] = {
    "winners": "W",
    "losers": "L",
    "final": "F",
    "third": "C",
    "group": "G",
    "round": "R",
}


class WonBy(msgspec.Struct, frozen=True):
    """The condition that a side of a match, 0 or 1, has won it."""

    fixture: str
    side: Literal[0, 1]


class Fixture(msgspec.Struct, frozen=True):
    """One match to be: who meets whom, and on what condition. `id` is its name in events and addresses; `part` and
    `round` say where in the plan it belongs, `number` which of that round it is, from 1; `group` is the letter of its
    group, where there are several."""

    id: str
    round: int
    slots: tuple[Slot, Slot]
    part: PlanPart = "round"
    number: int = 1
    group: str = ""
    only_if: WonBy | None = None


class Bracket(msgspec.Struct, frozen=True):
    """A whole elimination: `order` is the line-up of the full size, in which seeds above `entrants` are byes."""

    format: Literal["single", "double"]
    entrants: int
    size: int
    order: tuple[int, ...]
    fixtures: tuple[Fixture, ...]


def fixture_in(
    part: PlanPart, round_: int, number: int, slots: tuple[Slot, Slot], group: str = "", only_if: WonBy | None = None
) -> Fixture:
    """A match by its place in the plan, with the name that follows from it: W1.1, or GB2.1 in group B."""
    return Fixture(f"{LETTERS[part]}{group}{round_}.{number}", round_, slots, part, number, group, only_if)


@lru_cache
def seed_order(size: int) -> tuple[int, ...]:
    """The line-up of a power of two: neighbours meet, and if favourites win, best meets worst in every round."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for high in order for seed in (high, total - high)]
    return tuple(order)


def size_for(entrants: int) -> int:
    """The next power of two. Raises Refusal for a field that no bracket is made for."""
    if entrants < FEWEST:
        raise Refusal("entrants", f"a bracket of {entrants} has no match: enter at least two, or declare the winner")
    if entrants > MOST:
        detail = f"a bracket holds at most {MOST} entrants, not {entrants}: split the field, or play a Swiss first"
        raise Refusal("entrants", detail)
    return 1 << (entrants - 1).bit_length()


def line_up(entrants: int) -> list[Slot | None]:
    """The way into round 1: byes for the best seeds, never two in one match."""
    return [SeedSlot(seed) if seed <= entrants else None for seed in seed_order(size_for(entrants))]


def pair_up(
    part: PlanPart, round_: int, first: BracketLine, second: BracketLine, fixtures: list[Fixture]
) -> tuple[list[Slot | None], list[Slot | None]]:
    """One round, first[i] against second[i]: what goes on and what drops out, place by place. A match with an empty
    slot disappears and its player moves on; nobody loses it."""
    winners: list[Slot | None] = []
    losers: list[Slot | None] = []
    for number, (one, other) in enumerate(zip(first, second, strict=True), start=1):
        if one is None or other is None:
            winners.append(one or other)
            losers.append(None)
            continue
        fixtures.append(fixture_in(part, round_, number, (one, other)))
        winners.append(WinnerOf(fixtures[-1].id))
        losers.append(LoserOf(fixtures[-1].id))
    return winners, losers


def knock_out(entrants: int, fixtures: list[Fixture]) -> tuple[Slot, list[list[Slot | None]]]:
    """The winners bracket: who comes through, and the losers of each round, place by place."""
    line = line_up(entrants)
    dropped: list[list[Slot | None]] = []
    while len(line) > 1:
        line, losers = pair_up("winners", len(dropped) + 1, line[::2], line[1::2], fixtures)
        dropped.append(losers)
    (through,) = line
    assert through is not None
    return through, dropped


def printed(slot: Slot) -> str:
    """S1, winner W1.1, loser W1.2, S3 & S4."""
    if isinstance(slot, SeedSlot):
        return f"S{slot.seed}"
    if isinstance(slot, PartnersSlot):
        return f"S{slot.seeds[0]} & S{slot.seeds[1]}"
    return f"{'winner' if isinstance(slot, WinnerOf) else 'loser'} {slot.fixture}"
