"""Projections: a name, a version, an initial view, and the change that an event makes."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from domain.log.event import AnyEvent, JsonObject, Recorded

View = TypeVar("View")


class EventStretch(msgspec.Struct, frozen=True):
    """Events of one stream in their order: what the projector folds in one go. `private` holds, by version, the private
    parts of the club's own events; of other streams it is empty."""

    club: str
    stream: str
    events: tuple[tuple[int, AnyEvent], ...]
    first_at: datetime
    last_at: datetime
    private: dict[int, JsonObject] = {}

    @property
    def first(self) -> int:
        """The version of its first event."""
        return self.events[0][0]

    @property
    def last(self) -> int:
        """The version of its last event."""
        return self.events[-1][0]


class Projection(msgspec.Struct, Generic[View], frozen=True):
    """A projection: one object for questions about a single stream and for the views that the projector keeps.

    `show` turns the folded view into what is answered or stored. Raising `version` rebuilds beside. `run` is for kept
    views: the same as `apply` over a whole stretch, only faster. `read` is for kept views whose rows meet in one
    stream: it makes the view of a row from what was stored.
    """

    name: str
    version: int
    initial: View
    apply: Callable[[View, Recorded], View]
    show: Callable[[View], Any]
    run: Callable[[View, EventStretch], View] | None = None
    read: Callable[[str], View] | None = None

    def over(self, events: Iterable[Recorded], view: View | None = None) -> View:
        """The view after these events."""
        at = self.initial if view is None else view
        for event in events:
            at = self.apply(at, event)
        return at


AnyProjection: TypeAlias = Projection[Any]
