"""What a tournament says of its pairings and places, in real situations: plain sentences that are true."""

import re

import pytest

from domain.tournament import commands as c
from domain.tournament.points import Terms
from tests.kit.tournament.directed import Event
from tests.kit.tournament.explained import PARTNERS, in_words, played, swiss, told, view_of, why_of, working
from tests.kit.tournament.swiss_tournaments import tournaments


def test_e1_a_bracket_pairing_names_the_matches_won():
    event = played(Event({"kind": "single"}, entries=5), 1)
    event.pair()
    assert told(event)["W2.1"] == "Ann had a bye, Dan won W1.2."
    double = played(Event({"kind": "double"}, entries=4), 2)
    double.pair()
    why = {each.fixture: each.why for at in view_of(double).rounds for each in at.pairings}
    assert (why["W2.1"], why["L1.1"]) == ("Ann won W1.1, Bob won W1.2.", "Dan lost W1.1, Cyd lost W1.2.")


def test_e1_a_match_that_was_not_played_is_said_so():
    event = Event({"kind": "single"}, entries=4)
    event.pair()
    event.do(c.Report("W1.1", 1, how="walkover"))
    event.do(c.Report("W1.2", 0))
    event.pair()
    assert told(event)["W2.1"] == "Dan won W1.1 without play, Bob won W1.2."


def test_e1_a_repaired_match_names_who_won():
    event = played(Event({"kind": "single"}, entries=4), 1)
    event.pair()
    assert told(event)["W2.1"] == "Ann won W1.1, Bob won W1.2."
    event.do(event.wrong("W1.1", repair="again"))
    assert told(event)["W2.1"] == "Dan won W1.1, Bob won W1.2."


def test_e2_in_a_bracket_it_is_said_how_far_the_neighbours_came():
    event = played(Event({"kind": "single"}), 3)
    why = why_of(event, "Dan")
    assert why.ahead == "Dan and Cyd both lost in round 2 and share place 3."
    assert why.behind == "Eva lost in round 1; Dan lost in round 2."
    assert why_of(event, "Ann").behind == "Bob lost the final; Ann won the final."


def test_e2_while_it_is_on_and_for_third_place():
    event = played(Event({"kind": "single", "third_place": True}, entries=4), 1)
    assert why_of(event, "Ann").behind == "Ann and Bob are both still in and share place 1."
    played(event, 1)
    assert why_of(event, "Dan").ahead == "Cyd won the match for third place; Dan lost the match for third place."


def test_e2_in_a_double_elimination_the_side_is_said():
    event = Event({"kind": "double"})
    event.to_the_end()
    assert why_of(event, "Cyd").ahead == "Bob lost the final; Cyd lost in round 4 of the losers' side."


def test_e2_on_a_ladder_places_are_held():
    event = played(Event({"kind": "ladder"}, entries=3), 1)
    assert why_of(event, "Ann").behind == "Bob holds place 2; Ann holds place 1."


def test_e3_the_cost_of_a_pair_cites_its_rule():
    event = played(swiss(7), 3)
    event.pair()
    text = told(event)["R4.3"]
    assert text.endswith(" Both wanted to deal second; only one could (C12).")
    assert "could not be kept" not in text


def test_e3_every_criterion_has_a_sentence_citing_its_number():
    texts = [in_words(each.told) for seed in range(30) for each in reasons(seed)]
    ends = {text.rpartition(" (")[2] for text in texts if text.endswith(").")}
    assert ends >= {"C12).", "C12, C13).", "C14).", "C15).", "C16).", "C17)."}


def reasons(seed):
    for _, _, _, paired in tournaments(seed, 9, 7):
        yield from getattr(paired, "why", ())


def test_e4_where_everybody_has_met_everybody_it_is_said():
    event = played(swiss(3), 4)
    assert set(told(event).values()) >= {"Everybody has had the bye: Cyd has it a second time (C2)."}
    pairs = played(swiss(2), 2)
    assert told(pairs)["R2.1"] == "Everybody has met everybody: Ann and Bob meet again (C1)."


def test_e5_a_direct_encounter_of_some_who_have_not_met_parts_nobody():
    event = swiss(6)
    event.pair()
    for name in event.open():
        event.do(c.Report(name))
    assert working(event, "Ann", "DE")[-1] == "six are level and have not all met: direct encounter parts nobody"


def test_e5_where_it_parts_it_is_said_how_many_are_before():
    event = Event({"kind": "round-robin"}, entries=3)
    while not event.over():
        event.pair()
        for name in event.open():
            event.do(c.Report(name))
    assert (
        working(event, "Ann", "DE")[-1]
        == "three are level in the games between them too: direct encounter parts nobody"
    )


def test_e5_two_who_met_are_parted_by_their_game():
    event = Event({"kind": "round-robin"}, entries=4)
    while not event.over():
        event.pair()
        for name in event.open():
            event.do(c.Report(name, 1 - event.better(name) if name == "R1.1" else event.better(name)))
    level = "two are level: by the games between them"
    assert working(event, "Ann", "DE")[-1] == f"{level} nobody is placed before"
    assert working(event, "Bob", "DE")[-1] == f"{level} one is placed before"


def test_e6_the_bye_names_those_below_who_have_had_it():
    event = played(swiss(3), 1)
    event.pair()
    assert told(event)["Bob"] == "Bob has the bye, with 0 points: nobody lower can have it."
    event.play()
    event.pair()
    assert told(event)["Ann"] == "Ann has the bye, with 2 points: Bob and Cyd have had it."


def test_e7_an_unfinished_match_is_explained_with_its_provisional_result():
    event = swiss(4)
    event.pair()
    event.do(c.Report("R1.1", 0))
    event.do(c.PairRound(provisional=True))
    texts = " ".join(told(event).values())
    assert "Bob's match of round 1 is open and counted as half a point." in texts


def test_e8_neighbours_are_parted_by_figures_in_a_sentence():
    event = played(swiss(4), 1)
    why = why_of(event, "Cyd")
    assert why.ahead.endswith("on points: 0 to 1.")
    assert why.ahead.startswith("Behind ")
    assert why_of(event, "Bob").behind == f"Ahead of {why.name} on points: 1 to 0."


def test_e8_who_is_level_in_everything_is_level_on_every_tie_break():
    event = Event({"kind": "round-robin"}, entries=2)
    event.pair()
    event.do(c.Report("R1.1"))
    assert why_of(event, "Bob").ahead == "Level with Ann on every tie-break."


def test_e8_between_groups_it_is_the_place_in_the_group():
    event = Event({"kind": "groups", "groups": 2}, entries=5)
    while not event.over():
        event.pair()
        event.play()
    assert why_of(event, "Bob").behind == "Dan is number 2 of group A, and Bob number 1 of group B."
    assert why_of(event, "Dan").behind == "Ahead of Cyd on points a match, for groups differ in size."
    assert told(event)["Bob"] == "Bob's group has played all its rounds."


def test_e9_a_movement_is_explained_once_and_tables_by_meetings():
    event = Event({"kind": "individual"}, entries=8, **PARTNERS)
    event.pair()
    first = told(event)
    assert first["R1.1"].startswith("Round 1 of the movement of 8: everybody partners everybody once.")
    assert first["R1.2"] == "Nobody at this table has met anybody here before."
    event.play()
    event.pair()
    second = told(event)["R2.2"]
    assert "were partners in round 1." in second or "were opponents in round 1." in second


def test_e10_a_player_waiting_in_a_bracket_sees_the_awaited_match():
    event = played(Event({"kind": "double"}, terms=Terms(rounds="strict")), 2)
    event.pair()
    said = told(event)
    assert said["Eva"].startswith("Eva plays ")
    wanted = r"\w+ plays (\w+|the (winner|loser) of [WLF]\d\.\d) in [WLF]\d\.\d(, after this round)?\."
    waiting = [each for each in said.values() if " plays " in each]
    assert all(re.fullmatch(wanted, each) for each in waiting), waiting
    assert not any("waits for an opponent" in each for each in said.values())


def test_e11_rounds_before_entry_differ_from_missed_rounds():
    event = played(swiss(4), 1)
    event.do(c.Enter("e5", ("p5",)))
    event.do(c.GrantBye("e1", 2, "zero"))
    played(event, 1)
    assert working(event, "Eva", "PTS")[0] == "not yet entered"
    assert working(event, "Ann", "PTS")[1] == "absent"
    robin = played(Event({"kind": "round-robin"}, entries=3), 3)
    assert working(robin, "Ann", "PTS") == ["sat out", "beat Bob", "beat Cyd"]


def test_e13_sonneborn_berger_is_said_as_a_product():
    event = Event({"kind": "round-robin"}, entries=3)
    while not event.over():
        event.pair()
        event.play()
    assert "beat Cyd (0 points): 1 × 0 = 0" in working(event, "Ann", "SB")


def test_e14_points_that_are_lent_are_told_from_own_ones():
    event = swiss(8, acceleration="baku")
    event.pair()
    texts = list(told(event).values())
    assert any(text.startswith("Both stand on 1 point: 0 and the 1 that the upper half is lent.") for text in texts)
    assert any(text.startswith("Both have 0 points.") for text in texts)


def test_e15_the_round_1_lot_is_explained():
    event = swiss(4, rules="monrad")
    event.pair()
    turn = "first" if event.state.field(0).lot % 2 == 0 else "second"
    assert told(event)["R1.1"] == f"Both have 0 points. The lot gave odd seeds the {turn} deal."


@pytest.mark.parametrize("kind", ["single", "double", "round-robin", "groups", "swiss", "ladder"])
def test_no_explanation_holds_a_placeholder_or_ends_without_a_full_stop(kind):
    event = Event({"kind": kind}, entries=7)
    for _ in range(3):
        event.pair()
        for text in told(event).values():
            assert "{" not in text and text.endswith("."), text
        event.play()
