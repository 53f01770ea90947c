"""Meetings: the matches of a plan as they stand, who is in each, which can be played now, who goes on.

Everything follows from the plan and from what was decided. A walkover to whoever waits for somebody that has left is
decided too, once and for all (`walkovers`): else a second withdrawal would take it back.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from domain.tournament.fixtures import Fixture, LoserOf, PartnersSlot, SeedSlot, Slot, WinnerOf

NOBODY: Final = 0  # a side that will never come: its match was a walkover, or both stayed away
WAITING: Final = -1  # a side that is not known yet
How: TypeAlias = Literal["played", "walkover", "absent"]
MeetingStatus: TypeAlias = Literal["waiting", "ready", "decided", "off"]


class Decided(msgspec.Struct, frozen=True):
    """The outcome of a match: the place of its winner (0 or 1; None: a draw, or nobody), how, the score, and by
    side what it was worth in win points and the lurch level; `version` is that of the match which says so (None:
    somebody entered it); `games` the scores of the games of a match of several, where they were told; `ruling` the
    version, in the match, of the ruling that it rests on."""

    winner: int | None
    how: How
    score: tuple[int, int] | None = None
    worth: tuple[int, int] | None = None
    levels: tuple[int, int] | None = None
    version: int | None = None
    games: tuple[tuple[int, int], ...] | None = None
    ruling: int | None = None


class Meeting(msgspec.Struct, frozen=True):
    """A match of the plan as it stands. `sides` are seeds (of partners the first), NOBODY or WAITING; one that is `off`
    is never played."""

    fixture: Fixture
    sides: tuple[int, int]
    status: MeetingStatus
    decided: Decided | None = None

    def of_side(self, place: int) -> tuple[int, ...]:
        """The seeds that play on a side: one, or partners; none for a side that is not known, or will never come."""
        slot = self.fixture.slots[place]
        if isinstance(slot, PartnersSlot):
            return slot.seeds
        return (self.sides[place],) if self.sides[place] > NOBODY else ()

    @property
    def seeds(self) -> tuple[int, ...]:
        """Everybody who plays in it, as far as known."""
        return (*self.of_side(0), *self.of_side(1))

    @property
    def winner(self) -> int:
        """The seed that goes on; NOBODY, or WAITING while it is open."""
        return self._goes(0)

    @property
    def loser(self) -> int:
        """The seed that goes where losers go; NOBODY, or WAITING while it is open."""
        return self._goes(1)

    def _goes(self, other: int) -> int:
        if self.status == "off":
            return NOBODY
        if self.decided is None:
            return WAITING
        return NOBODY if self.decided.winner is None else self.sides[self.decided.winner ^ other]


def meetings(fixtures: Iterable[Fixture], decided: Mapping[str, Decided]) -> dict[str, Meeting]:
    """Every match as it stands, by its name. Whoever would meet nobody goes on without playing."""
    found: dict[str, Meeting] = {}
    for fixture in fixtures:
        one, other = (_seated(slot, found) for slot in fixture.slots)
        found[fixture.id] = _meeting(fixture, (one, other), decided.get(fixture.id), found)
    return found


def _seated(slot: Slot, found: Mapping[str, Meeting]) -> int:
    if isinstance(slot, SeedSlot):
        return slot.seed
    if isinstance(slot, PartnersSlot):
        return slot.seeds[0]
    before = found[slot.fixture]
    return before.loser if isinstance(slot, LoserOf) else before.winner


def _meeting(
    fixture: Fixture,
    sides: tuple[int, int],
    decided: Decided | None,
    found: Mapping[str, Meeting],
) -> Meeting:
    wanted = _wanted(fixture, found)
    if wanted is False:
        return Meeting(fixture, sides, "off")
    if wanted is None or WAITING in sides:
        return Meeting(fixture, sides, "waiting")
    if sides == (NOBODY, NOBODY):
        return Meeting(fixture, sides, "off")
    if decided is not None:
        return Meeting(fixture, sides, "decided", decided)
    if NOBODY in sides:
        return Meeting(fixture, sides, "decided", Decided(1 - sides.index(NOBODY), "walkover"))
    return Meeting(fixture, sides, "ready")


def walkovers(fixtures: Sequence[Fixture], decided: Mapping[str, Decided], gone: frozenset[int]) -> dict[str, Decided]:
    """The outcomes without play where seeds have left: every match that could be played now and lacks a side,
    then what becomes ready by that."""
    added: dict[str, Decided] = {}
    while True:
        found = meetings(fixtures, {**decided, **added})
        fresh = {each.fixture.id: _without(each, gone) for each in found.values() if each.status == "ready"}
        settled = {name: outcome for name, outcome in fresh.items() if outcome is not None}
        if not settled:
            return added
        added |= settled


def _without(meeting: Meeting, gone: frozenset[int]) -> Decided | None:
    missing = [bool(gone.intersection(meeting.of_side(place))) for place in (0, 1)]
    if all(missing):
        return Decided(None, "absent")
    return Decided(missing.index(False), "walkover") if any(missing) else None


def _wanted(fixture: Fixture, found: Mapping[str, Meeting]) -> bool | None:
    """True where a match that hangs on another's result is played; None while that is open."""
    if fixture.only_if is None:
        return True
    on = found[fixture.only_if.fixture]
    if on.status == "off":
        return False
    return None if on.decided is None else on.decided.winner == fixture.only_if.side


def followers(found: Mapping[str, Meeting], name: str) -> frozenset[str]:
    """The matches whose sides hang on this one's result at once."""
    return frozenset(each.fixture.id for each in found.values() if name in _fed_by(each))


def _fed_by(meeting: Meeting) -> frozenset[str]:
    """The matches on whose results a match hangs."""
    feeds = {slot.fixture for slot in meeting.fixture.slots if isinstance(slot, WinnerOf | LoserOf)}
    condition = meeting.fixture.only_if
    return frozenset(feeds | ({condition.fixture} if condition else set()))


def lower(found: Mapping[str, Meeting], name: str) -> tuple[str, ...]:
    """The matches whose sides hang on this one's result, at once or further on, in the order of the plan."""
    hanging = {name}
    for each in found.values():
        if _fed_by(each) & hanging:
            hanging.add(each.fixture.id)
    return tuple(each for each in found if each in hanging - {name})
