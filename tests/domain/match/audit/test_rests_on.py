"""What a finding rests on: changing one fact outside it to another of its kind and seat leaves the finding where it is.

Only changes that can have happened count: after them no card is played twice or from elsewhere, and every fact still
fits. A revoke that turns into a trump not played, or the other way round, is the same breach of one duty.
"""

import random
import sys

import msgspec
import pytest

from domain.match.audit.finding import START, Course, Derived
from domain.match.audit.findings import all_derived, derived
from tests.kit.audit.illegal import one_wrong
from tests.kit.audit.said import totals, unclaimed
from tests.kit.games.strategies import FORM_IDS, FORMS, candidates

CHANGES = 40
SEEDS = 2
ALIKE = {"FTT": "REV"}


def sign(found: Derived) -> tuple:
    return found.place, ALIKE.get(found.code, found.code)


def every(found: tuple[Derived, ...]) -> list[Derived]:
    return [each for one in found for each in (one, *one.beneath)]


def cannot_be(found) -> set:
    return {(each.place, each.code) for each in found if each.code in ("DUP", "NIH") or each.rule == "misfit"}


def changed(course: Course, place: int, chance: random.Random) -> Course | None:
    """Return the course with another fact of the same kind and seat at a place, or None."""
    fact = course.facts[place]
    others = [each for each in candidates(type(fact)) if each.seat == fact.seat and each != fact]
    if not others:
        return None
    facts = (*course.facts[:place], chance.choice(others), *course.facts[place + 1 :])
    return msgspec.structs.replace(course, facts=facts)


def check(course: Course, chance: random.Random) -> int:
    """Change facts outside what each finding rests on; return how many changes were possible."""
    found, tried = every(derived(course)), 0
    before = cannot_be(found)
    for each in found:
        outside = [place for place in range(len(course.facts)) if place not in each.rests_on]
        for _ in range(CHANGES if outside else 0):
            place = chance.choice(outside)
            other = changed(course, place, chance)
            after = () if other is None else all_derived(other)
            if other is None or cannot_be(after) - before:
                continue
            tried += 1
            was = (course.facts[place], other.facts[place])
            assert sign(each) in {sign(one) for one in after}, (each, place, was)
    return tried


@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
def test_changing_unrelated_facts_leaves_a_finding_in_place(form):
    start, tried = random.Random(f"rests {form}").randrange(10**6), 0
    sys.stdout.write(f"seeds {start} to {start + 6 * SEEDS - 1} at most\n")
    for seed in range(start, start + 6 * SEEDS):
        if tried and seed >= start + SEEDS:  # more deals only where no change of the first ones could have happened
            break
        for known, draws in ((True, False), (False, False), (False, True)):
            chance = random.Random(seed)
            made = one_wrong(form, seed, physical=seed % 3 > 0)
            if made is not None:
                tried += check(made.course(known, draws, after=chance.choice((None, 1, 5, 12))), chance)
    assert tried


SAID = [("cross_game", {}), ("garbo", {}), ("over_the_top", {})]


@pytest.mark.parametrize("form", SAID, ids=[key for key, _ in SAID])
def test_a_wrong_total_rests_on_what_it_counts(form):
    for seed in range(4):
        course, _ = totals(form, seed, known=seed % 2 == 0, wrong=True)
        check(course, random.Random(seed))


@pytest.mark.parametrize("form", [("garbo", {"claims": "manual"}), ("cross_game", {"announce": "declared"})])
def test_a_lapsed_claim_rests_on_its_card_and_the_matched_ones(form):
    for seed in range(6):
        check(unclaimed(form, seed, known=seed % 2 == 0)[0], random.Random(seed))


@pytest.mark.parametrize("form", FORMS[::3], ids=FORM_IDS[::3])
def test_a_finding_rests_first_on_the_offence_and_on_existing_places(form):
    for seed in range(3):
        made = one_wrong(form, seed)
        if made is None:
            continue
        course = made.course(known=seed % 2 == 0)
        for each in every(derived(course)):
            assert each.rests_on[0] == each.place
            assert len(set(each.rests_on)) == len(each.rests_on)
            assert all(START <= place < len(course.facts) for place in each.rests_on)
