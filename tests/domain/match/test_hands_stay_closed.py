"""Hands in the log stay closed until their deal can no longer be resumed."""

import pytest

from domain.log.actor import Actor
from domain.match import commands as c
from domain.match import events as e
from domain.match.agreement import all_confirmed
from domain.match.mending_commands import Correct
from domain.match.sight import hands_open, holds_hidden, opened_deals, played_out, viewer_of
from domain.match.state import is_complete, open_deal
from projections.match_view import match_view
from tests.kit.games.strategies import FORM_IDS, FORMS
from tests.kit.games.strategies import played_out as played
from tests.kit.match.tables import Table, fact, random_deal

SCORER, DIRECTOR = Actor("scorer"), Actor("director")
ANNIE, BENNY = Actor("scorer", person="0.0"), Actor("scorer", person="1.0")
PASSED = {"void": True}
RESULT = {"bidder": 0, "bid": 1, "cross_points": [1, 1]}


def dealt(**given) -> Table:
    """Cross Game on known cards: nobody but who holds them may see them."""
    table = Table("cross_game", sides=(("0.0",), ("1.0",)), **given)
    table.start(dealer=0, deal=random_deal("cross_game", table.match.setup.options, 7))
    return table


def deal(table):
    return table.match.deals[-1]


def hands_for(table, actor):
    """Whose hands somebody is shown."""
    viewer = viewer_of(table.match, actor)
    view = match_view("m", "c", table.match, {}, viewer, opened_deals(table.match))
    return [hand is not None for hand in view.table["hands"]]


@pytest.mark.parametrize("command", [c.EnterResult(entry=PASSED), c.EnterResult(entry=RESULT), c.VoidDeal()])
def test_a_neutral_scorer_ends_a_deal_and_its_hands_stay_closed(command):
    table = dealt()
    table.do(command, SCORER)
    assert is_complete(table.match, deal(table))
    assert hands_for(table, Actor()) == [False, False]
    assert hands_for(table, ANNIE) == [True, False]
    assert hands_for(table, SCORER) == [True, True]


@pytest.mark.parametrize("actor", [Actor(), ANNIE])
def test_what_a_table_says_of_itself_tells_nothing_of_closed_hands(actor):
    said = []
    for cards in (dealt(), _with_benny_and_stock_exchanged()):
        for each in (fact(1, "bid", 2), fact(0, "pass")):
            cards.do(c.RecordFacts(facts=(each,)), SCORER)
        cards.do(c.EnterResult(entry=RESULT), SCORER)
        view = match_view("m", "c", cards.match, {}, viewer_of(cards.match, actor), opened_deals(cards.match))
        said.append([view.table[name] for name in ("figures", "notes", "layout", "latest")])
    assert said[0] == said[1]
    assert said[0][1][0]["said"] == "seat 1 has bid 2 cross points"


def _with_benny_and_stock_exchanged():
    table = Table("cross_game", sides=(("0.0",), ("1.0",)))
    first = random_deal("cross_game", table.match.setup.options, 7)
    table.start(dealer=0, deal=type(first)(hands=(first.hands[0], first.stock), stock=first.hands[1]))
    return table


def test_a_ruling_in_mid_deal_opens_no_hand():
    table = dealt()
    table.do(c.Rule(code="OTH", scores=(0, 0), exceptional=True, note="nobody has it"), DIRECTOR)
    assert is_complete(table.match, deal(table))
    assert hands_for(table, BENNY) == [False, True]


def test_the_next_deal_opens_the_hands_of_the_last_one():
    table = dealt()
    table.do(c.EnterResult(entry=RESULT), SCORER)
    table.start()
    assert opened_deals(table.match) == {1}


def test_both_confirmations_open_the_hands_and_nobody_puts_the_deal_back_on():
    table = dealt()
    table.do(c.EnterResult(entry=RESULT), SCORER)
    table.do(c.ConfirmResult(deal=1, side=0), ANNIE)
    assert not hands_open(table.match, deal(table))
    table.do(c.ConfirmResult(deal=1, side=1), BENNY)
    assert hands_for(table, Actor()) == [True, True]
    for actor in (SCORER, DIRECTOR):
        assert table.refused(c.UndoLast(), actor).slug == "window-closed"


def test_hands_that_were_seen_stay_open_when_a_director_corrects_the_result():
    table = dealt()
    version = table.do(c.EnterResult(entry=RESULT), SCORER)
    for side in (0, 1):
        table.do(c.ConfirmResult(deal=1, side=side), SCORER)
    table.do(Correct(version=version, now={**RESULT, "cross_points": [2, 1]}, note="misread"), DIRECTOR)
    assert deal(table).confirmed == ()
    assert hands_for(table, Actor()) == [True, True]
    assert "cannot be put back on" in table.refused(c.UndoLast(), DIRECTOR).detail


def test_a_director_opens_hands_with_a_reason_and_the_deal_stays_over():
    table = dealt()
    table.do(c.VoidDeal(), SCORER)
    assert table.refused(c.OpenHands(note="a dispute"), SCORER).slug == "forbidden"
    assert table.refused(c.OpenHands(), DIRECTOR).slug == "malformed"
    table.do(c.OpenHands(note="a dispute"), DIRECTOR)
    assert hands_for(table, Actor()) == [True, True]
    assert table.refused(c.RestoreDeal(), DIRECTOR).slug == "window-closed"
    assert table.refused(c.OpenHands(note="again"), DIRECTOR).slug == "misfit"


def test_hands_of_a_deal_that_is_on_are_opened_by_nobody():
    assert "still on" in dealt().refused(c.OpenHands(note="why not"), DIRECTOR).detail


@pytest.mark.parametrize("command", [c.EnterResult(entry=RESULT), c.EnterResult(entry=PASSED), c.VoidDeal()])
def test_a_players_result_of_a_dealt_hand_needs_the_other_side(command):
    table = dealt()
    table.do(command, ANNIE)
    assert open_deal(table.match) is deal(table)
    assert hands_for(table, ANNIE) == [True, False]
    assert "still on" in table.refused(c.StartDeal(), ANNIE).detail
    table.do(command, ANNIE)
    assert open_deal(table.match) is deal(table), "the same side, twice, is one side"
    table.do(command, BENNY)
    assert is_complete(table.match, deal(table))
    assert all_confirmed(table.match, deal(table))
    assert hands_for(table, Actor()) == [True, True]


def test_only_the_other_sides_confirmation_agrees_to_a_claim():
    table = dealt()
    table.do(c.EnterResult(entry=RESULT), ANNIE)
    assert table.refused(c.ConfirmResult(deal=1, side=1), ANNIE).slug == "forbidden"
    assert table.refused(c.ConfirmResult(deal=1, side=0), ANNIE).slug == "misfit"
    assert table.refused(c.ConfirmResult(deal=1, side=1, scores=(6, 0)), BENNY).slug == "changed"
    table.do(c.ConfirmResult(deal=1, side=1), BENNY)
    assert deal(table).confirmed == (0, 1)
    assert deal(table).entry[0] == 3


def test_differing_claims_of_both_sides_are_both_kept():
    table = dealt()
    table.do(c.EnterResult(entry=RESULT), ANNIE)
    table.do(c.VoidDeal(), BENNY)
    assert [(claim.side, claim.what) for claim in deal(table).claims] == [(0, "result"), (1, "void")]
    table.do(c.UndoLast(), ANNIE)
    assert [claim.side for claim in deal(table).claims] == [1]
    table.do(c.VoidDeal(), ANNIE)
    assert deal(table).void


def test_nobody_takes_back_what_the_other_side_says():
    table = dealt()
    table.do(c.EnterResult(entry=RESULT), ANNIE)
    assert table.refused(c.UndoLast(), BENNY).slug == "forbidden"
    table.do(c.UndoLast(), SCORER)
    assert deal(table).claims == ()


def test_a_pause_by_a_player_is_a_claim_too():
    table = dealt()
    table.do(c.PauseRecording(), ANNIE)
    assert not deal(table).paused
    table.do(c.ConfirmResult(deal=1, side=1), BENNY)
    assert deal(table).paused
    assert not is_complete(table.match, deal(table))


def test_a_neutral_scorer_ends_what_two_sides_claim_differently():
    table = dealt()
    table.do(c.EnterResult(entry=RESULT), ANNIE)
    table.do(c.VoidDeal(), BENNY)
    table.do(c.EnterResult(entry=RESULT), SCORER)
    assert (deal(table).claims, deal(table).entry[0]) == ((), 5)


def test_play_that_goes_on_ends_a_claim():
    table = dealt()
    table.do(c.EnterResult(entry=RESULT), ANNIE)
    table.record((1, "bid", 1))
    assert deal(table).claims == ()


def test_a_player_with_physical_cards_is_not_touched_by_this():
    table = Table("parity", sides=(("0.0",), ("1.0",)))
    table.do(c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]}), ANNIE)
    assert is_complete(table.match, deal(table))
    assert deal(table).confirmed == (0,)
    table.do(c.UndoLast(), ANNIE)
    assert open_deal(table.match) is deal(table)


def test_who_plays_undoes_no_void_of_a_dealt_hand_alone():
    table = dealt()
    table.do(c.VoidDeal(), SCORER)
    assert table.refused(c.RestoreDeal(), ANNIE).slug == "forbidden"
    table.do(c.RestoreDeal(), SCORER)
    assert open_deal(table.match) is deal(table)


def test_a_deal_that_was_passed_out_stays_closed():
    table = dealt()
    table.record((1, "pass"), (0, "pass"))
    assert is_complete(table.match, deal(table))
    assert not played_out(table.match, deal(table))
    assert hands_for(table, ANNIE) == [True, False]


@pytest.mark.parametrize("form", FORMS, ids=FORM_IDS)
def test_the_own_last_card_of_a_deal_opens_everything(form):
    game, options, dealer, cards, facts, _ = played(form, 3)
    sides = tuple(tuple(f"p{seat}" for seat in own) for own in game.sides(options))
    table = Table(game.key, sides=sides, options=form[1])
    table.do(c.StartDeal(dealer=dealer, deal=cards))
    table.do(c.RecordFacts(facts=tuple(facts[:-1])))
    assert not hands_open(table.match, deal(table))
    table.do(c.RecordFacts(facts=(facts[-1],)))
    assert hands_open(table.match, deal(table))


def test_a_card_that_another_seat_drew_is_hidden_like_a_hand():
    table = Table("over_the_top", sides=(("0.0",), ("1.0",)))
    table.start(dealer=0)
    assert not holds_hidden(table.match, deal(table))
    table.record((1, "play", "HA"), (0, "play", "SK"), (1, "play", "D2"), (0, "play", "C3"), (0, "draw", "H7"))
    assert holds_hidden(table.match, deal(table))
    table.do(c.VoidDeal(), ANNIE)
    assert [claim.what for claim in deal(table).claims] == ["void"]


def test_what_each_side_claimed_is_in_the_log_with_its_side():
    table = dealt()
    table.do(c.EnterResult(entry=RESULT), ANNIE)
    assert isinstance(table.log[-1][1], e.ResultEntered)
    assert table.log[-1][1].side == 0
