"""Grades: how sure the entries are on which a finding rests. *P*: no slip of the scorer explains it, or the entries are
settled. *C*: a slip does, or not all slips were examined."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

import msgspec

from domain.log.actor import Strength
from domain.match.audit.catalogue import is_offence, severity
from domain.match.audit.finding import START, Course, Derived, Finding
from domain.match.audit.findings import course_of, deal_findings, derived, told
from domain.match.audit.slips import FOLDS, Bounds, Case, Examined, Explanation, case_of, examined
from domain.match.audit.written import bounds_of
from domain.match.state import Deal, Match, is_complete

FOLDS_OF_MATCH: Final = 2000
UNEXAMINED: Final = "slips not examined"
MISWRITTEN: Final = "a figure was written down wrong"
OWN: Final[tuple[Strength, ...]] = ("own device", "pin", "table")
INSPECTED: Final[Strength] = "inspected"
_REMEMBERED: Final = 2048


class Budget(msgspec.Struct, frozen=True):
    """The number of folds that the slips of one finding may take, and those of all findings of a match; None for any
    number."""

    finding: int | None = FOLDS
    match: int | None = FOLDS_OF_MATCH


PAGE: Final = Budget()
EVERY: Final = Budget(None, None)  # an open case, and the report


class Memory(msgspec.Struct, gc=False):
    """The memory of a record: what was found in it, the case once slips are asked for, and what came of each
    finding. It knows places alone, so it is the same for every stream and every reading with this record."""

    course: Course
    bounds: Bounds
    found: tuple[Derived, ...]
    case: Case | None
    examined: dict[int, Examined]


_known: OrderedDict[Hashable, Memory] = OrderedDict()


def graded(
    match: Match, deal: Deal, budget: Budget = PAGE, among: tuple[Deal, ...] | None = None
) -> tuple[Finding, ...]:
    """The findings of a deal with their grades. Slips are examined severest finding first, as far as the budget goes,
    of the deals `among` which it is shown (None: the whole match)."""
    found = deal_findings(match, deal)
    if not found:
        return ()
    memory = _memory(match, deal)
    number = len(memory.found)
    figures = tuple(msgspec.structs.replace(each, explained_by=MISWRITTEN) for each in found[number:])
    if not number:
        return figures
    limits = _limits(match, deal, budget, match.deals if among is None else among)
    return (*(_finding(match, deal, memory, at, limits[at]) for at in range(number)), *figures)


def shown_findings(match: Match, told: frozenset[int]) -> tuple[Finding, ...]:
    """The findings as a page shows them, of the deals with these numbers. Slips are looked for once a deal is complete;
    while it is on its findings are as they were derived, and what only lapses is not told."""
    own = tuple(deal for deal in match.deals if deal.number in told)
    over = tuple(deal for deal in own if is_complete(match, deal))
    numbers = {deal.number for deal in over}
    return tuple(
        finding
        for deal in own
        for finding in (graded(match, deal, PAGE, over) if deal.number in numbers else provisional(match, deal))
    )


def provisional(match: Match, deal: Deal) -> tuple[Finding, ...]:
    """The findings of a deal that is on: none is proven before slips are looked for, but by settled entries."""
    found = tuple(each for each in deal_findings(match, deal) if not each.note or each.place == START)
    change = msgspec.structs.replace
    return tuple(change(each, grade="P") if is_settled(match, deal, each) else each for each in found)


def explained_by(match: Match, deal: Deal, place: int, code: str | None) -> Explanation | None:
    """The slip that explains one finding of a deal, every one examined; None where none does."""
    memory = _memory(match, deal)
    numbers = (number for number, each in enumerate(memory.found) if (each.place, each.code) == (place, code))
    number = next(numbers, None)
    return None if number is None else _examined(memory, number, None).explanation


def is_settled(match: Match, deal: Deal, each: Finding) -> bool:
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
    return all(version in settled for version in each.rests_on)


def _finding(match: Match, deal: Deal, memory: Memory, number: int, limit: int | None) -> Finding:
    """One finding with its grade; `limit` is what was left of the match's folds when its turn came."""
    finding, change = told(memory.course, deal, memory.found[number]), msgspec.structs.replace
    if is_settled(match, deal, finding):
        return change(finding, grade="P")
    came = _examined(memory, number, limit)
    if came.explanation is not None:
        return change(finding, grade="C", explained_by=came.explanation.words)
    return change(finding, grade="P") if came.whole else change(finding, grade="C", explained_by=UNEXAMINED)


def _limits(match: Match, deal: Deal, budget: Budget, among: tuple[Deal, ...]) -> dict[int, int | None]:
    """The folds that each finding of a deal may take, by its number there."""
    if budget.match is None:
        return dict.fromkeys(range(len(_memory(match, deal).found)), budget.finding)
    left, limits = budget.match, dict[int, int | None]()
    for other, number in _by_severity(match, among):
        memory = _memory(match, other)
        light = not is_offence(match.setup.game, memory.found[number].code)  # what slip makes a note is asked in a case
        limit = 0 if light else left if budget.finding is None else min(left, budget.finding)
        if other is deal:
            limits[number] = limit
        if left and not is_settled(match, other, told(memory.course, other, memory.found[number])):
            left -= _examined(memory, number, limit).folds
    return limits


def _by_severity(match: Match, among: tuple[Deal, ...]) -> list[tuple[Deal, int]]:
    """Every finding of these deals by its deal and its number there, the severest first."""
    game = match.setup.game
    every = [
        (severity(game, each.code), deal, at)
        for deal in among
        if deal_findings(match, deal)
        for at, each in enumerate(_memory(match, deal).found)
    ]
    return [(deal, at) for _, deal, at in sorted(every, key=lambda each: -each[0])]


def _examined(memory: Memory, number: int, limit: int | None) -> Examined:
    """The outcome of one finding's slips: looked for again only where more folds are allowed than before."""
    came = memory.examined.get(number)
    if came is None or not (came.whole or (limit is not None and limit <= came.folds)):
        if memory.case is None:
            memory.case = case_of(memory.course, memory.found, memory.bounds)
        came = memory.examined[number] = examined(memory.case, memory.found[number], limit)
    return came if limit is None or came.folds <= limit else Examined(None, limit, whole=False)


def _memory(match: Match, deal: Deal) -> Memory:
    """The memory of a deal's record, and of what binds it: the same whoever reads it, and how often."""
    course, bounds = course_of(match, deal), bounds_of(match, deal)
    name = (id(course.game), course.options, course.dealer, course.cards, course.facts, course.contradicts, bounds)
    known = _known.get(name)
    if known is None:
        known = _known[name] = Memory(course, bounds, derived(course), None, {})
        while len(_known) > _REMEMBERED:
            _known.popitem(last=False)
    return known
