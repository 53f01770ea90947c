"""A stream as it was folded: its club, its state, and the head that the next event chains to."""

from collections.abc import Iterable
from typing import Any, Generic, TypeAlias

import msgspec

from domain.case.state import Case
from domain.club.state import Club, EventWithPrivate
from domain.log.actor import Reach
from domain.log.event import Recorded
from domain.match import state as match_state
from domain.match.state import Match
from domain.tournament.state import Tournament
from service.store.kinds import Kind, State
from service.store.log import Beside, Head, Stored
from service.store.log_sql import CLOSED, OPEN


class Loaded(msgspec.Struct, Generic[State], frozen=True):
    """A stream as it stands: its club, its state, its kind, and the head that the next event chains to. `words` counts
    the erasures before which its private words were read: a club that was read before the last is not remembered.
    `upto` is the last position of the open log that whoever asked for a club may see; None: all of it. What stood
    `beside` it is there where it was just read."""

    club: str
    stream: str
    state: State
    head: Head
    kind: Kind[State]
    words: int = 0
    upto: int | None = None
    beside: Beside | None = None

    @property
    def log(self) -> int:
        """The log of its club in which it stands."""
        return CLOSED if self.kind.closed else OPEN

    @property
    def reach(self) -> tuple[Reach, ...]:
        """The subjects of the stream: rights for one of these reach it. Only for streams that have begun."""
        return self.kind.reach(self.state, self.stream)

    @property
    def match(self) -> Match:
        """The match; only for streams of one that have begun."""
        assert isinstance(self.state, Match)
        return self.state

    @property
    def tournament(self) -> Tournament:
        """The tournament; only for streams of one that have begun."""
        assert isinstance(self.state, Tournament)
        return self.state

    def after(self, events: Iterable[Recorded], head: Head) -> "Loaded[State]":
        """The stream after some more of its own events."""
        pairs = [
            (each.version, EventWithPrivate(each.data, each.private) if self.kind.whole else each.data)
            for each in events
        ]
        return msgspec.structs.replace(self, state=self.kind.fold(self.state, pairs), head=head, beside=None)


AnyLoaded: TypeAlias = Loaded[Any]  # a stream of any kind
LoadedClub: TypeAlias = Loaded[Club]
LoadedMatch: TypeAlias = Loaded[match_state.State]
LoadedTournament: TypeAlias = Loaded[Tournament]
LoadedCase: TypeAlias = Loaded[Case]


def fresh(club: str, stream: str, kind: Kind[State]) -> Loaded[State]:
    """A stream before its first event."""
    return Loaded(club, stream, kind.initial, Head(), kind)


def head_of(stored: Stored) -> Head:
    """The head of a stream whose last event this is."""
    return Head(stored.event.version, stored.hash, stored.event.recorded_at)
