"""A deal judged fact by fact: the tables that its facts make, what each breaks at once, and what a later card proves.

It can be gone on with: the slips of a deal share what lies before their first changed fact.
"""

from typing import Final, TypeAlias

import msgspec

from domain.cards.facts import CardPlayed, Fact, Passed, RestClaimed
from domain.game.judgement import Breach, Late
from domain.game.protocol import AnyGame, AnyTable
from domain.match.audit.broken import Pending, left_open, owed, settled, shown, shown_by
from domain.match.audit.draws import Drawn
from domain.match.audit.finding import Course

Wrong: TypeAlias = tuple[int, Breach]
SHOWING: Final = frozenset({CardPlayed, Passed, RestClaimed})  # the facts that show cards, or that a duty forbids


class Folded(msgspec.Struct, frozen=True, gc=False):
    """A deal folded: the tables before each fact and behind the last, and what speaks against each fact."""

    tables: list[AnyTable]
    reasons: list[tuple[Breach, ...]]


class Judged(msgspec.Struct, gc=False):
    """Knowledge of a deal up to a place: the breaches where they happened, those that a later card proved, the
    duties that are open, and the draws."""

    wrong: list[Wrong]
    proven: dict[int, Late]
    pending: list[Pending]
    drawn: Drawn

    def kept(self) -> "Judged":
        """The same, which stays as it is when this one goes on."""
        return Judged([*self.wrong], {**self.proven}, [*self.pending], self.drawn.kept())


def folded(course: Course) -> Folded:
    """The deal folded from its start."""
    game = course.game
    judge, evolve, remarks = game.breaches, game.evolve, game.remarks
    table: AnyTable = game.start(course.options, course.dealer, course.cards)
    tables, reasons = [table], []
    for fact in course.facts:
        reasons.append(judge(table, fact))
        table = table if type(fact) in remarks else evolve(table, fact)
        tables.append(table)
    return Folded(tables, reasons)


def judged(course: Course, fold: Folded, before: Judged | None = None, place: int = 0) -> Judged:
    """All that is known of a deal at its end; what is known `before` a place need not be looked at again."""
    found = unjudged(course) if before is None else before.kept()
    for at in range(place, len(course.facts)):
        _look(course, fold, found, at)
    return found


def judged_before(course: Course, fold: Folded) -> tuple[Judged, ...]:
    """The knowledge before each fact, and behind the last."""
    found = unjudged(course)
    before = [found.kept()]
    for place in range(len(course.facts)):
        _look(course, fold, found, place)
        before.append(found.kept())
    return tuple(before)


def unjudged(course: Course) -> Judged:
    """The knowledge of a deal before its first fact."""
    return Judged([], {}, [], Drawn(course.game, course.game.seats(course.options)))


def _look(course: Course, fold: Folded, found: Judged, place: int) -> None:
    """Put down what one fact breaks, and what it shows."""
    game, fact, reasons, table = course.game, course.facts[place], fold.reasons[place], fold.tables[place]
    remark = type(fact) in game.remarks
    if reasons:
        found.wrong += [(place, breach) for breach in reasons if not (remark and breach.misfit)]
    if remark or course.cards is not None:
        return
    if game.drawing_rule:
        found.drawn.noted(place, table, fact, fold.tables[place + 1])
    if type(fact) in SHOWING:
        found.pending = _pending(game, table, place, fact, reasons, found)


def _pending(
    game: AnyGame, table: AnyTable, place: int, fact: Fact, reasons: tuple[Breach, ...], found: Judged
) -> list[Pending]:
    """The duties that are open after a fact; what it proves is put down. A card that cannot be there proves nothing."""
    pending, drawn = found.pending, found.drawn
    own = owed(game, table, fact.seat) if isinstance(fact, CardPlayed | Passed) else None
    doubtful = bool(reasons) and any(reason.misfit or reason.code in ("DUP", "NIH") for reason in reasons)
    if pending and not doubtful:
        for seat, card in shown_by(fact):
            duty = own if own is not None and seat == fact.seat else owed(game, table, seat)
            proofs, pending = settled(pending, seat, card, duty, drawn)
            found.proven.update((each.place, shown(each, place, card, drawn)) for each in proofs)
    return pending if own is None else pending + left_open(place, fact, own, drawn)
