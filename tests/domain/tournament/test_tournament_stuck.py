"""States that were once reached and never left, or left with the wrong result: walkovers that outlive their reason,
entries that come back, matches of one name in two stages, stages that cannot go on."""

import pytest

from domain.log.decider import Refusal
from domain.match.bounds import deal_scores
from domain.match.opening import find_game
from domain.tournament import commands as c
from domain.tournament.formats.groups import apart
from domain.tournament.ranges import place_ranges
from tests.kit.tournament.directed import Event
from tests.kit.tournament.explained import people_in

SINGLE, ROBIN = {"kind": "single"}, {"kind": "round-robin"}


def stage(format_, **more):
    return c.StagePlan(format=format_, game="parity", **more)


def ranges(event):
    at = event.state.stage
    field = event.state.field(event.state.at)
    found = place_ranges(at.format, field, at.format.places(field), at.disputed, 1)
    return {seed: each[:2] for seed, each in found.items()}


def test_a_match_of_an_earlier_stage_is_named_by_its_stage():
    event = Event({"kind": "swiss", "rounds": 1}, entries=4, stages=(stage(ROBIN),), go_on=4)
    event.pair()
    event.play()
    event.pair()
    wrong = 1 - event.state.stages[0].decided["R1.1"].winner
    event.do(c.Report("R1.1", wrong, repair="keep", stage=0))
    assert event.state.stages[0].decided["R1.1"].winner == wrong
    assert "R1.1" not in event.state.stages[1].decided
    event.do(c.Dispute("R1.1", stage=0))
    assert event.state.stages[0].disputed == {"R1.1"}
    event.do(c.Uphold("R1.1", stage=0))


def test_a_walkover_goes_when_the_result_it_came_from_was_wrong():
    event = Event(SINGLE, entries=4)
    event.pair()
    event.do(c.Report("W1.1", 0))
    event.do(c.Withdraw("e1"))
    event.do(c.Report("W1.2", 0))
    assert event.state.stage.decided["W2.1"].how == "walkover"
    event.do(c.Report("W1.1", 1))
    assert "W2.1" not in event.state.stage.decided
    event.pair()
    event.do(c.Report("W2.1", 0))
    assert event.do(c.Finish())[-1].places[0] == (1, "e4")


def test_nobody_loses_a_walkover_that_was_meant_for_another():
    event = Event({"kind": "double"}, entries=4)
    event.pair()
    event.play()
    event.do(c.Withdraw("e4"))
    event.do(c.Report("W1.1", 1))
    found = event.state.stage.meetings()
    assert found["L1.1"].decided is None or found["L1.1"].winner == 1, "e1 is there, and meets whoever is"


@pytest.mark.parametrize("format_", [ROBIN, {"kind": "groups", "groups": 2}])
def test_who_comes_back_plays_what_has_not_been_paired(format_):
    event = Event(format_, entries=6)
    event.pair()
    event.play()
    event.do(c.Withdraw("e1"))
    event.do(c.Reinstate("e1"))
    paired = event.pair()
    seated = {entry for each in paired.pairings for entry in each.entries}
    assert "e1" in seated | {bye.entry for bye in paired.byes}
    event.play()
    assert not [name for name, each in event.state.stage.decided.items() if each.how != "played"]


def test_a_finalist_who_comes_back_plays_the_final():
    event = Event(SINGLE, entries=4)
    event.pair()
    event.play()
    event.do(c.Withdraw("e1"))
    event.do(c.Reinstate("e1"))
    assert event.pair().pairings[0].entries == ("e1", "e2")


def test_final_places_have_no_holes_where_somebody_left():
    event = Event({"kind": "swiss", "rounds": 2}, entries=6, stages=(stage(SINGLE),), go_on=2)
    for _ in range(2):
        event.pair()
        event.play()
    event.do(c.Withdraw("e1"))
    event.pair()
    event.play()
    ranks = [rank for rank, _ in event.do(c.Finish())[-1].places]
    assert ranks[0] == 1
    assert all(rank == place or rank == ranks[place - 2] for place, rank in enumerate(ranks, start=1))


@pytest.mark.parametrize("sizes", [(17, 15), (32, 32), (5, 1)])
def test_seeds_are_put_apart_at_once_or_left_as_they_were(sizes):
    groups = [group for group, size in enumerate(sizes) for _ in range(size)]
    order = list(range(1, len(groups) + 1))
    assert sorted(apart(order, groups)) == order


def test_a_played_final_of_an_earlier_stage_is_nobody_elses():
    event = Event(SINGLE, entries=4, stages=(stage(ROBIN),))
    for _ in range(2):
        event.pair()
        event.play()
    event.pair()
    assert event.refused(c.Report("W1.1", 1, repair="keep", stage=0)).slug == "window-closed"


def test_a_locked_round_keeps_its_results_in_a_repair_too():
    event = Event(SINGLE, entries=4)
    for _ in range(2):
        event.pair()
        event.play()
    event.do(c.LockRound(2))
    assert "locked" in event.refused(c.Report("W1.1", 1, repair="again")).detail


@pytest.mark.parametrize(
    ("first", "go_on", "second"),
    [({"kind": "ladder"}, 0, SINGLE), (ROBIN, 1, SINGLE), (ROBIN, 2, {"kind": "groups", "groups": 4})],
)
def test_stages_that_could_never_go_on_are_not_announced(first, go_on, second):
    with pytest.raises(Refusal, match="stage 1"):
        Event(first, entries=0, stages=(stage(second),), go_on=go_on)


def test_the_next_stage_may_begin_before_all_rounds_were_played():
    event = Event({"kind": "swiss", "rounds": 5}, entries=6, stages=(stage(SINGLE),), go_on=2)
    event.pair()
    event.play()
    event.do(c.Seed("lot", lot=5))
    event.do(c.PairRound(early=True))
    assert event.state.at == 1


def test_everybody_deals_first_about_as_often_where_partners_change():
    event = Event({"kind": "individual"}, entries=8, game="ristikontra")
    event.to_the_end()
    counts = dict.fromkeys(event.state.stage.order, 0)
    for each in event.state.stage.pairings.values():
        for entry in each.sides[each.first]:
            counts[entry] += 1
    assert max(counts.values()) - min(counts.values()) <= 2


@pytest.mark.parametrize("score", [(2, 0), (100_000, 0), (-5, -3)])
def test_a_number_of_deals_adds_up_to_what_they_can_give(score):
    event = Event(ROBIN, entries=2, race={"deals": 2, "target": None})
    event.pair()
    assert "cannot be" in event.refused(c.Report("R1.1", score=score)).detail
    one, other = sorted(deal_scores("parity", find_game("parity").options()))[:2]
    event.do(c.Report("R1.1", score=(one[0] + other[0], one[1] + other[1])))


def test_a_disputed_final_leaves_both_places_open():
    event = Event(SINGLE, entries=2)
    event.pair()
    event.play()
    event.do(c.Dispute("W1.1"))
    assert ranges(event) == {1: (1, 2), 2: (1, 2)}


def test_a_current_bye_keeps_all_players_within_their_clinch_ranges():
    event = Event({"kind": "swiss", "rounds": 3}, entries=4)
    for _ in range(2):
        event.pair()
        event.play()
    event.do(c.Withdraw("e2"))
    event.pair()
    possible = ranges(event)
    for place in event.state.places_of(0):
        assert possible[place.seed][0] <= place.rank <= possible[place.seed][1]


def test_an_impossible_pairing_names_players_and_gives_leavers_no_bye():
    event = Event({"kind": "swiss", "rounds": 5}, entries=5)
    for _ in range(2):
        event.pair()
        event.play()
    event.do(c.Withdraw("e5"))
    for _ in range(2):
        paired = event.pair()
        assert "e5" not in {bye.entry for bye in paired.byes}
        assert all(people_in(each.why) == set(each.entries) for each in paired.pairings)
        event.play()


def test_a_late_result_may_cause_the_round_to_be_repaired():
    event = Event({"kind": "swiss", "rounds": 4}, entries=6)
    event.pair()
    for name in event.open()[1:]:
        event.do(c.Report(name, 0))
    event.do(c.PairRound(provisional=True))
    done = event.do(c.Report("R1.1", 1, repair="again"))
    assert [type(each).__name__ for each in done] == ["RoundUnpaired", "OutcomeReported", "RoundPaired"]


def test_an_archived_tournament_is_not_directed():
    event = Event(SINGLE, entries=4)
    event.do(c.Archive())
    assert "take it out" in event.refused(c.PairRound()).detail


def test_on_a_ladder_who_has_asked_for_a_bye_is_not_challenged():
    event = Event({"kind": "ladder"}, entries=4)
    event.pair()
    event.play()
    event.do(c.GrantBye("e1", 2))
    assert event.refused(c.PairRound(pairs=(("e2", "e1"),))).slug == "malformed"


def test_a_substitute_gets_a_fresh_match_where_nothing_was_dealt():
    event = Event(SINGLE, entries=2)
    before = event.pair().pairings[0].match
    done = event.do(c.Substitute("e1", ("stand-in",), fresh=True))
    assert [type(each).__name__ for each in done] == ["EntrySubstituted", "PairingReplaced"]
    assert event.state.stage.pairings["W1.1"].match != before


def test_groups_shrink_where_there_are_fewer_than_were_thought_of():
    event = Event({"kind": "groups", "groups": 4}, entries=5)
    event.pair()
    assert {name[:2] for name in event.state.stage.pairings} == {"GA", "GB"}
    event.play()
    assert len(event.to_the_end()) == 5


def test_a_round_with_only_walkovers_can_be_unpaired():
    event = Event(SINGLE, entries=4)
    event.pair()
    event.do(c.Withdraw("e1"))
    assert "has left" in event.refused(c.Retract("W1.1")).detail
    event.do(c.UnpairRound())
    event.do(c.Enter("e9", ("p9",)))
    assert "e9" in {entry for each in event.pair().pairings for entry in each.entries}


def test_a_returning_player_plays_after_walkover_winners_are_unpaired():
    event = Event(SINGLE, entries=8)
    event.pair()
    event.play()
    event.do(c.Withdraw("e4"))
    event.do(c.PairRound())
    event.play()
    event.pair()
    event.do(c.Reinstate("e4"))
    event.do(c.UnpairRound())
    paired = event.pair()
    assert {entry for each in paired.pairings for entry in each.entries} == {"e1", "e4"}


def test_a_redrawn_swiss_round_keeps_no_earlier_results():
    event = Event({"kind": "swiss", "rounds": 4}, entries=6)
    event.pair()
    event.play()
    event.pair()
    event.do(c.Withdraw("e2"))
    event.do(c.UnpairRound())
    event.pair()
    assert not [name for name in event.state.stage.decided if name.startswith("R2")]
