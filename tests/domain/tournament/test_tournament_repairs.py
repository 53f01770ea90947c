"""Results that were wrong, disputed or cannot be, and what becomes of the rounds that were paired on them."""

import pytest

from domain.tournament import commands as c
from tests.kit.tournament.directed import Event

SINGLE, SWISS = {"kind": "single"}, {"kind": "swiss", "rounds": 4}
ELEVEN = {"target": 11, "win_by": 2}


@pytest.mark.parametrize(
    ("game", "score", "said"),
    [
        ("cross_game", (10, 11), "10–11 plays on, two ahead wins"),
        ("cross_game", (15, 14), "15–14 plays on, two ahead wins"),
        ("cross_game", (11, 11), "11–11 plays on, for it is level: two ahead wins"),
        ("cross_game", (3, 4), "the match goes to 11"),
        ("cross_game", (60, 12), "cannot be"),
        ("parity", (90, 0), "cannot be"),
    ],
)
def test_a_score_that_is_not_final_or_cannot_be_is_refused(game, score, said):
    event = Event(SINGLE, entries=2, game=game, race=ELEVEN)
    event.pair()
    refusal = event.refused(c.Report("W1.1", score=score))
    assert (refusal.slug, said in refusal.detail) == ("misfit", True), refusal.detail


def test_at_the_cap_one_ahead_wins_and_that_is_what_is_said():
    event = Event(SINGLE, entries=2, game="cross_game", race={**ELEVEN, "cap": 13})
    event.pair()
    assert "12–11 plays on, two ahead wins" in event.refused(c.Report("W1.1", score=(12, 11))).detail
    refusal = event.refused(c.Report("W1.1", score=(13, 13)))
    assert refusal.detail == "13–13 plays on, for it is level: one ahead wins"


def test_a_deal_of_three_and_minus_one_makes_fifteen_twelve():
    event = Event(SINGLE, entries=2, game="cross_game", race=ELEVEN)
    event.pair()
    event.do(c.Report("W1.1", score=(15, 12)))
    assert event.state.stage.decided["W1.1"].winner == 0


def test_the_winner_that_is_named_must_have_the_higher_score():
    event = Event(SINGLE, entries=2, game="cross_game", race=ELEVEN)
    event.pair()
    assert event.refused(c.Report("W1.1", 1, score=(12, 10))).slug == "malformed"


@pytest.mark.parametrize(("score", "said"), [((2, 2), "cannot be"), ((1, 1), "plays on"), ((3, 0), "cannot be")])
def test_the_best_of_three_is_counted_in_games(score, said):
    event = Event(SINGLE, entries=2, race={**ELEVEN, "best_of": 3})
    event.pair()
    assert said in event.refused(c.Report("W1.1", score=score)).detail
    event.do(c.Report("W1.1", score=(1, 2)))
    assert event.state.stage.decided["W1.1"].winner == 1


def swiss_after_round_two(entries=6):
    event = Event(SWISS, entries=entries)
    event.pair()
    event.play()
    event.pair()
    return event


def test_a_wrong_result_of_a_swiss_lets_the_director_choose():
    event = swiss_after_round_two()
    before = {name: each for name, each in event.state.stage.pairings.items() if name.startswith("R2")}
    asked = event.refused(event.wrong("R1.1"))
    assert (asked.slug, "keep" in asked.detail, "again" in asked.detail) == ("window-closed", True, True)
    kept = event.do(event.wrong("R1.1", repair="keep"))
    assert [type(each).__name__ for each in kept] == ["OutcomeReported"]
    assert {name: event.state.stage.pairings[name] for name in before} == before


def test_repairing_a_round_keeps_matches_of_unchanged_pairs():
    event = swiss_after_round_two()
    before = {each.sides: each.match for name, each in event.state.stage.pairings.items() if name.startswith("R2")}
    done = event.do(event.wrong("R1.1", repair="again"))
    assert [type(each).__name__ for each in done] == ["RoundUnpaired", "OutcomeReported", "RoundPaired"]
    after = {each.sides: each.match for each in done[-1].pairings}
    assert before.keys() != after.keys()
    assert all(after[sides] == match for sides, match in before.items() if sides in after)
    assert len(event.state.stage.rounds) == 2


def test_a_round_with_results_is_not_paired_again():
    event = swiss_after_round_two()
    event.do(c.Report("R2.1", 0))
    assert "only be kept" in event.refused(event.wrong("R1.1", repair="again")).detail


def test_a_corrected_winner_moves_into_the_unplayed_next_match():
    event = Event(SINGLE, entries=4)
    event.pair()
    event.play()
    event.pair()
    before = {each.match for each in event.state.stage.pairings.values()}
    event.do(c.Report("W1.1", 1, repair="again"))
    assert event.state.stage.pairings["W2.1"].entries == ("e4", "e2")
    assert event.state.stage.pairings["W2.1"].match not in before


def test_a_played_match_that_hung_on_a_wrong_result_is_visibly_repaired():
    event = Event({"kind": "single", "third_place": True}, entries=4)
    event.pair()
    event.play()
    event.pair()
    event.play()
    assert event.refused(c.Report("W1.1", 1)).slug == "window-closed"
    done = event.do(c.Report("W1.1", 1, repair="again"))
    assert [type(each).__name__ for each in done].count("OutcomeWithdrawn") == 2
    assert event.state.stage.pairings["W2.1"].entries == ("e4", "e2")
    assert event.state.stage.pairings["C1.1"].entries == ("e1", "e3")
    assert "W2.1" not in event.state.stage.decided
    event.play()
    assert event.do(c.Finish())[-1].places[0] == (1, "e2")


def test_a_wrong_result_of_the_groups_begins_the_knock_out_again():
    knock_out = c.StagePlan(format={"kind": "single"}, game="parity")
    event = Event({"kind": "groups", "groups": 2}, entries=6, stages=(knock_out,), go_on=2)
    while event.state.at < 0 or not event.state.stage.format.over(event.state.field(0)):
        event.pair()
        event.play()
    event.pair()
    assert event.state.stage.order == ("e1", "e2")
    fixture = next(name for name, each in event.state.stages[0].pairings.items() if set(each.entries) == {"e1", "e4"})
    worse = 1 - [event.state.stages[0].order.index(e) for e in event.state.stages[0].pairings[fixture].entries].index(0)
    assert event.refused(c.Report(fixture, worse)).slug == "window-closed"
    event.do(c.Report(fixture, worse, repair="again"))
    assert event.state.at == 1
    assert "e4" in event.state.stage.order


def test_the_first_round_that_is_taken_back_opens_entries_and_seeds_again():
    event = Event(SINGLE, entries=4)
    event.pair()
    event.do(c.UnpairRound())
    assert event.state.at == -1
    event.do(c.Enter("e9", ("p9",)))
    event.do(c.Seed("lot", lot=3))
    assert len(event.pair().pairings) == 1


def test_locked_rounds_keep_their_results_until_they_are_opened():
    event = Event(SINGLE, entries=4)
    event.pair()
    assert "open, or disputed" in event.refused(c.LockRound(1)).detail
    event.play()
    event.do(c.LockRound(1))
    assert "locked" in event.refused(c.Report("W1.1", 1)).detail
    event.do(c.LockRound(1, False))
    event.do(c.Report("W1.1", 1))


def test_a_result_that_is_taken_back_is_open_again():
    event = Event(SINGLE, entries=4)
    event.pair()
    event.play()
    event.do(c.Retract("W1.1"))
    assert event.open() == ["W1.1"]
    assert "no result yet" in event.refused(c.Dispute("W1.1")).detail


def test_a_table_that_is_given_to_another_match_changes_hands():
    event = Event(SINGLE, entries=8)
    event.pair()
    event.do(c.AssignTable("W1.4", 1, feature=True))
    tables = {name: each.table for name, each in event.state.stage.pairings.items()}
    assert (tables["W1.4"], tables["W1.1"]) == (1, 4)
    assert event.state.stage.featured == {"W1.4"}


def test_an_entry_with_a_table_of_its_own_always_plays_there():
    event = Event(SINGLE, entries=3)
    event.do(c.Enter("fixed", ("q",), table=2))
    for _ in range(2):
        event.pair()
        tables = {entry: each.table for each in event.state.stage.pairings.values() for entry in each.entries}
        assert tables["fixed"] == 2
        for name in event.open():
            sides = event.state.stage.pairings[name].entries
            event.do(c.Report(name, sides.index("fixed") if "fixed" in sides else 0))


def test_players_not_checked_in_are_excluded_and_may_return():
    event = Event(SINGLE, entries=4)
    assert "nobody has checked in" in event.refused(c.CloseCheckIn()).detail
    for entry in ("e1", "e2", "e3"):
        event.do(c.CheckIn(entry))
    gone = event.do(c.CloseCheckIn())
    assert [(each.entry, each.why) for each in gone] == [("e4", "no-show")]
    event.do(c.Reinstate("e4"))
    assert event.state.entries["e4"].withdrawn is None
    assert event.refused(c.Reinstate("e4")).slug == "misfit"


def test_others_may_play_for_an_entry():
    event = Event(SINGLE, entries=4)
    event.pair()
    event.do(c.Substitute("e1", ("stand-in",)))
    assert event.state.entries["e1"].players == ("stand-in",)
    assert event.state.entries["e1"].before == (("p1",),)
    assert "in the list already" in event.refused(c.Substitute("e1", ("p2",))).detail


def test_a_premature_finish_is_undone_and_a_tournament_is_archived():
    event = Event(SINGLE, entries=2)
    event.pair()
    event.play()
    event.do(c.Finish())
    event.do(c.Reopen())
    event.do(c.Report("W1.1", 1))
    assert event.do(c.Finish())[-1].places == ((1, "e2"), (2, "e1"))
    event.do(c.Archive())
    assert "take it out" in event.refused(c.Reopen()).detail
    event.do(c.Pay("e1", 500))
    assert event.state.entries["e1"].paid == 500


def test_first_deals_are_shared_over_the_rounds_of_a_bracket():
    event = Event(SINGLE, entries=8)
    counts = {}
    for _ in range(3):
        event.pair()
        for name in event.open():
            each = event.state.stage.pairings[name]
            for entry in each.sides[each.first]:
                counts[entry] = counts.get(entry, 0) + 1
        event.play()
    assert max(counts.values()) <= 2


def test_a_director_who_pairs_a_round_that_is_there_is_told_so():
    event = Event(SWISS, entries=4)
    event.do(c.PairRound(number=1))
    event.play()
    assert "round 2 is the next one" in event.refused(c.PairRound(number=1)).detail


def test_the_clock_of_a_round_is_the_stages_unless_it_is_set():
    event = Event(SINGLE, entries=4, minutes=45)
    event.pair()
    assert event.do(c.StartRound())[0].minutes == 45
    assert event.do(c.StartRound(10))[0].minutes == 10
    assert event.do(c.StartRound(0))[0].minutes is None
