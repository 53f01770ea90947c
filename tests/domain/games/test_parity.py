"""Parity: thirty cards, two jokers, one player scores."""

import itertools

import pytest

from domain.cards.card import cards_in
from domain.game.race import Race, level_of, pinned
from domain.game.sheet import EntryError
from domain.games import find
from domain.games.parity.play import trick_order
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
    score_of,
)

KEY = "parity"
GAME = find(KEY)
SHARES = [(won, 15 - won) for won in range(16)]


def scores(parity: str, one: int, other: int) -> tuple[int, ...]:
    return score_of(KEY, {"parity": parity, "tricks": [one, other]}).scores


def playing(trumps: str, zero: str = "", one: str = "", **given):
    state = begin(KEY, 0, deal_for(KEY, zero, one), **given)
    return after(KEY, state, (1, "trump", trumps), (0, "parity", "odd"))


def test_pa_1_thirty_cards_with_two_jokers():
    pack = " ".join(str(card) for card in cards_in(GAME.pack(GAME.options())))
    assert len(pack.split()) == 30
    assert pack.split()[-2:] == ["XR", "XB"]
    assert {card[1] for card in pack.split()[:-2]} == set("AKQJT52")


@pytest.mark.parametrize(
    ("trumps", "higher", "lower"), [*[(s, "XR", "XB") for s in "DH"], *[(s, "XB", "XR") for s in "CS"]]
)
def test_pa_2_the_joker_of_the_trump_colour_is_the_highest_trump(trumps, higher, lower):
    power = trick_order(trumps).power[cards("D2")[0]]
    order = [power[card] for card in cards(f"{higher} {lower} {trumps}A {trumps}2")]
    assert order == sorted(order, reverse=True)
    plain = next(suit for suit in "CDHS" if suit != trumps)
    assert trick_order(trumps).power[cards(plain + "A")[0]][cards(trumps + "2")[0]] > 20


def test_pa_3_fifteen_each_in_ones_and_the_deal_alternates():
    pack = tuple(cards_in(GAME.pack(GAME.options())))
    deal = GAME.deal_out(GAME.options(), pack)
    assert GAME.check_deal(GAME.options(), deal) is None
    assert set(deal.hands[0]) == set(pack[0::2])
    table = Table(KEY)
    for _ in range(3):
        table.enter({"parity": "odd", "tricks": [9, 6]}, lot=0)
    assert table.dealers == [0, 1, 0]


@pytest.mark.parametrize("dealer", [0, 1])
def test_pa_4_the_non_dealer_names_trumps(dealer):
    state = begin(KEY, dealer)
    assert GAME.to_act(state) == 1 - dealer
    assert [each.suit for each in GAME.legal(state)] == ["C", "D", "H", "S"]
    assert codes(KEY, state, dealer, "trump", "S") == [("PA.4", "OOB")]
    assert is_misfit(KEY, state, dealer, "parity", "odd")


def test_pa_5_the_dealer_names_odd_or_even_and_zero_is_even():
    state = after(KEY, begin(KEY, 0), (1, "trump", "S"))
    assert GAME.to_act(state) == 0
    assert [each.parity for each in GAME.legal(state)] == ["odd", "even"]
    assert codes(KEY, state, 1, "parity", "odd") == [("PA.5", "OOB")]
    assert scores("even", 0, 15) == (10, 0)


def test_pa_6_the_non_dealer_leads_and_suit_is_followed():
    state = playing("S", "H5 D5 XR", "H2")
    assert GAME.to_act(state) == 1
    state = after(KEY, state, (1, "play", "H2"))
    assert ("PA.6", "REV") in codes(KEY, state, 0, "play", "D5")
    assert codes(KEY, state, 0, "play", "XR") == [("PA.6", "REV")]
    state = after(KEY, state, (0, "play", "H5"))
    assert GAME.to_act(state) == 0


def test_pa_6_a_seat_that_cannot_follow_may_play_anything():
    state = playing("S", "HA HK HQ HJ HT H5 H2 DA DK DQ DJ DT D5 D2 C2", "S2 CA")
    state = after(KEY, state, (1, "play", "S2"))
    assert len(GAME.legal(state)) == 15


def test_pa_7_only_the_player_with_the_parity_scores():
    for one, other in SHARES:
        odd, even = scores("odd", one, other), scores("even", one, other)
        assert odd == (10 + one if one % 2 else 0, 10 + other if other % 2 else 0)
        assert all(bool(a) != bool(b) for a, b in zip(odd, even, strict=True))


def test_pa_8_game_is_100_with_lurches_below_66_and_50():
    table = Table(KEY)
    for _ in range(4):
        table.enter({"parity": "odd", "tricks": [15, 0]})
    assert (table.race.winner, table.race.games[0].levels) == (0, (0, 2))
    assert table.race.games[0].worth == (3, 0)


def test_pa_g1_jokers_must_follow_a_trump_lead_and_lead_as_trumps():
    state = after(KEY, playing("S", "XR DA", "S2"), (1, "play", "S2"))
    assert "XR" in {str(each.card) for each in GAME.legal(state)}
    assert ("PA.6", "REV") in codes(KEY, state, 0, "play", "DA")
    led = after(KEY, playing("S", "S5 DA", "XB"), (1, "play", "XB"))
    assert ("PA.6", "REV") in codes(KEY, led, 0, "play", "DA")
    assert "S5" in {str(each.card) for each in GAME.legal(led)}


def test_pa_g1_a_joker_is_of_no_other_suit():
    state = after(KEY, playing("S", "XR HA", "H2"), (1, "play", "H2"))
    assert "XR" not in {str(each.card) for each in GAME.legal(state)}


def test_pa_g2_exactly_one_player_has_the_parity():
    for parity, (one, other) in itertools.product(("odd", "even"), SHARES):
        assert sorted(map(bool, scores(parity, one, other))) == [False, True]


def test_pa_g3_sixty_six_and_fifty_are_reached_by_having_them():
    race = pinned(GAME.race)
    assert [level_of(race, total) for total in (66, 65, 50, 49)] == [0, 1, 1, 2]


def test_pa_g4_a_lurch_is_worth_one_to_three_unless_optional_values():
    assert GAME.race.lurch.win_points == (1, 2, 3)
    table = Table(KEY, lurch={"lines": [66, 50], "win_points": [2, 3, 3]})
    for _ in range(4):
        table.enter({"parity": "odd", "tricks": [15, 0]})
    assert table.race.games[0].worth == (3, 0)


def test_pa_g5_both_cannot_cross_in_one_deal_because_only_one_scores():
    table = Table(KEY, target=10)
    table.enter({"parity": "even", "tricks": [0, 15]})
    assert (table.race.totals, table.race.winner) == ((10, 0), 0)


def test_pa_g6_closed_hands_show_only_the_viewers_own():
    state = begin(KEY, 0, deal_for(KEY))
    for viewer in (0, 1, None):
        assert all(GAME.view(state, viewer).hands)
    closed = begin(KEY, 0, deal_for(KEY), open_hands=False)
    assert [hand is None for hand in GAME.view(closed, 0).hands] == [False, True]
    assert [hand is None for hand in GAME.view(closed, None).hands] == [True, True]


def test_pa_g7_the_game_has_two_players_and_fixed_jokers():
    assert GAME.seats(GAME.options()) == 2
    with pytest.raises(ValueError, match="jokers"):
        options_of(KEY, jokers="none")
    assert is_misfit(KEY, begin(KEY, 0), 2, "trump", "S")


def test_pa_e1_even_named_and_no_tricks():
    assert scores("even", 0, 15) == (10, 0)


def test_pa_e2_odd_named_and_all_the_tricks():
    assert scores("odd", 15, 0) == (25, 0)


def test_pa_e3_fourteen_tricks_even_and_odd():
    assert scores("even", 14, 1) == (24, 0)
    assert scores("odd", 14, 1) == (0, 11)


def test_pa_e4_eight_tricks_to_seven():
    assert scores("even", 8, 7) == (18, 0)
    assert scores("odd", 8, 7) == (0, 17)


def test_pa_e5_which_joker_wins_and_that_a_joker_beats_the_ace():
    for trumps, one, other, winner in (("H", "XB", "XR", 1), ("S", "XB", "XR", 0), ("D", "XB", "DA", 0)):
        state = playing(trumps, one, other)
        state = happened(KEY, state, (1, "play", other), (0, "play", one))
        assert GAME.to_act(state) == winner, (trumps, one, other)


def test_pa_e6_a_game_lost_on_four_totals():
    race = pinned(GAME.race)
    assert [level_of(race, total) for total in (66, 65, 50, 49)] == [0, 1, 1, 2]
    assert [race.lurch.win_points[level_of(race, total)] for total in (66, 65, 50, 49)] == [1, 2, 2, 3]


def test_pa_i1_the_tricks_sum_to_fifteen():
    with pytest.raises(EntryError) as error:
        scores("odd", 9, 7)
    assert error.value.rule == "PA.i1"


def test_pa_i2_exactly_one_player_scores():
    for parity, (one, other) in itertools.product(("odd", "even"), SHARES):
        assert scores(parity, one, other).count(0) == 1


def test_pa_i3_the_score_is_ten_plus_tricks_of_target_parity():
    for parity, (one, other) in itertools.product(("odd", "even"), SHARES):
        for score, won in zip(scores(parity, one, other), (one, other), strict=True):
            if score:
                assert (score - 10, won % 2) == (won, 1 if parity == "odd" else 0)
                assert 10 <= score <= 25


def test_pa_8_the_race_is_a_plain_one_to_a_hundred():
    assert isinstance(GAME.race, Race)
    assert (GAME.race.target, GAME.race.win_by, GAME.race.cap) == (100, 1, None)
