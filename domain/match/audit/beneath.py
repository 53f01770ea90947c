"""One cause, one finding: what follows from a breach is put beneath it.

A later finding is a consequence of an earlier one when it rests on the place of that one, or on that of another of its
consequences, and is gone, with nothing new found, once a legal fact stands in the place of the cause; or once the cause
is left out, where it was out of turn or there once already. So a lead by the wrong seat after a revoke, the cards of a
seat that somebody else was said to play, and every trick behind a card too many are told once.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import msgspec

from domain.cards.facts import Fact
from domain.game.protocol import AnyTable
from domain.match.audit.catalogue import is_offence
from domain.match.audit.finding import START, Course, Derived

Sign: TypeAlias = tuple[int, str | None]
Signs: TypeAlias = Callable[[Course], list[Sign] | None]  # None: as much was looked at as may be
EXTRA: Final = frozenset({"LOT", "POT", "OOB", "DUP", "DRW"})  # a fact that may be one too many
MOST: Final = 64  # legal facts that are tried in the place of a cause
FOLDS: Final = 256  # folds for all causes of a deal: a record with more of them is none of a game


def gathered(course: Course, found: tuple[Derived, ...], signs: Signs) -> tuple[Derived, ...]:
    """The findings with their consequences beneath them, in order."""
    causes: list[Derived] = []
    all_signs = frozenset((each.place, each.code) for each in found if is_offence(course.game, each.code))
    cleared: dict[int, tuple[frozenset[Sign], ...]] = {}
    left = iter(range(FOLDS))

    def seen(changed: Course) -> list[Sign] | None:
        return None if next(left, None) is None else signs(changed)

    for each in found:
        at = next(
            (at for at, cause in enumerate(causes) if _follows(course, cause, each, all_signs, seen, cleared)), None
        )
        if at is None:
            causes.append(each)
        else:
            causes[at] = msgspec.structs.replace(causes[at], beneath=(*causes[at].beneath, each))
    return tuple(causes)


def _follows(
    course: Course,
    cause: Derived,
    each: Derived,
    found: frozenset[Sign],
    signs: Signs,
    cleared: dict[int, tuple[frozenset[Sign], ...]],
) -> bool:
    if cause.place == START or each.place <= cause.place or not _both_offend(course, cause, each):
        return False
    if each.code == cause.code == "DUP" and each.rests_on[1:] == cause.rests_on[1:]:
        return True
    if not {cause.place, *(one.place for one in cause.beneath)} & set(each.rests_on):
        return False
    if cause.place not in cleared:
        cleared[cause.place] = tuple(_cleared(course, cause, found, signs))
    return any((each.place, each.code) in gone for gone in cleared[cause.place])


def _cleared(course: Course, cause: Derived, found: frozenset[Sign], signs: Signs) -> Iterator[frozenset[Sign]]:
    """The findings that are gone without the cause, for every way to be without it that gives no new one."""
    place, facts = cause.place, course.facts
    for instead in _instead(course, place):
        changed = msgspec.structs.replace(course, facts=(*facts[:place], instead, *facts[place + 1 :]))
        left = _offences(course, signs(changed))
        if left is None:
            return
        if left < found:
            yield found - left
    if cause.code in EXTRA:
        changed = msgspec.structs.replace(course, facts=(*facts[:place], *facts[place + 1 :]))
        left = _offences(course, signs(changed))
        if left is None:
            return
        left = frozenset((at + (at >= place), code) for at, code in left)
        if left < found:
            yield found - left


def _both_offend(course: Course, cause: Derived, each: Derived) -> bool:
    return is_offence(course.game, cause.code) and is_offence(course.game, each.code)


def _offences(course: Course, signs: list[Sign] | None) -> frozenset[Sign] | None:
    return None if signs is None else frozenset(each for each in signs if is_offence(course.game, each[1]))


def _instead(course: Course, place: int) -> list[Fact]:
    """The legal facts of the same kind; where it was another seat's turn, the same by that seat too."""
    game, fact = course.game, course.facts[place]
    table: AnyTable = game.start(course.options, course.dealer, course.cards)
    for each in course.facts[:place]:
        if type(each) not in game.remarks:
            table = game.evolve(table, each)
    return [each for each in game.legal(table) if type(each) is type(fact)][:MOST]
