"""Cross Game: auction, trumps by the first lead, open and strict tricks, pairs."""

import pytest

from domain.cards.card import cards_in
from domain.games import find
from domain.games.cross_game.options import VALUE, cross_game_order
from tests.kit.match.tables import (
    Table,
    after,
    begin,
    cards,
    codes,
    deal_for,
    fact,
    happened,
    is_misfit,
    options_of,
    random_deal,
    random_legal,
)

KEY = "cross_game"
GAME = find(KEY)


def bid(state, *bids):
    return after(KEY, state, *((seat, "pass") if n is None else (seat, "bid", n) for seat, n in bids))


def playing(*wanted: str, dealer: int = 1, **given):
    """Seat 0 has bid 1 and is to lead; the hands begin with the wanted cards."""
    return bid(begin(KEY, dealer, deal_for(KEY, *wanted, **given), **given), (0, 1), (1, None))


def strict_phase(trumps: str, zero: str, one: str, **given):
    """The stock is gone, seat 0 leads with these cards left, seat 1 with those; made by hand."""
    import msgspec

    from domain.cards.card import mask_of

    state = playing(**given)
    left = cards(zero + " " + one)
    return msgspec.structs.replace(
        state,
        order=cross_game_order("CDHS".index(trumps)),
        hands=(mask_of(cards(zero)), mask_of(cards(one))),
        left=len(left),
        seen=GAME.pack(GAME.options()) & ~mask_of(left),
    )


def test_cg_1_twenty_four_cards_are_worth_a_hundred_and_twenty():
    pack = list(cards_in(GAME.pack(GAME.options())))
    assert len(pack) == 24
    assert sum(VALUE[card] for card in pack) == 120
    assert [VALUE[card] for card in cards("SA ST SK SQ SJ S9")] == [11, 10, 4, 3, 2, 0]


def test_cg_2_eight_each_and_eight_in_the_stock():
    table = GAME.view(begin(KEY, 0, deal_for(KEY)), 1)
    assert (table.stock, table.hands[0], len(table.hands[1])) == (8, None, 8)


def test_cg_2_the_values_order_the_cards():
    power = cross_game_order(3).power[cards("H9")[0]]
    ranked = [power[card] for card in cards("HA HT HK HQ HJ H9 DA")]
    assert ranked == sorted(ranked, reverse=True)
    assert power[cards("S9")[0]] > power[cards("HA")[0]]


def test_cg_3_the_second_must_estimate_more_or_pass():
    state = bid(begin(KEY, 1, deal_for(KEY)), (0, 3))
    assert GAME.legal(state) == (*(fact(1, "bid", n) for n in (4, 5, 6)), fact(1, "pass"))
    assert codes(KEY, state, 1, "bid", 3) == [("CG.g5", "INS")]
    assert codes(KEY, state, 0, "bid", 4) == [("CG.3", "OOB")]


def test_cg_3_when_both_pass_the_deal_is_void_and_dealt_again():
    state = bid(begin(KEY, 1, deal_for(KEY)), (0, None), (1, None))
    assert GAME.to_act(state) is None
    assert (GAME.score(state).void, GAME.score(state).scores) == (True, (0, 0))
    table = Table(KEY)
    table.start(lot=0)
    table.record((1, "pass"), (0, "pass"))
    assert not table.race.finished
    assert table.start() == table.match.version


def test_cg_3_players_alternate_in_bidding_first():
    table = Table(KEY)
    for _ in range(3):
        table.enter({"bidder": 0, "bid": 1, "cross_points": [1, 1]}, lot=1)
    assert table.dealers == [1, 0, 1]


def test_cg_4_the_auction_winner_leads_and_that_suit_is_trumps():
    state = bid(begin(KEY, 1, deal_for(KEY, "H9")), (0, 2), (1, None))
    assert GAME.to_act(state) == 0
    assert GAME.view(state, None).trumps is None
    state = after(KEY, state, (0, "play", "H9"))
    assert GAME.view(state, None).trumps == "H"
    state = bid(begin(KEY, 1, deal_for(KEY)), (0, 2), (1, 3))
    assert (GAME.to_act(state), GAME.view(state, None).bidder, GAME.view(state, None).bid) == (1, 1, 3)


@pytest.mark.parametrize(
    ("first", "second", "lead", "reply", "winner"),
    [("H9 HJ", "SA", "HJ", "SA", 0), ("S9", "H9", "S9", "H9", 0), ("HJ", "HQ", "HJ", "HQ", 1)],
)
def test_cg_5_while_the_stock_lasts_another_suit_loses(first, second, lead, reply, winner):
    state = after(KEY, playing(first, second), (0, "play", lead), (1, "play", reply))
    assert GAME.to_act(state) == winner


def test_cg_5_a_trump_on_a_plain_suit_wins():
    state = playing("HA SA", "H9 D9 C9")
    state = after(KEY, state, (0, "play", "HA"), (1, "play", "D9"), (0, "play", "SA"), (1, "play", "H9"))
    assert GAME.to_act(state) == 1


def test_cg_5_the_follower_may_hold_back_a_card_of_the_suit():
    state = after(KEY, playing("HA", "H9"), (0, "play", "HA"))
    assert len(GAME.legal(state)) == 8


def test_cg_6_with_the_stock_empty_suit_then_trump_then_anything():
    state = after(KEY, strict_phase("H", "SA S9 DA", "SK HJ CJ"), (0, "play", "SA"))
    assert GAME.legal(state) == (fact(1, "play", "SK"),)
    assert codes(KEY, state, 1, "play", "HJ") == [("CG.6", "REV")]
    state = after(KEY, strict_phase("H", "DA S9 DT", "SK HJ CJ"), (0, "play", "DA"))
    assert GAME.legal(state) == (fact(1, "play", "HJ"),)
    assert codes(KEY, state, 1, "play", "CJ") == [("CG.6", "FTT")]
    state = after(KEY, strict_phase("H", "DA S9 DT", "SK SJ CJ"), (0, "play", "DA"))
    assert len(GAME.legal(state)) == 3


def test_cg_7_a_led_pair_counts_even_if_the_trick_is_lost():
    state = playing("S9 HK HQ", "SA HA")
    state = after(KEY, state, (0, "play", "S9"), (1, "play", "SA"))
    assert GAME.view(state, None).announcements == ()
    state = playing("HQ HK", "HA")
    state = after(KEY, state, (0, "play", "HQ"), (1, "play", "HA"))
    assert GAME.to_act(state) == 1
    assert [(each.seat, each.points) for each in GAME.view(state, None).announcements] == [(0, 40)]


def test_cg_7_a_king_or_queen_that_is_not_led_counts_nothing():
    state = playing("H9", "HK HQ")
    state = after(KEY, state, (0, "play", "H9"), (1, "play", "HK"))
    assert GAME.view(state, None).announcements == ()


def test_cg_8_the_winner_leads_and_every_thirty_three_is_a_point():
    state = playing("HA HT SA", "HK HQ HJ", "CA CT")
    state = after(KEY, state, (0, "play", "HA"), (1, "play", "HK"), (0, "play", "HT"), (1, "play", "HQ"))
    table = GAME.view(state, None)
    assert (GAME.to_act(state), table.card_points, table.cross_points) == (0, (28, 0), (0, 0))
    state = after(KEY, state, (0, "play", "SA"), (1, "play", "HJ"))
    assert GAME.view(state, None).card_points == (28, 13)
    assert codes(KEY, state, 0, "play", "ST")[0] == ("CG.8", "LOT")


def test_cg_11_beating_is_optional_and_three_cards_allow_no_bid():
    state = after(KEY, strict_phase("H", "SJ S9 DA", "SA SK C9"), (0, "play", "SJ"))
    assert {str(each.card) for each in GAME.legal(state)} == {"SA", "SK"}
    state = after(KEY, strict_phase("H", "SA HJ DA", "S9 HK C9"), (0, "play", "SA"))
    assert {str(each.card) for each in GAME.legal(state)} == {"S9"}
    auction = begin(KEY, 0, deal_for(KEY))
    assert [len(hand) for hand in GAME.view(auction, "all").hands] == [8, 8]


def test_cg_g1_the_sixth_card_is_the_nine_and_worth_nothing():
    assert str(max(cards_in(GAME.pack(GAME.options()) & 0b1111 << 4), default="")) == "C9"
    assert VALUE[cards("C9")[0]] == 0


def test_cg_g2_four_tricks_with_draws_precede_eight_strict_tricks():
    import random

    deal = random_deal(KEY, GAME.options(), 5)
    state = bid(begin(KEY, 1, deal), (0, 1), (1, None))
    sizes, phases = [], []
    for each in random_legal(GAME, state, random.Random(5)):
        table = GAME.view(state, "all")
        if not table.trick:
            sizes.append(tuple(len(hand) for hand in table.hands))
            phases.append(table.phase)
        state = GAME.evolve(state, each)
    assert sizes == [(8, 8)] * 5 + [(n, n) for n in range(7, 0, -1)]
    assert phases == [1] * 4 + [2] * 8


def test_cg_g3_the_winner_of_the_trick_draws_first():
    state = playing("H9", "HA", "C9 D9")
    state = after(KEY, state, (0, "play", "H9"), (1, "play", "HA"))
    hands = GAME.view(state, "all").hands
    assert cards("C9")[0] in hands[1]
    assert cards("D9")[0] in hands[0]


@pytest.mark.parametrize("dealer", [0, 1])
def test_cg_g4_the_non_dealer_bids_first_and_the_dealer_last(dealer):
    state = begin(KEY, dealer)
    assert GAME.to_act(state) == 1 - dealer
    assert GAME.to_act(bid(state, (1 - dealer, 1))) == dealer


def test_cg_g5_bids_run_from_one_to_six_then_pass_only():
    state = begin(KEY, 1)
    assert [each.bid for each in GAME.legal(state)[:-1]] == [1, 2, 3, 4, 5, 6]
    assert codes(KEY, state, 0, "bid", 0) == [("CG.g5", "INS")]
    assert codes(KEY, state, 0, "bid", 7) == [("CG.g5", "INS")]
    assert GAME.legal(bid(state, (0, 6))) == (fact(1, "pass"),)


def test_cg_g5_an_insufficient_bid_leaves_the_higher_bid_in_force():
    state = happened(KEY, begin(KEY, 1), (0, "bid", 3), (1, "bid", 3))
    assert (GAME.view(state, None).bidder, GAME.view(state, None).bid) == (0, 3)


@pytest.mark.parametrize(("option", "dealers"), [("same_dealer", [0, 0, 1]), ("next_dealer", [0, 1, 0])])
def test_cg_g6_who_deals_again_after_two_passes_is_an_option(option, dealers):
    table = Table(KEY, options={"passed_out": option})
    table.enter({"void": True}, lot=0)
    table.enter({"bidder": 0, "bid": 1, "cross_points": [1, 1]})
    table.start()
    assert table.dealers == dealers
    assert table.race.totals == (1, 1)


def test_cg_g7_a_pair_counts_once_also_after_the_stock():
    state = playing("SK SQ SA", "S9 D9 C9")
    state = after(KEY, state, (0, "play", "SK"), (1, "play", "D9"), (0, "play", "SQ"), (1, "play", "C9"))
    assert [each.points for each in GAME.view(state, None).announcements] == [40]
    late = after(KEY, strict_phase("H", "SK SQ DA", "SA HJ CJ"), (0, "play", "SK"))
    assert [each.points for each in GAME.view(late, None).announcements] == [20]


def test_cg_g7_declared_pairs_count_only_when_announced_before_the_lead():
    state = playing("SK SQ", "S9", announce="declared")
    quiet = after(KEY, state, (0, "play", "SK"))
    assert GAME.view(quiet, None).announcements == ()
    loud = after(KEY, state, (0, "announce", "S"))
    assert {str(each.card) for each in GAME.legal(loud)} == {"SK", "SQ"}
    assert ("CG.g7", "KQF") in codes(KEY, loud, 0, "play", "S9")
    loud = after(KEY, loud, (0, "play", "SQ"))
    assert [each.points for each in GAME.view(loud, None).announcements] == [40]


def test_cg_g7_an_announcement_requires_both_cards_and_the_lead():
    state = playing("SK HQ", "DK DQ SQ", announce="declared")
    assert codes(KEY, state, 0, "announce", "S") == [("CG.7", "KQF")]
    assert ("CG.7", "KQF") in codes(KEY, state, 1, "announce", "D")
    assert is_misfit(KEY, playing("SK SQ"), 0, "announce", "S")


def test_cg_g8_the_first_card_led_makes_its_suit_trumps():
    state = playing("C9 DJ")
    assert len(GAME.legal(state)) == 8
    assert GAME.view(after(KEY, state, (0, "play", "DJ")), None).trumps == "D"


def test_cg_g11_there_are_two_players_and_no_exchange_with_the_stock():
    assert GAME.seats(GAME.options()) == 2
    assert {kind.__name__ for kind in GAME.facts} == {
        "BidMade",
        "Passed",
        "AnnouncementMade",
        "CardPlayed",
        "CardDrawn",
        "RestClaimed",
        "RestAnswered",
    }
    assert is_misfit(KEY, playing(), 2, "play", "S9")
    with pytest.raises(ValueError, match="players"):
        options_of(KEY, players=3)


def test_cg_e7_trump_pair_then_plain_pair_then_the_other_queen():
    state = playing("SK SQ HK HQ SA", "S9 SJ ST H9 HJ")
    state = after(KEY, state, (0, "play", "SK"), (1, "play", "S9"), (0, "play", "HQ"), (1, "play", "H9"))
    state = after(KEY, state, (0, "play", "SQ"))
    assert [each.points for each in GAME.view(state, None).announcements] == [40, 20]


def test_cg_1_leading_a_card_of_another_pack_is_a_breach():
    state = playing()
    assert codes(KEY, state, 0, "play", "XR")
    assert GAME.evolve(state, fact(0, "play", "XR")) is not None
