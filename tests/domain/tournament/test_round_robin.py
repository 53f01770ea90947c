"""Berger tables: the table of the rule book, everybody once (twice), sides even."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from domain.log.decider import Refusal
from domain.tournament.formats.round_robin import round_robin

SIX = "1-6 2-5 3-4 · 6-4 5-3 1-2 · 2-6 3-1 4-5 · 6-5 1-4 2-3 · 3-6 4-2 5-1"


def test_the_table_of_six():
    rounds = round_robin(6).rounds
    assert " · ".join(" ".join(f"{one}-{other}" for one, other in each.pairs) for each in rounds) == SIX
    assert [each.round for each in rounds] == [1, 2, 3, 4, 5]


def test_an_odd_field_is_the_next_even_one_without_its_last():
    assert [(each.pairs, each.bye) for each in round_robin(3).rounds] == [
        (((2, 3),), 1),
        (((1, 2),), 3),
        (((3, 1),), 2),
    ]


def test_a_double_round_robin_swaps_the_first_cycles_last_rounds():
    rounds = [each.pairs for each in round_robin(6, double=True).rounds]
    once = [each.pairs for each in round_robin(6).rounds]
    assert rounds[:5] == [*once[:3], once[4], once[3]]
    assert rounds[5:] == [tuple((other, one) for one, other in each) for each in once]


@pytest.mark.parametrize("double", [False, True])
def test_everybody_meets_everybody_and_sides_are_even(double):
    for entrants in (*range(2, 42), 63, 64, 101):
        rounds = round_robin(entrants, double).rounds
        assert len(rounds) == (1 + double) * (entrants - 1 + entrants % 2)
        sides = dict.fromkeys(range(1, entrants + 1), "")
        for each in rounds:
            assert sorted([*sum(each.pairs, ()), *([each.bye] if each.bye else [])]) == list(sides)
            for first, second in each.pairs:
                sides[first] += "f"
                sides[second] += "s"
        met = Counter(pair for each in rounds for pair in each.pairs)
        if double:
            assert met == Counter(permutations(sides, 2))
        else:
            assert Counter(tuple(sorted(pair)) for pair in met) == Counter(combinations(sides, 2))
        assert all(abs(each.count("f") - each.count("s")) <= (0 if double else 1) for each in sides.values())
        assert not any(three in each for each in sides.values() for three in ("fff", "sss"))


@pytest.mark.parametrize(("entrants", "said"), [(1, "declare the winner"), (513, "a Swiss")])
def test_a_field_that_does_not_fit_is_refused_with_what_to_do(entrants, said):
    with pytest.raises(Refusal, match=said):
        round_robin(entrants)
