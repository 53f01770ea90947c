"""A case in memory with its people, clock and log."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from domain import registry
from domain.case import commands as c
from domain.case.decide import decide
from domain.case.events import CasePlace
from domain.case.state import NO_CASE, fold
from domain.log.actor import Actor, Right
from domain.log.decider import Refusal, decided
from domain.log.upcast import UPCASTERS

START = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)
PLACE = CasePlace("m1", "cup", deal=1, at=(7,))
SIDES = (("annie",), ("benny",))
CLUB = "club"


def who(person, *roles, close=(), strength="own device", **scope):
    """Return an actor with a player's right and these roles."""
    held = tuple(Right(role, CLUB, person=person, id=person, strength=strength, **scope) for role in roles)
    seat = Right("player", CLUB, person=person, id=person, strength=strength)
    return Actor(close=tuple(close), rights=(seat, *held))


ANNIE, BENNY = who("annie"), who("benny")
DORA, DIRK = who("dora", "director"), who("dirk", "director")
SARA = who("sara", "secretary")
PEOPLE = {
    **{each: c.NamedPerson((each,)) for each in ("annie", "benny", "cyd", "sara", "wes")},
    **{each: c.NamedPerson((each,), directs=True) for each in ("dora", "dirk", "dan")},
    "fred": c.NamedPerson(("fred",), close=("annie",), directs=True),
}


class Heard:
    """A case of Annie against Benny, with a clock that the test sets."""

    def __init__(self, minutes=5, sides=SIDES, **more):
        self.state, self.log, self.times, self.now = NO_CASE, [], {}, START
        self.around = {"people": PEOPLE}
        opening = {"matter": "call", "place": PLACE, "sides": sides, "minutes": minutes, "words": "He revoked."}
        self.do(ANNIE, c.OpenCase(**{**opening, **more}))

    def known(self, command):
        if isinstance(command, c.OpenCase):
            return command
        return msgspec.structs.replace(command, around=c.Around(at=self.now, times=self.times, **self.around))

    def do(self, actor, command):
        """Decide and append a command, checking that the events read back and fold to the same state."""
        news, _ = decided(decide, self.state, self.known(command), actor)
        numbered = [(self.state.version + place, new.event) for place, new in enumerate(news, start=1)]
        for version, event in numbered:
            kind = type(event).__name__
            assert registry.read_event(kind, UPCASTERS.current(kind), registry.write_event(event)) == event
            self.times[version] = self.now
        self.log += numbered
        self.state = fold(self.state, numbered)
        assert self.state == fold(NO_CASE, self.log)
        return [event for _, event in numbered]

    def refused(self, actor, command, slug):
        with pytest.raises(Refusal) as refusal:
            decided(decide, self.state, self.known(command), actor)
        assert refusal.value.slug == slug, refusal.value.detail
        return refusal.value

    def later(self, **by):
        self.now += timedelta(**by)

    def ruled(self, version=20, person="dora", late=False, **more):
        """Add a ruling made now in the match."""
        made = c.Ruled("m1", version, 1, person, self.now, late=late, **more)
        self.around["rulings"] = (*self.around.get("rulings", ()), made)
