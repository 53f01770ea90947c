"""Cards faced with a claim, or played after recorded draws, prove earlier breaches."""

import random

import msgspec
import pytest

from domain.cards.facts import CardDrawn, CardPlayed, Passed, RestAnswered, RestClaimed
from domain.game.replay import START
from domain.match.audit.finding import Course
from domain.match.audit.findings import derived
from domain.match.audit.openings import openings
from domain.match.audit.slips import Bounds, case_of, examined
from tests.kit.audit import brute
from tests.kit.audit.illegal import one_wrong
from tests.kit.audit.legal import legal_deal
from tests.kit.audit.scorers import record_of

TIMES = 20
TRICKS = [("parity", {}), ("cross_purposes", {}), ("cross_game", {}), ("over_the_top", {}), ("ristikontra", {})]


def faced_revokes(key: str):
    """Yield revokes that only a card faced with a claim proves."""
    for seed in range(400):
        made = one_wrong((key, {}), seed, "REV")
        whole = made and made.course(known=False)
        found = [each for each in derived(whole) if each.place == made.place] if made else []
        if len(found) != 1 or found[0].code != "REV":
            continue
        proof = found[0].rests_on[-1]
        lead = next(at for at in range(proof, -1, -1) if not made.game.view(made.states[at], None).trick)
        if not made.place < lead or any(each.place != made.place for each in derived(whole)):
            continue
        card, seat = whole.facts[proof].card, whole.facts[proof].seat
        yield seed, msgspec.structs.replace(whole, facts=whole.facts[:lead]), made.place, seat, card


@pytest.mark.parametrize("key", ["parity", "cross_purposes"])
def test_a_card_faced_with_a_claim_proves_an_earlier_revoke(key):
    times = 0
    for seed, before, place, seat, card in faced_revokes(key):
        hands = tuple((card,) if each == seat else () for each in range(seat + 1))
        claim = RestClaimed(seat, None, hands)
        course = msgspec.structs.replace(before, facts=(*before.facts, claim))
        assert derived(before) == (), seed
        found = derived(course)
        assert [(each.place, each.code, each.rests_on[-1]) for each in found] == [(place, "REV", len(before.facts))]
        assert brute.found_in(record_of(course)) == {(place, "REV")}
        nothing = msgspec.structs.replace(before, facts=(*before.facts, RestClaimed(seat)))
        assert derived(nothing) == (), "a claim that faces nothing shows nothing"
        times += 1
        if times == TIMES:
            return
    raise AssertionError(f"{times} of {TIMES}")


def test_a_card_that_may_have_been_faced_wrongly_explains_the_revoke():
    seed, before, place, seat, card = next(faced_revokes("parity"))
    claim = RestClaimed(seat, None, tuple((card,) if each == seat else () for each in range(seat + 1)))
    course = msgspec.structs.replace(before, facts=(*before.facts, claim))
    found = derived(course)
    came = examined(case_of(course, found, Bounds()), found[0])
    assert came.explanation is not None, (seed, place)


@pytest.mark.parametrize("form", TRICKS, ids=[key for key, _ in TRICKS])
def test_clm_rests_on_the_answer_and_on_the_claim_alone(form):
    for seed in range(TIMES):
        chance = random.Random(seed)
        known = seed % 2 == 0
        course = legal_deal(form, seed, known)
        tables = [course.game.start(course.options, course.dealer, course.cards)]
        for fact in course.facts:
            tables.append(course.game.evolve(tables[-1], fact))
        places = [at for at, table in enumerate(tables[:-1]) if course.game.rest(table) is not None]
        at = chance.choice(places)
        seat = chance.randrange(course.game.seats(course.options))
        answers = course.game.rest(tables[at]).asked(seat)
        put_in = (RestClaimed(seat), RestAnswered(answers[0], False))
        whole = msgspec.structs.replace(course, facts=(*course.facts[:at], *put_in, *course.facts[at:]))
        found = derived(whole)
        assert [(each.code, each.rests_on) for each in found] == [("CLM", (at + 1, at))], (seed, known)


def passed_with_draws(name_them: bool):
    """Yield deals of Over the Top with a false pass that a card proves after recorded draws."""
    form, count = ("over_the_top", {}), 0
    for seed in range(400):
        made = one_wrong(form, seed, "FPS")
        if made is None or made.game.to_act(made.states[-1]) is not None:
            continue
        course = made.course(known=False, draws=True)
        facts = course.facts if name_them else tuple(_unseen(each) for each in course.facts)
        yield seed, msgspec.structs.replace(course, facts=facts), made.at(course)
        count += 1
        if count == TIMES:
            return


def _unseen(fact):
    return CardDrawn(fact.seat) if isinstance(fact, CardDrawn) else fact


def test_ot_g7_a_false_pass_is_proven_if_every_draw_is_recorded():
    found = across = 0
    for seed, course, place in passed_with_draws(name_them=True):
        assert isinstance(course.facts[place], Passed)
        own = [each for each in derived(course) if (each.place, each.code) == (place, "FPS")]
        later = [fact for fact in course.facts[place:] if isinstance(fact, CardPlayed)]
        assert later, seed
        found += bool(own)
        across += any(isinstance(course.facts[at], CardDrawn) for each in own for at in each.rests_on if at != START)
        assert openings(course) == (), seed
    assert found >= TIMES // 2
    assert across > 0, "shown by a card after a draw"


def test_a_false_pass_with_unseen_draws_is_an_opening():
    opened = proven_here = 0
    for (_, named, place), (_, unseen, _) in zip(passed_with_draws(True), passed_with_draws(False), strict=True):
        proven = {(each.place, each.code) for each in derived(unseen)}
        assert proven <= {(each.place, each.code) for each in derived(named)}
        proven_here += (place, "FPS") in proven
        opened += any(each.place == place for each in openings(unseen))
    assert opened > 0


@pytest.mark.parametrize("seed", range(TIMES))
def test_a_legal_deal_with_its_draws_on_record_has_no_opening(seed):
    course: Course = legal_deal(("over_the_top", {}), seed, known=False, draws=True)
    assert derived(course) == ()
    assert openings(course) == ()
