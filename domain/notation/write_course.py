"""The course of every recorded fact and result: corrections, undoing, withdrawal."""

from collections.abc import Sequence

import msgspec

from domain import codec
from domain.cards.facts import Fact
from domain.log.event import AnyEvent, JsonObject
from domain.match import events as e


class NumberedEvent(msgspec.Struct, frozen=True):
    """An event with its version and its private part."""

    version: int
    event: AnyEvent
    private: JsonObject | None = None


class MatchCourse(msgspec.Struct):
    """The course of one fact or result: the version that recorded it, its deal, its values by version (the last is in
    force), the event that undid it, and if that was the table withdrawing it."""

    first: int
    deal: int
    values: dict[int, Fact | JsonObject]
    undone: tuple[int, ...] = ()
    withdrawn: bool = False

    @property
    def now(self) -> Fact | JsonObject | None:
        """The value that stands in the record; None after the scorer took it back."""
        return None if self.undone and not self.withdrawn else list(self.values.values())[-1]


def course_of(events: Sequence[NumberedEvent]) -> dict[int, MatchCourse]:
    """The course of every fact and result, by each of its versions."""
    found: dict[int, MatchCourse] = {}
    deal = 0
    for each in events:
        event = each.event
        if isinstance(event, e.DealStarted):
            deal = event.number
        elif isinstance(event, Fact):
            found[each.version] = MatchCourse(each.version, deal, {each.version: event})
        elif isinstance(event, e.ResultEntered):
            found[each.version] = MatchCourse(each.version, deal, {each.version: codec.decode(event.entry, dict)})
        elif isinstance(event, e.EntryCorrected) and event.now == e.UNKNOWN:
            of = found[each.version] = found[event.version]
            of.undone = (each.version,)
        elif isinstance(event, e.EntryCorrected):
            of = found[each.version] = found[event.version]
            is_fact = isinstance(of.values[of.first], Fact)
            now = codec.fact_decoder().decode(event.now) if is_fact else codec.decode(event.now, dict)
            of.values[each.version] = now
        elif isinstance(event, e.FactInserted):
            fact = codec.fact_decoder().decode(event.fact)
            found[each.version] = MatchCourse(each.version, event.deal, {each.version: fact})
        elif isinstance(event, e.FactWithdrawn):
            of = found[event.version]
            of.undone, of.withdrawn = (each.version,), True
        elif isinstance(event, e.FactUndone):
            of = found[event.version]
            of.undone, of.withdrawn = (each.version,), event.withdrawn
    return found
