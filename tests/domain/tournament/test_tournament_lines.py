"""The qualifying line of a stage, and what a stage knows of those before it."""

import pytest

from domain import registry
from domain.tournament import commands as c
from domain.tournament.points import Terms
from tests.kit.tournament.directed import Event

SINGLE, SWISS = {"kind": "single"}, {"kind": "swiss", "rounds": 3}


def stage(format_, **more):
    return c.StagePlan(format=format_, game="parity", **more)


def played(event, winners):
    """The stage that is on to its end; of each pair in `winners` the first one wins."""
    while event.state.at < 0 or not event.state.stage.format.over(event.state.field(event.state.at)):
        event.pair()
        for name in event.open():
            one, other = event.state.stage.pairings[name].entries
            event.do(c.Report(name, 0 if (one, other) in winners else 1))
    return event


def circle(go_on=2, **more):
    """Four who all meet: e1 beats all others, and of those each beats one."""
    event = Event({"kind": "round-robin"}, entries=4, stages=(stage(SINGLE),), go_on=go_on, **more)
    wins = {("e1", "e2"), ("e1", "e3"), ("e1", "e4"), ("e2", "e3"), ("e3", "e4"), ("e4", "e2")}
    return played(event, wins)


def test_a_tie_on_the_line_is_named_and_the_next_stage_waits():
    event = circle()
    refusal = event.refused(c.PairRound())
    assert (refusal.slug, refusal.extra["level"]) == ("misfit", [["e2", "e3", "e4"]])
    assert "2 go on, and on the line {e2}, {e3}, {e4} are level" in refusal.detail


def test_a_lot_parts_them_and_anybody_can_draw_it_again():
    event = circle()
    drawn = event.do(c.Seed("lot", lot=11))[-1]
    assert (drawn.how, drawn.lot, sorted(drawn.order)) == ("lot", 11, ["e2", "e3", "e4"])
    assert event.state.stages[0].parted == drawn
    assert event.state.seeds == circle().state.seeds, "the seeds of the tournament stand"
    event.pair()
    assert event.state.stages[1].order == ("e1", drawn.order[0])
    assert circle().do(c.Seed("lot", lot=11))[-1] == drawn


def test_the_director_says_who_goes_on():
    event = circle()
    event.do(c.Seed("given", ("e4", "e2", "e3")))
    event.do(c.Seed("given", ("e3", "e4", "e2")))  # until the next stage has begun
    event.pair()
    assert event.state.stages[1].order == ("e1", "e3")
    assert event.refused(c.Seed("given", ("e4", "e2", "e3"))).slug == "window-closed"


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (c.Seed("given", ("e1", "e2", "e3", "e4")), "level on the line once: "),
        (c.Seed("lot"), "needs its number"),
        (c.Seed("rating"), "parted by `lot`"),
    ],
)
def test_only_those_who_are_level_are_put_in_order(wish, said):
    refusal = circle().refused(wish)
    assert (refusal.slug, said in refusal.detail) == ("malformed", True), refusal.detail


@pytest.mark.parametrize("go_on", [0, 4])
def test_a_tie_that_the_line_does_not_cut_waits_for_nothing(go_on):
    event = circle(go_on)
    event.pair()
    assert event.state.at == 1
    assert "its seeds stand" in circle(go_on).refused(c.Seed("lot", lot=1)).detail


def test_nobody_is_put_in_order_while_a_match_is_disputed():
    event = circle()
    event.do(c.Dispute("R1.1"))
    assert "may still change" in event.refused(c.Seed("lot", lot=1)).detail


def test_losers_of_one_round_of_a_bracket_are_level():
    event = Event(SINGLE, entries=8, stages=(stage({"kind": "round-robin"}),), go_on=6)
    while event.state.at < 0 or not event.state.stage.format.over(event.state.field(0)):
        event.pair()
        event.play()
    assert event.refused(c.PairRound()).extra["level"] == [["e5", "e6", "e7", "e8"]]
    event.do(c.Seed("given", ("e8", "e7", "e6", "e5")))
    event.pair()
    assert event.state.stages[1].order == ("e1", "e2", "e3", "e4", "e8", "e7")


def groups(go_on, entries, count=2, wins=()):
    event = Event({"kind": "groups", "groups": count}, entries=entries, stages=(stage(SINGLE),), go_on=go_on)
    better = {(f"e{one}", f"e{other}") for one in range(1, 20) for other in range(one + 1, 20)}
    for one, other in wins:
        better = better - {(other, one)} | {(one, other)}
    return played(event, better)


def test_a_tie_within_a_group_is_cut_by_nobody_silently():
    event = groups(4, 8, wins=[("e8", "e4")])  # e1 beats all of A; e4, e5 and e8 each beat one of the others
    assert event.refused(c.PairRound()).extra["level"] == [["e4", "e5", "e8"]]
    event.do(c.Seed("given", ("e8", "e5", "e4")))
    event.pair()
    assert set(event.state.stages[1].order) == {"e1", "e2", "e3", "e8"}


def test_the_best_of_those_of_one_place_are_level_over_groups():
    event = groups(3, 6)
    assert event.refused(c.PairRound()).extra["level"] == [["e3", "e4"]], "both second with one win of two"
    event.do(c.Seed("given", ("e4", "e3")))
    event.pair()
    assert set(event.state.stages[1].order) == {"e1", "e2", "e4"}


def test_ties_within_and_across_groups_are_resolved_together():
    event = groups(3, 6, wins=[("e5", "e1"), ("e6", "e2")])  # in both groups each beats one
    (level,) = event.refused(c.PairRound()).extra["level"]
    assert len(level) == 6
    event.do(c.Seed("given", ("e6", "e5", "e4", "e3", "e2", "e1")))
    event.pair()
    assert set(event.state.stages[1].order) == {"e6", "e5", "e4"}


def test_who_is_level_in_each_of_two_groups_is_two_questions():
    event = groups(4, 8, wins=[("e8", "e4"), ("e7", "e3")])
    assert event.refused(c.PairRound()).extra["level"] == [["e4", "e5", "e8"], ["e3", "e6", "e7"]]
    event.do(c.Seed("given", ("e8", "e7", "e6", "e5", "e4", "e3")))
    event.pair()
    assert set(event.state.stages[1].order) == {"e1", "e2", "e8", "e7"}


def test_an_order_is_asked_for_again_once_another_round_was_paired():
    event = Event({"kind": "swiss", "rounds": 3}, entries=6, stages=(stage(SINGLE),), go_on=2)
    event.pair()
    event.play()
    event.do(c.Seed("lot", lot=5))
    event.pair()
    assert event.state.stage.parted is None


def test_a_correction_creating_a_tie_withdraws_the_next_stage():
    event = circle()
    event.do(c.Seed("lot", lot=11))
    event.pair()
    wrong = next(name for name, each in event.state.stages[0].pairings.items() if set(each.entries) == {"e2", "e3"})
    winner = 1 - event.state.stages[0].decided[wrong].winner
    event.do(c.Report(wrong, winner, repair="again", stage=0))  # e3 has two wins now
    assert event.state.at == 1
    assert event.state.stage.order == ("e1", "e3")
    event.do(c.Report(wrong, 1 - winner, repair="again", stage=0))
    assert event.state.at == 1, "the lot of before parts the same three"
    event.do(c.Report(wrong, winner, repair="again", stage=0))
    assert event.state.stage.order == ("e1", "e3")


def swiss_after_groups(**terms):
    swiss = stage({"kind": "swiss", "rounds": 3}, terms=Terms(**terms))
    event = Event({"kind": "groups", "groups": 2}, entries=8, stages=(swiss,))
    while event.state.at < 0 or not event.state.stage.format.over(event.state.field(0)):
        event.pair()
        event.play()
    return event


def met(event, number):
    return {frozenset(each.entries) for each in event.state.stages[number].pairings.values()}


def test_a_swiss_after_groups_knows_who_has_met():
    event = swiss_after_groups()
    for _ in range(3):
        event.pair()
        event.play()
    assert not met(event, 0) & met(event, 1)


def test_the_terms_may_say_that_only_the_stage_itself_counts():
    event = swiss_after_groups(meetings="stage")
    for _ in range(3):
        event.pair()
        event.play()
    assert met(event, 0) & met(event, 1)


def test_a_match_that_nobody_played_is_no_meeting():
    event = Event({"kind": "round-robin"}, entries=4, stages=(stage(SWISS),))
    event.pair()
    event.do(c.Report("R1.1", 0, "walkover"))
    event.do(c.Report("R1.2", 0))
    while not event.state.stage.format.over(event.state.field(0)):
        event.pair()
        event.play()
    event.pair()
    assert len(event.state.field(1).met) == 5


def test_the_directors_own_pairs_are_told_of_meetings_in_stages_before():
    event = swiss_after_groups()
    given = (("e1", "e4"), ("e5", "e8"), ("e2", "e3"), ("e6", "e7"))
    event.pair()
    event.play()
    assert "C1" in event.refused(c.PairRound(pairs=given)).detail


def test_stages_that_were_announced_before_know_their_own_meetings():
    text = registry.write_event(Event(SINGLE, entries=2).log[0][1]).decode()
    old = text.replace(',"rounds":"ready","meetings":"all"', "")
    assert old != text
    assert registry.read_event("TournamentAnnounced", 1, old).stages[0].terms.meetings == "stage"
