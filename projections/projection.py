"""What a projection is: a name, a version, an initial view and how an event changes it."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import msgspec

from domain.event import Recorded

View = TypeVar("View")


class Projection(msgspec.Struct, Generic[View], frozen=True):
    """A value: one object both for who asks about a single stream and for what the projector keeps.

    `show` turns the folded view into what is answered or stored. Raising `version` rebuilds beside.
    """

    name: str
    version: int
    initial: View
    apply: Callable[[View, Recorded], View]
    show: Callable[[View], Any]

    def over(self, events: Iterable[Recorded], view: View | None = None) -> View:
        """The view after these events."""
        at = self.initial if view is None else view
        for event in events:
            at = self.apply(at, event)
        return at
