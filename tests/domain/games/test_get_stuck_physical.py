"""Get Stuck with physical cards whose layout nobody typed: what the moves alone tell."""

import pytest

from domain.cards.card import CARDS
from domain.games.get_stuck.state import Blind
from tests.kit.games.squares import GAME, KEY
from tests.kit.match.tables import Table, after, begin, codes, fact, happened, is_misfit


def blind(*actions):
    return after(KEY, begin(KEY, 0), *actions)


def view(state):
    return GAME.view(state, None)


def test_gs_3_the_first_move_determines_the_gap():
    state = blind()
    assert GAME.to_act(state) == 1
    assert len({each.cell for each in GAME.legal(state) if hasattr(each, "cell")}) == 49
    after_one = blind((1, "move", [3, 3]))
    assert (view(after_one).gap, view(after_one).down, GAME.to_act(after_one)) == ((3, 3), (), 0)
    assert codes(KEY, after_one, 0, "move", [0, 1]) == [("GS.3", "WCL")]
    assert codes(KEY, after_one, 0, "move", [0, 0]) == []
    assert is_misfit(KEY, after_one, 0, "move", [3, 3])


def test_gs_2_the_first_named_card_tells_who_plays_red():
    state = blind((1, "move", [3, 3], "H5"))
    assert view(state).colours == ("black", "red")
    assert codes(KEY, state, 0, "move", [3, 4], "D5") == [("GS.3", "WCL")]
    assert codes(KEY, state, 0, "move", [3, 4], "S5") == []
    assert view(blind((1, "move", [3, 3]))).colours is None


def test_gs_4_a_named_numeral_may_not_pass_a_known_dead_cell():
    # the third move leaves [3, 3] dead between the gap at [3, 0] and the cells beyond
    state = blind((1, "move", [3, 3], "H5"), (0, "move", [3, 0], "S2"))
    assert view(state).down == ((3, 3),)
    assert codes(KEY, state, 1, "move", [3, 5], "H6") == [("GS.4", "JMP")]
    assert codes(KEY, state, 1, "move", [3, 5], "HK") == []
    assert codes(KEY, state, 1, "move", [3, 5]) == []
    assert codes(KEY, state, 1, "move", [3, 3]) == [("GS.g1", "DUP")]
    assert codes(KEY, state, 1, "move", [3, 1], "H5") == [("GS.g1", "DUP")]


def test_gs_6_a_stuck_declaration_ends_the_deal_and_named_cards_score():
    state = blind((1, "move", [3, 3], "H5"), (0, "move", [3, 0], "S2"))
    assert codes(KEY, state, 0, "pass") == [("GS.3", "POT")]
    over = happened(KEY, state, (1, "pass"))
    assert GAME.to_act(over) is None
    assert GAME.score(over).scores == (88 + 60, 85 - 60)
    assert is_misfit(KEY, over, 0, "move", [0, 0])


def test_gs_g2_a_first_player_declaring_stuck_immediately_loses_30_to_150():
    assert GAME.score(blind((1, "pass"))).scores == (150, 30)


def test_all_4_moves_without_cards_require_an_entered_result():
    table = Table(KEY)
    table.start(dealer=0)
    table.record((1, "move", [3, 3]), (0, "move", [3, 0], "S2"), (1, "pass"))
    deal = table.match.deals[0]
    assert (GAME.to_act(deal.table), GAME.score(deal.table)) == (None, None)
    assert view(deal.table).numerals == ()
    table.enter({"stuck": 1, "totals": [148, 25]})
    assert table.race.totals == (148, 25)


def test_a_card_outside_the_pack_or_a_third_seat_is_a_misfit():
    state = blind()
    assert is_misfit(KEY, state, 1, "move", [0, 0], "ST")
    assert is_misfit(KEY, state, 1, "move", [0, 0], "XR")
    assert is_misfit(KEY, state, 2, "move", [0, 0])
    assert is_misfit(KEY, state, 2, "pass")
    for each in (fact(1, "move", [0, 0], "ST"), fact(2, "move", [0, 0]), fact(3, "pass")):
        assert GAME.evolve(state, each) is state


def test_a_seat_whose_cards_are_all_down_can_move_no_more():
    state = Blind(0, gap=0, unnamed=(24, 24))
    assert {type(each).__name__ for each in GAME.legal(state)} == {"Passed"}
    assert codes(KEY, state, 0, "move", [0, 1]) == [("GS.i4", "DUP")]
    last = Blind(1, gap=0, unnamed=(24, 23))
    assert GAME.to_act(GAME.evolve(last, fact(1, "move", [0, 1]))) is None


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_view_of_an_unknown_layout_shows_only_named_cards(dealer):
    state = happened(KEY, begin(KEY, dealer), (1 - dealer, "move", [2, 2], "C9"), (dealer, "move", [2, 5]))
    table = view(state)
    assert (table.grid, table.seen) == (None, (CARDS[7],))
    assert {getattr(fact, "card", None) for fact in table.legal} == {None}
    assert len({fact.cell for fact in table.legal[:-1]}) == len(table.legal) - 1
