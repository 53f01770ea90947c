"""Openings: places where a duty may have been broken, and a draw that nobody recorded lies between it and the card that
would show it. A legal player looks the same, so nothing is proven and no code is given: for a case, or a director who
asks."""

import msgspec

from domain.cards.facts import CardDrawn
from domain.game.judgement import Duty
from domain.match.audit.broken import Pending, left_open, owed, shown_by, was_held
from domain.match.audit.draws import Drawn
from domain.match.audit.finding import Course
from domain.match.audit.walk import Walk, walked


class Opening(msgspec.Struct, frozen=True):
    """One place, the rule of the duty, the place of the card that would show it, and the tricks after which that card
    may have been drawn."""

    place: int
    seat: int
    rule: str
    shown: int
    tricks: tuple[int, ...]

    @property
    def words(self) -> str:
        """The reason in words that nothing is proven."""
        *others, last = map(str, self.tricks)
        tricks = f"{', '.join(others)} or {last}" if others else last
        return f"not provable: the card may have been drawn after trick {tricks}"


def openings(course: Course) -> tuple[Opening, ...]:
    """The openings of a deal in the order of its facts; none where hands are known, or where nobody draws."""
    if course.cards is not None or CardDrawn not in course.game.facts:
        return ()
    walk = walked(course)
    done = _tricks_done(walk)
    drawn = Drawn(course.game, course.game.seats(course.options))
    pending: list[Pending] = []
    found: dict[int, Opening] = {}
    for place, (table, fact) in enumerate(zip(walk.tables, course.facts, strict=False)):
        if type(fact) in course.game.remarks:
            continue
        drawn.noted(place, table, fact, walk.tables[place + 1])
        if not walk.broken[place]:
            for seat, card in shown_by(fact):
                duty = owed(course.game, table, seat)
                for each in pending:
                    if _would_show(each, seat, card, duty, drawn):
                        tricks = tuple(sorted({*done[each.place : place + 1]} - {done[each.place]}))
                        found.setdefault(each.place, Opening(each.place, each.seat, each.rule, place, tricks))
            pending += left_open(place, fact, owed(course.game, table, fact.seat), drawn)
    return tuple(found[place] for place in sorted(found))


def _would_show(each: Pending, seat: int, card: int, duty: Duty | None, drawn: Drawn) -> bool:
    """Tells whether a card would show a duty broken, had it not been drawn since, unseen. One that was seen to be drawn
    shows nothing; where every draw is on record with another card, or none lies between, it is proof and no opening."""
    if each.seat != seat or not each.cards >> card & 1 or was_held(each, card, duty, drawn):
        return False
    return not (drawn.named[seat] & ~each.named) >> card & 1


def _tricks_done(walk: Walk) -> list[int]:
    """The number of tricks that were complete before each fact."""
    done, number, lying = [], 0, 0
    for table in walk.tables:
        now = len(walk.course.game.lying(table))
        number += lying > now
        lying = now
        done.append(number)
    return done
