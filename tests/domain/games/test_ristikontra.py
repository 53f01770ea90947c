"""Ristikontra: the course of a deal, rule by rule."""

import msgspec
import pytest

from domain.cards.card import cards_in
from domain.games import find
from tests.kit.games.strategies import played_out
from tests.kit.match.tables import (
    Table,
    after,
    begin,
    cards,
    codes,
    deal_for,
    happened,
    is_misfit,
    options_of,
    random_deal,
)

KEY = "ristikontra"
GAME = find(KEY)


def at(*hands: str, stock: str = "", **given):
    """Seat 0 leads; hands and stock begin with these cards."""
    wanted = [*hands, *[""] * (4 - len(hands)), stock]
    return begin(KEY, 3, deal_for(KEY, *wanted, **given), **given)


def trick(state, *played: str):
    """Four cards (`*` in the dark) from the seat to act on."""
    for card in played:
        seat = GAME.to_act(state)
        state = after(KEY, state, (seat, "dark") if card == "*" else (seat, "play", card))
    return state


def seen(state, viewer="all"):
    return GAME.view(state, viewer)


def hand(state, seat: int) -> set:
    return {str(card) for card in seen(state).hands[seat]}


def words(state) -> list:
    return [type(each).__struct_config__.tag for each in GAME.legal(state)]


def legal_cards(state) -> set:
    return {str(each.card) for each in GAME.legal(state) if type(each).__struct_config__.tag == "play"}


def test_rk_1_two_against_two_crosswise_with_all_the_cards():
    options = GAME.options()
    assert (GAME.seats(options), GAME.sides(options)) == (4, ((0, 2), (1, 3)))
    assert len(list(cards_in(GAME.pack(options)))) == 52


def test_rk_3_six_cards_each_and_a_stock_of_twenty_eight():
    deal = random_deal(KEY, GAME.options(), 1)
    assert ([len(each) for each in deal.hands], len(deal.stock)) == ([6] * 4, 28)
    assert GAME.check_deal(GAME.options(), deal) is None
    assert "6 cards" in GAME.check_deal(options_of(KEY), random_deal(KEY, options_of(KEY, hand_size=5), 1))


@pytest.mark.parametrize("dealer", range(4))
def test_rk_4_eldest_leads_and_any_card_may_be_played(dealer):
    state = begin(KEY, dealer, deal_for(KEY))
    assert GAME.to_act(state) == (dealer + 1) % 4
    for _ in range(4):
        assert words(state) == ["play"] * 6 + ["dark"]
        state = GAME.evolve(state, GAME.legal(state)[0])


def test_rk_4_turns_and_cards_that_are_not_there():
    state = at("S7", "H2", "C3", "D4")
    assert codes(KEY, state, 1, "play", "H2") == [("RK.4", "LOT")]
    assert codes(KEY, state, 1, "dark") == [("RK.4", "LOT")]
    assert codes(KEY, state, 0, "play", "H2") == [("RK.4", "NIH")]
    state = after(KEY, state, (0, "play", "S7"))
    assert codes(KEY, state, 2, "play", "S7") == [("RK.4", "POT"), ("RK.4", "DUP")]
    assert is_misfit(KEY, state, 1, "play", "XR")
    assert is_misfit(KEY, state, 1, "spice", True)
    assert is_misfit(KEY, state, 1, "draw")


def test_rk_4_a_trick_is_complete_with_four_cards_whoever_played_them():
    state = happened(KEY, at("S7 C7", "H2", "C3", "D4"), (0, "play", "S7"), (2, "play", "C3"), (0, "play", "C7"))
    assert GAME.to_act(state) == 1
    state = happened(KEY, state, (1, "play", "H2"))
    assert (GAME.to_act(state), seen(state).tricks) == (0, (1, 0, 0, 0))
    assert [len(each) for each in seen(state).hands] == [6] * 4


def test_rk_4_a_card_played_twice_scores_its_points_once():
    state = trick(at("SA", "H2", "C3", "D4"), "SA", "H2", "C3", "D4")
    state = happened(KEY, state, (0, "play", "SA"))
    rest = ["*"] * 3
    assert seen(trick(state, *rest)).card_points[0] < 22


def test_rk_4_a_played_stock_card_is_not_drawn_again():
    state = happened(KEY, at("S7", stock="HA HK HQ HJ"), (0, "play", "HK"))
    state = trick(state, *(next(iter(hand(state, seat))) for seat in (1, 2, 3)))
    assert "HK" not in set().union(*(hand(state, seat) for seat in range(4)))
    assert seen(state).stock == 24


def test_rk_5_all_fill_up_after_the_trick_the_winner_first():
    state = trick(at("S7", "H2", "C7", "D4", stock="HA HK HQ HJ"), "S7", "H2", "C7", "D4")
    assert GAME.to_act(state) == 2
    assert ["HA" in hand(state, 2), "HK" in hand(state, 3), "HQ" in hand(state, 0), "HJ" in hand(state, 1)] == [
        True
    ] * 4
    assert [len(each) for each in seen(state).hands] == [6] * 4


def test_rk_6_a_stock_card_is_played_unseen_without_a_draw():
    state = after(KEY, at("S7", stock="H7 HA HK HQ"), (0, "play", "S7"), (1, "dark"))
    assert [str(each.card) for each in seen(state, None).trick] == ["S7", "H7"]
    before = hand(state, 1)
    state = trick(state, *(next(iter(hand(state, seat) - {"C7", "D7"})) for seat in (2, 3)))
    assert GAME.to_act(state) == 1
    assert hand(state, 1) == before
    assert seen(state).stock == 24


def test_rk_6_a_dark_card_is_named_only_with_unknown_stock():
    assert is_misfit(KEY, at(), 0, "dark", "S7")
    assert is_misfit(KEY, begin(KEY, 3), 0, "dark")


def test_rk_9_nobody_leads_one_rank_to_four_tricks_running():
    state = ran_three(no_fourth_lead=True)
    assert codes(KEY, state, 0, "play", "D7") == [("RK.9", "RK4")]
    assert "D7" not in legal_cards(state)
    assert codes(KEY, ran_three(), 0, "play", "D7") == []


def ran_three(**given):
    """Seat 0 has led three sevens and won with them; the last one is in hand."""
    state = at("S7 H7 C7 D7 S2 H2", "S3 H3 C3 S4 H4 C4", "S5 H5 C5 S6 H6 C6", "S8 H8 C8 S9 H9 C9", **given)
    for lead, one, two, three in (("S7", "S3", "S5", "S8"), ("H7", "H3", "H5", "H8"), ("C7", "C3", "C5", "C8")):
        state = trick(state, lead, one, two, three)
    assert GAME.to_act(state) == 0
    return state


def test_rk_g6_another_rank_or_leader_ends_the_run():
    state = trick(ran_three(no_fourth_lead=True), "S2", "S4", "S6", "S9")
    assert "D7" in legal_cards(state)
    lost = happened(KEY, ran_three(no_fourth_lead=True), (1, "play", "S4"))
    assert codes(KEY, lost, 1, "play", "D7") == [("RK.4", "POT"), ("RK.4", "NIH")]


def test_rk_g6_a_dark_or_forced_lead_is_exempt_and_counts():
    state = ran_three(no_fourth_lead=True)
    assert "dark" in words(state)
    only = msgspec.structs.replace(state, hands=(1 << cards("D7")[0], *state.hands[1:]))
    assert legal_cards(only) == {"D7"}
    led = GAME.evolve(only, next(each for each in GAME.legal(only) if getattr(each, "card", None) is not None))
    assert led.run == (0, 5, 4)


def test_rk_g6_a_dark_lead_of_the_rank_counts_in_the_run():
    state = at("S7 H7 S2", "S3 H3 S4", "S5 H5 S6", "S8 H8 S9", stock="C7", no_fourth_lead=True)
    state = trick(state, "*", "S3", "S5", "S8")
    state = trick(state, "S7", "H3", "H5", "H8")
    state = trick(state, "H7", "S4", "S6", "S9")
    assert "D7" not in legal_cards(state)
    assert state.run == (0, 5, 3)


def test_rk_g6_a_barred_king_is_no_other_rank_in_hand():
    given = {"no_fourth_lead": True, "cleaning": True, "hand_size": 5}
    state = msgspec.structs.replace(at("D7 SK", **given), run=(0, 5, 3))
    assert legal_cards(state).isdisjoint({"D7"})
    three = sum(1 << card for card in cards("HK CK DK"))
    hands = (sum(1 << card for card in cards("D7 SK")), *state.hands[1:])
    assert legal_cards(msgspec.structs.replace(state, seen=three, hands=hands)) == {"D7"}


def test_rk_10_a_winner_with_a_hand_card_may_spice():
    state = trick(at("S7", "H2", "C3", "D4", stock="HA HK HQ HJ", spice=True), "S7", "H2", "C3", "D4")
    assert (GAME.to_act(state), words(state)) == (0, ["spice", "spice"])
    assert [str(each.card) for each in seen(state, None).trick] == ["S7", "H2", "C3", "D4"]
    state = after(KEY, state, (0, "spice", True))
    assert [str(each.card) for each in seen(state, None).last_trick] == ["HA", "H2", "C3", "D4"]
    assert "S7" in hand(state, 0)
    assert (seen(state).card_points, GAME.to_act(state)) == ((11, 0), 0)


def test_rk_10_who_won_in_the_dark_is_not_asked():
    state = at("S2", "H3", "C4", "D5", stock="S7 HA", spice=True)
    state = trick(state, "*", "H3", "C4", "D5")
    assert (GAME.to_act(state), words(state)[0], seen(state).trick) == (0, "play", ())


def test_rk_10_nobody_is_asked_once_the_stock_is_gone():
    _, _, _, _, facts, states = played_out((KEY, {"spice": True}), 5)
    late = [fact for fact, state in zip(facts, states, strict=False) if seen(state).phase == 2]
    assert {type(each).__struct_config__.tag for each in late} == {"play"}
    assert len(late) == 24


def test_rk_g5_the_winner_sees_his_card_first_and_nobody_else_does():
    state = trick(at("S7", "H2", "C3", "D4", stock="HA HK HQ HJ", spice=True), "S7", "H2", "C3", "D4")
    assert str(seen(state, 0).drawn) == "HA"
    assert "HA" in {str(card) for card in seen(state, 0).hands[0]}
    assert [seen(state, viewer).drawn for viewer in (None, 1, 2, 3)] == [None] * 4
    assert codes(KEY, state, 1, "spice", True) == [("RK.10", "OOB")]
    assert is_misfit(KEY, state, 0, "play", "HA")
    assert is_misfit(KEY, state, 0, "spice", True, "HA")


def test_rk_g5_a_card_taken_back_is_open_and_playable():
    state = trick(at("S7", "H2", "C3", "D4", stock="HA HK HQ HJ", spice=True), "S7", "H2", "C3", "D4")
    state = after(KEY, state, (0, "spice", True))
    assert [[str(card) for card in cards] for cards in seen(state, None).shown] == [["S7"], [], [], []]
    assert codes(KEY, state, 0, "play", "S7") == []
    assert codes(KEY, state, 0, "play", "HA") == [("RK.4", "DUP")]
    state = after(KEY, state, (0, "play", "S7"))
    assert seen(state, None).shown == ((), (), (), ())


def test_rk_g5_the_winner_may_leave_the_trick_as_it_is():
    state = trick(at("S7", "H2", "C3", "D4", stock="HA HK HQ HJ", spice=True), "S7", "H2", "C3", "D4")
    state = after(KEY, state, (0, "spice", False))
    assert ["HA" in hand(state, 0), "HK" in hand(state, 1), seen(state).stock] == [True, True, 24]


def test_rk_11_five_cards_each_by_option():
    deal = random_deal(KEY, options_of(KEY, hand_size=5), 1)
    assert ([len(each) for each in deal.hands], len(deal.stock)) == ([5] * 4, 32)


def kings_lie(**given):
    """Seat 0 is to play, three kings lie in tricks and it holds the last one."""
    state = at("S7 SK S2", "HK H3", "DK D3", "CK C3", cleaning=True, **given)
    return trick(state, "S7", "HK", "DK", "CK")


def test_rk_13_the_last_king_is_kept_until_the_stock_ends():
    state = kings_lie()
    assert codes(KEY, state, 0, "play", "SK") == [("RK.13", "LKG")]
    assert "SK" not in legal_cards(state)
    free = trick(at("S7 SK", "HK", "DK", "CK"), "S7", "HK", "DK", "CK")
    assert "SK" in legal_cards(free)


def test_rk_g9_kings_of_the_current_trick_lie_in_it_already():
    state = trick(at("HK S7", "DK", "CK", "SK", cleaning=True), "HK", "DK", "CK")
    assert codes(KEY, state, 3, "play", "SK") == [("RK.13", "LKG")]
    two = trick(at("HK S7", "DK", "C5", "SK", cleaning=True), "HK", "DK", "C5")
    assert codes(KEY, two, 3, "play", "SK") == []


def test_rk_g8_a_last_king_played_dark_goes_to_the_hand():
    state = trick(at("HK S7", "DK", "CK", "C5", stock="SK HA HQ HJ", cleaning=True), "HK", "DK", "CK")
    state = after(KEY, state, (3, "dark"))
    assert (GAME.to_act(state), len(seen(state).trick)) == (3, 3)
    assert "SK" in hand(state, 3)
    assert [str(card) for card in seen(state, None).shown[3]] == ["SK"]
    assert words(state) == ["play"] * 6
    assert codes(KEY, state, 3, "dark") == [("RK.g8", "DRW")]
    assert codes(KEY, state, 3, "play", "SK") == [("RK.13", "LKG")]
    state = after(KEY, state, (3, "play", "C5"))
    assert [len(each) for each in seen(state).hands] == [6] * 4
    assert (GAME.to_act(state), seen(state).stock) == (2, 24)


def test_rk_g8_the_last_king_is_not_used_to_spice():
    state = at("S7", "HK", "DK", "CK", stock="SK HA HQ HJ", cleaning=True, spice=True)
    state = trick(state, "S7", "HK", "DK", "CK")
    assert [each.spice for each in GAME.legal(state)] == [False]
    assert codes(KEY, state, 0, "spice", True) == [("RK.g8", "LKG")]


def test_rk_g8_the_last_king_spices_only_in_exchange_for_a_king():
    state = at("HK", "DK", "CK C5", "S2", stock="SK HA HQ HJ", cleaning=True, spice=True)
    state = trick(state, "HK", "DK", "CK", "S2")
    assert [each.spice for each in GAME.legal(state)] == [False, True]
    state = after(KEY, state, (2, "spice", True))
    assert [str(each.card) for each in seen(state).last_trick] == ["HK", "DK", "SK", "S2"]
    assert (GAME.to_act(state), "CK" in hand(state, 2)) == (2, True)
    assert codes(KEY, state, 2, "play", "CK") == [("RK.13", "LKG")]


def test_rk_g1_somebody_always_wins_the_leader_if_nobody_matches():
    state = trick(at("S7", "H2", "C3", "D4"), "S7", "H2", "C3", "D4")
    assert (GAME.to_act(state), seen(state).tricks) == (0, (1, 0, 0, 0))


def test_rk_g3_after_card_refill_draws_immediately_after_a_hand_card():
    state = after(KEY, at("S7", "H2", stock="HA HK HQ HJ", refill="after_card"), (0, "play", "S7"))
    assert "HA" in hand(state, 0)
    state = after(KEY, state, (1, "dark"))
    assert [str(each.card) for each in seen(state, None).trick] == ["S7", "HK"]
    assert [len(each) for each in seen(state).hands] == [6] * 4
    assert seen(state).stock == 26


def test_rk_g3_filling_up_after_each_card_does_not_go_with_spice():
    with pytest.raises(ValueError, match="spice"):
        options_of(KEY, spice=True, refill="after_card")


@pytest.mark.parametrize(("size", "tricks"), [(6, 7), (5, 8)])
@pytest.mark.parametrize("refill", ["after_trick", "after_card"])
def test_rk_g4_dark_cards_do_not_change_how_long_stock_lasts(size, tricks, refill):
    for seed in range(6):
        _, _, _, _, _, states = played_out((KEY, {"hand_size": size, "refill": refill}), seed)
        for state in states:
            table = seen(state)
            if not table.trick:
                assert table.stock == max(0, (52 - 4 * size) - 4 * sum(table.tricks))
    state = at(stock="", hand_size=size, refill=refill)
    for _ in range(4 * tricks):
        state = after(KEY, state, (GAME.to_act(state), "dark"))
    assert (seen(state).stock, words(state)) == (0, ["play"] * size)
    assert is_misfit(KEY, state, GAME.to_act(state), "dark")


@pytest.mark.parametrize(("size", "tricks"), [(6, 7), (5, 8)])
def test_rk_g7_phase_two_begins_when_the_stock_is_gone(size, tricks):
    _, _, _, _, _, states = played_out((KEY, {"hand_size": size}), 1)
    for state in states[:-1]:
        assert (seen(state).phase == 2) == (sum(seen(state).tricks) >= tricks)


def test_rk_e1_who_takes_three_tricks():
    for played, winner in (("S7 H5 DA C3", 0), ("SK H3 DT CK", 3), ("S2 H2 D2 C2", 3)):
        lead, one, two, three = played.split()
        assert GAME.to_act(trick(at(lead, one, two, three), lead, one, two, three)) == winner


def test_rk_e7_spicing_with_an_ace_adds_eleven_to_the_trick():
    state = trick(at("S7", "H2", "C3", "D4", stock="HA", spice=True), "S7", "H2", "C3", "D4")
    plain, spiced = (after(KEY, state, (0, "spice", choice)) for choice in (False, True))
    assert seen(spiced).card_points[0] == seen(plain).card_points[0] + 11
    assert "S7" in hand(spiced, 0)


def test_all_1_the_deal_passes_to_the_left():
    table = Table(KEY, sides=(("n", "s"), ("e", "w")))
    for _ in range(5):
        table.enter({"points": [60, 60]}, lot=2)
    assert table.dealers == [2, 3, 0, 1, 2]
