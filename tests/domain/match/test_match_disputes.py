"""Disputes of a match and how they are settled."""

import msgspec
import pytest

from domain.log.actor import Actor
from domain.match import commands as c
from domain.match.mending_commands import Correct
from domain.match.said import OpenDispute
from tests.kit.match.tables import Table

ANNIE, BENNY = Actor("player", person="0.0"), Actor("player", person="1.0")
SCORER, DIRECTOR = Actor("scorer"), Actor("director")
NINE, TEN = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [5, 10]}


@pytest.fixture
def table():
    made = Table("parity", sides=(("0.0",), ("1.0",)), target=100)
    made.do(c.EnterResult(entry=NINE), SCORER)
    return made


def test_a_side_disputes_a_deal_and_the_director_settles_it(table):
    version = table.do(c.DisputeResult(deal=1, note="two tricks were Benny's"), BENNY)
    assert table.match.disputes == (OpenDispute(version, 1, 1),)
    assert table.refused(c.SettleDispute(how="upheld"), SCORER).slug == "forbidden"
    table.do(c.SettleDispute(how="upheld", version=version), DIRECTOR)
    assert table.match.disputes == ()
    assert table.race.totals == (19, 0)


def test_a_player_disputes_for_the_own_side_and_a_scorer_for_any(table):
    assert table.refused(c.DisputeResult(deal=1, side=0, note="x"), BENNY).slug == "forbidden"
    table.do(c.DisputeResult(deal=1, side=0, note="Annie says so"), SCORER)
    table.do(c.DisputeResult(note="the whole sheet"), DIRECTOR)
    assert [(each.deal, each.side) for each in table.match.disputes] == [(1, 0), (None, None)]
    assert table.refused(c.DisputeResult(deal=1, side=0, note="again"), SCORER).slug == "misfit"


def test_a_deal_that_is_on_has_nothing_to_dispute(table):
    table.start()
    assert table.refused(c.DisputeResult(deal=2, note="x"), BENNY).slug == "misfit"


@pytest.mark.parametrize("number", [1, None])
def test_while_a_dispute_is_open_a_scorer_undoes_corrects_and_voids_nothing(table, number):
    table.do(c.DisputeResult(deal=number, note="look again"), DIRECTOR)
    changes = (c.UndoLast(), Correct(version=3, now=TEN, note="misread"), c.VoidDeal())
    for change in changes:
        refusal = table.refused(change, SCORER)
        assert (refusal.slug, "director" in refusal.detail) == ("window-closed", True)
    table.do(changes[1], DIRECTOR)
    assert table.match.disputes, "a correction does not settle it by itself"
    table.do(c.SettleDispute(how="corrected"), DIRECTOR)
    table.do(c.UndoLast(), SCORER)


def test_whoever_disputes_takes_it_back_and_nobody_else(table):
    table.do(c.DisputeResult(deal=1, note="look again"), BENNY)
    assert table.refused(c.SettleDispute(how="withdrawn"), ANNIE).slug == "forbidden"
    table.do(c.SettleDispute(how="withdrawn"), BENNY)
    assert table.match.disputes == ()


def test_a_ruling_on_a_deal_settles_the_dispute_over_it(table):
    table.do(c.DisputeResult(deal=1, note="a revoke"), BENNY)
    table.do(c.DisputeResult(note="the match"), BENNY)
    table.do(c.Rule(code="REV", scores=(0, 17)), DIRECTOR)
    assert [each.deal for each in table.match.disputes] == [None]


def test_a_void_deal_is_brought_back_as_it_stood(table):
    table.do(c.ConfirmResult(deal=1, side=1), BENNY)
    before = table.match.deals[0]
    assert table.refused(c.VoidDeal(), SCORER).slug == "window-closed", "a side has confirmed: T1"
    table.do(c.VoidDeal(), DIRECTOR)
    assert table.race.totals == (0, 0)
    assert table.refused(c.RestoreDeal(), SCORER).slug == "window-closed"
    table.do(c.RestoreDeal(), DIRECTOR)
    assert table.match.deals[0] == msgspec.structs.replace(before, mended_in="T1")
    assert table.refused(c.RestoreDeal(), DIRECTOR).slug == "misfit"


def test_a_void_deal_stays_void_when_the_next_one_has_begun(table):
    table.do(c.VoidDeal(), SCORER)
    table.start()
    assert table.refused(c.RestoreDeal(), DIRECTOR).slug == "misfit"


def test_an_irregularity_names_the_deal_in_which_it_was_called(table):
    table.start()
    table.do(c.NoteIrregularity(code="REV", at=3))
    assert table.log[-1][1].deal == 1
    assert table.refused(c.NoteIrregularity(code="REV", at=1)).slug == "misfit"
    assert table.refused(c.NoteIrregularity(code="REV", at=999)).slug == "misfit"


def test_a_ruling_needs_an_event_of_its_deal_and_possible_scores(table):
    table.start()
    for wrong in (999, 4, 1):
        assert table.refused(c.Rule(code="OTH", deal=1, at=wrong, scores=(0, 20))).slug == "misfit"
    for wrong in ((-500, 0), (26, 0)):
        assert "0 to 25" in table.refused(c.Rule(code="OTH", deal=1, scores=wrong)).detail
    assert table.refused(c.Rule(code="OTH", deal=1, scores=(0, 20), accepted=(2,))).slug == "malformed"
    table.do(c.Rule(code="OTH", deal=1, at=3, scores=(0, 20)))
    assert table.race.totals == (0, 20)
