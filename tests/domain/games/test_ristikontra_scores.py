"""Ristikontra: card points, game points, cleaning, and the race of a match."""

import msgspec
import pytest

from domain.cards.card import cards_in
from domain.game.race import CountedDeal, Race, standing
from domain.game.sheet import EntryError
from domain.games import find
from domain.games.ristikontra.options import VALUES
from domain.match import commands as c
from tests.domain.games.test_ristikontra import at, seen, trick
from tests.kit.match.tables import Table, options_of, score_of

KEY = "ristikontra"
GAME = find(KEY)
SIDES = (("n", "s"), ("e", "w"))


def scores(points, **given) -> tuple[int, ...]:
    entry = {name: given.pop(name) for name in ("tricks", "queens_taken", "cleaned") if name in given}
    return score_of(KEY, {"points": points, **entry}, **given).scores


def refused(points, **given) -> str:
    with pytest.raises(EntryError) as error:
        scores(points, **given)
    return error.value.rule


def cleaning(points, queens, cleaned, **given) -> tuple[int, ...]:
    return scores(points, queens_taken=queens, cleaned=cleaned, cleaning=True, **given)


def test_rk_2_61_of_120_points_win_and_all_win_double():
    value = VALUES["ace-ten"]
    assert sum(value[card] for card in cards_in(GAME.pack(GAME.options()))) == 120
    assert [value[card] for card in range(12, -1, -1)] == [11, 4, 3, 2, 10] + [0] * 8
    assert scores([61, 59]) == (1, 0)
    assert scores([120, 0]) == (2, 0)
    assert scores([118, 2]) == (1, 0)
    with pytest.raises(EntryError, match="no cards make 119"):
        scores([119, 1])


def test_rk_7_five_values_make_sixty_and_thirty_one_win():
    value = VALUES["five"]
    assert sum(value[card] for card in cards_in(GAME.pack(GAME.options()))) == 60
    assert [value[card] for card in range(12, 7, -1)] == [5, 4, 3, 2, 1]
    assert scores([31, 29], values="five") == (1, 0)
    assert scores([0, 60], values="five") == (0, 2)
    assert refused([61, 59], values="five") == "RK.i1"


def test_rk_8_tricks_decide_equal_points_by_option():
    assert scores([60, 60], tricks=[6, 7], tie_break_tricks=True) == (0, 1)
    assert scores([61, 59], tricks=[3, 10], tie_break_tricks=True) == (1, 0)
    assert refused([60, 60], tie_break_tricks=True) == "RK.8"


def test_rk_12_a_side_with_a_queen_and_no_cleaning_loses():
    assert cleaning([90, 30], [True, False], [False, False]) == (0, 1)
    assert cleaning([90, 30], [True, False], [True, False]) == (1, 0)
    assert cleaning([90, 30], [False, False], [False, False]) == (1, 0)
    assert refused([90, 30], cleaning=True) == "RK.12"


def test_rk_g2_sixty_all_scores_nobody_anything():
    assert scores([60, 60]) == (0, 0)
    assert scores([30, 30], values="five") == (0, 0)


def cleaned_by(lead: str, *played: str, early: bool = False, side: int = 0):
    """A trick of phase 2 (or 1) in a state where everybody holds what is played; what it did for cleaning."""
    state = at(lead, *played, cleaning=True)
    if not early:
        state = msgspec.structs.replace(state, taken=msgspec.structs.replace(state.taken, done=7), top=28)
    taken = trick(state, lead, *played).taken
    return taken.queens[side], taken.cleaned[side]


def test_rk_g10_queens_oblige_early_and_one_king_cleans_late():
    assert cleaned_by("S7", "HQ", "D2", "C3", early=True) == (True, False)
    assert cleaned_by("S7", "HQ", "D2", "C3") == (False, False)
    assert cleaned_by("S7", "HK", "D2", "C3") == (False, True)
    assert cleaned_by("S7", "HK", "D2", "C3", early=True) == (False, False)


def test_rk_g10_a_trick_that_a_queen_led_cleans_nobody():
    assert cleaned_by("SQ", "HK", "D2", "C3") == (False, False)
    assert cleaned_by("SK", "HQ", "D2", "C3") == (False, True)


def test_rk_g10_the_spicing_card_counts_instead_of_the_card_taken_back():
    state = trick(at("SQ", "H2", "D3", "C4", stock="HA", cleaning=True, spice=True), "SQ", "H2", "D3", "C4")
    kept = GAME.evolve(state, GAME.legal(state)[0])
    swapped = GAME.evolve(state, GAME.legal(state)[1])
    assert (kept.taken.queens, swapped.taken.queens) == ((True, False), (False, False))
    state = trick(at("S7", "H2", "D3", "C4", stock="HQ", cleaning=True, spice=True), "S7", "H2", "D3", "C4")
    assert GAME.evolve(state, GAME.legal(state)[1]).taken.queens == (True, False)


def test_rk_g11_opponents_get_dishonour_points_whatever_the_card_points():
    assert cleaning([120, 0], [True, False], [False, False]) == (0, 1)
    assert cleaning([120, 0], [True, False], [False, False], dishonour_points=2) == (0, 2)
    assert cleaning([30, 90], [True, False], [False, False]) == (0, 1)
    assert cleaning([50, 70], [True, True], [False, False]) == (0, 0)


def test_rk_g12_all_the_points_are_worth_two_though_tricks_were_lost():
    assert scores([120, 0], tricks=[9, 4]) == (2, 0)


def test_rk_g13_a_match_goes_to_seven_game_points():
    table = Table(KEY, sides=SIDES)
    for _ in range(3):
        table.enter({"points": [120, 0]})
    assert (table.race.totals, table.race.finished) == ((6, 0), False)
    table.enter({"points": [70, 50]})
    assert (table.race.totals, table.race.winner) == ((7, 0), 0)


@pytest.mark.parametrize(("values", "target"), [("ace-ten", 120), ("five", 60)])
def test_rk_g13_by_option_card_points_are_added_up(values, target):
    given = {"scoring_unit": "card_points", "values": values}
    assert GAME.race_for(options_of(KEY, **given)) == Race(target=target)
    table = Table(KEY, sides=SIDES, options=given)
    table.enter({"points": [target // 2 + 10, target // 2 - 10]})
    assert (table.race.totals, table.race.finished) == ((target // 2 + 10, target // 2 - 10), False)
    table.enter({"points": [target // 2 - 5, target // 2 + 5]})
    assert (table.race.totals, table.race.winner) == ((target + 5, target - 5), 0)


def test_rk_g13_a_side_without_card_points_drops_to_zero():
    table = Table(KEY, sides=SIDES, options={"scoring_unit": "card_points"}, target=300)
    table.enter({"points": [70, 50]})
    table.enter({"points": [0, 120]})
    assert table.race.totals == (0, 170)
    table.enter({"points": [40, 80]})
    assert table.race.totals == (40, 250)
    table.do(c.Rule(code="OTH", deal=2, scores=(10, 0)))
    assert table.race.totals == (120, 130)


def test_rk_g13_card_points_of_an_uncleaned_side_do_not_count():
    assert cleaning([90, 30], [True, False], [False, False], scoring_unit="card_points") == (0, 30)
    found = score_of(KEY, {"points": [120, 0]}, scoring_unit="card_points")
    assert (found.scores, found.drops, found.game_points) == ((120, 0), (1,), (2, 0))


def test_rk_g13_a_race_total_drops_before_adding_the_deal():
    assert standing(Race(target=100), 2, [CountedDeal((50, 60)), CountedDeal((30, 10), (1,))]).totals == (80, 10)


def test_rk_e2_sixty_one_and_sixty_all():
    assert scores([61, 59]) == (1, 0)
    assert scores([60, 60]) == (0, 0)
    assert scores([60, 60], tricks=[7, 6], tie_break_tricks=True) == (1, 0)


def test_rk_e3_no_points_with_three_tricks_lost():
    assert scores([0, 120], tricks=[3, 10]) == (0, 2)


def test_rk_e4_five_values_thirty_one_to_twenty_nine():
    assert scores([31, 29], values="five") == (1, 0)


def test_rk_e5_ninety_points_a_queen_and_no_cleaning():
    assert cleaning([90, 30], [True, False], [False, False]) == (0, 1)


def test_rk_e6_both_owe_and_one_or_neither_cleaned():
    assert cleaning([90, 30], [True, True], [True, False]) == (1, 0)
    assert cleaning([90, 30], [True, True], [False, False]) == (0, 0)


def test_rk_i1_the_card_points_sum_to_all_there_are():
    assert refused([61, 60]) == "RK.i1"
    assert scores([97]) == (1, 0)
    assert refused([97], values="five") == "RK.i1"
    assert refused([118, 2], cleaning=True, queens_taken=[True, True], cleaned=[True, True]) == "RK.i1"


def test_rk_i2_there_are_thirteen_tricks():
    assert refused([97, 23], tricks=[9, 5]) == "RK.i2"
    assert refused([97, 23], tricks=[13, 0]) == "RK.i2"
    assert scores([97, 23], tricks=[9]) == (1, 0)


def test_rk_2_the_view_counts_card_points_by_side():
    state = trick(at("SA", "HT", "D3", "C4"), "SA", "HT", "D3", "C4")
    assert seen(state, None).card_points == (21, 0)


@pytest.mark.parametrize(
    ("given", "entry", "rule"),
    [
        ({}, {"points": [1]}, "RK.i1"),
        ({"values": "five"}, {"points": [61]}, "RK.i1"),
        ({}, {"points": [120], "tricks": [1]}, "RK.i2"),
        ({}, {"points": [45], "tricks": [1]}, "RK.i2"),
        ({"values": "five"}, {"points": [21], "tricks": [1]}, "RK.i2"),
        ({}, {"points": [44], "tricks": [12]}, "RK.i2"),
    ],
)
def test_rk_i1_an_entry_that_no_cards_make_is_refused(given, entry, rule):
    with pytest.raises(EntryError) as error:
        score_of("ristikontra", entry, **given)
    assert error.value.rule == rule


def test_rk_i1_every_entry_of_a_real_deal_is_taken():
    assert score_of("ristikontra", {"points": [44], "tricks": [1]}).card_points == (44, 76)
    assert score_of("ristikontra", {"points": [0], "tricks": [3]}).game_points == (0, 2)
    assert score_of("ristikontra", {"points": [20], "tricks": [1]}, values="five").card_points == (20, 40)
