"""Individual movements, recounted here: partners once, opponents level, sitting out shared, in time."""

from collections import Counter
from itertools import combinations

import pytest

from domain.log.decider import Refusal
from domain.pairing.movements.individual import full_length, individual
from domain.pairing.movements.orbits import circles_of, moved_on, symmetry
from domain.pairing.movements.search import attempt, cut_evening, lowest_squares, patterned_evening
from domain.pairing.movements.seeds import SEEDS
from domain.pairing.movements.whist import SEEDS as TRIES
from domain.pairing.movements.whist import STARTERS, starter_tried, whist
from tests.kit.games.strategies import naming

NO_WHIST = [6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 31]
# figures to beat, found by others: players, rounds, pairs that are partners 0, 1, 2 … times, opponents so often
FIGURES = [
    (14, 14, [8, 82, 1], [0, 21, 63, 7]),
    (15, 15, [15, 90], [3, 30, 66, 6]),
    (18, 18, [15, 132, 6], None),
    (19, 19, [20, 150, 1], None),
    (16, 8, [56, 64], [6, 100, 14]),
    (20, 6, [130, 60], [71, 118, 1]),
]


def extended(*values):
    """Run a test with these values in the second tier."""
    return [pytest.param(value, marks=pytest.mark.extended) for value in values]


def recount(found):
    """Partners, opponents and sitting out, by pair and player; every round must seat everybody exactly once."""
    everybody = range(1, found.players + 1)
    partners = dict.fromkeys(map(frozenset, combinations(everybody, 2)), 0)
    opponents = dict(partners)
    out = dict.fromkeys(everybody, 0)
    for number, each in enumerate(found.rounds, start=1):
        assert each.round == number
        assert sorted([*(seat for (a, b) in each.tables for seat in a + b), *each.out]) == list(everybody)
        assert len(each.out) == found.players % 4
        for (a, b), (c, d) in each.tables:
            for pair in ({a, b}, {c, d}):
                partners[frozenset(pair)] += 1
            for pair in ({a, c}, {a, d}, {b, c}, {b, d}):
                opponents[frozenset(pair)] += 1
        for player in each.out:
            out[player] += 1
    return partners, opponents, out


def told(counts):
    return dict(sorted(Counter(counts.values()).items()))


def squares(counts):
    return sum(each * each for each in counts.values())


def check(found, rounds):
    """What holds for every movement; how far from level the opponents are."""
    partners, opponents, out = recount(found)
    assert len(found.rounds) == rounds
    assert (found.balance.partners, found.balance.opponents) == (told(partners), told(opponents))
    assert found.balance.out == told(out)
    assert max(out.values()) - min(out.values()) <= 1
    assert found.perfect == (set(partners.values()) == {1} and set(opponents.values()) == {2})
    if rounds <= full_length(found.players):
        assert max(partners.values()) == 1
    return squares(opponents) - lowest_squares(found.players, rounds)[1]


@pytest.mark.parametrize("players", [*sorted({*STARTERS, 9}), 37, 41, 53, 97])
def test_whist_tournaments_are_perfect(players):
    found = individual(players)
    assert check(found, full_length(players)) == 0
    assert found.perfect
    assert len(found.rounds) == (players if players % 4 else players - 1)


def test_every_size_up_to_37_that_can_be_perfect_is():
    assert all(whist(players) for players in range(4, 38) if players % 4 < 2)


def test_five_players_as_the_documents_show_them():
    found = individual(5)
    assert [(each.tables, each.out) for each in found.rounds] == [
        ((((1, 4), (3, 2)),), (5,)),
        ((((2, 5), (4, 3)),), (1,)),
        ((((3, 1), (5, 4)),), (2,)),
        ((((4, 2), (1, 5)),), (3,)),
        ((((5, 3), (2, 1)),), (4,)),
    ]
    assert (found.balance.partners, found.balance.opponents, found.balance.out) == ({1: 10}, {2: 10}, {1: 5})


@pytest.mark.parametrize("players", TRIES)
def test_the_table_can_be_found_again(players):
    assert starter_tried(players, TRIES[players]) == STARTERS[players]


def test_a_try_that_runs_out_of_nodes_is_empty():
    assert starter_tried(32, 1, nodes=10) == ""


@pytest.mark.parametrize(("players", "rounds", "partners", "opponents"), FIGURES)
def test_the_figures_are_reached_or_beaten(players, rounds, partners, opponents):
    found = individual(players, rounds)
    more = check(found, rounds)
    assert found.balance.partners.get(1, 0) >= partners[1]
    if opponents:
        theirs = sum(count * times * times for times, count in enumerate(opponents))
        assert more <= theirs - lowest_squares(players, rounds)[1]


@pytest.mark.parametrize("players", NO_WHIST)
def test_full_evenings_without_whist_tournaments_are_optimally_level(players):
    assert check(individual(players), players) == 0


@pytest.mark.parametrize("sizes", [range(51), *extended(range(51, 101))], ids=["up_to_50", "over_50"])
def test_every_entry_of_the_table_of_seeds_is_nearly_level(sizes):
    for players, rounds in [each for each in SEEDS if each[0] in sizes]:
        assert check(individual(players, rounds), rounds) <= (28 if players < 40 else 2 * players)


def test_a_usual_evening_is_level():
    for players in range(8, 33):
        for rounds in (3, 5, 6):
            assert check(individual(players, rounds), rounds) <= 6


EVENINGS = [(n, r) for n in range(4, 33) for r in (1, 2, 5, 7, 8) if r <= full_length(n) and (n + r) % 3 == 0]


@pytest.mark.parametrize(
    "evenings", [EVENINGS, [(20, 17), (23, 21), (34, 33), (50, 12), (100, 7)], *extended([(75, 74), (98, 49)])]
)
def test_shorter_evenings_are_nearly_level(evenings):
    for players, rounds in evenings:
        with naming((players, rounds)):
            assert check(individual(players, rounds), rounds) <= players * (2 if rounds < 13 else 15)


@pytest.mark.parametrize(("players", "rounds"), [(6, 7), (7, 9), (10, 11), (11, 13), (18, 19), (19, 20)])
def test_partners_stay_new_beyond_a_full_evening_while_there_are_any(players, rounds):
    found = individual(players, rounds)
    check(found, rounds)
    assert max(found.balance.partners) == 1


def test_more_rounds_than_a_whist_tournament_begin_again():
    found = individual(8, 10)
    check(found, 10)
    assert found.balance.partners == {1: 16, 2: 12}
    assert not found.perfect
    assert individual(8, 14).balance.partners == {2: 28}


def test_the_same_question_has_the_same_answer():
    assert individual(17, 9) == individual(17, 9)


@pytest.mark.parametrize("players", [30, 35, 40, 44, *extended(62, 90, 98, 100)])
def test_large_fields_have_no_partner_twice_either(players):
    check(individual(players), full_length(players))


def test_numbers_move_on_in_their_circles():
    assert circles_of(20, 6) == (6, 6, 6, 2)
    assert moved_on((3, 2), 2) == [2, 0, 1, 3, 4]
    form = symmetry(4, (4, 2))
    assert form.weights[form.classes[0][2]] == 2  # two pairs at half a circle, met four times in four turns
    assert form.weights[form.classes[0][1]] == form.weights[form.classes[0][4]] == 1
    assert form.weights[form.classes[4][5]] == 4
    assert form.classes[0][1] == form.classes[1][2] == form.classes[3][0]


@pytest.mark.parametrize("players", [6, 7, 8, 9, 10, 43, 59, *extended(70, 75, 76, 77, 98)])
def test_a_pattern_and_its_cut_repeat_no_partner(players):
    full = patterned_evening(players)
    part = cut_evening(players, full.seatings, full_length(players) - 2)
    assert (full.score[0], part.score[0]) == (0, 0)


def test_rounds_that_cannot_share_sitting_out_are_no_cut():
    assert cut_evening(6, patterned_evening(6).seatings, 3) is None


def test_a_symmetry_that_cannot_share_sitting_out_is_no_attempt():
    assert attempt(7, 3, 3, 1) is None


@pytest.mark.parametrize(
    ("players", "rounds", "said"),
    [(3, None, "four seats"), (101, None, "sections"), (8, 0, "1 to 28"), (8, 29, "1 to 28")],
)
def test_what_cannot_be_seated_is_refused_with_what_to_do(players, rounds, said):
    with pytest.raises(Refusal, match=said):
        individual(players, rounds)
