"""Rounds of a plan that are on side by side: a match waits for its own sides and for nothing else."""

import msgspec
import pytest

from domain import registry
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.points import Terms
from domain.tournament.simulate import CERTAIN, played
from tests.kit.tournament.directed import Event

SINGLE, DOUBLE, ROBIN = {"kind": "single"}, {"kind": "double"}, {"kind": "round-robin"}
SWISS = {"kind": "swiss", "rounds": 4}
STRICT = Terms(rounds="strict")


def kinds(events):
    return [type(each).__name__ for each in events]


def names(round_):
    return sorted(round_.names)


def test_a_semi_final_is_played_while_a_quarter_final_is_on():
    event = Event(SINGLE, entries=8)
    event.pair()
    event.do(c.Report("W1.1", 0))
    assert "nothing is decided yet at table 2, 3, 4" in event.refused(c.PairRound()).detail
    event.do(c.Report("W1.2", 0))
    done = event.do(c.PairRound())
    assert kinds(done) == ["RoundPaired"]
    assert (done[0].round, done[0].added, [each.fixture for each in done[0].pairings]) == (2, False, ["W2.1"])
    assert done[0].pairings[0].table == 1, "its own quarter-finals are over, so their tables are free"


def test_further_tables_of_a_round_are_added_to_it():
    event = Event(SINGLE, entries=8)
    event.pair()
    for name in ("W1.1", "W1.2"):
        event.do(c.Report(name, 0))
    event.pair()
    for name in ("W1.3", "W1.4"):
        event.do(c.Report(name, 0))
    added = event.pair()
    assert (added.round, added.added, added.byes) == (2, True, ())
    assert [names(each) for each in event.state.stage.rounds] == [["W1.1", "W1.2", "W1.3", "W1.4"], ["W2.1", "W2.2"]]


def test_winners_and_losers_of_a_double_elimination_play_side_by_side():
    event = Event(DOUBLE, entries=8)
    event.pair()
    event.play()
    assert event.paired() == [["W2.1", "W2.2"], ["L1.1", "L1.2"]]
    event.play()
    assert event.paired() == [["W3.1"], ["L2.1", "L2.2"]]


@pytest.mark.parametrize(("rounds", "times"), [("strict", {17, 18}), ("ready", {12, 13})])
def test_a_double_elimination_of_64_takes_two_thirds_of_the_time(rounds, times):
    state, taken = played(DOUBLE, 64, 3, CERTAIN, rounds)
    assert taken in times
    assert len(state.stage.decided) >= 126


def test_whoever_is_free_in_a_round_robin_plays_on():
    event = Event(ROBIN, entries=4)
    event.pair()
    event.do(c.Report("R1.1", 0))
    assert "nothing more can be paired" in event.refused(c.PairRound()).detail, "both next opponents play still"
    event = Event(ROBIN, entries=6)
    event.pair()
    for name in ("R1.1", "R1.2"):
        event.do(c.Report(name, 0))
    paired = event.paired()
    fresh = {name for each in paired for name in each}
    sides = [set(each.entries) for name, each in event.state.stage.pairings.items() if name in fresh]
    slow = set(event.state.stage.pairings["R1.3"].entries)
    assert sides
    assert not any(each & slow for each in sides)


def test_a_stage_that_says_so_waits_for_the_whole_round():
    event = Event(SINGLE, entries=8, terms=STRICT)
    event.pair()
    for name in ("W1.1", "W1.2"):
        event.do(c.Report(name, 0))
    assert "round 1 is on" in event.refused(c.PairRound()).detail


def test_a_swiss_waits_for_its_whole_round_whatever_its_terms_say():
    event = Event(SWISS, entries=8)
    event.pair()
    event.do(c.Report("R1.1", 0))
    assert "round 1 is on" in event.refused(c.PairRound()).detail


def test_what_hangs_on_a_disputed_result_waits_and_nothing_else_does():
    event = Event(SINGLE, entries=8)
    event.pair()
    event.play()
    event.do(c.Dispute("W1.1"))
    assert event.paired() == [["W2.2"]]
    event.play()
    assert "table 1 is disputed" in event.refused(c.PairRound()).detail
    assert event.paired(provisional=True) == [["W2.1"]]
    assert event.state.stage.rounds[1].pending == ("W1.1",)


def test_each_round_has_its_own_clock_and_lock():
    event = Event(DOUBLE, entries=4, minutes=30)
    event.pair()
    event.play()
    event.pair()
    event.do(c.StartRound(10, round=2))
    event.do(c.StartRound(round=3))
    assert [each.minutes for each in event.state.stage.rounds] == [None, 10, 30]
    event.do(c.Report("L1.1", 0))
    event.do(c.LockRound(3))
    assert [each.locked for each in event.state.stage.rounds] == [False, False, True]
    assert "locked" in event.refused(c.StartRound(5, round=3)).detail
    assert event.refused(c.StartRound(5, round=9)).slug == "not-found"


def test_a_round_with_unpaired_matches_is_not_locked():
    event = Event(SINGLE, entries=8)
    event.pair()
    for name in ("W1.1", "W1.2"):
        event.do(c.Report(name, 0))
    event.pair()
    event.do(c.Report("W2.1", 0))
    assert "W2.2 of round 2 are still to be paired" in event.refused(c.LockRound(2)).detail


def test_a_director_who_names_a_round_pairs_that_or_nothing():
    event = Event(SINGLE, entries=8)
    event.do(c.PairRound(number=1))
    for name in ("W1.1", "W1.2"):
        event.do(c.Report(name, 0))
    assert "belongs to round 2" in event.refused(c.PairRound(number=1)).detail
    event.do(c.PairRound(number=2))
    for name in ("W1.3", "W1.4"):
        event.do(c.Report(name, 0))
    assert [each.added for each in event.do(c.PairRound(number=2))] == [True]


def test_a_wrong_winner_is_put_right_however_many_rounds_it_reaches():
    event = Event(DOUBLE, entries=8)
    event.pair()
    event.play()
    event.pair()
    assert event.refused(event.wrong("W1.1")).extra["depends"] == ["W2.1", "L1.1"]
    done = event.do(event.wrong("W1.1", repair="again"))
    assert kinds(done) == ["OutcomeReported", "PairingReplaced", "PairingReplaced"]
    assert [each.fixture for each in done[1:]] == ["W2.1", "L1.1"]
    pairings = event.state.stage.pairings
    assert (pairings["W2.1"].entries, pairings["L1.1"].entries) == (("e8", "e4"), ("e1", "e5"))


def test_matches_depending_on_a_reopened_match_are_added_later():
    event = Event(DOUBLE, entries=8)
    event.pair()
    event.play()
    event.pair()
    for name in ("W2.1", "W2.2"):
        event.do(c.Report(name, 0))
    event.pair()
    assert {"W3.1", "L1.1"} <= event.state.stage.pairings.keys()
    done = event.do(event.wrong("W1.1", repair="again"))
    gone = {each.fixture for each in done if isinstance(each, e.PairingReplaced) and each.pairing is None}
    assert "W3.1" in gone, "its one side is open again"
    event.do(c.Report("W2.1", 0))
    again = [each for each in event.do(c.PairRound()) if each.pairings[0].fixture == "W3.1"]
    assert [each.added for each in again] == [True]
    event.play()
    event.to_the_end()


def test_a_locked_round_stops_a_repair_in_any_round_it_reaches():
    event = Event(DOUBLE, entries=4)
    event.pair()
    event.play()
    event.pair()
    event.do(c.Report("L1.1", 0))
    event.do(c.LockRound(3))
    assert "round 3 is locked" in event.refused(event.wrong("W1.1", repair="again")).detail


def test_only_the_last_round_is_taken_back_whole():
    event = Event(DOUBLE, entries=8)
    event.pair()
    event.play()
    event.pair()
    event.do(c.UnpairRound())
    assert [names(each) for each in event.state.stage.rounds][1:] == [["W2.1", "W2.2"]]
    assert event.paired() == [["L1.1", "L1.2"]]


def test_rounds_of_a_swiss_that_did_not_wait_are_all_paired_again():
    event = Event(SWISS, entries=6)
    event.pair()
    event.play()
    event.do(c.PairRound(provisional=True))
    event.do(c.PairRound(provisional=True))
    done = event.do(event.wrong("R1.1", repair="again"))
    assert kinds(done) == ["RoundUnpaired", "RoundUnpaired", "OutcomeReported", "RoundPaired"]
    assert [each.number for each in event.state.stage.rounds] == [1, 2]


def test_matches_with_results_stop_it_and_are_all_named():
    event = Event(SWISS, entries=6)
    event.pair()
    event.play()
    event.pair()
    for name in ("R2.1", "R2.3"):
        event.do(c.Report(name, 0))
    refusal = event.refused(event.wrong("R1.1", repair="again"))
    assert (refusal.slug, "R2.1, R2.3" in refusal.detail) == ("window-closed", True)
    assert refusal.extra["depends"] == ["R2.1", "R2.3"]


def test_two_late_comers_meet_in_the_round_that_is_on():
    event = Event(SWISS, entries=4)
    event.pair()
    for number in (8, 9):
        event.do(c.Enter(f"e{number}", (f"p{number}",)))
    (added,) = event.do(c.PairRound(added=True))
    assert (added.round, added.added) == (1, True)
    assert [(each.fixture, set(each.entries)) for each in added.pairings] == [("R1.3", {"e8", "e9"})]
    assert len(event.state.stage.rounds) == 1
    assert "nobody" in event.refused(c.PairRound(added=True)).detail
    event.play()
    event.pair()
    assert len(event.state.stage.rounds[1].names) == 3


def test_one_late_comer_plays_whoever_has_the_bye():
    event = Event(SWISS, entries=5)
    resting = event.pair().byes[0].entry
    assert "nobody" in event.refused(c.PairRound(added=True)).detail
    event.do(c.Enter("e9", ("p9",)))
    (added,) = event.do(c.PairRound(added=True))
    assert set(added.pairings[0].entries) == {"e9", resting}
    assert event.state.stage.rounds[0].byes == ()
    event.play()
    table = event.state.stage.format.crosstable(event.state.field(0))
    assert sum(cell.outcome == "U" for row in table.rows for cell in row.cells) == 0


def test_a_player_with_a_requested_bye_is_not_added():
    event = Event(SWISS, entries=5)
    event.do(c.GrantBye("e5", 1))
    event.pair()
    event.do(c.Enter("e9", ("p9",)))
    assert "nobody" in event.refused(c.PairRound(added=True)).detail


@pytest.mark.parametrize("format_", [SINGLE, ROBIN])
def test_where_a_plan_says_who_meets_nothing_is_added_for_late_comers(format_):
    event = Event(format_, entries=5)
    event.pair()
    assert event.refused(c.PairRound(added=True)).slug == "misfit"


def test_stages_that_were_announced_before_are_strict():
    event = Event(SINGLE, entries=2)
    text = registry.write_event(event.log[0][1]).decode()
    old = text.replace(',"rounds":"ready","meetings":"all"', "")
    assert old != text
    assert registry.read_event("TournamentAnnounced", 1, old).stages[0].terms.rounds == "strict"


OLD_ROUND = {
    "stage": 0,
    "round": 1,
    "pairings": [{"fixture": "W1.1", "sides": [["e1"], ["e2"]], "table": 1, "match": "m", "why": "{e1} won W0.1."}],
    "byes": [{"entry": "e3", "kind": "rest"}],
}


@pytest.mark.parametrize("schema", [1, 2])
def test_an_explanation_that_was_stored_in_words_stays_as_it_was_said(schema):
    text = msgspec.json.encode(OLD_ROUND | ({"added": True} if schema == 2 else {}))
    read = registry.read_event("RoundPaired", schema, text)
    assert (read.pairings[0].why, read.added) == ("{e1} won W0.1.", schema == 2)


def test_a_repair_that_was_stored_in_words_stays_as_it_was_said():
    old = {"stage": 0, "fixture": "W1.1", "pairing": OLD_ROUND["pairings"][0]}
    read = registry.read_event("PairingReplaced", 1, msgspec.json.encode(old))
    assert read.pairing.why == "{e1} won W0.1."
    waits = registry.read_event("PairingReplaced", 1, msgspec.json.encode(old | {"pairing": None}))
    assert waits.pairing is None


def test_a_wrong_result_is_reopened_while_other_rounds_continue():
    event = Event(DOUBLE, entries=8)
    event.pair()
    event.play()
    event.pair()
    event.do(c.Report("W2.2", 0))
    assert "W2.1, L1.1 were paired on this result" in event.refused(c.Retract("W1.1")).detail
    done = event.do(c.Retract("W1.1", repair="again"))
    assert kinds(done) == ["PairingReplaced", "PairingReplaced", "OutcomeWithdrawn"]
    assert event.open() == ["W1.1", "L1.2"]
    event.play()
    assert [each.added for each in event.do(c.PairRound())] == [True, True], "to both rounds that they were taken from"
    event.play()
    event.to_the_end()


def test_what_was_played_on_a_result_stops_its_being_opened_again():
    event = Event(SINGLE, entries=8)
    for _ in range(2):
        event.pair()
        event.play()
    refusal = event.refused(c.Retract("W1.1", repair="again"))
    assert (refusal.slug, refusal.extra["depends"]) == ("window-closed", ["W2.1"])


def test_a_result_of_a_swiss_is_not_opened_again_below_a_round():
    event = Event(SWISS, entries=6)
    event.pair()
    event.play()
    event.pair()
    assert event.refused(c.Retract("R1.1", repair="again")).slug == "window-closed"
