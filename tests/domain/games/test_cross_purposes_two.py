"""Cross Purposes for two: declarations, order, tricks, the second phase."""

import itertools

import pytest

from domain.cards.card import cards_in, mask_of
from domain.games import find
from domain.games.cross_purposes.two.state import tops_order
from domain.match import commands as c
from tests.kit.match.tables import Table, after, begin, codes, deal_for, fact, happened, is_misfit, score_of

KEY = "cross_purposes"
GAME = find(KEY)
SUITS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]


def suit(letter: str) -> str:
    return " ".join(letter + rank for rank in SUITS)


def one_suit_each(dealer: int = 0):
    """Seat 0 clubs, seat 1 diamonds; phase 2 hearts and spades."""
    deal = deal_for(KEY, suit("C"), suit("D"), suit("H"), suit("S"))
    return begin(KEY, dealer, deal)


def thirteen(leader: int, lead: str, other: str) -> list[tuple]:
    """All tricks of a phase in which each seat holds one suit and the leader keeps winning."""
    return [(seat, "play", letter + rank) for rank in SUITS for seat, letter in ((leader, lead), (1 - leader, other))]


def trick_winner(tops: str, trumps: str, led: str, other: str) -> int:
    deal = deal_for(KEY, other, led)
    state = begin(KEY, 0, deal)
    state = after(KEY, state, (1, "declare", "top", tops), (0, "declare", "trump", trumps))
    state = happened(KEY, state, (1, "play", led), (0, "play", other))
    return GAME.to_act(state)


def test_cp_1_fifty_two_cards_and_each_side_names_one_dimension():
    assert mask_of(cards_in(GAME.pack(GAME.options()))) == (1 << 52) - 1
    state = after(KEY, one_suit_each(), (1, "declare", "trump", "C"), (0, "declare", "top", "8"))
    table = GAME.view(state, None)
    assert (table.trumps, table.tops) == ("C", "8")


def test_cp_1_the_ace_is_high_and_the_two_low():
    assert [SUITS[rank] for rank in tops_order("A")] == SUITS[::-1]


def test_cp_2_with_eights_on_top_nine_is_the_lowest():
    assert "".join(SUITS[rank] for rank in tops_order("8")) == "8765432AKQJT9"


@pytest.mark.parametrize("top", SUITS)
def test_cp_2_every_top_rank_leads_a_full_circle(top):
    order = tops_order(top)
    assert SUITS[order[0]] == top
    assert sorted(order) == list(range(13))
    assert all((high - low) % 13 == 1 for high, low in itertools.pairwise(order))


def test_cp_3_thirteen_each_and_twenty_six_wait_unseen():
    table = GAME.view(one_suit_each(), 0)
    assert [None if hand is None else len(hand) for hand in table.hands] == [13, None]
    assert table.stock == 26


def test_cp_3_a_deal_with_a_card_twice_is_no_deal():
    deal = deal_for(KEY)
    twice = GAME.deal(phase1=(deal.phase1[0], deal.phase1[0]), phase2=deal.phase2)
    assert GAME.check_deal(GAME.options(), deal) is None
    assert GAME.check_deal(GAME.options(), twice) is not None


@pytest.mark.parametrize("dealer", [0, 1])
def test_cp_4_the_non_dealer_names_either_dimension_first(dealer):
    state = one_suit_each(dealer)
    assert GAME.to_act(state) == 1 - dealer
    assert len(GAME.legal(state)) == 17
    assert codes(KEY, state, dealer, "declare", "trump", "H") == [("CP.4", "OOB")]


def test_cp_4_the_dealer_names_the_other_dimension():
    state = after(KEY, one_suit_each(), (1, "declare", "top", "5"))
    assert {each.dim for each in GAME.legal(state)} == {"trump"}
    assert codes(KEY, state, 0, "declare", "top", "6") == [("CP.4", "DIM")]


def test_cp_4_a_card_before_the_declarations_is_a_misfit():
    assert is_misfit(KEY, one_suit_each(), 1, "play", "D2")
    state = after(KEY, one_suit_each(), (1, "declare", "top", "5"))
    assert is_misfit(KEY, state, 1, "play", "D2")


def test_cp_5_the_non_dealer_leads_and_the_winner_leads_on():
    state = after(KEY, one_suit_each(), (1, "declare", "trump", "C"), (0, "declare", "top", "A"))
    assert GAME.to_act(state) == 1
    state = after(KEY, state, (1, "play", "D9"), (0, "play", "C2"))
    assert GAME.to_act(state) == 0
    assert GAME.view(state, None).tricks == (1, 0)


def test_cp_5_a_seat_that_can_follow_must():
    deal = deal_for(KEY, "H2 S3", "H9")
    state = after(KEY, begin(KEY, 0, deal), (1, "declare", "trump", "S"), (0, "declare", "top", "A"))
    state = after(KEY, state, (1, "play", "H9"))
    assert codes(KEY, state, 0, "play", "S3") == [("CP.5", "REV")]
    assert {str(each.card)[0] for each in GAME.legal(state)} == {"H"}


def test_cp_5_a_seat_that_cannot_follow_may_play_anything():
    state = after(KEY, one_suit_each(), (1, "declare", "trump", "C"), (0, "declare", "top", "A"))
    state = after(KEY, state, (1, "play", "DA"))
    assert len(GAME.legal(state)) == 13


def test_cp_5_a_card_of_a_third_suit_wins_nothing():
    assert trick_winner("A", "C", "D2", "SA") == 1


def test_cp_5_all_reasons_are_given_at_once():
    deal = deal_for(KEY, "H2 S3", "H9 H8")
    state = after(KEY, begin(KEY, 0, deal), (1, "declare", "trump", "S"), (0, "declare", "top", "A"))
    assert codes(KEY, state, 0, "play", "H9") == [("CP.5", "LOT"), ("CP.5", "NIH")]
    state = after(KEY, state, (1, "play", "H9"), (0, "play", "H2"))
    assert ("CP.5", "DUP") in codes(KEY, state, 1, "play", "H9")


def test_cp_6_phase_two_has_26_new_cards_and_swaps_the_dimension():
    state = after(KEY, one_suit_each(), (1, "declare", "trump", "D"), (0, "declare", "top", "A"))
    state = after(KEY, state, *thirteen(1, "D", "C"))
    assert GAME.view(state, 0).hands == ((*reversed([fact(0, "play", c).card for c in suit("H").split()]),), None)
    assert GAME.to_act(state) == 0
    assert {each.dim for each in GAME.legal(state)} == {"trump"}
    assert codes(KEY, state, 0, "declare", "top", "7") == [("CP.6", "DIM")]
    assert codes(KEY, state, 1, "declare", "trump", "S") == [("CP.6", "OOB")]
    state = after(KEY, state, (0, "declare", "trump", "D"))
    assert {each.dim for each in GAME.legal(state)} == {"top"}


def test_cp_6_the_values_of_phase_one_may_be_named_again():
    state = after(KEY, one_suit_each(), (1, "declare", "trump", "D"), (0, "declare", "top", "A"))
    state = after(KEY, state, *thirteen(1, "D", "C"), (0, "declare", "trump", "D"), (1, "declare", "top", "A"))
    table = GAME.view(state, None)
    assert (table.trumps, table.tops) == ("D", "A")


def test_cp_6_with_hands_unknown_the_phases_share_no_card():
    state = after(KEY, begin(KEY, 0), (1, "declare", "trump", "D"), (0, "declare", "top", "A"))
    state = after(KEY, state, *thirteen(1, "D", "C"), (0, "declare", "trump", "H"), (1, "declare", "top", "A"))
    assert {str(each.card)[0] for each in GAME.legal(state)} == {"H", "S"}


def test_cp_7_score_is_first_plus_one_times_second():
    state = after(KEY, one_suit_each(), (1, "declare", "trump", "D"), (0, "declare", "top", "A"))
    state = after(KEY, state, *thirteen(1, "D", "C"), (0, "declare", "trump", "H"), (1, "declare", "top", "A"))
    state = after(KEY, state, *thirteen(0, "H", "S"))
    result = GAME.score(state)
    assert (result.phases, result.scores) == (((0, 13), (13, 0)), (13, 0))
    assert GAME.to_act(state) is None
    assert GAME.legal(state) == ()


def test_cp_7_the_target_is_a_hundred_unless_agreed_otherwise():
    assert GAME.race.target == 100
    table = Table(KEY, target=60)
    table.enter({"phases": [[7, 6], [8, 5]]})
    assert table.race.winner == 0


def test_cp_g1_alternate_gives_the_other_player_the_next_phase_one():
    table = Table(KEY, target=1000)
    for _ in range(3):
        table.enter({"phases": [[6], [6]]}, lot=1)
    assert table.dealers == [1, 0, 1]


def test_cp_g1_strict_lets_the_same_player_open_every_round():
    table = Table(KEY, options={"next_dealer": "strict"}, target=1000)
    for _ in range(3):
        table.enter({"phases": [[6], [6]]}, lot=1)
    assert table.dealers == [1, 1, 1]


def test_cp_g11_phase_two_is_led_by_the_dealer_of_phase_one():
    state = after(KEY, one_suit_each(1), (0, "declare", "trump", "C"), (1, "declare", "top", "A"))
    state = after(KEY, state, *thirteen(0, "C", "D"), (1, "declare", "trump", "S"), (0, "declare", "top", "A"))
    assert GAME.to_act(state) == 1


def test_cp_e7_eights_top_and_spades_trump_decide_three_tricks():
    assert trick_winner("8", "S", "H9", "HA") == 0
    assert trick_winner("8", "S", "H2", "HA") == 1
    assert trick_winner("8", "S", "H8", "S9") == 0


def test_cp_i2_naming_one_dimension_twice_in_an_entry_is_refused():
    fine = {"phases": [[7], [6]], "calls": ["S", "8", "H", "3"]}
    assert score_of(KEY, fine).scores == (48, 49)
    wrong = {"phases": [[7], [6]], "calls": ["S", "H", "3", "4"]}
    assert Table(KEY).refused(c.EnterResult(entry=wrong)).rule == "CP.i2"


def test_cp_i2_a_dimension_named_twice_stays_as_it_was_first_named():
    state = happened(KEY, one_suit_each(), (1, "declare", "trump", "D"), (0, "declare", "trump", "C"))
    assert GAME.to_act(state) == 0
    state = after(KEY, state, (0, "declare", "top", "A"))
    assert GAME.view(state, None).trumps == "D"


def test_cp_5_a_card_of_another_pack_wins_no_trick():
    state = after(KEY, begin(KEY, 0), (1, "declare", "trump", "C"), (0, "declare", "top", "A"))
    state = happened(KEY, state, (1, "play", "D2"))
    assert codes(KEY, state, 0, "play", "XR")
    assert GAME.view(happened(KEY, state, (0, "play", "XR")), None).tricks[0] == 0
