"""Tie-breaks, line by line of the rules (FIDE C.07 as of 1 March 2026); the numbers are worked out beside them."""

import msgspec
import pytest

from domain.pairing.crosstable import PointSystem
from domain.standings import tiebreaks
from tests.kit.tournament.tournaments import table


def values(made, code, fixed=None):
    """Every player's value of one tie-break, in the order of numbers."""
    (entry,) = tiebreaks.tiebreaks_named([code])
    rows = sorted(tiebreaks.standings(made, [entry], fixed).rows, key=lambda row: row.number)
    return [entry.number(row.values[0]) for row in rows]


def ranks(made, codes, fixed=None):
    return [
        (row.number, row.rank)
        for row in tiebreaks.standings(made, tiebreaks.tiebreaks_named(codes.split()), fixed).rows
    ]


def beside(*rows):
    """The same with two more who draw with each other in every round, so that every round counts."""
    rounds, last = len(rows[0].split()), len(rows) + 2
    return table(*rows, " ".join([f"{last}w="] * rounds), " ".join([f"{last - 1}b="] * rounds))


# four players, three rounds, every game played: 2.5, 1, 2, 0.5
PLAYED = table("2w1 3b= 4w1", "1b0 4w1 3b0", "4w= 1w= 2w1", "3b= 2b0 1b0")
# 4 leaves after round 1, so there is a bye in the others: 2.5, 1.5, 2, 0
LEFT = table("4w1 2w1 3b=", "3w= 1b0 U", "2b= U 1w=", "1b0 Z Z")
# a forfeit in round 1: 2, 1, 1, 0
FORFEIT = table("2w+ 3w1", "1b- 4w1", "4w1 1b0", "3b0 2b0")
# a round robin: 2, 2, 1.5, 0.5
ROBIN = table("2w1 3b0 4w1", "1b0 4w1 3w1", "4b= 1w1 2b0", "3w= 2b0 1b0", fixed_pairings=True)


def test_points_include_byes_as_awarded():
    assert values(PLAYED, "PTS") == [2.5, 1, 2, 0.5]
    assert values(beside("H F U Z 2w1", "Z Z Z Z 1b0"), "PTS")[:2] == [3.5, 0]
    three = PointSystem(win=30, draw=10, forfeit_win=30, pairing_bye=30, half_bye=10, full_bye=30)
    assert values(msgspec.structs.replace(LEFT, points=three), "PTS") == [7, 4, 5, 0]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("2w1", "played"),
        ("U", "played"),
        ("F", "played"),
        ("2w+", "played"),
        ("2w-", "vur"),
        ("H", "vur"),
        ("Z", "vur"),
    ],
)
def test_half_and_zero_point_byes_and_forfeit_losses_are_voluntary(cell, kind):
    back = {"1": "0", "+": "-", "-": "+"}
    other = f"1b{back[cell[-1]]}" if cell[0] == "2" else "Z"
    made = table(f"{cell} 3w=", f"{other} 4w=", "4w= 1b=", "3b= 2b=")
    assert values(made, "REP")[0] == (2 if kind == "played" else 1)


def test_adjusted_score_of_one_who_left_has_draws_for_the_rest():
    # 4 has 0 + ½ + ½ for 1; BH(1) = 1 + 1.5 + 2
    assert values(LEFT, "BH")[0] == 4.5


def test_the_adjusted_score_counts_earlier_byes_as_awarded():
    made = table("2w1 3w= 4w=", "1b0 Z 3w=", "4w= 1b= 2b=", "3b= H 1b=")
    # 2: 0 + 0 + ½ stays ½, for it came back
    assert values(made, "BH")[0] == 0.5 + 1.5 + 1.5


def test_adjusted_score_goes_through_a_forfeit_loss_which_stays_a_loss():
    made = table("2w1 3w1 4w1", "1b0 Z 3w-", "4w= 1b0 2b+", "3b= H 1b0")
    # 2: loss, zero-point bye before a forfeit loss (½), forfeit loss (0)
    assert values(made, "BH")[0] == 0.5 + 1.5 + 1


def test_adjusted_score_leaves_a_trailing_pairing_bye_as_it_is():
    assert values(beside("2w1 Z", "1b0 U"), "BH")[0] == 1 + 1


def test_own_unplayed_round_is_a_dummy_with_the_own_score():
    # 4: BH = 2.5 of player 1, and twice a dummy with 0
    assert values(LEFT, "BH")[3] == 2.5


def test_the_dummy_has_at_most_a_draw_in_each_round():
    # 3 has 2 points, and a dummy of at most ½ · 3
    assert values(LEFT, "BH")[1:3] == [2 + 2.5 + 1.5, 1.5 + 1.5 + 2.5]


def test_a_forfeits_dummy_scores_at_most_the_scheduled_opponent():
    # 1 has 2 and was to meet 2, who has 1; 2 has 1 and was to meet 1, who has 2
    assert values(FORFEIT, "BH")[:2] == [1 + 1, 1 + 0]


def test_bh_is_the_sum_of_all_rounds():
    assert values(PLAYED, "BH") == [3.5, 5, 4, 5.5]


def test_bh_c1_and_c2_are_without_the_lowest():
    assert values(PLAYED, "BH/C1") == [3, 4.5, 3.5, 4.5]
    assert values(PLAYED, "BH/C2") == [2, 2.5, 2.5, 2.5]


def test_bh_cuts_voluntary_rounds_before_any_other_the_lowest_of_them_first():
    assert values(FORFEIT, "BH/C1")[1] == 0  # the forfeit's 1 goes, the 0 of player 4 stays
    made = beside("2w1 H 3w1 Z", "1b0 U Z Z", "Z Z 1b0 U")
    # 1 has 2.5: 2 has 1 and two draws, 3 has 1; two dummies of ½ · 4 go first
    assert values(made, "BH")[:3] == [2 + 1 + 2 + 2, 3 + 1 + 1 + 1, 3 + 3 * 1]
    assert values(made, "BH/C2")[0] == 3


def test_bh_m1_and_m2_cut_as_many_from_the_top():
    assert values(PLAYED, "BH/M1") == [1, 2, 1, 2]
    assert values(PLAYED, "BH/M2") == [0, 0, 0, 0]
    assert values(FORFEIT, "BH/M1")[1] == 0


def test_sb_is_value_times_points_won():
    assert values(PLAYED, "SB") == [2.5, 0.5, 2.5, 1]
    assert values(LEFT, "SB")[2] == 1.5 * 0.5 + 1.5 + 2.5 * 0.5


def test_sb_c1_drops_the_round_of_the_lowest_opponent():
    assert values(PLAYED, "SB/C1") == [2, 0, 2.25, 1]


def test_sb_c1_drops_a_voluntary_round_first_unless_its_product_is_smaller():
    # 1 has 1.5, 2 has 1, 3 has 0.5: products 1 · 1, 1.5 · ½, 0.5 · 0; the dummy is worth more than the lowest opponent
    made = beside("2w1 H 3w0", "1b0 U Z", "Z Z 1b1")
    assert values(made, "SB")[0] == 1.5 + 0.75 + 0
    assert values(made, "SB/C1")[0] == 1.5
    # the zero-point bye is worth 0, and the lowest opponent, 3 with 1 point, is worth 1: that one goes
    made = beside("2w1 Z 3w1", "1b0 U U", "Z U 1b0")
    assert values(made, "SB")[0] == 2 + 0 + 1
    assert values(made, "SB/C1")[0] == 2


def test_aob_is_the_average_bh_of_the_opponents_met():
    # BH 3.5 5 4 5.5: 1 met all others
    assert values(PLAYED, "AOB") == [4.833, 4.333, 4.667, 4.167]
    assert values(FORFEIT, "AOB")[0] == values(FORFEIT, "BH")[2]
    assert values(table("H 2w1", "Z 1b0", "Z Z"), "AOB")[2] == 0


def test_ps_sums_the_running_scores_and_c1_omits_the_first():
    assert values(PLAYED, "PS") == [1 + 1.5 + 2.5, 2, 3.5, 1.5]
    assert values(PLAYED, "PS/C1") == [4, 2, 3, 1]


def test_ks_counts_points_against_opponents_with_half_of_the_maximum():
    assert values(ROBIN, "KS") == [1, 1, 1, 0.5]


def test_ks_does_not_count_the_free_round_of_an_odd_round_robin():
    odd = table("2w1 3b= Z", "1b0 Z 3w1", "Z 1w= 2b0", fixed_pairings=True)
    assert values(odd, "KS") == [1, 0, 0.5]


def test_win_counts_awarded_wins_and_won_only_played_ones():
    made = table("2w1 3w+ U F H", "1b0 Z Z Z 3wW", "Z 1b- Z Z 2bL")
    assert (values(made, "WIN"), values(made, "WON")) == ([4, 1, 0], [1, 1, 0])


def test_bpg_and_bwg_are_games_played_and_won_as_black():
    made = table("2b1 3b+ 2b=", "1w0 Z 1w=", "Z 1w- U")
    assert (values(made, "BPG"), values(made, "BWG")) == ([2, 0, 0], [1, 0, 0])


def test_rep_omits_absences_and_counts_every_pairing_bye():
    assert values(LEFT, "REP") == [3, 3, 3, 1]
    assert values(FORFEIT, "REP")[:2] == [2, 1]
    assert values(msgspec.structs.replace(LEFT, points=PointSystem(pairing_bye=5)), "REP") == [3, 3, 3, 1]


def test_de_orders_those_who_have_all_met_by_their_games():
    assert ranks(ROBIN, "PTS DE") == [(1, 1), (2, 2), (3, 3), (4, 4)]
    ring = table("2w1 3b0 U", "1b0 U 3w1", "U 1w1 2b0")
    assert ranks(ring, "PTS DE") == [(1, 1), (2, 1), (3, 1)]


def test_de_with_unplayed_pairs_ranks_only_an_uncatchable_leader():
    both = table("2w1 3w1 Z", "1b0 U U", "U 1b0 U")
    assert ranks(both, "PTS DE") == [(1, 1), (2, 2), (3, 2)]
    one = beside("2w1 U Z", "1b0 U U", "U Z U")
    assert ranks(one, "PTS DE")[:3] == [(1, 1), (2, 1), (3, 1)]


def test_de_is_repeated_among_those_still_tied():
    # 1, 2 and 3 beat each other in a ring and 4 lost to all: 4 is last, and the three stay level for good
    made = table("2w1 3b0 4w1", "1b0 4w1 3w1", "4b1 1w1 2b0", "3w0 2b0 1b0")
    assert ranks(made, "DE") == [(1, 1), (2, 1), (3, 1), (4, 4)]
    # 1 and 2 are level on 2, and 1 won their game; 3 and 4 on 1, and 4 won theirs
    made = table("2w1 3b0 4w1", "1b0 4w1 3w1", "4b0 1w1 2b0", "3w1 2b0 1b0")
    assert ranks(made, "DE") == [(1, 1), (2, 2), (4, 3), (3, 4)]


def test_de_does_not_count_forfeits_unless_pairings_are_fixed():
    made = table("2w+ U Z", "1b- U Z", "U Z 4w1", "U Z 3b0")
    two = msgspec.structs.replace(made, rows=made.rows[:2])
    assert ranks(two, "DE") == [(1, 1), (2, 1)]
    assert ranks(two, "DE", fixed=True) == [(1, 1), (2, 2)]


def test_de_takes_the_average_of_those_who_met_twice():
    # 1 and 2: ½ and 1, so ¾ and ¼; both drew with 3 once; 1 has 1.25, 2 has 0.75, 3 has 1
    made = table("2w= 2b1 3w= Z", "1b= 1w0 Z 3w=", "Z Z 1b= 2b=", fixed_pairings=True)
    assert [row[0] for row in ranks(made, "DE")] == [1, 3, 2]


def test_de_is_the_number_of_tied_players_placed_before():
    assert values(ROBIN, "DE") == [0, 1, 2, 3]


def test_round_robin_unplayed_rounds_have_no_dummy_and_forfeits_are_scheduled_games():
    made = table("2w+ Z 3w1", "1b- 3w1 Z", "Z 2b0 1b0", fixed_pairings=True)
    assert values(made, "BH") == [1 + 0, 2 + 0, 1 + 2]
    assert values(made, "SB") == [1, 0, 0]
    assert values(made, "BH", fixed=False)[0] > values(made, "BH")[0]


def test_equal_on_everything_is_the_same_rank_and_the_next_is_skipped():
    made = table("2w1 3w1", "1b0 4w1", "4w1 1b0", "3b0 2b0")
    assert ranks(made, "PTS") == [(1, 1), (2, 2), (3, 2), (4, 4)]


def test_rounds_count_up_to_the_last_with_a_result_of_a_pair():
    made = table("2w1 .", "1b0 H", "U .")
    assert values(made, "PTS") == [1, 0, 1]
    assert tiebreaks.standings(made, tiebreaks.tiebreaks_named(["BH"])).rounds == 1
    assert tiebreaks.standings(table("2w1 U", "1b0 Z"), tiebreaks.tiebreaks_named(["BH"])).rounds == 2
    assert values(table("H", "."), "BH") == [0, 0]


def test_an_unfinished_game_scores_nothing_and_is_no_absence():
    made = table("2w1 3w_", "1b0 4w1", "4w1 1b_", "3b0 2b0")
    assert values(made, "REP") == [2, 2, 2, 2]
    assert values(made, "BH")[0] == 1 + 1
    assert values(made, "WIN") == [1, 1, 1, 0]


def test_codes_allow_slash_or_colon_in_any_case():
    assert [each.code for each in tiebreaks.tiebreaks_named(["bh:c1", " BH/C1", "pts"])] == ["BH/C1", "BH/C1", "PTS"]
    with pytest.raises(tiebreaks.UnknownTieBreak, match=r"'XX'; there are PTS, DE"):
        tiebreaks.tiebreaks_named(["XX"])
