"""A result entered twice: the same one changes nothing, another one is refused."""

import pytest

from domain.log.actor import Actor
from domain.match import commands as c
from tests.kit.games.strategies import played_out
from tests.kit.match.tables import Table

SCORER = Actor("scorer")
NINE, TEN = {"parity": "odd", "tricks": [9, 6]}, {"parity": "even", "tricks": [5, 10]}


@pytest.fixture
def table():
    made = Table("parity", sides=(("0.0",), ("1.0",)))
    made.do(c.EnterResult(entry=NINE, deal=1), SCORER)
    return made


def test_the_same_result_of_the_same_deal_changes_nothing(table):
    before = table.state
    table.do(c.EnterResult(entry=NINE, deal=1), SCORER)
    assert table.state == before


def test_another_result_of_the_same_deal_is_refused_with_both(table):
    refusal = table.refused(c.EnterResult(entry=TEN, deal=1), SCORER)
    assert (refusal.slug, refusal.extra) == ("already-entered", {"recorded": (19, 0), "yours": (0, 20)})
    assert "19–0" in refusal.detail
    assert "dispute" in refusal.detail


def test_the_same_result_from_the_other_side_is_its_confirmation(table):
    table.do(c.EnterResult(entry=NINE, deal=1), Actor("player", person="1.0"))
    assert table.match.deals[0].confirmed == (1,)
    assert table.race.totals == (19, 0)


def test_a_result_names_a_deal_that_there_is_or_that_is_next(table):
    assert table.refused(c.EnterResult(entry=TEN, deal=3), SCORER).slug == "misfit"
    table.do(c.EnterResult(entry=TEN, deal=2), SCORER)
    assert table.race.totals == (19, 20)


def test_an_earlier_deals_result_is_repeated_only_unchanged(table):
    table.start()
    table.do(c.EnterResult(entry=NINE, deal=1), SCORER)
    assert table.refused(c.EnterResult(entry=TEN, deal=1), SCORER).slug == "already-entered"
    table.do(c.EnterResult(entry=TEN, deal=2), SCORER)


def test_a_void_deals_result_is_not_taken_for_the_next_deal(table):
    table.do(c.VoidDeal(), SCORER)
    assert "void" in table.refused(c.EnterResult(entry=NINE, deal=1), SCORER).detail


def test_a_result_of_a_played_deal_is_compared_with_its_cards():
    game, _, dealer, cards, facts, states = played_out(("parity", {}), 5)
    table = Table("parity", sides=(("0.0",), ("1.0",)), target=100)
    table.do(c.StartDeal(dealer=dealer, deal=cards))
    table.do(c.RecordFacts(facts=tuple(facts)))
    view = game.view(states[-1], None)
    right = {"parity": view.parity, "tricks": list(view.tricks)}
    table.do(c.EnterResult(entry=right, deal=1), SCORER)
    wrong = {"parity": view.parity, "tricks": [15, 0] if view.tricks[0] < 15 else [0, 15]}
    assert table.refused(c.EnterResult(entry=wrong, deal=1), SCORER).slug == "already-entered"


def test_a_result_based_on_an_outdated_version_loses_the_race(table):
    table.start()
    version = table.match.version
    table.record((table.match.deals[1].dealer ^ 1, "trump", "S"))
    assert table.refused(c.EnterResult(entry=NINE, deal=2, expected=version), SCORER).slug == "lost-race"
