"""Wrong totals, draws and missing claims in legal deals."""

import random
from typing import Any

import msgspec

from domain.cards.facts import CardDrawn, TotalCalled
from domain.match.audit.finding import Course
from tests.kit.audit.illegal import Form
from tests.kit.audit.legal import legal_deal, tag

TOTALS = ("cross_game", "garbo", "over_the_top")
DRAWN = ("cross_game", "garbo", "over_the_top", "ristikontra")


def put_in(course: Course, place: int, *facts: Any) -> Course:
    """Insert facts into a course before a place."""
    return msgspec.structs.replace(course, facts=(*course.facts[:place], *facts, *course.facts[place:]))


def left_out(course: Course, place: int) -> Course:
    """Remove the fact at a place of a course."""
    return msgspec.structs.replace(course, facts=(*course.facts[:place], *course.facts[place + 1 :]))


def played_deal(form: Form, seed: int, known: bool, draws: bool = False) -> Course:
    """Return the legal deal of a seed, or of the next seed that is not passed out."""
    course = legal_deal(form, seed, known=known, draws=draws)
    return course if any(map(_card, course.facts)) else played_deal(form, seed + 1, known, draws)


def _card(fact: Any) -> bool:
    return getattr(fact, "card", None) is not None


def tables(course: Course) -> list[Any]:
    """Return the table before each fact and after the last."""
    found = [course.game.start(course.options, course.dealer, course.cards)]
    for fact in course.facts:
        found.append(course.game.evolve(found[-1], fact))
    return found


def totals(form: Form, seed: int, known: bool, wrong: bool) -> tuple[Course, int]:
    """Return a legal deal with a right or wrong total called, and its place."""
    chance = random.Random(f"total {form} {seed}")
    course = played_deal(form, seed, known)
    at = tables(course)
    game = course.game
    while True:
        place, seat = chance.randrange(1, len(course.facts) + 1), chance.randrange(2)
        right = [each for each in range(-30, 700) if not game.breaches(at[place], TotalCalled(seat, each))]
        if right:
            total = right[0] + (chance.choice((-3, -1, 1, 10)) if wrong else 0)
            return put_in(course, place, TotalCalled(seat, total)), place


def missing_draw(form: Form, seed: int) -> tuple[Course, int]:
    """Return a deal with one draw missing, and the seat that should have drawn."""
    course = played_deal(form, seed, known=False, draws=True)
    chance = random.Random(f"draw {form} {seed}")
    gone = chance.choice([place for place, fact in enumerate(course.facts) if isinstance(fact, CardDrawn)])
    return left_out(course, gone), course.facts[gone].seat


def twice_drawn(form: Form, seed: int) -> tuple[Course, int]:
    """Return a deal with one unseen draw too many after a trick, and its place."""
    course = played_deal(form, seed, known=False, draws=True)
    at = tables(course)
    chance = random.Random(f"twice {form} {seed}")
    places = [
        place
        for place in range(1, len(course.facts))
        if isinstance(course.facts[place - 1], CardDrawn) and not course.game.due_draws(at[place])
    ]
    place = chance.choice(places)
    return put_in(course, place, CardDrawn(course.facts[place - 1].seat)), place


def unclaimed(form: Form, seed: int, known: bool) -> tuple[Course, int, int]:
    """Return a deal with one claim or announcement left out, its place and seat."""
    course = legal_deal(form, seed, known)
    chance = random.Random(f"claim {form} {seed}")
    places = [place for place, fact in enumerate(course.facts) if tag(fact) in ("claim", "announce")]
    if not places:
        return course, -1, -1
    place = chance.choice(places)
    return left_out(course, place), place, course.facts[place].seat
