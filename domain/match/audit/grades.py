"""Grades: how sure the entries are on which a finding rests. *P*: no slip of the scorer explains it, or the entries are
settled. *C*: a slip does, or not all slips were examined."""

from collections import OrderedDict
from typing import Final

import msgspec

from domain.log.actor import Strength
from domain.match.audit.catalogue import severity
from domain.match.audit.figures import figure_findings
from domain.match.audit.finding import Course, Derived, Finding
from domain.match.audit.findings import course_of, derived, told, version_at
from domain.match.audit.slips import FOLDS, Bounds, Case, Examined, Explanation, case_of, examined
from domain.match.audit.written import bounds_of
from domain.match.state import Deal, Match

FOLDS_OF_MATCH: Final = 2000
UNEXAMINED: Final = "slips not examined"
MISWRITTEN: Final = "a figure was written down wrong"
OWN: Final[tuple[Strength, ...]] = ("own device", "pin", "table")
INSPECTED: Final[Strength] = "inspected"
_REMEMBERED: Final = 2048


class Budget(msgspec.Struct, frozen=True):
    """How many folds the slips of one finding may take, and those of all findings of a match; None for any number."""

    finding: int | None = FOLDS
    match: int | None = FOLDS_OF_MATCH


PAGE: Final = Budget()
EVERY: Final = Budget(None, None)  # an open case, and the report


class Memory(msgspec.Struct, gc=False):
    """What is remembered of a deal: its record with its findings, the case once slips are asked for, and what came of
    each finding."""

    deal: Deal
    course: Course
    bounds: Bounds
    found: tuple[Derived, ...]
    case: Case | None
    examined: dict[int, Examined]


_known: OrderedDict[int, Memory] = OrderedDict()


def graded(match: Match, deal: Deal, budget: Budget = PAGE) -> tuple[Finding, ...]:
    """The findings of a deal with their grades. Slips are examined severest finding of the match first, as far as the
    budget goes."""
    memory = _memory(match, deal)
    figures = tuple(msgspec.structs.replace(each, explained_by=MISWRITTEN) for each in figure_findings(match, deal))
    if not memory.found:
        return figures
    limits = _limits(match, deal, budget)
    return (*(_finding(match, memory, number, limits[number]) for number in range(len(memory.found))), *figures)


def graded_match(match: Match, budget: Budget = PAGE) -> tuple[Finding, ...]:
    """The findings of every deal of a match with their grades, in order."""
    return tuple(finding for deal in match.deals for finding in graded(match, deal, budget))


def explained_by(match: Match, deal: Deal, place: int, code: str | None) -> Explanation | None:
    """The slip that explains one finding of a deal, every one examined; None where none does."""
    memory = _memory(match, deal)
    numbers = (number for number, each in enumerate(memory.found) if (each.place, each.code) == (place, code))
    number = next(numbers, None)
    return None if number is None else _examined(memory, number, None).explanation


def is_settled(match: Match, deal: Deal, each: Derived) -> bool:
    """Tells whether all entries on which a finding rests are settled: the offender's own side said that they are what
    was played, by its own act, or a director looked."""
    if not deal.affirmed:
        return False
    side = next((side for side, seats in enumerate(match.setup.seats) if each.seat in seats), None)
    settled = {
        version
        for one in deal.affirmed
        if one.strength == INSPECTED or (one.strength in OWN and side is not None and one.side == side)
        for version in one.versions
    }
    return all(version_at(deal, place) in settled for place in each.rests_on)


def _finding(match: Match, memory: Memory, number: int, limit: int | None) -> Finding:
    """One finding with its grade; `limit` is what was left of the match's folds when its turn came."""
    deal, each = memory.deal, memory.found[number]
    finding, change = told(deal, each), msgspec.structs.replace
    if is_settled(match, deal, each):
        return change(finding, grade="P")
    came = _examined(memory, number, limit)
    if came.explanation is not None:
        return change(finding, grade="C", explained_by=came.explanation.words)
    return change(finding, grade="P") if came.whole else change(finding, grade="C", explained_by=UNEXAMINED)


def _limits(match: Match, deal: Deal, budget: Budget) -> dict[int, int | None]:
    """The folds that each finding of a deal may take, by its number there."""
    if budget.match is None:
        return dict.fromkeys(range(len(_memory(match, deal).found)), budget.finding)
    left, limits = budget.match, dict[int, int | None]()
    for memory, number in _by_severity(match):
        limit = left if budget.finding is None else min(left, budget.finding)
        if memory.deal is deal:
            limits[number] = limit
        if left and not is_settled(match, memory.deal, memory.found[number]):
            left -= _examined(memory, number, limit).folds
    return limits


def _by_severity(match: Match) -> list[tuple[Memory, int]]:
    """Every finding of a match by its deal and its number there, the severest first."""
    every = [
        (memory, at) for deal in match.deals for memory in [_memory(match, deal)] for at in range(len(memory.found))
    ]
    return sorted(every, key=lambda each: -severity(match.setup.game, each[0].found[each[1]].code))


def _examined(memory: Memory, number: int, limit: int | None) -> Examined:
    """What came of one finding's slips: looked for again only where more folds are allowed than before."""
    came = memory.examined.get(number)
    if came is None or not (came.whole or (limit is not None and limit <= came.folds)):
        if memory.case is None:
            memory.case = case_of(memory.course, memory.found, memory.bounds)
        came = memory.examined[number] = examined(memory.case, memory.found[number], limit)
    return came if limit is None or came.folds <= limit else Examined(None, limit, whole=False)


def _memory(match: Match, deal: Deal) -> Memory:
    """What is remembered of a deal. Deals never change; what earlier deals fixed may."""
    known, course, bounds = _known.get(id(deal)), None, None
    if known is not None and known.deal is deal:
        if not known.found and deal.cards is None:
            return known
        course, bounds = course_of(match, deal), bounds_of(match, deal)
        if known.course.contradicts == course.contradicts and known.bounds == bounds:
            return known
    course = course or course_of(match, deal)
    memory = _known[id(deal)] = Memory(deal, course, bounds or bounds_of(match, deal), derived(course), None, {})
    while len(_known) > _REMEMBERED:
        _known.popitem(last=False)
    return memory
