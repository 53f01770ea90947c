"""`derived` accepts any course of any facts."""

import random
import sys

import pytest

from domain.cards.card import CARDS
from domain.cards.facts import RestAnswered, RestClaimed
from domain.match.audit.finding import START, Course
from domain.match.audit.findings import derived
from domain.match.audit.openings import openings
from domain.match.audit.slips import Bounds, case_of, examined
from tests.kit.games.strategies import FORM_IDS, FORMS, setup, universe
from tests.kit.match.tables import random_deal

COURSES = [(0, 6), pytest.param((6, 20), marks=pytest.mark.extended)]  # the first and the one after the last
OUTSIDE = 0.25  # how often a fact that fits nowhere is put down


def any_claim(chance: random.Random) -> RestClaimed:
    """Return a claim of the rest with random cards of a random seat."""
    hands = tuple(tuple(chance.sample(CARDS, chance.randrange(4))) for _ in range(chance.randrange(5)))
    return RestClaimed(chance.randrange(4), chance.choice((None, 0, 1, 5, 26)), hands)


def any_course(form, seed: int) -> Course:
    """Return a deal of mostly legal and some arbitrary facts, cards known or unknown."""
    game, options = setup(form)
    chance, every = random.Random(f"any {form} {seed}"), universe(game)
    dealer = chance.randrange(game.seats(options))
    cards = random_deal(game.key, options, seed) if seed % 2 else None
    table, facts = game.start(options, dealer, cards), []
    outside = chance.choice((0.05, OUTSIDE, 1.0))
    for _ in range(chance.randrange(1, 70)):
        legal = game.legal(table)
        if chance.random() < outside or not legal:
            pool = [chance.choice(every), any_claim(chance), RestAnswered(chance.randrange(4), chance.random() < 0.5)]
            facts.append(chance.choices(pool, (10, 1, 1))[0])
        else:
            facts.append(chance.choice(legal))
        if type(facts[-1]) not in game.remarks:
            table = game.evolve(table, facts[-1])
    return Course(game, options, dealer, cards, tuple(facts))


@pytest.mark.parametrize("courses", COURSES, ids=["first", "others"])
@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
def test_any_course_of_any_facts_is_answered(form, courses):
    start = random.Random(f"never {form}").randrange(10**6)
    seeds = range(start + courses[0], start + courses[1])
    sys.stdout.write(f"{seeds}\n")
    for seed in seeds:
        course = any_course(form, seed)
        found = derived(course)
        openings(course)
        assert all(START <= place < len(course.facts) for each in found for place in each.rests_on), seed
        if found and seed % 6 == 0:
            examined(case_of(course, found, Bounds()), found[0], 40)
