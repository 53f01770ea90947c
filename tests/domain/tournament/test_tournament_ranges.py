"""Best and worst possible ranks: no entry finishes outside its range."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.points import Terms
from domain.tournament.ranges import place_ranges, sure_of
from projections.tournaments.standings import standings_view
from tests.domain.tournament.test_tournament_properties import FORMATS, PACES
from tests.kit.tournament.directed import Event


def ranges(event, ended=False):
    state = event.state
    stage, field = state.stage, state.field(state.at)
    found = place_ranges(stage.format, field, stage.format.places(field), stage.disputed, 1, ended)
    return {stage.order[seed - 1]: each[:2] for seed, each in found.items()}


def sure(event, go_on):
    """Return the entries that are certain to finish among the first `go_on`."""
    state = event.state
    stage, field = state.stage, state.field(state.at)
    found = place_ranges(stage.format, field, stage.format.places(field), stage.disputed, 1)
    return {stage.order[seed - 1] for seed in sure_of(found, go_on)}


def rows(event, number=0):
    names = {entry: entry for entry in event.state.entries}
    return {row.entry: row for row in standings_view(event.state, number, names).rows}


def table(event, number=0):
    return standings_view(event.state, number, {entry: entry for entry in event.state.entries})


def test_after_round_one_of_five_of_a_swiss_everybody_may_end_anywhere():
    event = Event({"kind": "swiss", "rounds": 5}, entries=8)
    event.pair()
    event.play()
    assert set(ranges(event).values()) == {(1, 8)}
    assert (table(event).provisional, table(event).settled) == (False, False)


def test_between_rounds_of_a_round_robin_what_is_to_come_counts():
    event = Event({"kind": "round-robin"}, entries=4)
    for _ in range(2):
        event.pair()
        event.play()
    found = ranges(event)
    assert all(best < worst for best, worst in found.values()), found
    event.pair()
    event.play()
    assert all(best == worst for best, worst in ranges(event).values())
    assert table(event).settled


def test_who_is_too_far_ahead_cannot_be_caught():
    event = Event({"kind": "round-robin", "double": True}, entries=4)
    wins = {("e1", "e2"), ("e1", "e3"), ("e1", "e4"), ("e2", "e3"), ("e3", "e4"), ("e4", "e2")}
    for left in (5, 4, 3, 2, 1, 0):
        event.pair()
        for name in event.open():
            event.do(c.Report(name, 0 if event.state.stage.pairings[name].entries in wins else 1))
        sure = {entry for entry, row in rows(event).items() if row.uncatchable}
        assert sure == ({"e1"} if left == 1 else set()), "before that somebody can draw level, and then it is over"
    assert ranges(event)["e1"] == (1, 1)


def test_who_can_still_be_caught_up_with_can_be_caught():
    event = Event({"kind": "swiss", "rounds": 3}, entries=4)
    for _ in range(2):
        event.pair()
        event.play()
    assert not any(row.uncatchable for row in rows(event).values()), "one win behind, one round to come"


def test_points_that_a_bye_gives_count_as_points_to_come():
    terms = Terms(full=30)
    event = Event({"kind": "swiss", "rounds": 4}, entries=4, terms=terms)
    for _ in range(3):
        event.pair()
        event.play()
    assert not any(row.uncatchable for row in rows(event).values())


def test_who_goes_on_whatever_happens_is_qualified_before_the_last_round():
    final = c.StagePlan(format={"kind": "single"}, game="parity")
    event = Event({"kind": "round-robin"}, entries=4, stages=(final,), go_on=2)
    for _ in range(2):
        event.pair()
        event.play()
    sure = {entry for entry, row in rows(event).items() if row.qualified}
    event.pair()
    event.play()
    event.pair()
    assert sure <= set(event.state.stages[1].order)
    assert {entry for entry, row in rows(event).items() if row.qualified} == {"e1", "e2"}


def test_who_is_level_on_the_line_is_not_qualified():
    final = c.StagePlan(format={"kind": "single"}, game="parity")
    event = Event({"kind": "groups", "groups": 2}, entries=6, stages=(final,), go_on=3)
    while event.state.at < 0 or not event.state.stage.format.over(event.state.field(0)):
        event.pair()
        event.play()
    assert {entry for entry, row in rows(event).items() if row.qualified} == {"e1", "e2"}
    event.do(c.Seed("given", ("e4", "e3")))
    assert {entry for entry, row in rows(event).items() if row.qualified} == {"e1", "e2", "e4"}


def test_semi_finalists_are_qualified_where_four_go_on():
    robin = c.StagePlan(format={"kind": "round-robin"}, game="parity")
    event = Event({"kind": "single"}, entries=8, stages=(robin,), go_on=4)
    event.pair()
    for name in ("W1.1", "W1.2"):
        event.do(c.Report(name, 0))
    assert {entry for entry, row in rows(event).items() if row.qualified} == {"e1", "e4"}


def test_a_stage_that_was_ended_early_has_nothing_to_come():
    event = Event({"kind": "swiss", "rounds": 5}, entries=4)
    event.pair()
    event.play()
    event.do(c.Finish(early=True))
    assert table(event).settled
    assert all(row.best == row.worst == row.rank for row in rows(event).values())


def test_the_loser_of_a_semi_final_plays_for_third_place_at_best():
    event = Event({"kind": "single", "third_place": True}, entries=4)
    event.pair()
    event.do(c.Report("W1.1", 0))
    assert ranges(event)["e4"] == (3, 4)


def test_a_ladder_without_a_round_limit_ends_by_decision():
    event = Event({"kind": "ladder"}, entries=3)
    event.pair()
    event.play()
    assert set(ranges(event).values()) == {(1, 3)}
    assert all(best == worst for best, worst in ranges(event, ended=True).values())


@pytest.mark.parametrize(("kind", "rounds"), PACES)
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), entries=st.integers(4, 11))
def test_everybody_ends_within_every_range_that_was_told(kind, rounds, seed, entries):
    chance = random.Random(seed)
    game = "ristikontra" if kind == "individual" else "parity"
    draws = [None] if kind not in ("single", "double", "ladder") else []
    event = Event(FORMATS[kind], entries=entries, game=game, terms=Terms(rounds=rounds))
    told, go_on = [], chance.randint(1, entries)
    for _ in range(60):
        if event.state.at >= 0 and event.over():
            break
        try:
            event.pair()
        except Refusal:
            break
        for name in chance.sample(event.open(), chance.randint(1, len(event.open()))):
            event.do(c.Report(name, chance.choice([0, 1, *draws])))
        if chance.random() < 0.1 and len(event.state.active()) > 3:
            event.do(c.Withdraw(chance.choice(event.state.active())))
        told.append((ranges(event), sure(event, go_on)))
        for name in event.open() if chance.random() < 0.5 or not event.state.stage.side_by_side else ():
            event.do(c.Report(name, chance.choice([0, 1, *draws])))
        told.append((ranges(event), sure(event, go_on)))
        while event.open() and not ready(event):
            event.do(c.Report(chance.choice(event.open()), chance.choice([0, 1])))
    else:
        raise AssertionError("it does not end")
    if not event.over():
        return
    order = event.state.stage.order
    ranks = {order[place.seed - 1]: place.rank for place in event.state.places_of(0)}
    left = {entry.id for entry in event.state.entries.values() if entry.withdrawn}
    on = event.state.stage.entries(event.state.stage.format.qualifiers(event.state.field(0), go_on))
    for found, certain in told:
        for entry, rank in ranks.items():
            if entry in left:  # who has left may miss a match that was to be lost at worst
                continue
            best, worst = found[entry]
            assert best <= rank <= worst, (entry, rank, found[entry])
        assert certain - left <= set(on), "whoever is sure goes on, unless by leaving"


def ready(event):
    """Whether something more can be paired, or the stage is over."""
    if event.over():
        return True
    try:
        event.do(c.PairRound())
    except Refusal:
        return False
    return True
