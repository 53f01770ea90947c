"""Lurches: lines, levels, what a game is worth, and how each side stands while the match is on."""

import pytest

from domain.game.race import CountedDeal, Lurch, Race, close_game, level_of, lurch_status, pinned, standing, winner_of
from domain.match import commands as c
from domain.match.evolve import initial
from tests.kit.match.tables import Table


def race(target: int, lines, worth, **given) -> Race:
    return pinned(Race(target=target, lurch=Lurch(tuple(lines), tuple(worth)), **given))


def worths(which: Race, *losers: int) -> list[int]:
    return [close_game(which, (which.target, loser), 0).worth[0] for loser in losers]


CRIBBAGE = race(121, (91, 61), (1, 2, 3))


def test_lu_1_parity_lurches_below_66_and_50_of_100():
    parity = Table("parity").match.setup.race
    assert worths(parity, 66, 65, 50, 49) == [1, 2, 2, 3]


def test_lu_1_the_lines_of_parity_scale_by_floor_with_the_target():
    assert Table("parity", target=120).match.setup.race.lurch.lines == (79, 60)
    assert Table("parity", target=75).match.setup.race.lurch.lines == (49, 37)


@pytest.mark.parametrize("double", [3, 4])
def test_lu_2_cribbage_match_play_counts_ninety_one_and_sixty_one(double):
    which = race(121, (91, 61), (1, 2, double))
    assert worths(which, 91, 90, 61, 60) == [1, 2, 2, double]


def test_lu_3_the_old_british_lurch_is_half_way_only():
    assert worths(race(121, (61,), (1, 2)), 61, 60, 0) == [1, 2, 2]
    assert worths(race(61, (31,), (1, 2)), 31, 30) == [1, 2]


def test_lu_4_a_congress_event_gives_two_or_three_also_for_doubles():
    which = race(121, (91, 61), (2, 3, 3))
    assert worths(which, 91, 90, 60) == [2, 3, 3]
    assert close_game(which, (121, 60), 0).worth[1] == 0


def test_lu_a_total_on_the_line_is_not_below_it():
    assert [level_of(CRIBBAGE, total) for total in (91, 90, 61, 60)] == [0, 1, 1, 2]


def test_lu_a_fraction_of_the_target_is_rounded_down():
    assert race(100, ("2/3", "1/2"), (1, 2, 3)).lurch.lines == (66, 50)


def test_lu_is_off_by_default_except_in_parity():
    assert Table("cross_purposes").match.setup.race.lurch is None
    assert Table("cross_game").match.setup.race.lurch is None
    assert Table("parity").match.setup.race.lurch is not None


def test_lu_each_loser_of_four_is_judged_alone():
    which = race(100, (66, 50), (1, 2, 3))
    assert close_game(which, (110, 70, 60, 10), 0).levels == (0, 0, 1, 2)


def test_lu_running_status_tells_level_points_to_save_and_points_to_win():
    status = lurch_status(race(100, (66, 50), (1, 2, 3)), (70, 40))
    assert [(each.level, each.to_save, each.to_win) for each in status] == [(0, None, 30), (2, 10, 60)]
    status = lurch_status(race(100, (66, 50), (1, 2, 3)), (60, 66))
    assert [(each.level, each.to_save) for each in status] == [(1, 6), (0, None)]


@pytest.mark.parametrize("cap", [None, 17, 20])
def test_lu_running_status_says_exactly_what_would_win(cap):
    which = Race(target=15, win_by=2, cap=cap)
    for one in range(-6, 19):
        for other in range(-6, 19):
            if winner_of(which, (one, other)) is not None:
                continue
            need = lurch_status(which, (one, other))[0].to_win
            assert winner_of(which, (one + need, other)) == 0
            assert all(winner_of(which, (one + less, other)) != 0 for less in range(need))


def test_lu_running_status_follows_the_deals():
    table = Table("parity")
    table.enter({"parity": "odd", "tricks": [15, 0]})
    assert [(each.level, each.to_save) for each in table.race.lurch] == [(2, 25), (2, 50)]


def test_lu_a_shutout_is_one_more_line_at_one():
    which = race(15, (11, 1), (1, 2, 3), win_by=2)
    assert worths(which, 11, 10, 1, 0, -4) == [1, 2, 2, 3, 3]


def test_lu_a_drawn_game_lurches_nobody():
    which = Race(deals=1, target=None, lurch=Lurch((10,), (1, 2)))
    assert standing(which, 2, [CountedDeal((3, 3))]).games[0].levels == (0, 0)


@pytest.mark.parametrize(
    "lurch",
    [
        {"lines": [50, 66], "win_points": [1, 2, 3]},
        {"lines": [66, 66], "win_points": [1, 2, 3]},
        {"lines": [66], "win_points": [1, 2, 3]},
        {"lines": [166], "win_points": [1, 2]},
        {"lines": ["2/0"], "win_points": [1, 2]},
        {"lines": ["2/00"], "win_points": [1, 2]},
        {"lines": ["half"], "win_points": [1, 2]},
    ],
)
def test_lu_lines_that_cannot_be_are_refused(lurch):
    table = Table("parity")
    table.state = initial()
    opening = c.OpenMatch(game="parity", options={}, race={"lurch": lurch}, sides=(("a",), ("b",)))
    assert table.refused(opening).slug == "unknown-option"
