"""Who corrects in each window, from the scorer in T0 to director and secretary in T3."""

import msgspec
import pytest

from domain.log.actor import Actor
from domain.log.decider import Refusal, decided
from domain.match import commands as c
from domain.match.decide import decide
from domain.match.mending_commands import AnswerCorrection, Correct, ProposeCorrection, WithdrawFact
from domain.match.windows import window
from tests.kit.match.moments import at, moment
from tests.kit.match.tables import Table

SIDES = (("ann",), ("ben",))
ANN, BEN = (Actor("player", person=name, id=name, strength="own device") for name in ("ann", "ben"))
SCORER, DIRECTOR = Actor("scorer"), Actor("director", person="dee", id="dee", strength="own device")
SECRETARY = Actor("secretary", person="sue", id="sue", strength="own device")
NINE, EIGHT = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [7, 8]}
LATE = {"posted": 0, "of_a_cup": True}  # posted at once; half an hour later T2 is over
HOUR, WEEK = 60, 60 * 24 * 7 + 60


def entered(*confirmed, **race):
    """Return a match with one result that these sides have confirmed."""
    table = Table("parity", sides=SIDES, **(race or {"target": 100}))
    table.enter(NINE)
    for side in confirmed:
        table.do(c.ConfirmResult(deal=1, side=side), (ANN, BEN)[side])
    return table


def correct(now=EIGHT, version=3, **given):
    return Correct(version=version, now=now, note="misread", **given)


def window_of(table, minutes=0, deal=1, **given):
    return window(table.match, table.match.deals[deal - 1], moment(minutes, **given))


def test_in_t0_the_scorer_corrects_alone_and_players_cannot_propose():
    table = entered()
    refusal = table.refused(at(ProposeCorrection(version=3, now=EIGHT, note="x")), BEN)
    assert (refusal.slug, "whoever keeps the score" in refusal.detail) == ("window-closed", True)
    table.do(at(correct()), SCORER)
    assert table.race.totals == (0, 18)
    assert table.log[-1][1].window == "T0"


def test_a_scorer_who_plays_is_alone_until_the_other_side_confirms():
    own = Actor("scorer", person="ann")
    table = entered(0)
    assert table.refused(at(correct()), SCORER).slug == "window-closed", "a neutral scorer: either side's word ends T0"
    table.do(at(correct()), own)
    other = entered(1)
    refusal = other.refused(at(correct()), own)
    assert (refusal.slug, "propose" in refusal.detail) == ("window-closed", True)


@pytest.mark.parametrize("change", [correct(), c.UndoLast(), c.VoidDeal(), c.UndoLast(withdrawn=True)])
def test_in_t1_only_a_director_changes_a_confirmed_entry(change):
    table = entered(1)
    assert table.refused(at(change), SCORER).slug == "window-closed"
    table.do(at(change), DIRECTOR)


def test_only_the_first_fact_of_the_next_deal_closes_the_window():
    table = entered(1)
    table.start()
    assert window_of(table) == "T1"
    table.record((0, "trump", "S"))
    assert window_of(table) == "T2"
    refusal = table.refused(at(ProposeCorrection(version=3, now=EIGHT, note="x")), ANN)
    assert "director" in refusal.detail
    table.do(at(correct()), DIRECTOR)
    assert table.log[-1][1].window == "T2"


def test_a_scorer_corrects_the_last_result_after_the_next_deal_was_dealt():
    table = entered()
    table.start()
    table.do(at(correct()), SCORER)
    assert table.race.totals == (0, 18)


def test_the_last_deal_leaves_t0_ten_minutes_after_its_last_fact():
    table = entered(1, deals=1)
    assert [window_of(table, minutes) for minutes in (0, 9.9, 10, 39, 40.1)] == ["T1", "T1", "T2", "T2", "T3"]
    assert table.refused(at(correct(), 11), SCORER).slug == "window-closed"
    table.do(at(correct(), 11), DIRECTOR)


@pytest.mark.parametrize("change", [correct(), c.UndoLast(), c.VoidDeal(), WithdrawFact(version=3)])
def test_in_t3_nobody_changes_anything_alone(change):
    table = Table("parity", sides=SIDES, target=100)
    table.start(dealer=0)
    table.record((1, "trump", "S"))
    table.enter(NINE)
    table.do(c.ConfirmResult(deal=1, side=1), BEN)
    table.start()
    table.record((0, "trump", "S"))
    table.do(c.VoidDeal(), DIRECTOR)
    for actor in (SCORER, DIRECTOR, SECRETARY):
        assert table.refused(at(change, HOUR, **LATE), actor).slug in ("window-closed", "forbidden", "misfit")


def test_in_t3_a_director_proposes_and_the_secretary_agrees():
    table = entered(1, deals=1)
    propose = ProposeCorrection(version=3, now=EIGHT, note="the sheet says 7–8")
    assert table.refused(at(propose, HOUR, **LATE), ANN).slug == "window-closed"
    version = table.do(at(propose, HOUR, **LATE), DIRECTOR)
    answer = AnswerCorrection(proposal=version, yes=True)
    for actor in (ANN, BEN):
        assert table.refused(at(answer, HOUR, **LATE), actor).slug in ("window-closed", "forbidden")
    assert table.refused(at(answer, HOUR, **LATE), DIRECTOR).slug == "forbidden"
    table.do(at(answer, HOUR, **LATE), SECRETARY)
    done = table.log[-1][1]
    assert (done.window, [(each.side, each.person) for each in done.consents]) == ("T3", [(None, "sue")])
    assert table.race.totals == (0, 18)


@pytest.mark.parametrize(
    ("secretary", "why"),
    [
        (Actor("secretary", person="dee", strength="own device"), "forbidden"),
        (Actor("secretary", strength="token"), "forbidden"),
        (Actor("secretary", person="ann", strength="own device"), "recused"),
        (Actor("secretary", person="sue", strength="own device", close=("ben",)), "recused"),
    ],
)
def test_in_t3_two_different_people_who_do_not_belong_to_the_table(secretary, why):
    table = entered(1, deals=1)
    version = table.do(at(ProposeCorrection(version=3, now=EIGHT, note="x"), HOUR, **LATE), DIRECTOR)
    answer = at(AnswerCorrection(proposal=version, yes=True), HOUR, **LATE)
    assert table.refused(answer, secretary).slug == why


def test_what_a_side_proposed_in_time_is_no_directors_proposal_in_t3():
    table = entered(1, deals=1)
    version = table.do(at(ProposeCorrection(version=3, now=EIGHT, note="x")), ANN)
    answer = at(AnswerCorrection(proposal=version, yes=True), HOUR, **LATE)
    assert table.refused(answer, SECRETARY).slug == "window-closed"


def test_sealed_means_nothing_changes_any_more():
    table = entered(1, deals=1)
    for change in (correct(), c.VoidDeal(), ProposeCorrection(version=3, now=EIGHT, note="x")):
        assert table.refused(at(change, WEEK, **LATE), DIRECTOR).slug == "window-closed"
    table.do(at(c.Seal(note="the season's prize is given today")), DIRECTOR)
    commands = (correct(), c.UndoLast(), c.VoidDeal(), c.EnterResult(entry=NINE), c.DisputeResult(deal=1, note="x"))
    for change in (*commands, c.ConfirmResult(deal=1, side=0), c.Seal()):
        assert table.refused(at(change), DIRECTOR).slug == "window-closed"
    table.do(c.NoteIrregularity(code="REV", at=3), DIRECTOR)


def test_a_director_seals_a_finished_record_without_open_issues():
    seal = c.Seal(note="x")
    assert entered(1).refused(seal, DIRECTOR).slug == "misfit", "the match is on"
    table = entered(1, deals=1)
    assert table.refused(seal, SCORER).slug == "forbidden"
    assert table.refused(at(seal, heard=[1]), DIRECTOR).slug == "misfit"
    table.do(c.DisputeResult(deal=1, note="x"), BEN)
    assert table.refused(seal, DIRECTOR).slug == "misfit"
    table.do(c.SettleDispute(how="upheld"), DIRECTOR)
    table.do(at(ProposeCorrection(version=3, now=EIGHT, note="x")), ANN)
    assert table.refused(seal, DIRECTOR).slug == "misfit"


def test_a_director_who_plays_here_seals_and_corrects_nothing_of_it():
    own = Actor("director", person="ann", strength="own device")
    table = entered(1, deals=1)
    for command in (c.Seal(note="x"), correct(), c.VoidDeal()):
        assert table.refused(at(command), own).slug == "recused"


@pytest.mark.parametrize("number", [1, None])
def test_while_a_dispute_is_open_only_the_director_corrects(number):
    table = entered(1)
    table.do(c.DisputeResult(deal=number, note="look again"), BEN)
    for command, actor in ((correct(), SCORER), (ProposeCorrection(version=3, now=EIGHT, note="x"), ANN)):
        refusal = table.refused(at(command), actor)
        assert (refusal.slug, "director" in refusal.detail) == ("window-closed", True)
    table.do(at(correct()), DIRECTOR)


def test_while_a_case_on_the_deal_is_heard_only_the_director_corrects():
    table = entered()
    for change in (correct(), c.UndoLast(), c.VoidDeal()):
        refusal = table.refused(at(change, heard=[1]), SCORER)
        assert (refusal.slug, "case" in refusal.detail) == ("window-closed", True)
    table.do(at(correct(), heard=[2]), SCORER)
    table.do(at(correct(NINE, version=4), heard=[1]), DIRECTOR)


def test_a_proposal_is_not_answered_while_a_case_is_heard():
    table = entered(1)
    version = table.do(at(ProposeCorrection(version=3, now=EIGHT, note="x")), ANN)
    answer = AnswerCorrection(proposal=version, yes=True)
    assert table.refused(at(answer, heard=[1]), BEN).slug == "window-closed"
    table.do(at(answer, heard=[1]), DIRECTOR)
    assert table.race.totals == (0, 18)


def test_a_deal_that_was_ruled_on_is_a_directors():
    table = entered()
    table.do(c.Rule(code="OTH", deal=1), DIRECTOR)
    assert table.refused(at(correct()), SCORER).slug == "window-closed"
    table.do(at(correct()), DIRECTOR)


def test_a_deal_changed_by_a_director_stays_in_t2():
    table = entered(0, 1, deals=1)
    assert window_of(table) == "T2"
    table.do(at(Correct(version=3, now=EIGHT, note="misread")), DIRECTOR)
    assert (window_of(table), table.match.deals[0].mended_in) == ("T2", "T2")
    assert table.refused(at(c.UndoLast()), SCORER).slug == "window-closed"


@pytest.mark.parametrize(
    "void",
    [c.VoidDeal(note="foul pack"), c.Rule(code="DUP", deal=1, remedy="void", note="foul pack")],
    ids=["declared void", "ruled void"],
)
def test_a_deal_voided_by_a_director_stays_in_t2(void):
    table = entered(0, 1, deals=1)
    assert window_of(table) == "T2"
    table.do(at(void), DIRECTOR)
    assert (window_of(table), table.match.deals[0].mended_in) == ("T2", "T2")
    table.do(at(c.Rule(code="DUP", deal=1, remedy="stands", supersedes=last_ruling(table), note="x")), DIRECTOR)
    assert window_of(table) == "T2", "and not when it is brought back"


def test_a_deal_that_the_scorer_voids_at_once_stays_at_the_table():
    table = entered(deals=1)
    table.do(at(c.VoidDeal(note="redealt")), SCORER)
    assert (window_of(table), table.match.deals[0].mended_in) == ("T0", "T0")


def test_in_t3_director_and_secretary_both_accept_a_chain_of_misfits():
    table = Table("cross_game", sides=SIDES, deals=1)
    table.start(dealer=1)
    table.record((0, "pass"), (1, "bid", 1), (1, "play", "HA"))
    table.enter({"bidder": 1, "bid": 1, "cross_points": [1, 1]})
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=1, side=side), (ANN, BEN)[side])
    propose = ProposeCorrection(version=3, now={"seat": 1, "do": "pass"}, do="insert", note="x")
    late = {"posted": 0, "of_a_cup": True}
    refusal = table.refused(at(propose, HOUR, **late), DIRECTOR)
    assert (refusal.slug, refusal.extra["accepts"]) == ("confirm-needed", 2)
    version = table.do(at(msgspec.structs.replace(propose, accepts=2), HOUR, **late), DIRECTOR)
    answer = AnswerCorrection(proposal=version, yes=True)
    assert table.refused(at(answer, HOUR, **late), SECRETARY).slug == "confirm-needed"
    table.do(at(msgspec.structs.replace(answer, accepts=2), HOUR, **late), SECRETARY)
    assert len(table.match.deals[0].misfits) == 2


@pytest.mark.parametrize("code", ["XYZ", "REV1", "JMP"])
def test_a_fact_is_taken_back_for_a_code_that_the_game_knows(code):
    table = Table("parity", sides=SIDES, target=100)
    table.start(dealer=0)
    version = table.record((1, "trump", "S"))
    assert table.refused(WithdrawFact(version=version, code=code), SCORER).slug == "malformed"
    table.do(WithdrawFact(version=version, code="REV"), SCORER)


CHANGES = (
    correct(),
    c.UndoLast(),
    c.VoidDeal(note="x"),
    ProposeCorrection(version=3, now=EIGHT, note="x"),
)


def answer(table, command, actor, **given):
    """Return the events that an actor's command would record, or its refusal."""
    try:
        news, _ = decided(decide, table.match, at(command, **given), actor)
    except Refusal as refusal:
        return refusal.slug, refusal.detail, refusal.extra
    return news


@pytest.mark.parametrize("actor", [SCORER, ANN, BEN], ids=["scorer", "ann", "ben"])
@pytest.mark.parametrize("change", CHANGES, ids=[type(each).__name__ for each in CHANGES])
@pytest.mark.parametrize("window_", ["T0", "T1", "T2"])
def test_silent_policy_an_answer_does_not_reveal_an_open_case(window_, change, actor):
    # audit.md §3 and §4: no refusal reveals a case before the policy tells the table
    confirmed = {"T0": (), "T1": (1,), "T2": (0, 1)}[window_]
    table = entered(*confirmed, deals=1, signals="silent")
    assert window_of(table) == window_
    assert answer(table, change, actor, heard=[1]) == answer(table, change, actor)


def test_silent_policy_a_proposal_is_answered_alike_during_a_case():
    table = entered(1, target=100, signals="silent")
    version = table.do(at(ProposeCorrection(version=3, now=EIGHT, note="x")), ANN)
    for yes in (True, False):
        said = AnswerCorrection(proposal=version, yes=yes)
        assert answer(table, said, BEN, heard=[1]) == answer(table, said, BEN)


def test_quiet_policy_a_live_deal_is_corrected_alike_during_a_case():
    table = Table("parity", sides=SIDES, target=100)
    table.start(dealer=0)
    table.record((1, "trump", "S"))
    assert answer(table, c.UndoLast(), SCORER, heard=[1]) == answer(table, c.UndoLast(), SCORER)


def last_ruling(table):
    return table.match.deals[0].rulings[-1].version if table.match.deals[0].rulings else None
