"""A legal deal gives no finding under any rule set, however it is recorded."""

import random
import sys

import pytest

from domain.match.audit.catalogue import is_offence
from domain.match.audit.finding import Course
from domain.match.audit.findings import derived
from tests.kit.audit.illegal import spoken
from tests.kit.audit.legal import LOUD, legal_deal, tag
from tests.kit.games.strategies import FORM_IDS, FORMS, setup
from tests.kit.match.tables import random_deal

SEEDS = [range(9), pytest.param(range(9, 28), marks=pytest.mark.extended)]  # 3,000 deals in all
RECORDED = {"cards known": (True, False), "cards unknown": (False, False), "draws recorded": (False, True)}


@pytest.mark.parametrize("seeds", SEEDS, ids=["first", "others"])
@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
def test_a_legal_deal_gives_no_finding(form, seeds):
    start = random.Random(str(form)).randrange(10**6)
    sys.stdout.write(f"{seeds} after {start}\n")
    for seed in seeds:
        for how, (known, draws) in RECORDED.items():
            found = derived(legal_deal(form, start + seed, known, draws))
            assert found == (), (how, start + seed)


SILENT = [form for form in FORMS if form[1].get("claims") == "manual" or form[1].get("announce") == "declared"]
QUIET_DEALS = 40


@pytest.mark.parametrize("form", SILENT, ids=[f"{key}-{given}" for key, given in SILENT])
def test_an_unclaimed_match_in_a_legal_deal_is_no_irregularity(form):
    start, lapsed = random.Random(f"quiet {form}").randrange(10**6), 0
    sys.stdout.write(f"seeds {start} to {start + QUIET_DEALS - 1}\n")
    for seed in range(start, start + QUIET_DEALS):
        known = seed % 2 == 0
        game, options, dealer, cards, facts, states = without_claims(form, seed)
        told_facts = facts if known else spoken(game, facts, states)
        course = Course(game, options, dealer, cards if known else None, tuple(told_facts))
        found = derived(course)
        assert {each.code for each in found} <= {"LAP"}, seed
        assert not [each for each in found if is_offence(game, each.code)]
        lapsed += len(found)
    assert lapsed


def without_claims(form, seed):
    """Return a legal deal without any claim or announcement."""
    game, options = setup(form)
    chance = random.Random(f"quiet {form} {seed}")
    dealer, cards = chance.randrange(2), random_deal(game.key, options, seed)
    states, facts = [game.start(options, dealer, cards)], []
    while game.to_act(states[-1]) is not None:
        legal = game.legal(states[-1])
        silent = [each for each in legal if tag(each) not in LOUD]
        facts.append(chance.choice(silent or legal))
        states.append(game.evolve(states[-1], facts[-1]))
    return game, options, dealer, cards, facts, states
