"""Garbo: the rules of the ledger by number, with every gap and example."""

import pytest

from domain.cards.card import cards_in
from domain.game.script import DealCards
from domain.game.sheet import EntryError
from domain.games import find
from domain.games.garbo.options import RANK_VALUES, SUIT_VALUES
from tests.kit.games.garbo_squares import NO_MATCH, conceded, covered_by, full, on_table
from tests.kit.games.strategies import played_out
from tests.kit.match.tables import Table, after, begin, codes, deal_for, happened, is_misfit, options_of, score_of

KEY = "garbo"
GAME = find(KEY)
WEB = {"draw_schedule": "web", "suit_scope": "line"}


def test_ga_1_thirty_two_cards_and_four_each():
    pack = [str(card) for card in cards_in(GAME.pack(GAME.options()))]
    assert len(pack) == 32
    assert {card[1] for card in pack} == set("789TJQKA")
    table = GAME.view(begin(KEY, 0, deal_for(KEY)), "all")
    assert [len(hand) for hand in table.hands] == [4, 4]
    assert table.stock == 24


def test_ga_2_every_suit_and_every_rank_has_a_value():
    assert sorted(SUIT_VALUES.values()) == [1, 2, 3, 4]
    assert sorted(RANK_VALUES.values()) == list(range(5, 13))


@pytest.mark.parametrize("dealer", [0, 1])
def test_ga_3_the_non_dealer_begins_and_cards_lie_side_by_side(dealer):
    one, two = 1 - dealer, dealer
    state = begin(KEY, dealer)
    assert codes(KEY, state, two, "place", "S7", [0, 0]) == [("GA.3", "LOT")]
    assert is_misfit(KEY, state, one, "place", "S7", [0, 1]), "squares are counted from the first card"
    state = after(KEY, state, (one, "place", "S7", [0, 0]))
    assert codes(KEY, state, one, "place", "S8", [0, 1]) == [("GA.3", "POT")]
    assert codes(KEY, state, two, "place", "S8", [1, 1]) == [("GA.3", "PLC")]
    assert codes(KEY, state, two, "place", "S8", [0, 0]) == [("GA.3", "PLC")]
    assert codes(KEY, state, two, "place", "S7", [0, 1]) == [("GA.3", "DUP")]
    assert {each.cell for each in GAME.legal(state)} == {(0, 1), (1, 0), (0, -1), (-1, 0)}


def test_ga_3_sixteen_cards_form_a_square_of_four_rows_and_columns():
    _, _, _, _, _, states = played_out((KEY, {}), 5)
    cells = [square.cell for square in GAME.view(states[16], None).squares]
    rows, columns = {row for row, _ in cells}, {column for _, column in cells}
    assert len(cells) == 16
    assert {(row, column) for row in rows for column in columns} == set(cells)
    assert (max(rows) - min(rows), max(columns) - min(columns)) == (3, 3)


def test_ga_3_all_reasons_are_told_at_once():
    state = after(KEY, begin(KEY, 0, deal_for(KEY, "S7", "S8")), (1, "place", "S8", [0, 0]))
    assert codes(KEY, state, 1, "place", "S7", [2, 2]) == [("GA.3", "POT"), ("GA.3", "NIH"), ("GA.3", "PLC")]


def test_ga_3_a_card_of_another_level_or_pack_is_a_misfit():
    state = begin(KEY, 0)
    assert is_misfit(KEY, state, 1, "cover", "S7", [0, 0])
    assert is_misfit(KEY, state, 1, "place", "S2", [0, 0])
    assert is_misfit(KEY, state, 2, "place", "S7", [0, 0])
    assert is_misfit(KEY, full(), 0, "place", "S7", [0, 0])


def test_ga_4_a_suit_matches_each_of_its_eight_neighbours():
    ring = "D7 D8 D9 / DT .. DJ / DA DK S7"
    assert conceded(ring, "DQ", [1, 1]) == 7 * 4


def test_ga_4_a_rank_matches_along_row_column_and_diagonals():
    rows = "SQ .. .. HQ / .. .. .. .. / .. .. .. .. / CQ .. .. .."
    for cell, queens in (([3, 3], 3), ([0, 1], 2), ([1, 1], 1), ([1, 2], 2), ([2, 1], 2), ([2, 3], 1)):
        assert conceded(rows, "DQ", cell) == 12 * queens, cell
    assert conceded("SQ .. .. / .. .. .. / .. .. ..", "DQ", [1, 2]) == 0


def test_ga_4_the_opponent_scores():
    state = on_table("S7 .. / .. ..")
    player = state.turn
    state = happened(KEY, state, (player, "place", "S8", [0, 1]))
    assert GAME.view(state, None).points[1 - player] == 1
    assert GAME.view(state, None).points[player] == 0


def test_ga_5_eight_more_each_after_four_each():
    _, _, _, _, _, states = played_out((KEY, {}), 1)
    assert [len(hand) for hand in GAME.view(states[7], "all").hands] in ([1, 0], [0, 1])
    table = GAME.view(states[8], "all")
    assert ([len(hand) for hand in table.hands], table.stock) == ([8, 8], 8)


def test_ga_6_the_rest_is_dealt_and_the_higher_scorer_leads():
    for seed in range(30):
        _, _, _, _, facts, states = played_out((KEY, {}), seed)
        table = GAME.view(states[16], "all")
        assert ([len(hand) for hand in table.hands], table.stock, table.phase) == ([8, 8], 0, 2)
        one, two = table.points
        assert table.to_act == (facts[15].seat if one == two else int(two > one))


def test_ga_6_level_totals_let_the_player_of_the_sixteenth_card_lead():
    state = full(NO_MATCH)
    assert GAME.script.section_sums(state) == ((0, 0),)
    assert GAME.to_act(state) == 1  # seat 0 placed the first card, so seat 1 the sixteenth


def test_ga_6_a_card_is_covered_once():
    state = full()
    seat = state.turn
    assert codes(KEY, state, 1 - seat, "cover", "SQ", [0, 0]) == [("GA.6", "LOT")]
    assert codes(KEY, state, seat, "cover", "SQ", [0, -1]) == [("GA.6", "PLC")]
    state = after(KEY, state, (seat, "cover", "SQ", [0, 0]))
    assert codes(KEY, state, 1 - seat, "cover", "HQ", [0, 0]) == [("GA.6", "PLC")]
    assert codes(KEY, state, seat, "cover", "SQ", [0, 1]) == [("GA.6", "POT"), ("GA.6", "DUP")]
    shown = {square.cell: (str(square.card), square.covered) for square in GAME.view(state, None).squares}
    assert shown[0, 0] == ("SQ", True)
    assert not shown[0, 1][1]


def test_ga_7_covering_the_same_suit_or_rank_scores_tenfold():
    assert covered_by("S7", "S8") == 10
    assert covered_by("H7", "H8") == 20
    assert covered_by("C7", "C8") == 30
    assert covered_by("D7", "D8") == 40
    assert covered_by("S7", "D7") == 70


def test_ga_g1_the_values_of_suits_and_ranks():
    assert SUIT_VALUES == {"S": 1, "H": 2, "C": 3, "D": 4}
    assert RANK_VALUES == {"J": 5, "K": 6, "7": 7, "8": 8, "9": 9, "T": 10, "A": 11, "Q": 12}
    for suit, value in SUIT_VALUES.items():
        assert conceded(f"{suit}7 .. / .. ..", f"{suit}8", [1, 1]) == value
    for rank, value in RANK_VALUES.items():
        assert conceded(f"S{rank} .. / .. ..", f"H{rank}", [1, 1]) == value


@pytest.mark.parametrize(("schedule", "sizes"), [("book", (4, 8, 4)), ("web", (4, 4, 8))])
def test_ga_g2_packets_by_schedule(schedule, sizes):
    given = {"draw_schedule": schedule}
    game, options, _, deal, _, states = played_out((KEY, given), 2)
    assert [tuple(map(len, packets)) for packets in deal.packets] == [sizes, sizes]
    for place, dealt in ((0, sizes[0]), (8, sum(sizes[:2])), (16, 16)):
        table = game.view(states[place], "all")
        assert [len(hand) for hand in table.hands] == [dealt - place // 2] * 2
        assert table.stock == 32 - 2 * dealt
    other = options_of(KEY, draw_schedule="web" if schedule == "book" else "book")
    assert "packets" in game.check_deal(other, deal)
    twice = game.script.deal_of(options, DealCards((*game.script.cards_of(deal).hands[:5], deal.packets[0][2])))
    assert "exactly once" in game.check_deal(options, twice) or sizes[2] == 8


def test_ga_g3_suits_match_adjacent_or_along_lines_by_option():
    for cell, near, along in (([0, 1], 1, 1), ([0, 2], 0, 1), ([3, 3], 0, 1), ([1, 2], 0, 0)):
        assert conceded("S7 .. .. .. / .. .. .. .. / .. .. .. .. / .. .. .. ..", "S8", cell) == near
        assert conceded("S7 .. .. .. / .. .. .. .. / .. .. .. .. / .. .. .. ..", "S8", cell, **WEB) == along


def test_ga_g4_side_by_side_is_not_corner_to_corner():
    state = on_table("S7 .. / .. ..")
    assert codes(KEY, state, state.turn, "place", "H8", [1, 1]) == [("GA.3", "PLC")]


def test_ga_g4_never_wider_or_taller_than_four():
    wide, tall = on_table("S7 H8 C9 DT"), on_table("S7 / H8 / C9 / DT")
    for cell in ([0, 4], [0, -1]):
        assert ("GA.g4", "PLC") in codes(KEY, wide, wide.turn, "place", "HK", cell)
    for cell in ([4, 0], [-1, 0]):
        assert ("GA.g4", "PLC") in codes(KEY, tall, tall.turn, "place", "HK", cell)
    assert {each.cell[0] for each in GAME.legal(wide)} == {-1, 1}


def test_ga_g4_a_card_on_an_unreachable_square_matches_nothing():
    state = on_table("S7 .. / .. ..")
    assert codes(KEY, state, state.turn, "place", "HK", [0, 4]) == [("GA.g4", "PLC")]
    assert not is_misfit(KEY, state, state.turn, "place", "HK", [0, 4])
    after_it = happened(KEY, state, (state.turn, "place", "HK", [0, 4]))
    assert (after_it.turn, after_it.left, after_it.points) == (1 - state.turn, state.left - 1, state.points)
    assert (after_it.taken, after_it.free) == (state.taken, state.free)
    with pytest.raises(ValueError, match="15"):
        codes(KEY, state, state.turn, "place", "HK", [0, 16])


def test_ga_g4_nothing_between_two_cards_shields_them():
    assert conceded("SQ S7 S8 .. / .. .. .. .. / .. .. .. .. / .. .. .. ..", "DQ", [0, 3]) == 12
    assert conceded("SQ .. .. .. / .. S7 .. .. / .. .. S8 .. / .. .. .. ..", "DQ", [3, 3]) == 12


def test_ga_g5_the_uppermost_cards_match_and_a_covered_one_no_longer():
    state = full(NO_MATCH)
    first = happened(KEY, state, (state.turn, "cover", "SQ", [3, 0]))
    assert GAME.script.announced_points(state, first) == 1  # beside the S9
    second = happened(KEY, first, (first.turn, "cover", "CK", [2, 0]))
    assert GAME.script.announced_points(first, second) == 3  # beside the C8; the C7 lies under the SQ
    third = happened(KEY, second, (second.turn, "cover", "DQ", [2, 1]))
    assert GAME.script.announced_points(second, third) == 4 + 4 + 12  # DT and D8, and the SQ that lies uppermost


def test_ga_g6_matches_count_by_themselves_or_when_they_are_claimed():
    rows = "S7 .. / .. .."
    for claims, points in (("automatic", 1), ("manual", 0)):
        state = on_table(rows, claims=claims)
        seat = state.turn
        state = happened(KEY, state, (seat, "place", "S8", [0, 1]))
        assert GAME.view(state, None).points[1 - seat] == points
    state = after(KEY, state, (1 - seat, "claim", 1))
    assert GAME.view(state, None).points[1 - seat] == 1
    assert is_misfit(KEY, on_table(rows), 1, "claim", 1)


def test_ga_g7_two_deals_are_totalled_and_equal_totals_draw():
    table = Table(KEY)
    table.enter({"levels": [[54, 34], [198, 131]]}, lot=0)
    assert (table.race.totals, table.race.finished) == ((198, 131), False)
    table.enter({"totals": [131, 198]})
    assert (table.race.finished, table.race.winner) == (True, None)
    assert table.dealers == [0, 1]
    with pytest.raises(EntryError) as error:
        score_of(KEY, {})
    assert error.value.rule == "GA.g7"
    with pytest.raises(EntryError):
        score_of(KEY, {"levels": [[1, 2], [3, 4]], "totals": [3, 4]})


def test_ga_e1_a_heart_beside_two_hearts_with_two_tens_in_line():
    rows = "HJ .. ST / HA .. .. / .. .. CT"
    assert conceded(rows, "HT", [0, 1]) == 2 + 2 + 10
    assert conceded("ST .. .. .. / HJ .. .. CT / HA .. .. .. / .. .. .. ..", "HT", [1, 1]) == 24


def test_ga_e2_a_ten_below_a_seven():
    assert conceded("S7 / ..", "HT", [1, 0]) == 0


def test_ga_e3_two_spades_corner_to_corner_and_two_apart():
    assert conceded("S7 .. / .. ..", "S8", [1, 1]) == 1
    assert conceded("S7 .. .. / .. .. ..", "S8", [0, 2]) == 0
    assert conceded("S7 .. .. / .. .. ..", "S8", [0, 2], suit_scope="line") == 1


def test_ga_e4_queens_at_the_far_corners_and_a_knights_move_away():
    rows = "SQ .. .. .. / .. .. .. .. / .. .. .. .. / .. .. .. .."
    assert conceded(rows, "DQ", [3, 3]) == 12
    assert conceded(rows, "DQ", [1, 2]) == conceded(rows, "DQ", [2, 1]) == 0


def test_ga_e5_what_covering_gives():
    assert covered_by("D7", "DQ") == 40
    assert covered_by("SQ", "DQ") == 120
    assert covered_by("D9", "S8") == 0


def test_ga_e6_the_most_that_one_card_can_give():
    state = full("D7 D8 D9 S8 / DT SQ DJ CQ / DA DK HQ S9 / C7 C8 C9 ST")
    after = happened(KEY, state, (state.turn, "cover", "DQ", [1, 1]))
    assert GAME.script.announced_points(state, after) == 28 + 24 + 120 == 172
