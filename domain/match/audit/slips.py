"""Slips: one mistake of whoever keeps the score that would leave nothing of a finding.

A slip *explains* a finding when, after folding again, this finding and what is beneath it are gone, every fact still
fits, and no finding is new; others may stay. Two findings are the same when place and code are: a place that moved
because an entry is missing or too many counts as the place that it was.
"""

from typing import Final

import msgspec

from domain.game.protocol import AnyTable
from domain.match.audit.finding import START, Course, Derived
from domain.match.audit.findings import derived, signs
from domain.match.audit.slip_kinds import Slip, slips_for
from domain.match.audit.slip_words import words_of
from domain.match.audit.walk import Key, Walk, broken_by, keys_of, walked

FOLDS: Final = 400  # for one finding


class Explanation(msgspec.Struct, frozen=True):
    """A slip that explains a finding: its kind, the places that it changes (START for the deal's start; the place
    before which an entry is missing), and its words, with seats by number."""

    kind: str
    places: tuple[int, ...]
    words: str


class Examined(msgspec.Struct, frozen=True):
    """What came of looking for a slip: the first that explains the finding, how many folds it took, and whether all
    were tried that there are."""

    explanation: Explanation | None
    folds: int
    whole: bool


class Bounds(msgspec.Struct, frozen=True):
    """What no slip may change: the score by side that the sides `written` down themselves, and what an earlier deal
    has `fixed` for the match."""

    written: tuple[int, ...] | None = None
    fixed: bool = False


class Case(msgspec.Struct, frozen=True, gc=False):
    """All that a deal's slips are judged by: the walk through it, its findings, and what no slip may change."""

    walk: Walk
    found: tuple[Derived, ...]
    keys: frozenset[Key]
    bounds: Bounds


def case_of(course: Course, found: tuple[Derived, ...], bounds: Bounds) -> Case:
    """The case of a deal with findings."""
    return Case(walked(course), found, keys_of(found), bounds)


def explained(course: Course, finding: Derived, written: tuple[int, ...] | None = None) -> Explanation | None:
    """The slip that explains a finding, every one examined; None where none does."""
    return examined(case_of(course, derived(course), Bounds(written)), finding).explanation


def examined(case: Case, finding: Derived, limit: int | None = None) -> Examined:
    """The search for a slip that explains a finding of a case, in at most `limit` folds. One that is refused at its
    first changed fact needs none."""
    walk, gone, folds = case.walk, keys_of((finding,)), 0
    others = frozenset(place for each in case.found for place in each.rests_on)
    for slip in slips_for(walk, frozenset(finding.rests_on), others, gone):
        if not _begins(walk, slip, gone):
            continue
        if limit is not None and folds >= limit:
            return Examined(None, folds, whole=False)
        folds += 1
        if _explains(case, gone, slip):
            return Examined(Explanation(slip.kind, slip.places, words_of(walk.course, slip)), folds, whole=True)
    return Examined(None, folds, whole=True)


def _begins(walk: Walk, slip: Slip, gone: frozenset[Key]) -> bool:
    """Tells whether a slip changes the finding at all, and its first changed fact may stand."""
    if any(place < slip.first and _at_table(walk, place, code) for place, code in gone):
        return False
    place, course = slip.first, slip.course
    if place == START or place == len(course.facts):
        return True
    table = walk.tables[place]
    return not course.game.breaches(table, course.facts[place]) or _stands(walk, slip, gone, table, place)


def _explains(case: Case, gone: frozenset[Key], slip: Slip) -> bool:
    last = _folded(case.walk, slip, gone)
    if last is None or _changes_bounds(case, slip, last):
        return False
    now = {(slip.origin(place), code) for place, code in signs(slip.course)} | _contradiction(case, slip)
    return now <= case.keys and not now & gone


def _folded(walk: Walk, slip: Slip, gone: frozenset[Key]) -> AnyTable | None:
    """The table at the end, folded from the slip's first changed fact; None at the first fact that does not fit, that
    breaks a rule which it did not break before, or that still breaks one which should be gone."""
    course, tables = slip.course, walk.tables
    game, remarks, facts = course.game, course.game.remarks, course.facts
    place = max(slip.first, 0)
    table = game.start(course.options, course.dealer, course.cards) if slip.first == START else tables[place]
    while place < len(facts):
        fact = facts[place]
        if game.breaches(table, fact) and not _stands(walk, slip, gone, table, place):
            return None
        table = table if type(fact) in remarks else game.evolve(table, fact)
        place += 1
        if place > slip.last and table == tables[slip.origin(place)]:
            at = slip.origin(place)  # from here on all is as it was
            return None if any(each >= at and _at_table(walk, each, code) for each, code in gone) else tables[-1]
    return table


def _stands(walk: Walk, slip: Slip, gone: frozenset[Key], table: AnyTable, place: int) -> bool:
    """Tells whether what a fact breaks now is only what it broke before, and may stay."""
    broken = broken_by(slip.course, table, slip.course.facts[place])
    if broken is None or slip.inserts == place:
        return False
    at = slip.origin(place)
    return broken <= walk.broken[at] and not any((at, each) in gone for each in broken)


def _at_table(walk: Walk, place: int, code: str | None) -> bool:
    return place != START and code in walk.broken[place]


def _changes_bounds(case: Case, slip: Slip, last: AnyTable) -> bool:
    """Tells whether a slip changes the score that the sides wrote down (to another than they wrote), or what an earlier
    deal fixed."""
    bounds, course = case.bounds, case.walk.course
    if bounds.fixed and course.contradicts is None and _fixes_otherwise(course, slip):
        return True
    was = score_by_side(course, case.walk.tables[-1])
    return bounds.written is not None and score_by_side(slip.course, last) not in (bounds.written, was)


def _fixes_otherwise(course: Course, slip: Slip) -> bool:
    fixed = course.game.fixed_for_match
    if course.cards is None or slip.course.cards is course.cards:
        return False
    return fixed(course.cards) != fixed(slip.course.cards)


def _contradiction(case: Case, slip: Slip) -> frozenset[Key]:
    """The contradiction of an earlier deal, while a slip leaves it."""
    other = case.walk.course.contradicts
    if other is None or _fixes_otherwise(case.walk.course, slip):
        return frozenset()
    return frozenset({(START, other.code)})


def score_by_side(course: Course, table: AnyTable) -> tuple[int, ...] | None:
    """The score by side of a table that is over, else None."""
    result = course.game.score(table)
    if result is None:
        return None
    sides, scores = course.game.sides(course.options), result.scores
    return scores if len(scores) == len(sides) else tuple(scores[seats[0]] for seats in sides)
