"""Slips: one mistake of whoever keeps the score that would leave nothing of a finding.

A slip *explains* a finding when, after folding again, this finding and what is beneath it are gone, every fact still
fits, and no finding is new; others may stay. Two findings are the same when place, rule and code are: a place that
moved because an entry is missing or too many counts as the place that it was.
"""

from typing import Final

import msgspec

from domain.game.protocol import AnyTable
from domain.match.audit.finding import START, Course, Derived
from domain.match.audit.findings import derived
from domain.match.audit.slip_kinds import Slip, slips_for
from domain.match.audit.slip_words import words_of
from domain.match.audit.walk import Key, Walk, broken_by, keys_of, walked

FOLDS: Final = 400  # for one finding
FOLDS_OF_MATCH: Final = 2000


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


def explained(course: Course, finding: Derived, written: tuple[int, ...] | None = None) -> Explanation | None:
    """The slip that explains a finding, every one examined; None where none does. `written` is the score by side that
    the sides wrote down themselves: a slip that changes it is ruled out."""
    return examined(walked(course), keys_of(derived(course)), finding, written).explanation


def examined(
    walk: Walk,
    found: frozenset[Key],
    finding: Derived,
    written: tuple[int, ...] | None = None,
    limit: int | None = None,
) -> Examined:
    """The search for a slip that explains a finding among `found`, in at most `limit` folds."""
    gone, folds = keys_of((finding,)), 0
    for slip in slips_for(walk, finding, gone):
        if limit is not None and folds >= limit:
            return Examined(None, folds, whole=False)
        folds += 1
        if _explains(walk, found, gone, slip, written):
            return Examined(Explanation(slip.kind, slip.places, words_of(walk.course, slip)), folds, whole=True)
    return Examined(None, folds, whole=True)


def _explains(
    walk: Walk, found: frozenset[Key], gone: frozenset[Key], slip: Slip, written: tuple[int, ...] | None
) -> bool:
    if any(key[0] < slip.first and _at_table(walk, key) for key in gone):
        return False
    last = _folded(walk, slip, gone)
    if last is None or (written is not None and _changes(walk, slip, last, written)):
        return False
    for place, rule, code in keys_of(derived(slip.course)):
        key = (slip.origin(place), rule, code)
        if key in gone or key not in found:
            return False
    return True


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
            return None if any(key[0] >= slip.origin(place) and _at_table(walk, key) for key in gone) else tables[-1]
    return table


def _stands(walk: Walk, slip: Slip, gone: frozenset[Key], table: AnyTable, place: int) -> bool:
    """Tells whether what a fact breaks now is only what it broke before, and may stay."""
    broken = broken_by(slip.course, table, slip.course.facts[place])
    if broken is None or slip.inserts == place:
        return False
    at = slip.origin(place)
    return broken <= walk.broken[at] and not any((at, *each) in gone for each in broken)


def _at_table(walk: Walk, key: Key) -> bool:
    return key[0] != START and key[1:] in walk.broken[key[0]]


def _changes(walk: Walk, slip: Slip, last: AnyTable, written: tuple[int, ...]) -> bool:
    """Tells whether the score that the sides wrote down would be another one: not what the deal gave, nor what they
    wrote."""
    now = score_by_side(slip.course, last)
    return now not in (written, score_by_side(walk.course, walk.tables[-1]))


def score_by_side(course: Course, table: AnyTable) -> tuple[int, ...] | None:
    """The score by side of a table that is over, else None."""
    result = course.game.score(table)
    if result is None:
        return None
    sides, scores = course.game.sides(course.options), result.scores
    return scores if len(scores) == len(sides) else tuple(scores[seats[0]] for seats in sides)
