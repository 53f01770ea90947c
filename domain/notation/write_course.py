"""The course of a match's events: what became of every fact and result that was recorded."""

from collections.abc import Sequence
from typing import Any

import msgspec

from domain import codec
from domain.facts import Fact
from domain.match import events as e


class Noted(msgspec.Struct, frozen=True):
    """An event as the writer needs it: version, Struct, private part."""

    version: int
    event: Any
    private: dict[str, Any] | None = None


class Course(msgspec.Struct):
    """What became of a fact or result: the version that recorded it, its deal, its values by version (the
    last is in force), whether the scorer took it back, or the table withdrew it, and by which event."""

    first: int
    deal: int
    values: dict[int, Any]
    undone: tuple[int, ...] = ()
    withdrawn: bool = False

    @property
    def now(self) -> Any | None:
        """What stands in the record."""
        return None if self.undone and not self.withdrawn else list(self.values.values())[-1]


def course_of(events: Sequence[Noted]) -> dict[int, Course]:
    """The course of every fact and result, by each of its versions."""
    found: dict[int, Course] = {}
    deal = 0
    for each in events:
        event = each.event
        if isinstance(event, e.DealStarted):
            deal = event.number
        elif isinstance(event, Fact):
            found[each.version] = Course(each.version, deal, {each.version: event})
        elif isinstance(event, e.ResultEntered):
            found[each.version] = Course(each.version, deal, {each.version: codec.decode(event.entry, dict)})
        elif isinstance(event, e.EntryCorrected):
            of = found[each.version] = found[event.version]
            is_fact = isinstance(of.values[of.first], Fact)
            now = codec.fact_decoder().decode(event.now) if is_fact else codec.decode(event.now, dict)
            of.values[each.version] = now
        elif isinstance(event, e.FactUndone):
            of = found[event.version]
            of.undone, of.withdrawn = (each.version,), event.withdrawn
    return found
