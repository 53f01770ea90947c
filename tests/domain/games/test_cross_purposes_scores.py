"""Cross Purposes: what tricks are worth, and what can never happen."""

import itertools

import pytest

from domain.game.sheet import EntryError
from tests.kit.match.tables import Table, score_of

KEY = "cross_purposes"
FOURS = [four for four in itertools.product(range(14), repeat=4) if sum(four) == 13]


def two(first: int, second: int, **given) -> tuple[int, ...]:
    return score_of(KEY, {"phases": [[first, 13 - first], [second, 13 - second]]}, **given).scores


def four(tricks, allies=(0, 2), **given) -> tuple[int, ...]:
    return score_of(KEY, {"tricks": list(tricks), "allies": list(allies)}, **{"variant": "alliance", **given}).scores


def test_cp_7_the_second_number_of_a_phase_may_be_left_out():
    assert score_of(KEY, {"phases": [[6], [8]]}).scores == two(6, 8)


def test_cp_14_each_ally_scores_both_trick_counts_plus_one_multiplied():
    assert four((5, 4, 1, 3)) == (12, 20, 12, 20)
    assert four((5, 4, 1, 3), (3, 0)) == (24, 10, 10, 24)


def test_cp_14_the_target_is_a_hundred():
    table = Table(KEY, sides=(("n", "s"), ("e", "w")), options={"variant": "fixed"})
    table.enter({"tricks": [6, 0, 7, 0]})
    table.enter({"tricks": [6, 0, 7, 0]})
    assert (table.race.totals, table.race.winner) == ((112, 2), 0)


@pytest.mark.parametrize("variant", ["fixed", "alliance"])
def test_cp_15_winner_only_leaves_the_beaten_side_with_nothing(variant):
    assert four((5, 4, 1, 3), variant=variant, scoring="winner_only") == (0, 20, 0, 20)


def test_cp_g8_no_two_hand_deal_is_tied():
    for first, second in itertools.product(range(14), repeat=2):
        one, other = two(first, second)
        assert one != other


def test_cp_g8_no_four_hand_deal_is_tied():
    for tricks in FOURS:
        scores = four(tricks)
        assert scores[0] != scores[1]


def test_cp_g9_winner_only_lets_exactly_one_of_two_players_score():
    for first, second in itertools.product(range(14), repeat=2):
        scores = two(first, second, scoring="winner_only")
        assert sorted(map(bool, scores)) == [False, True]
        assert max(scores) == max(two(first, second))


def test_cp_g10_allies_at_the_target_continue_until_one_leads_alone():
    table = Table(KEY, sides=(("n",), ("e",), ("s",), ("w",)), options={"variant": "alliance"})
    for _ in range(2):
        table.enter({"tricks": [6, 0, 7, 0], "allies": [0, 2]})
    assert table.race.totals == (112, 2, 112, 2)
    assert not table.race.finished
    table.enter({"tricks": [6, 7, 0, 0], "allies": [0, 1]})
    assert (table.race.totals, table.race.winner) == ((168, 58, 113, 3), 0)


def test_cp_g10_a_fixed_number_of_deals_may_end_level():
    table = Table(KEY, sides=(("n",), ("e",), ("s",), ("w",)), options={"variant": "alliance"}, deals=1)
    table.enter({"tricks": [6, 0, 7, 0], "allies": [0, 2]})
    assert table.race.finished
    assert table.race.winner is None


def test_cp_e1_annie_takes_six_then_eight():
    assert two(6, 8) == (56, 40)


def test_cp_e2_six_then_seven_against_seven_then_six():
    assert two(6, 7) == (49, 48)


def test_cp_e3_all_twenty_six_tricks():
    assert two(13, 13) == (182, 0)


def test_cp_e4_none_then_all_and_the_better_second_half():
    assert two(0, 13) == (13, 0)
    assert two(4, 9) == (45, 40)
    for first in range(14):
        one, other = two(first, 13 - first)
        assert 1 <= abs(one - other) <= 13
        assert (one > other) == (13 - first > first)


def test_cp_e5_partners_with_five_and_one_against_four_and_three():
    assert four((5, 4, 1, 3), variant="fixed") == (12, 20, 12, 20)
    assert four((5, 4, 1, 3), variant="fixed", scoring="winner_only") == (0, 20, 0, 20)


def test_cp_e6_partners_with_all_the_tricks():
    assert four((6, 0, 7, 0), variant="fixed") == (56, 1, 56, 1)


@pytest.mark.parametrize("phases", [[[7, 7], [6, 7]], [[7, 6], [0, 0]], [[7], [6, 6]]])
def test_cp_i1_the_tricks_of_a_phase_sum_to_thirteen(phases):
    with pytest.raises(EntryError) as error:
        score_of(KEY, {"phases": phases})
    assert error.value.rule == "CP.i1"


def test_cp_i1_four_counts_sum_to_thirteen():
    with pytest.raises(EntryError) as error:
        four((5, 4, 1, 4))
    assert error.value.rule == "CP.i1"


def test_cp_i3_margins_are_at_least_one_and_scores_stay_in_range():
    for first, second in itertools.product(range(14), repeat=2):
        one, other = two(first, second)
        assert min(one, other) >= 0
        assert max(one, other) <= 182
        assert 13 <= one + other <= 182
    for tricks in FOURS:
        one, other = four(tricks)[:2]
        assert min(one, other) >= 1
        assert max(one, other) <= 56
        assert 15 <= one + other <= 57


def test_cp_i4_fixed_sides_are_opposite_seats():
    with pytest.raises(EntryError) as error:
        four((5, 4, 1, 3), (0, 1), variant="fixed")
    assert error.value.rule == "CP.i4"
    assert score_of(KEY, {"tricks": [5, 4, 1, 3]}, variant="fixed").sides == ((0, 2), (1, 3))


def test_cp_i4_an_alliance_is_two_different_seats_and_must_be_named():
    for entry in ({"tricks": [5, 4, 1, 3]}, {"tricks": [5, 4, 1, 3], "allies": [2, 2]}):
        with pytest.raises(EntryError):
            score_of(KEY, entry, variant="alliance")


def test_cp_i5_allies_score_alike():
    for tricks, allies in itertools.product(FOURS[::7], itertools.combinations(range(4), 2)):
        scores = four(tricks, allies)
        others = [seat for seat in range(4) if seat not in allies]
        assert scores[allies[0]] == scores[allies[1]]
        assert scores[others[0]] == scores[others[1]]
