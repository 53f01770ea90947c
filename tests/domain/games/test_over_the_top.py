"""Over the Top: the course of a deal, one test or more for each rule and ruling."""

import pytest
from msgspec.structs import replace

from domain import codec
from domain.cards.card import cards_in, mask_of
from domain.game.race import Race
from domain.games import find
from domain.games.over_the_top.counting import counting, counts_of, total_of, trick_points, winner_of
from tests.kit.games.strategies import played_out
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
    plays,
)

KEY = "over_the_top"
GAME = find(KEY)
SUITS = "CDHS"
DIAMONDS = "D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA"


def suited(ranks: str) -> tuple:
    """Cards of these ranks in four suits, in order."""
    return cards(" ".join(suit + rank for suit, rank in zip(SUITS, ranks.split(), strict=False)))


def totals(ranks: str, **given) -> list[int]:
    """The running totals of a trick of these ranks."""
    how = counting(options_of(KEY, **given))
    return [total_of(count) for count in counts_of(suited(ranks), how)]


def trick(ranks: str, seats: tuple[int, ...] = (1, 0, 1, 0), **given) -> tuple[list[int], int, int]:
    """The totals of a trick, who wins it and what it is worth."""
    found, how = totals(ranks, **given), counting(options_of(KEY, **given))
    return found, winner_of(seats, suited(ranks), how), trick_points(found[-1], suited(ranks))


def at_table(ranks: str):
    """The table after four cards of these ranks, seat 1 leading."""
    one, two, three, four = (str(card) for card in suited(ranks))
    state = begin(KEY, 0, deal_for(KEY, f"{two} {four}", f"{one} {three}"))
    return after(KEY, state, *plays((1, one), (0, two), (1, three), (0, four)))


def told(state) -> tuple:
    """Who leads, the tricks and the points by seat."""
    view = GAME.view(state, "all")
    return view.to_act, view.tricks, view.points


def only_diamonds():
    """Seat 0 holds all the diamonds and nothing else; seat 1 leads."""
    return begin(KEY, 0, deal_for(KEY, DIAMONDS, "CA HJ SK S2"))


def test_ot_1_thirteen_each_and_a_stock_of_twenty_six():
    options = GAME.options()
    pack = tuple(cards_in(GAME.pack(options)))
    deal = GAME.deal_out(options, pack)
    assert len(pack) == 52
    assert [len(part) for part in (*deal.hands, deal.stock)] == [13, 13, 26]
    assert GAME.check_deal(options, deal) is None
    short = GAME.deal(hands=(deal.hands[0][1:], deal.hands[1]), stock=deal.stock)
    twice = GAME.deal(hands=(deal.hands[1], deal.hands[1]), stock=deal.stock)
    assert "13" in GAME.check_deal(options, short)
    assert "once" in GAME.check_deal(options, twice)


def test_ot_1_a_card_is_played_once_and_from_the_own_hand():
    state = begin(KEY, 0, deal_for(KEY, "D7", "C5"))
    assert codes(KEY, state, 1, "play", "D7") == [("OT.1", "NIH")]
    state = after(KEY, state, (1, "play", "C5"))
    assert codes(KEY, state, 0, "play", "C5") == [("OT.1", "DUP"), ("OT.4", "OSU")]
    assert is_misfit(KEY, state, 0, "play", "XR")


@pytest.mark.parametrize("dealer", [0, 1])
def test_ot_2_the_non_dealer_leads_and_turns_alternate(dealer):
    state = begin(KEY, dealer, deal_for(KEY, "D7 C2", "C5 D9"))
    assert GAME.to_act(state) == 1 - dealer
    lead, reply = ((1, "play", "C5"), (0, "play", "D7")) if dealer == 0 else ((0, "play", "C2"), (1, "play", "D9"))
    assert codes(KEY, state, *reply) == [("OT.2", "LOT")]
    state = after(KEY, state, lead)
    assert GAME.to_act(state) == dealer
    assert codes(KEY, after(KEY, state, reply), *reply)[0] == ("OT.2", "POT")


def test_ot_2_the_total_is_shown_and_a_wrong_call_is_told():
    state = begin(KEY, 0, deal_for(KEY, "D7", "C5"))
    state = after(KEY, state, (1, "play", "C5"), (0, "play", "D7"))
    assert GAME.view(state, None).total == 12
    assert codes(KEY, state, 0, "total", 12) == []
    assert codes(KEY, state, 0, "total", 13) == [("OT.2", "WTA")]
    assert GAME.evolve(state, fact(0, "total", 13)) is state


def test_ot_2_a_tricks_total_may_be_called_until_the_next_lead():
    state = at_table("5 7 9 Q")
    assert codes(KEY, state, 0, "total", 21) == []
    assert codes(KEY, state, 0, "total", 31) == [("OT.2", "WTA")]
    assert is_misfit(KEY, begin(KEY), 1, "total", 5)


def test_ot_3_numerals_count_their_face_and_courts_ten_when_led():
    assert [totals(rank) for rank in ["2", "9", "T", "J", "Q", "K", "A"]] == [[2], [9], [10], [10], [10], [10], [11]]


def test_ot_3_ace_and_queen_count_low_to_avoid_passing_21():
    assert totals("T A") == [10, 21]
    assert totals("A A") == [11, 12]
    assert totals("A Q") == [11, 21]
    assert totals("A 2 Q") == [11, 13, 13]


def test_ot_3_a_jack_subtracts_and_a_king_adds_the_last_numeral():
    assert totals("5 7 J") == [5, 12, 5]
    assert totals("5 7 K") == [5, 12, 19]
    assert totals("5 7 Q J") == [5, 12, 12, 5]
    assert totals("5 J K 9") == [5, 0, 5, 14]


def test_ot_4_no_suit_stands_twice_in_a_trick():
    state = after(KEY, begin(KEY, 0, deal_for(KEY, "D7 C2", "C5 D9")), (1, "play", "C5"))
    assert codes(KEY, state, 0, "play", "C2") == [("OT.4", "OSU")]
    assert all(each.card.suit != "C" for each in GAME.legal(state))


def test_ot_4_who_cannot_play_passes_and_the_other_completes_the_trick():
    state = after(KEY, only_diamonds(), (1, "play", "CA"), (0, "play", "DK"), (1, "play", "HJ"))
    assert GAME.legal(state) == (fact(0, "pass"),)
    state = after(KEY, state, (0, "pass"))
    assert GAME.to_act(state) == 1
    assert GAME.view(state, None).passed == (0,)
    state = after(KEY, state, (1, "play", "SK"))
    assert GAME.view(state, None).trick == ()


def test_ot_5_the_last_card_wins_up_to_21_first_over_loses():
    assert trick("5 7 9 Q")[1] == 0
    assert trick("K J 9 8")[1] == 1
    assert trick("K 9 5 2") == ([10, 19, 24, 26], 0, 19)


def test_ot_6_two_lowest_below_21_two_highest_above_all_at_21():
    assert [trick_points(total, suited("9 3 K A")) for total in (20, 21, 22)] == [12, 33, 21]
    assert trick_points(20, suited("J Q K A")) == 20


def test_ot_7_both_draw_in_turns_up_to_thirteen_the_winner_first():
    deal = deal_for(KEY, "D7 SQ", "C5 H9")
    state = after(KEY, begin(KEY, 0, deal), *plays((1, "C5"), (0, "D7"), (1, "H9"), (0, "SQ")))
    hands = GAME.view(state, "all").hands
    assert [len(hand) for hand in hands] == [13, 13]
    assert {deal.stock[0], deal.stock[2]} <= set(hands[0])
    assert {deal.stock[1], deal.stock[3]} <= set(hands[1])
    assert (GAME.view(state, None).stock, GAME.to_act(state)) == (22, 0)


def test_ot_7_who_played_more_cards_draws_more():
    deal = deal_for(KEY, DIAMONDS, "CA HJ SK S2")
    state = after(KEY, begin(KEY, 0, deal), *plays((1, "CA"), (0, "DK"), (1, "HJ")), (0, "pass"), (1, "play", "S2"))
    hands = GAME.view(state, "all").hands
    assert set(deal.stock[:4]) - set(hands[1]) == {deal.stock[1]}
    assert deal.stock[1] in hands[0]
    assert [len(hand) for hand in hands] == [13, 13]


def test_ot_7_the_hands_are_full_while_the_stock_lasts():
    for seed in range(10):
        _, _, _, _, _, states = played_out((KEY, {}), seed)
        for state in states:
            view = GAME.view(state, "all")
            held = [len(hand) for hand in view.hands]
            assert sum(held) + view.stock + len(view.seen) == 52
            if not view.trick and view.stock:
                assert held == [13, 13]


@pytest.mark.parametrize(("option", "counts"), [("zero", 0), ("ten", 10)])
def test_ot_g1_a_jack_or_king_with_no_numeral_before_it(option, counts):
    assert totals("K J", no_numeral=option) == [10, 10 + counts]
    assert totals("Q K", no_numeral=option) == [10, 10 + counts]
    assert totals("J Q K J", no_numeral=option) == [10, 20, 20 + counts, 20 + 2 * counts]


def test_ot_g1_zero_is_the_default():
    assert GAME.options().no_numeral == "zero"


def test_ot_g2_the_last_numeral_is_one_of_this_trick():
    state = begin(KEY, 0, deal_for(KEY, "D7 SQ CQ", "C5 H9 DK"))
    state = after(KEY, state, *plays((1, "C5"), (0, "D7"), (1, "H9"), (0, "SQ"), (0, "CQ"), (1, "DK")))
    assert GAME.view(state, None).total == 10


def test_ot_g3_an_ace_counts_as_a_numeral_unless_disabled():
    assert totals("A J") == [11, 0]
    assert totals("5 9 A J") == [5, 14, 15, 14]
    assert totals("A J", ace_is_numeral=False) == [11, 11]
    assert totals("5 9 A J", ace_is_numeral=False) == [5, 14, 15, 6]
    assert GAME.options().ace_is_numeral


def test_ot_g4_ace_and_queen_are_no_choice():
    assert totals("2 3 A Q") == [2, 5, 16, 16]
    assert len([each for each in GAME.legal(begin(KEY, 0, deal_for(KEY, "", "HA"))) if str(each.card) == "HA"]) == 1


def test_ot_g5_a_negative_total_counts_as_below_21():
    assert trick("5 J J 2") == ([5, 0, -5, -3], 0, 7)
    assert trick("A J J J") == ([11, 0, -11, -22], 0, 20)


def test_ot_g6_over_and_back_under_goes_by_the_final_total():
    assert trick("9 8 7 J") == ([9, 17, 24, 17], 0, 15)
    assert trick("9 8 7 K") == ([9, 17, 24, 31], 0, 19)
    assert trick("A K J K") == ([11, 22, 11, 22], 1, 21)


def test_ot_g7_a_pass_is_never_by_choice():
    state = after(KEY, begin(KEY, 0, deal_for(KEY, "D7", "C5")), (1, "play", "C5"))
    assert codes(KEY, state, 0, "pass") == [("OT.g7", "FPS")]
    assert codes(KEY, begin(KEY, 0), 1, "pass") == [("OT.g7", "FPS")]


def test_ot_g7_a_seat_that_passed_is_skipped_in_that_trick():
    state = begin(KEY, 1, deal_for(KEY, DIAMONDS, "CA HJ SK S2"))
    state = after(KEY, state, (0, "play", "D9"), (1, "play", "CA"), (0, "pass"), (1, "play", "HJ"))
    assert GAME.to_act(state) == 1
    assert codes(KEY, state, 0, "pass") == [("OT.g7", "POT")]
    assert codes(KEY, state, 0, "play", "D2") == [("OT.g7", "POT"), ("OT.4", "OSU")]
    assert told(after(KEY, state, (1, "play", "S2"))) == (1, (0, 1), (0, 11))


def test_ot_g7_a_pass_of_the_last_trick_is_forgotten():
    state = after(KEY, only_diamonds(), *plays((1, "CA"), (0, "DK"), (1, "HJ")), (0, "pass"), (1, "play", "SK"))
    assert GAME.view(state, None).passed == ()


def no_spades():
    """Neither hand holds a spade; seat 1 leads."""
    hands = (DIAMONDS, "C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ H5 H7")
    return begin(KEY, 0, deal_for(KEY, *hands))


def test_ot_g8_an_incomplete_trick_ends_short_and_scores_its_cards():
    state = after(KEY, no_spades(), *plays((1, "C5"), (0, "D2"), (1, "H7")), (0, "pass"), (1, "pass"))
    assert told(state) == (1, (0, 1), (0, 7))
    assert [str(each.card) for each in GAME.view(state, None).last_trick] == ["C5", "D2", "H7"]


def test_ot_g8_a_short_trick_scores_all_at_21_two_highest_above():
    exact = after(KEY, no_spades(), *plays((1, "CT"), (0, "D6"), (1, "H5")), (0, "pass"), (1, "pass"))
    assert told(exact) == (1, (0, 1), (0, 21))
    over = after(KEY, no_spades(), *plays((1, "CT"), (0, "D9"), (1, "H5")), (0, "pass"), (1, "pass"))
    assert told(over) == (0, (1, 0), (19, 0))


def test_ot_g8_a_trick_of_one_card_scores_that_card():
    assert trick_points(10, cards("SK")) == 10
    assert trick_points(11, cards("SA")) == 11


def ending(*wanted: str):
    """The last cards of a deal whose hands these are: everything else has gone. Seat 1 leads."""
    state = begin(KEY, 0, deal_for(KEY))
    one, two = (mask_of(cards(text)) for text in wanted)
    held = (one.bit_count(), two.bit_count())
    course = replace(state.course, held=held, gone=GAME.pack(GAME.options()) & ~(one | two), drawn=26)
    return replace(state, course=course, hands=(one, two))


def test_ot_g9_an_empty_hand_passes_once():
    state = after(KEY, ending("D7", "C5 H2 S9"), (1, "play", "C5"), (0, "play", "D7"), (1, "play", "H2"))
    assert GAME.legal(state) == (fact(0, "pass"),)
    state = after(KEY, state, (0, "pass"), (1, "play", "S9"))
    assert GAME.to_act(state) is None


def test_ot_g9_if_the_winner_has_no_card_the_other_leads():
    state = after(KEY, ending("D7 H4", "C5 S2 SA"), *plays((1, "C5"), (0, "D7"), (1, "S2"), (0, "H4")))
    assert told(state) == (1, (1, 0), (6, 0))
    state = after(KEY, state, (1, "play", "SA"), (0, "pass"), (1, "pass"))
    assert told(state) == (None, (1, 1), (6, 11))


def test_ot_g9_a_deal_has_52_cards_and_a_match_two_deals():
    _, _, _, _, facts, states = played_out((KEY, {}), 5)
    assert len([each for each in facts if hasattr(each, "card")]) == 52
    assert len(GAME.view(states[-1], None).seen) == 52
    assert Race(deals=2) == GAME.race
    table = Table(KEY)
    for scores in ([104, 84], [90, 110]):
        table.enter({"totals": scores}, lot=0)
    assert (table.race.finished, table.race.winner, table.race.totals) == (True, None, (194, 194))
    assert table.dealers == [0, 1]


def test_ot_g10_exactly_21_scores_face_values_also_of_low_cards():
    assert trick("A 9 A Q") == ([11, 20, 21, 21], 0, 11 + 9 + 11 + 10)


def test_ot_e1_exact_goes_to_the_last_player():
    assert trick("5 7 9 Q") == ([5, 12, 21, 21], 0, 31)
    assert told(at_table("5 7 9 Q")) == (0, (1, 0), (31, 0))


def test_ot_e2_two_aces_then_king_and_jack():
    assert trick("A A K J") == ([11, 12, 13, 12], 0, 20)
    assert told(at_table("A A K J")) == (0, (1, 0), (20, 0))


def test_ot_e3_over_on_the_last_card():
    assert trick("K J 9 8") == ([10, 10, 19, 27], 1, 20)
    assert told(at_table("K J 9 8")) == (1, (0, 1), (0, 20))


def test_ot_e4_two_lowest_below_twenty_one():
    assert trick("T 9 J K") == ([10, 19, 10, 19], 0, 19)
    assert told(at_table("T 9 J K")) == (0, (1, 0), (19, 0))


def test_ot_e5_over_and_back_under():
    assert trick("9 8 7 J") == ([9, 17, 24, 17], 0, 15)
    assert told(at_table("9 8 7 J")) == (0, (1, 0), (15, 0))


def test_ot_e6_over_back_under_and_over_again():
    state = after(KEY, only_diamonds(), *plays((1, "CA"), (0, "DK"), (1, "HJ")), (0, "pass"), (1, "play", "SK"))
    assert told(state) == (1, (0, 1), (0, 21))


def test_ot_e7_the_most_and_the_least_that_a_trick_can_make():
    assert trick("T A J A") == ([10, 21, 10, 21], 0, 42)
    assert trick("2 2 2 2") == ([2, 4, 6, 8], 0, 4)
    assert told(at_table("T A J A")) == (0, (1, 0), (42, 0))


def test_a_card_played_again_counts_in_the_total_but_not_points():
    state = begin(KEY, 0, deal_for(KEY, "D7 S8", "C5 H9"))
    state = happened(KEY, state, (1, "play", "C5"), (0, "play", "D7"), (1, "play", "C5"), (0, "play", "S8"))
    assert [str(each.card) for each in GAME.view(state, None).last_trick] == ["C5", "D7", "C5", "S8"]
    assert told(state) == (1, (0, 1), (0, 15))


def test_a_played_stock_card_is_not_drawn_again():
    deal = deal_for(KEY, "D7 SQ", "C5 H9")
    first = str(deal.stock[0])
    state = happened(KEY, begin(KEY, 0, deal), (1, "play", first))
    while GAME.view(state, None).trick:
        state = GAME.evolve(state, GAME.legal(state)[0])
    view = GAME.view(state, "all")
    assert all(first not in map(str, hand) for hand in view.hands)
    assert sum(map(len, view.hands)) + view.stock + len(view.seen) == 52


def test_a_game_for_two_and_no_draws_while_the_stock_is_known():
    state = begin(KEY, 0, deal_for(KEY))
    assert GAME.seats(GAME.options()) == 2
    assert is_misfit(KEY, state, 2, "play", "C5")
    assert is_misfit(KEY, state, 2, "pass")
    assert is_misfit(KEY, state, 0, "draw", "C5")
    assert is_misfit(KEY, state, 1, "bid", 3)


def test_an_option_that_it_does_not_have_is_refused():
    with pytest.raises(ValueError, match="unknown"):
        codec.convert({"joker": True}, GAME.options)
