"""Attacks on a match: revealing hidden cards, resuming deals, misusing confirmations and rulings."""

import pytest

from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.agreement import figures_of, match_confirmed
from domain.match.mending_commands import Correct
from domain.match.sight import hands_open, open_at, opened_deals, viewer_of
from domain.match.state import is_complete, open_deal, side_scores
from projections.match_view import match_view
from tests.kit.match.tables import Table, random_deal

SCORER, DIRECTOR = Actor("scorer"), Actor("director")
ANNIE, BENNY = Actor("scorer", person="0.0"), Actor("scorer", person="1.0")
SIDES = (("0.0",), ("1.0",))
RESULT = {"bidder": 0, "bid": 1, "cross_points": [1, 1]}
LEFT = {"parity": "odd", "tricks": [11, 4]}
RIGHT = {"parity": "odd", "tricks": [4, 11]}


def dealt(**given):
    table = Table("cross_game", sides=SIDES, **given)
    table.start(dealer=0, deal=random_deal("cross_game", table.match.setup.options, 7))
    return table


def drawn():
    """Return physical cards where only Benny has seen the H7 that he drew, and the version of the draw."""
    table = Table("over_the_top", sides=SIDES)
    table.start(dealer=0)
    table.record((1, "play", "HA"), (0, "play", "SK"), (1, "play", "D2"), (0, "play", "C3"))
    return table, table.record((1, "draw", "H7"))


def deal(table):
    return table.match.deals[-1]


def seen(table, actor):
    viewer = viewer_of(table.match, actor)
    view = match_view("m", "c", table.match, {}, viewer, opened_deals(table.match))
    return [hand is not None for hand in view.table["hands"]]


def tried(table, command, actor):
    """Return True if a command was accepted."""
    try:
        table.do(command, actor)
    except Refusal:
        return False
    return True


# (a) -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["undo", "correct"])
def test_removing_an_opponents_draw_does_not_reveal_it(how):
    # Annie undoes or corrects Benny's draw, enters a result and reads /events
    table, version = drawn()
    command = (
        c.UndoLast()
        if how == "undo"
        else Correct(version=version, now={"seat": 1, "do": "draw", "card": None}, note="slip")
    )
    tried(table, command, ANNIE)
    tried(table, c.VoidDeal(), ANNIE)
    assert not open_at(table.match, version), "the event of the draw is shown to everybody"


def test_a_draw_that_was_learnt_so_does_not_leave_the_deal_on():
    table, version = drawn()
    tried(table, c.UndoLast(), ANNIE)
    tried(table, c.VoidDeal(), ANNIE)
    told = open_at(table.match, version)
    back = tried(table, c.RestoreDeal(), ANNIE)
    assert not (told and back and open_deal(table.match) is not None)


@pytest.mark.parametrize("actor", [ANNIE, SCORER, DIRECTOR])
def test_a_correction_does_not_resume_a_deal_with_open_hands(actor):
    table = dealt()
    table.record((1, "pass"), (0, "pass"))
    version = table.match.version
    table.do(c.OpenHands(note="look"), DIRECTOR)
    assert seen(table, ANNIE) == [True, True]
    tried(table, Correct(version=version, now={"seat": 0, "do": "bid", "bid": 3}, note="I bid"), actor)
    assert open_deal(table.match) is None, "the deal is on again after everybody saw the hands"


def test_a_director_corrects_an_earlier_deal_and_it_stays_over_and_open():
    table = dealt()
    table.record((1, "pass"), (0, "pass"))
    version = table.match.version
    table.start()
    assert hands_open(table.match, table.match.deals[0])
    tried(table, Correct(version=version, now={"seat": 0, "do": "bid", "bid": 3}, note="he bid"), DIRECTOR)
    first = table.match.deals[0]
    assert is_complete(table.match, first)
    assert hands_open(table.match, first)


def test_a_void_that_one_side_never_agreed_to_opens_no_hand():
    # Annie confirms the result, Benny the void: two different things
    table = dealt()
    table.do(c.EnterResult(entry=RESULT), SCORER)
    table.do(c.ConfirmResult(deal=1, side=0), ANNIE)
    table.do(c.VoidDeal(), DIRECTOR)
    tried(table, c.ConfirmResult(deal=1, side=1), BENNY)
    assert not hands_open(table.match, deal(table))


# (c) -------------------------------------------------------------------------------------------------------------


def parity(**race):
    return Table("parity", sides=SIDES, **race)


def test_who_confirmed_that_a_deal_is_void_has_not_confirmed_its_result():
    table = parity(deals=1)
    table.do(c.EnterResult(entry=LEFT), SCORER)
    table.do(c.VoidDeal(), SCORER)
    table.do(c.ConfirmResult(deal=1, side=0), ANNIE)
    table.do(c.ConfirmResult(deal=1, side=1), BENNY)
    table.do(c.RestoreDeal(), DIRECTOR)
    assert side_scores(table.match, deal(table)) is not None
    assert not match_confirmed(table.match), "nobody has signed this result"


def test_a_scorer_does_not_void_a_deal_that_a_director_ruled_on():
    table = parity(target=100)
    table.do(c.EnterResult(entry=LEFT), SCORER)
    table.do(c.DisputeResult(deal=1, side=1, note="a revoke"), BENNY)
    table.do(c.Rule(code="REV", deal=1, scores=(0, 25)), DIRECTOR)
    tried(table, c.VoidDeal(), ANNIE)
    assert side_scores(table.match, table.match.deals[0]) == (0, 25)


def test_a_result_corrected_after_a_ruling_needs_new_confirmations():
    table = parity(deals=2)
    version = table.do(c.EnterResult(entry=LEFT), SCORER)
    table.do(c.Rule(code="OTH", deal=1), DIRECTOR)  # a warning: the result stands as it was
    changed = tried(table, Correct(version=version, now=RIGHT, note="slip"), SCORER)
    table.do(c.EnterResult(entry=LEFT, deal=2), SCORER)
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=2, side=side, scores=side_scores(table.match, deal(table))), SCORER)
    assert not (changed and match_confirmed(table.match)), "deal 1 is another now, and nobody has agreed to it"


# disputes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [1, None])
def test_a_neutral_scorer_does_not_take_back_a_dispute_of_others(side):
    table = parity(target=100)
    table.do(c.EnterResult(entry=LEFT), SCORER)
    table.do(c.DisputeResult(deal=1, side=side, note="a revoke"), BENNY if side else DIRECTOR)
    assert not tried(table, c.SettleDispute(how="withdrawn"), SCORER), "and undoes the result next"


def test_the_last_deal_is_signed_with_its_games_never_alone():
    table = Table("cross_game", sides=SIDES, target=1, best_of=3)
    for points in ([6, 0], [4, 2]):
        table.do(c.EnterResult(entry={"bidder": 0, "bid": 1, "cross_points": points}), SCORER)
    won = side_scores(table.match, deal(table))
    assert figures_of(table.match) == (2, 0) != won
    assert table.refused(c.ConfirmResult(deal=2, side=0, scores=won), SCORER).slug == "changed"
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=2, side=side, scores=(2, 0)), SCORER)
    assert match_confirmed(table.match)


def test_a_total_that_is_called_aloud_ends_no_claim():
    table, _ = drawn()
    table.do(c.VoidDeal(), ANNIE)
    table.record((1, "total", 5))
    assert deal(table).claims
