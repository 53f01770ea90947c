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
    force), the events that took it back or out, and the code for which the table withdrew it. `late` is a fact that was
    forgotten, and put in by this version."""

    first: int
    deal: int
    values: dict[int, Fact | JsonObject]
    undone: tuple[int, ...] = ()
    withdrawn: bool = False
    code: str | None = None
    late: bool = False

    @property
    def now(self) -> Fact | JsonObject | None:
        """The value that stands in the record; None after it was taken back or out as the scorer's slip."""
        return None if self.undone and not self.withdrawn else list(self.values.values())[-1]


class Courses(msgspec.Struct):
    """The courses of a match: each by each of its versions, and those of the facts of each deal in their order, which
    is not that of their versions where one was put in later."""

    by_version: dict[int, MatchCourse] = {}
    facts: dict[int, list[MatchCourse]] = {}


def course_of(events: Sequence[NumberedEvent]) -> Courses:
    """The course of every fact and result."""
    found = Courses({}, {})
    begun: dict[int, int] = {}
    deal = 0
    for each in events:
        event = each.event
        match event:
            case e.DealStarted():
                deal = event.number
                begun[each.version] = deal
                found.facts[deal] = []
            case Fact():
                of = found.by_version[each.version] = MatchCourse(each.version, deal, {each.version: event})
                found.facts[deal].append(of)
            case e.ResultEntered():
                value = codec.decode(event.entry, dict)
                found.by_version[each.version] = MatchCourse(each.version, deal, {each.version: value})
            case e.FactInserted():
                _put_in(found, each.version, event)
            case e.EntryCorrected() | e.FactUndone() | e.FactWithdrawn():
                _changed(found, each.version, event)
            case _:
                pass
    return found


def _put_in(found: Courses, version: int, event: e.FactInserted) -> None:
    """A fact that was forgotten, behind another one, or at the beginning of its deal."""
    value = codec.fact_decoder().decode(event.fact)
    of = found.by_version[version] = MatchCourse(version, event.deal, {version: value}, late=True)
    facts, before = found.facts[event.deal], found.by_version.get(event.after)
    facts.insert(0 if before is None else facts.index(before) + 1, of)


def _changed(found: Courses, version: int, event: e.EntryCorrected | e.FactUndone | e.FactWithdrawn) -> None:
    """Notes what became of an entry: another value, or nothing any more."""
    of = found.by_version[version] = found.by_version[event.version]
    if isinstance(event, e.FactWithdrawn):
        of.undone, of.withdrawn, of.code = (version,), True, event.code
    elif isinstance(event, e.FactUndone):
        of.undone, of.withdrawn = (version,), event.withdrawn
    elif event.now == e.UNKNOWN:
        of.undone = (version,)
    elif isinstance(of.values[of.first], Fact):
        of.values[version] = codec.fact_decoder().decode(event.now)
    else:
        of.values[version] = codec.decode(event.now, dict)
