"""Confirmations of deals and matches, and refusals of outdated figures."""

import pytest

from domain import registry
from domain.log.actor import Actor
from domain.match import commands as c
from domain.match import events as e
from domain.match.agreement import figures_of, match_confirmed
from domain.match.mending_commands import Correct
from tests.kit.match.tables import Table

ANNIE, BENNY = Actor("player", person="0.0"), Actor("player", person="1.0")
SCORER, DIRECTOR = Actor("scorer"), Actor("director")
NINE, TEN = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [5, 10]}


def a_table(**given):
    return Table("parity", sides=(("0.0",), ("1.0",)), **given)


def signed(table):
    return [event for _, event in table.log if isinstance(event, e.ResultConfirmed)]


def test_a_confirmation_signs_the_scores_of_the_deal():
    table = a_table()
    table.do(c.EnterResult(entry=NINE), SCORER)
    table.do(c.ConfirmResult(deal=1, side=1), BENNY)
    assert signed(table)[0].scores == (19, 0)
    assert (signed(table)[0].person, signed(table)[0].strength) == ("1.0", "token")


def test_confirming_an_outdated_figure_is_refused_with_both_figures():
    table = a_table()
    version = table.do(c.EnterResult(entry=NINE), SCORER)
    table.do(Correct(version=version, now=TEN, note="misread"), SCORER)
    refusal = table.refused(c.ConfirmResult(deal=1, side=1, scores=(19, 0)), BENNY)
    assert (refusal.slug, refusal.extra["recorded"], refusal.extra["yours"]) == ("changed", (0, 20), (19, 0))
    assert "0–20" in refusal.detail
    assert "19–0" in refusal.detail


def test_what_a_player_enters_the_own_side_has_confirmed():
    table = a_table()
    table.do(c.EnterResult(entry=NINE), ANNIE)
    assert table.match.deals[0].confirmed == (0,)
    assert [type(event).__name__ for _, event in table.log[-2:]] == ["ResultEntered", "ResultConfirmed"]


def test_a_player_enters_no_result_of_another_match():
    stranger = Actor("player", person="somebody")
    assert a_table().refused(c.EnterResult(entry=NINE), stranger).slug == "forbidden"


def test_a_match_is_confirmed_when_every_deal_that_counts_is():
    table = a_table(deals=2)
    for number in (1, 2):
        table.do(c.EnterResult(entry=NINE), SCORER)
        table.do(c.ConfirmResult(deal=number, side=0, scores=(19, 0)), ANNIE)
        assert not match_confirmed(table.match)
        table.do(c.ConfirmResult(deal=number, side=1, scores=(19, 0)), BENNY)
    assert match_confirmed(table.match)


def test_both_sides_confirm_a_match_by_signing_its_totals():
    table = a_table(deals=2)
    for _ in range(2):
        table.do(c.EnterResult(entry=NINE), SCORER)
    table.do(c.ConfirmResult(deal=2, side=0), ANNIE)
    assert signed(table)[-1].scores == figures_of(table.match) == (38, 0)
    table.do(c.ConfirmResult(deal=2, side=1, scores=(19, 0)), BENNY)
    assert not match_confirmed(table.match), "Benny has signed the deal, not the match"
    table.do(c.ConfirmResult(deal=2, side=1, scores=(38, 0)), BENNY)
    assert match_confirmed(table.match)


def test_totals_that_change_after_they_were_signed_are_not_agreed_to():
    table = a_table(deals=2)
    version = table.do(c.EnterResult(entry=NINE), SCORER)
    table.do(c.EnterResult(entry=NINE), SCORER)
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=2, side=side), SCORER)
    assert match_confirmed(table.match)
    table.do(Correct(version=version, now=TEN, note="misread"), DIRECTOR)
    assert not match_confirmed(table.match)


def test_a_void_deal_and_a_ruled_one_need_nobody():
    table = a_table(deals=2)
    table.do(c.EnterResult(entry=NINE), SCORER)
    table.do(c.VoidDeal(), SCORER)
    table.do(c.EnterResult(entry=NINE), SCORER)
    table.do(c.Rule(code="OTH", scores=(10, 10), exceptional=True, note="both played on"), DIRECTOR)
    table.do(c.EnterResult(entry=TEN), SCORER)
    assert not match_confirmed(table.match)
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=3, side=side, scores=(0, 20)), SCORER)
    assert match_confirmed(table.match)


def test_an_old_confirmation_named_nothing_and_is_read_so():
    event = registry.read_event("ResultConfirmed", 1, b'{"deal":1,"side":0}')
    assert event == e.ResultConfirmed(1, 0, None, None, None, None)


@pytest.mark.parametrize("actor", [SCORER, ANNIE])
def test_only_a_director_changes_a_deal_that_all_sides_confirmed(actor):
    table = a_table()
    version = table.do(c.EnterResult(entry=NINE), SCORER)
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=1, side=side), SCORER)
    changes = (c.UndoLast(), Correct(version=version, now=TEN, note="misread"), c.VoidDeal())
    for change in changes:
        refusal = table.refused(change, actor)
        assert refusal.slug == ("window-closed" if actor is SCORER else "forbidden")
        assert actor is ANNIE or "director" in refusal.detail
    table.do(changes[1], DIRECTOR)
    assert table.race.totals == (0, 20)


def test_a_ruling_that_was_accepted_is_no_confirmation_of_what_was_played():
    table = a_table()
    table.do(c.EnterResult(entry=NINE), SCORER)
    table.do(c.Rule(code="OTH", scores=(0, 20), accepted=(0, 1)), DIRECTOR)
    assert table.match.deals[0].confirmed == ()
    assert table.match.deals[0].rulings[0].accepted == (0, 1)
