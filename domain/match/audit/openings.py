"""Openings: places where a duty may have been broken, and a draw that nobody recorded lies between it and the card that
would show it. A legal player looks the same, so nothing is proven and no code is given: for a case, or a director who
asks."""

import msgspec

from domain.cards.facts import CardDrawn, CardPlayed
from domain.game.judgement import Duty
from domain.match.audit.broken import Pending, left_open, owed
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
        """Why nothing is proven."""
        *others, last = map(str, self.tricks)
        tricks = f"{', '.join(others)} or {last}" if others else last
        return f"not provable: the card may have been drawn after trick {tricks}"


def openings(course: Course) -> tuple[Opening, ...]:
    """The openings of a deal in the order of its facts; none where hands are known, or where nobody draws."""
    if course.cards is not None or CardDrawn not in course.game.facts:
        return ()
    walk = walked(course)
    done = _tricks_done(walk)
    pending: dict[tuple[int, int], Pending] = {}
    found: dict[int, Opening] = {}
    for place, (table, fact) in enumerate(zip(walk.tables, course.facts, strict=False)):
        if type(fact) in course.game.remarks or walk.broken[place]:
            continue
        duty = owed(course.game, table, fact.seat)
        if isinstance(fact, CardPlayed):
            for each in list(pending.values()):
                if _would_show(course, each, place, fact, duty):
                    tricks = tuple(sorted({*done[each.place : place + 1]} - {done[each.place]}))
                    found.setdefault(each.place, Opening(each.place, each.seat, each.rule, place, tricks))
        for number, each in enumerate(left_open(place, fact, duty)):
            pending[place, number] = each
    return tuple(found[place] for place in sorted(found))


def _would_show(course: Course, each: Pending, place: int, fact: CardPlayed, duty: Duty | None) -> bool:
    """Tells whether a card would show a duty broken, had no card been drawn since: one that was seen to be drawn shows
    nothing, nor does one of the same stretch, which is proof."""
    if each.seat != fact.seat or not each.cards >> fact.card & 1 or duty is None or duty.segment == each.segment:
        return False
    drawn = (one for one in course.facts[each.place : place] if isinstance(one, CardDrawn))
    return all(one.card != fact.card for one in drawn)


def _tricks_done(walk: Walk) -> list[int]:
    """How many tricks were complete before each fact."""
    view, done, number, lying = walk.course.game.view, [], 0, 0
    for table in walk.tables:
        now = len(view(table, None).trick)
        number += lying > now
        lying = now
        done.append(number)
    return done
