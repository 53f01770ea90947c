"""Whole tricks in one go: the same table as one card after the other, whatever was played."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log.actor import SERVICE
from domain.match import commands as c
from domain.match import events as e
from domain.match.decide import decide
from domain.match.evolve import fold, initial
from domain.match.state import Deal, Match
from tests.kit.games.strategies import FORM_IDS, FORMS, played_out
from tests.kit.match.tables import random_deal

TWO = [pytest.param(form, id=name) for form, name in zip(FORMS, FORM_IDS, strict=True)]


def opened(game, given_options, known, seed, options):
    """A match in record mode with a deal under way; its events so far."""
    seats = game.sides(options)
    sides = tuple(tuple(f"{side}{place}" for place, _ in enumerate(own)) for side, own in enumerate(seats))
    state, news = initial(), []
    deal = random_deal(game.key, options, seed) if known else None
    for command in (
        c.OpenMatch(game=game.key, options=given_options, race={}, sides=sides),
        c.StartDeal(dealer=0, deal=deal),
    ):
        decided = decide(state, command, SERVICE)
        state = fold(state, [(len(news) + place, new.event) for place, new in enumerate(decided, start=1)])
        news += decided
    return state, len(news)


def both_ways(state, version, facts):
    """The match after a run of facts in one go, and after the same facts one by one."""
    pairs = [(version + place, fact) for place, fact in enumerate(facts, start=1)]
    together = fold(state, pairs)
    for pair in pairs:
        state = fold(state, [pair])
    return together, state


@pytest.mark.parametrize("form", TWO)
@given(seed=st.integers(0, 10_000), known=st.booleans(), slips=st.integers(0, 6))
def test_folding_facts_together_equals_folding_them_one_by_one(form, seed, known, slips):
    game, options, _, _, facts, _ = played_out(form, seed, known=known)
    chance = random.Random(seed)
    facts = list(facts)
    for _ in range(min(slips, len(facts) - 1)):  # facts that change places: breaches and misfits
        one, other = chance.randrange(len(facts)), chance.randrange(len(facts))
        facts[one], facts[other] = facts[other], facts[one]
    state, version = opened(game, form[1], known, seed, options)
    together, apart = both_ways(state, version, facts)
    assert together == apart


class LongerDeal(Deal, frozen=True, gc=False):
    """A deal as it may be one day."""

    further: str = "lost"


class LongerMatch(Match, frozen=True, gc=False):
    """A match as it may be one day."""

    further: str = "lost"


def longer(match):
    """The same match with a member more in it and in each of its deals."""
    deals = tuple(LongerDeal(**msgspec.structs.asdict(deal), further="kept") for deal in match.deals)
    return LongerMatch(**{**msgspec.structs.asdict(match), "deals": deals}, further="kept")


def test_new_members_of_matches_and_deals_survive_facts_and_undo():
    game, options, _, _, facts, _ = played_out(FORMS[0], 3)
    state, version = opened(game, FORMS[0][1], True, 3, options)
    last = version + len(facts)
    played = [(version + place, fact) for place, fact in enumerate(facts, start=1)]
    after = fold(longer(state), played)
    undone = fold(after, [(last + 1, e.FactUndone(version=last, withdrawn=False))])
    for match in (after, undone):
        assert (match.further, match.deals[-1].further) == ("kept", "kept")
    assert len(undone.deals[-1].facts) == len(facts) - 1
