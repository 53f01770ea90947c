"""The walk of a deal: the table before each of its facts is kept, so that a slip folds from its first changed fact."""

from typing import Final, TypeAlias

import msgspec

from domain.cards.card import Card
from domain.cards.facts import Fact
from domain.game.judgement import Breach
from domain.game.protocol import AnyTable
from domain.match.audit.finding import Course, Derived
from domain.match.audit.judged import Folded, folded

Key: TypeAlias = tuple[int, str | None]  # place and code: what makes one finding the same as another
Broken: TypeAlias = frozenset[str | None]
NOTHING: Final[Broken] = frozenset()
OUTSIDE: Final = -1  # the trick of an entry that lies in none


class Walk(msgspec.Struct, frozen=True, gc=False):
    """A deal walked through once: how it folds, the rules that each fact broke at its table (by code), and the phase
    and the trick that each fact belongs to; `returns` that a card on the table went back to a hand, so that it may be
    played twice. `instead` keeps, by place and the codes that may stay broken there, the entries that could have stood
    in an entry's place: every finding of the deal asks for them again."""

    course: Course
    fold: Folded
    broken: tuple[Broken, ...]
    phases: tuple[int, ...]
    tricks: tuple[int, ...]
    returns: bool
    instead: dict[tuple[int, Broken], tuple[Fact, ...]]

    @property
    def tables(self) -> list[AnyTable]:
        """The tables before each fact and behind the last."""
        return self.fold.tables


def walked(course: Course) -> Walk:
    """The walk through a deal as it was recorded."""
    fold = folded(course)
    broken = (
        broken_by(course, fact, reasons) or NOTHING for fact, reasons in zip(course.facts, fold.reasons, strict=True)
    )
    return Walk(course, fold, tuple(broken), *_places(course, fold.tables), {})


def broken_by(course: Course, fact: Fact, reasons: tuple[Breach, ...]) -> Broken | None:
    """The codes of the reasons against a fact; None for one that does not fit."""
    if not reasons:
        return NOTHING
    for reason in reasons:
        if reason.misfit:
            return NOTHING if type(fact) in course.game.remarks else None
    return frozenset([reason.code for reason in reasons])


def _places(course: Course, tables: list[AnyTable]) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """Phase and trick by place, and whether a card went back. An entry lies in a trick when it put its card there."""
    phases, tricks, number, returns = [], [], 0, False
    view = course.game.view
    before = view(tables[0], None)
    for place, fact in enumerate(course.facts):
        phases.append(before.phase)
        after = before if tables[place + 1] is tables[place] else view(tables[place + 1], None)
        lies = card_of(fact) is not None and (
            len(after.trick) > len(before.trick) or bool(before.trick and not after.trick)
        )
        number += lies and not before.trick
        tricks.append(number if lies else OUTSIDE)
        returns = returns or not {*before.seen} <= {*after.seen}
        before = after
    return tuple(phases), tuple(tricks), returns


def card_of(fact: Fact) -> Card | None:
    """The card that an entry names, if it names one."""
    card: Card | None = getattr(fact, "card", None)
    return card


def keys_of(found: tuple[Derived, ...]) -> frozenset[Key]:
    """Findings and all that is beneath them, by what makes them the same."""
    return frozenset(key for each in found for key in _with_beneath(each))


def _with_beneath(found: Derived) -> list[Key]:
    return [(found.place, found.code), *(key for each in found.beneath for key in _with_beneath(each))]
