"""Races: target, lead, cap, fixed deals, best of several games."""

import msgspec
import pytest

from domain.game.race import CountedDeal, Race, standing, winner_of
from domain.notation.ctn_read import loads
from domain.notation.ctn_write import dumps
from domain.notation.write_course import NumberedEvent
from tests.kit.match.tables import Table

CROSS = Race(target=15, win_by=2)


def after_deals(race: Race, *deals: tuple[int, ...]):
    return standing(race, len(deals[0]), [CountedDeal(deal) for deal in deals])


def to(race: Race, *totals: int):
    return winner_of(race, totals)


def test_all_2_totals_are_looked_at_only_after_a_whole_deal():
    table = Table("parity", target=10)
    table.start(lot=1)
    table.record((0, "trump", "S"), (1, "parity", "odd"))
    assert not table.race.finished
    table.enter({"parity": "odd", "tricks": [15, 0]})
    assert table.race.winner == 0


def test_all_2_when_both_cross_in_one_deal_the_higher_total_wins():
    assert after_deals(Race(target=100), (90, 95), (30, 20)).winner == 0
    assert after_deals(Race(target=100), (90, 95), (20, 30)).winner == 1


def test_all_2_level_at_the_top_plays_another_deal():
    race = Race(target=100)
    level = after_deals(race, (90, 90), (20, 20))
    assert (level.finished, level.totals) == (False, (110, 110))
    assert after_deals(race, (90, 90), (20, 20), (1, 2)).winner == 1


def test_all_3_the_target_is_an_option_everywhere():
    for key, target in (("cross_purposes", 100), ("cross_game", 15), ("parity", 100)):
        assert Table(key).match.setup.race.target == target
        assert Table(key, target=42).match.setup.race.target == 42


def test_all_3_fixed_deals_end_with_the_higher_total_or_draw():
    race = Race(deals=2)
    assert not after_deals(race, (5, 3)).finished
    won, drawn = after_deals(race, (5, 3), (1, 2)), after_deals(race, (5, 3), (1, 3))
    assert (won.finished, won.winner) == (True, 0)
    assert (drawn.finished, drawn.winner) == (True, None)


def test_all_3_a_match_of_fixed_deals_drops_the_games_own_target():
    table = Table("parity", deals=2)
    assert table.match.setup.race.target is None
    again = Table("parity", deals=2, target=None)
    assert again.match.setup.race.target is None


def test_ra_1_cross_game_goes_to_fifteen_with_a_lead_of_two():
    assert Table("cross_game").match.setup.race == CROSS


def test_ra_2_a_tennis_game_with_deuce_and_with_a_golden_point():
    deuce, golden = Race(target=4, win_by=2), Race(target=4, win_by=2, cap=4)
    assert [to(deuce, *score) for score in ((4, 2), (4, 3), (5, 4), (6, 4))] == [0, None, None, 0]
    assert [to(golden, *score) for score in ((3, 3), (4, 3))] == [None, 0]
    assert to(Race(target=7, win_by=2), 7, 6) is None


def test_ra_3_a_volleyball_set_needs_two_and_has_no_cap():
    race = Race(target=25, win_by=2)
    assert [to(race, *score) for score in ((25, 23), (25, 24), (40, 39), (41, 39))] == [0, None, None, 0]


def test_ra_4_badminton_ends_at_thirty_to_twenty_nine():
    race = Race(target=21, win_by=2, cap=30)
    assert [to(race, *score) for score in ((21, 20), (29, 28), (29, 30))] == [None, None, 1]


def test_ra_needed_cases_fifteen_fourteen_and_sixteen_seventeen_go_on():
    assert to(CROSS, 15, 14) is None
    assert to(CROSS, 16, 17) is None


def test_ra_needed_cases_fifteen_thirteen_ends():
    assert to(CROSS, 15, 13) == 0


def test_ra_needed_cases_above_the_target_a_lead_of_two_wins():
    assert to(CROSS, 18, 20) == 1


def test_ra_needed_cases_a_failed_bid_can_end_a_game():
    standing_now = after_deals(CROSS, (16, 17), (-3, 0))
    assert (standing_now.finished, standing_now.winner, standing_now.totals) == (True, 1, (13, 17))


def test_ra_needed_cases_the_first_alone_at_the_cap_wins_by_one():
    race = Race(target=15, win_by=2, cap=17)
    assert to(race, 16, 15) is None
    assert to(race, 17, 16) == 0
    assert to(race, 17, 17) is None
    assert to(race, 18, 17) == 0


def test_ra_needed_cases_totals_that_fell_are_judged_as_they_are_now():
    race = Race(target=15, win_by=2)
    fallen = after_deals(race, (15, 14), (-2, 0))
    assert (fallen.finished, fallen.totals) == (False, (13, 14))


def test_ra_best_of_three_is_a_majority_of_separate_races():
    race = Race(target=10, best_of=3)
    one = after_deals(race, (12, 3))
    assert (one.finished, one.totals, len(one.games)) == (False, (0, 0), 1)
    two = after_deals(race, (12, 3), (0, 11))
    assert not two.finished
    three = after_deals(race, (12, 3), (0, 11), (4, 10))
    assert (three.finished, three.winner, [game.winner for game in three.games]) == (True, 1, [0, 1, 1])
    assert after_deals(race, (12, 3), (12, 3)).finished


def test_ra_deals_after_the_end_change_nothing():
    race = Race(target=10)
    assert after_deals(race, (12, 3), (0, 50)) == after_deals(race, (12, 3))


def test_ra_a_drawn_game_counts_towards_the_number_of_games():
    race = Race(deals=1, best_of=3)
    drawn = after_deals(race, (1, 1), (2, 2), (3, 3))
    assert (drawn.finished, drawn.winner) == (True, None)
    assert after_deals(race, (1, 1), (2, 2), (4, 3)).winner == 0


@pytest.mark.parametrize(
    "wrong",
    [{"best_of": 2}, {"target": None}, {"target": 15, "cap": 14}, {"win_by": 0}, {"target": 0}, {"points": 3}],
)
def test_ra_a_race_that_cannot_be_is_refused(wrong):
    from domain.match import commands as c
    from domain.match.evolve import initial

    table = Table("parity")
    table.state = initial()
    opening = c.OpenMatch(game="parity", options={}, race=wrong, sides=(("a",), ("b",)))
    assert table.refused(opening).slug == "unknown-option"


def test_ra_a_race_stands_by_itself_as_a_struct():
    with pytest.raises(ValueError, match="target"):
        Race()
    assert msgspec.json.decode(msgspec.json.encode(CROSS), type=Race) == CROSS


@pytest.mark.parametrize("key", ["over_the_top", "garbo"])
def test_ra_a_target_in_a_game_of_two_deals_decides_alone(key):
    # ALL.3: the target is an option of every game and replaces the two deals.
    table = Table(key, target=300)
    assert (table.match.setup.race.target, table.match.setup.race.deals) == (300, None)
    both = Table(key, target=300, deals=4)
    assert (both.match.setup.race.target, both.match.setup.race.deals) == (300, 4)
    for made in (table, both):
        made.enter({"totals": [104, 84]})
        made.enter({"totals": [90, 95]})
        assert made.race.winner is None
        text = dumps([NumberedEvent(version, event) for version, event in made.log], [["A"], ["B"]])
        (script,) = loads(text)
        assert script.state.setup.race == made.match.setup.race
