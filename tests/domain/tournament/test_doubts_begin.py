"""Doubts in a tournament begin with events of a few types: without one of these none stands."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.tournament import commands as c
from domain.tournament.doubts import BEGUN_BY, doubt_in
from domain.tournament.evolve import fold
from domain.tournament.state import Tournament
from tests.domain.tournament.test_tournament_properties import FORMATS, one_thing
from tests.kit.tournament.directed import Event


def doubted(state):
    """The results about which there is a doubt."""
    stages = enumerate(state.stages)
    return {(number, name) for number, each in stages for name in each.pairings if doubt_in(each, name)}


def steps(log):
    """Each event of a tournament with what is doubted before and after it."""
    before = Tournament()
    for numbered in log:
        after = fold(before, [numbered])
        yield numbered[1], doubted(before), doubted(after)
        before = after


def directed(kind, seed, entries):
    """A tournament in which whatever may happen happens, contested and disputed results among it."""
    chance, event = random.Random(seed), Event(FORMATS[kind], entries=entries)
    event.pair()
    for _ in range(40):
        if event.over():
            break
        one_thing(event, chance)
        stage = event.state.stage
        decided = [name for name in stage.decided if name in stage.pairings and name not in stage.contested]
        if decided and chance.random() < 0.2:
            event.do(c.Contest(chance.choice(decided), event.state.at, 3, chance.choice([0, 1]), (3, 1), "corrected"))
        if event.state.stage.contested and chance.random() < 0.2:
            event.do(c.Uphold(next(iter(event.state.stage.contested))))
    return event


@settings(max_examples=60)
@given(
    kind=st.sampled_from(["single", "double", "robin", "swiss", "ladder"]),
    seed=st.integers(0, 10**6),
    entries=st.integers(4, 9),
)
def test_whatever_happens_no_doubt_begins_but_with_an_event_of_these_types(kind, seed, entries):
    for event, before, after in steps(directed(kind, seed, entries).log):
        assert after <= before or type(event).__name__ in BEGUN_BY, event


def test_each_of_these_types_begins_one():
    begun = {type(event).__name__ for event, before, after in steps(directed("robin", 7, 6).log) if not after <= before}
    assert begun == set(BEGUN_BY)
