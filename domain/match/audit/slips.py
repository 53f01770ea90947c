"""Slips: one mistake of whoever keeps the score that would leave nothing of a finding.

A slip *explains* a finding when, after folding again, this finding and what is beneath it are gone, every fact still
fits, and no finding is new; others may stay. Two findings are the same when place and code are: a place that moved
because an entry is missing or too many counts as the place that it was.
"""

from collections.abc import Hashable
from typing import Final

import msgspec

from domain.game.judgement import Breach
from domain.game.protocol import AnyGame, AnyOptions, AnyTable
from domain.match.audit.finding import START, Course, Derived
from domain.match.audit.findings import derived, signs_of
from domain.match.audit.judged import Folded, Judged, judged, judged_before
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
    """The outcome of looking for a slip: the first that explains the finding, how many folds it took, and whether all
    were tried that there are."""

    explanation: Explanation | None
    folds: int
    whole: bool


class Bounds(msgspec.Struct, frozen=True):
    """The things that no slip may change: the score sheet by side that the sides have `written` down themselves, the
    `sums` of stretches of the deal (by their number) that they wrote, and what an earlier deal has `fixed` for the
    match."""

    written: tuple[int, ...] | None = None
    sums: tuple[tuple[int, tuple[int, ...]], ...] = ()
    fixed: bool = False


class Case(msgspec.Struct, frozen=True, gc=False):
    """All that a deal's slips are judged by: the walk through it, what is known `before` each fact, its findings, and
    what no slip may change. `came` is what came of each slip that was folded: the findings that are left, None where it
    explains nothing at all."""

    walk: Walk
    before: tuple[Judged, ...]
    found: tuple[Derived, ...]
    keys: frozenset[Key]
    bounds: Bounds
    came: dict[Hashable, frozenset[Key] | None]


def case_of(course: Course, found: tuple[Derived, ...], bounds: Bounds) -> Case:
    """The case of a deal with findings."""
    walk = walked(course)
    return Case(walk, judged_before(course, walk.fold), found, keys_of(found), bounds, {})


def explained(course: Course, finding: Derived, written: tuple[int, ...] | None = None) -> Explanation | None:
    """The slip that explains a finding, every one examined; None where none does."""
    return examined(case_of(course, derived(course), Bounds(written)), finding).explanation


def examined(case: Case, finding: Derived, limit: int | None = None) -> Examined:
    """The search for a slip that explains a finding of a case, in at most `limit` folds. One that is refused at its
    first changed fact needs none."""
    walk, gone, folds = case.walk, keys_of((finding,)), 0
    others = frozenset(place for each in case.found for place in each.rests_on)
    for slip in slips_for(walk, finding.rests_on, others, gone):
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
    reasons = course.game.breaches(walk.tables[place], course.facts[place])
    return not reasons or _stands(walk, slip, gone, reasons, place)


def _explains(case: Case, gone: frozenset[Key], slip: Slip) -> bool:
    if len(case.found) == 1:
        return _left(case, slip, gone) is not None
    if slip.name not in case.came:
        case.came[slip.name] = _left(case, slip, frozenset())
    left = case.came[slip.name]
    return left is not None and not left & gone


def _left(case: Case, slip: Slip, gone: frozenset[Key]) -> frozenset[Key] | None:
    """The findings that are left without a slip; None where a new one is made, a fact does not fit, or one is left that
    should be gone."""
    fold = _folded(case.walk, slip, gone)
    if fold is None or _changes_bounds(case, slip, fold.tables[-1]):
        return None
    first = max(slip.first, 0)
    known = judged(slip.course, fold, None if slip.first == START else case.before[first], first)
    left = _contradiction(case, slip) | {(slip.origin(at), code) for at, code in signs_of(slip.course, fold, known)}
    return left if left <= case.keys and not left & gone else None


def _folded(walk: Walk, slip: Slip, gone: frozenset[Key]) -> Folded | None:
    """The deal without a slip, folded from its first changed fact; None at the first fact that does not fit, that
    breaks a rule which it did not break before, or that still breaks one which should be gone."""
    course, game, facts = slip.course, slip.course.game, slip.course.facts
    remarks, judge, evolve = game.remarks, game.breaches, game.evolve
    first, was = max(slip.first, 0), walk.fold
    table = game.start(course.options, course.dealer, course.cards) if slip.first == START else was.tables[first]
    fold = Folded([*was.tables[:first], table], was.reasons[:first])
    for place in range(first, len(facts)):
        fact = facts[place]
        reasons = judge(table, fact)
        if reasons and not _stands(walk, slip, gone, reasons, place):
            return None
        table = table if type(fact) in remarks else evolve(table, fact)
        fold.reasons.append(reasons)
        fold.tables.append(table)
        if place >= slip.last and table == was.tables[slip.origin(place + 1)]:
            return _as_it_was(walk, slip, gone, fold)
    return fold


def _as_it_was(walk: Walk, slip: Slip, gone: frozenset[Key], fold: Folded) -> Folded | None:
    """A fold whose last table is one of the walk: from there on all is as it was. None where what should be gone is
    there."""
    last, at = fold.tables[-1], slip.origin(len(fold.reasons))
    if any(place >= at and _at_table(walk, place, code) for place, code in gone):
        return None
    same = [each is last for each in fold.tables].index(True)  # a fact that did not fit has left the very same table
    tables = [*fold.tables[:same], *([walk.tables[at]] * (len(fold.tables) - same)), *walk.tables[at + 1 :]]
    return Folded(tables, [*fold.reasons, *walk.fold.reasons[at:]])


def _stands(walk: Walk, slip: Slip, gone: frozenset[Key], reasons: tuple[Breach, ...], place: int) -> bool:
    """Tells whether what a fact breaks now is only what it broke before, and may stay."""
    broken = broken_by(slip.course, slip.course.facts[place], reasons)
    if broken is None or slip.inserts == place:
        return False
    at = slip.origin(place)
    return broken <= walk.broken[at] and not any((at, each) in gone for each in broken)


def _at_table(walk: Walk, place: int, code: str | None) -> bool:
    return place != START and code in walk.broken[place]


def _changes_bounds(case: Case, slip: Slip, last: AnyTable) -> bool:
    """Tells whether a slip changes what the sides wrote down (to another figure than theirs), or what an earlier deal
    fixed."""
    bounds, course, before = case.bounds, case.walk.course, case.walk.tables[-1]
    if bounds.fixed and course.contradicts is None and _fixes_otherwise(course, slip):
        return True
    if bounds.written is not None:
        now = sheet_of(slip.course, last)
        if now not in (bounds.written, sheet_of(course, before)):
            return True
    if not bounds.sums:
        return False
    sums = course.game.script.section_sums
    was, now_summed = sums(before), sums(last)
    return any(_sum(now_summed, number) not in (figures, _sum(was, number)) for number, figures in bounds.sums)


def _sum(sums: tuple[tuple[int, ...], ...], number: int) -> tuple[int, ...] | None:
    return tuple(sums[number]) if number < len(sums) else None


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


def sheet_of(course: Course, table: AnyTable) -> tuple[int, ...] | None:
    """The score sheet by side of a table that is over, else None."""
    result = course.game.score(table)
    return None if result is None else by_side_of(course.game, course.options, result.sheet)


def by_side_of(game: AnyGame, options: AnyOptions, figures: tuple[int, ...]) -> tuple[int, ...]:
    """Figures by side, from those by seat or by side."""
    sides = game.sides(options)
    return figures if len(figures) == len(sides) else tuple(figures[seats[0]] for seats in sides)
