"""Cross Game: cross points, the contract, the end of the match."""

import itertools
import random

import pytest

from domain.game.sheet import EntryError
from domain.games import find
from domain.games.cross_game.scoring import announcement, contract_scores, cross_points
from domain.match import commands as c
from tests.kit.games.strategies import for_seeds
from tests.kit.match.tables import Table, begin, random_deal, random_legal, score_of

KEY = "cross_game"
GAME = find(KEY)


def scored(bid: int, points: tuple[int, int], shown=None, trumps=None) -> tuple[int, ...]:
    entry = {"bidder": 0, "bid": bid, "card_points": list(points)}
    if shown:
        entry |= {"announcements": shown, "trumps": trumps}
    return score_of(KEY, entry).scores


def refusal(entry) -> str:
    with pytest.raises(EntryError) as error:
        score_of(KEY, entry)
    return error.value.rule


def won(*deals, **race) -> Table:
    """A match of entered deals: (bidder, bid, cross points of 0, of 1)."""
    table = Table(KEY, **race)
    for bidder, bid, one, other in deals:
        table.enter({"bidder": bidder, "bid": bid, "cross_points": [one, other]})
    return table


def test_cg_8_a_cross_point_for_each_full_thirty_three():
    assert [cross_points(total) for total in (0, 32, 33, 65, 66, 99, 132, 165, 198, 220)] == [
        *(0, 0, 1, 1, 2, 3, 4, 5, 6, 6)
    ]


def test_cg_9_a_failing_bidder_loses_the_bid_and_opponents_points_count():
    assert contract_scores(0, 2, (1, 2)) == (-2, 2)
    assert contract_scores(1, 2, (1, 2)) == (1, 2)


def test_cg_10_the_first_to_fifteen_wins_but_never_by_one():
    table = won((0, 1, 6, 0), (0, 1, 6, 0), (1, 1, 0, 6), (1, 1, 0, 6), (0, 1, 3, 2))
    assert table.race.totals == (15, 14)
    assert not table.race.finished
    table.enter({"bidder": 0, "bid": 1, "cross_points": [2, 1]})
    assert (table.race.totals, table.race.winner) == ((17, 15), 0)


def test_cg_g9_a_failing_bidder_loses_points_even_below_zero():
    assert won((0, 6, 5, 1)).race.totals == (-6, 1)


@pytest.mark.parametrize("target", [11, 15, 21])
def test_cg_g10_the_target_is_optional_the_lead_of_two_fixed(target):
    table = won((0, 1, 6, 0), (0, 1, 6, 0), target=target)
    assert table.match.setup.race.win_by == 2
    assert table.race.finished == (target == 11)


def test_cg_g10_there_is_no_cap_and_no_lifted_target():
    race = GAME.race
    assert (race.target, race.win_by, race.cap) == (15, 2, None)


def test_cg_e1_whole_totals_in_cross_points():
    assert [cross_points(total) for total in (110, 220, 32, 33, 198)] == [3, 6, 0, 1, 6]


def test_cg_e2_bid_two_on_sixty_four_fails():
    assert scored(2, (64, 56)) == (-2, 1)
    table = won((0, 1, 6, 0), (1, 1, 0, 6), (1, 1, 0, 2), (0, 2, 1, 1))
    assert table.race.totals == (4, 9)


def test_cg_e3_bid_two_on_a_hundred_and_two_makes_three():
    assert scored(2, (102, 18)) == (3, 0)


def test_cg_e4_bid_three_on_sixty_cards_and_the_trump_pair():
    assert scored(3, (60, 60), [["S"], []], "S") == (3, 1)


def test_cg_e5_bid_one_with_fifty_four_against_a_plain_pair():
    assert scored(1, (54, 66), [[], ["H"]], "S") == (1, 2)


def test_cg_e6_bid_six_on_a_hundred_and_sixty_five_fails():
    assert contract_scores(0, 6, (cross_points(165), 0)) == (-6, 0)
    assert scored(6, (105, 15), [["S", "H"], []], "S")[0] == -6


def test_cg_e8_fifteen_fourteen_and_sixteen_seventeen_play_on():
    at = [(0, 1, 6, 0), (0, 1, 6, 0), (1, 1, 0, 6), (1, 1, 0, 6), (0, 1, 3, 2)]
    table = won(*at)
    assert table.race.totals == (15, 14)
    assert not table.race.finished
    table.enter({"bidder": 0, "bid": 1, "cross_points": [1, 3]})
    assert table.race.totals == (16, 17)
    assert not table.race.finished
    table.enter({"bidder": 0, "bid": 3, "cross_points": [2, 0]})
    assert (table.race.totals, table.race.winner) == ((13, 17), 1)


def test_cg_e8_sixteen_fourteen_ends():
    table = won((0, 1, 6, 0), (0, 1, 6, 0), (1, 1, 0, 6), (1, 1, 0, 6), (0, 1, 4, 2))
    assert (table.race.totals, table.race.winner) == ((16, 14), 0)


def test_cg_i1_card_points_sum_to_a_hundred_and_twenty():
    assert refusal({"bidder": 0, "bid": 2, "card_points": [64, 57]}) == "CG.i1"
    assert Table(KEY).refused(c.EnterResult(entry={"bidder": 0, "bid": 2, "card_points": [64, 57]})).rule == "CG.i1"


def test_cg_i3_a_suit_is_announced_once_by_one_player():
    entry = {"bidder": 0, "bid": 2, "card_points": [60, 60], "trumps": "S"}
    assert refusal({**entry, "announcements": [["S"], ["S"]]}) == "CG.i3"
    assert refusal({**entry, "announcements": [["S", "S"], []]}) == "CG.i3"


def test_cg_i3_four_pairs_are_a_hundred_points():
    assert sum(announcement(suit, "H") for suit in "CDHS") == 100


def test_cg_i4_cross_points_before_the_contract_sum_to_two_to_six():
    reachable = set()
    for extra in (0, 20, 40, 60, 80, 100):
        for one in range(120 + extra + 1):
            reachable.add(cross_points(one) + cross_points(120 + extra - one))
    assert reachable == {2, 3, 4, 5, 6}
    for one, other in itertools.product(range(7), repeat=2):
        entry = {"bidder": 0, "bid": 1, "cross_points": [one, other]}
        if 2 <= one + other <= 6:
            assert score_of(KEY, entry).cross_points == (one, other)
        else:
            assert refusal(entry).startswith("CG.")


def test_cg_i4_an_entry_has_either_cross_points_or_card_points():
    both = {"bidder": 0, "bid": 1, "cross_points": [2, 1], "card_points": [80, 40]}
    assert refusal(both)
    assert refusal({"bidder": 0, "bid": 1})
    assert refusal({"void": True, "bid": 1})


def test_cg_i4_announcements_beside_cross_points_are_refused():
    entry = {"bidder": 0, "bid": 1, "cross_points": [2, 1], "announcements": [["S"], ["S"]]}
    assert refusal(entry)


@for_seeds(25)
def test_cg_i2_twelve_tricks_and_all_the_points_in_full_play(seed):
    state = begin(KEY, seed % 2, random_deal(KEY, GAME.options(), seed))
    for each in random_legal(GAME, state, random.Random(seed)):
        state = GAME.evolve(state, each)
    result = GAME.score(state)
    if result.void:
        assert result.scores == (0, 0)
        return
    assert (sum(result.tricks), sum(result.card_points)) == (12, 120)
    assert sum(result.announcements) <= 100
    assert 2 <= sum(result.cross_points) <= 6
