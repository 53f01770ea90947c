"""Eliminations: line-up, byes, how often everybody loses, and that who has met meets again as late as can be."""

import random
from itertools import pairwise

import pytest

from domain.log.decider import Refusal
from domain.tournament.fixtures import LoserOf, SeedSlot, WinnerOf, WonBy, printed, seed_order
from domain.tournament.formats.double import double, moved
from domain.tournament.formats.single import single

EARLIEST = {4: 2, 8: 3, 16: 4, 32: 5, 64: 7, 128: 8, 256: 9, 512: 11}
SPREAD = (*range(2, 70), *range(70, 600, 23), 127, 128, 129, 255, 256, 257, 511, 512, 513, 600)


def listed(bracket):
    return {each.id: tuple(map(printed, each.slots)) for each in bracket.fixtures}


def play(bracket, stronger):
    """The results: who won each match that was played, who lost it, in order. Raises when a side is not there."""
    winners, losers, played = {}, {}, []
    sides = ()
    for each in bracket.fixtures:
        if each.only_if == WonBy("F1.1", 1) and winners["F1.1"] == sides[0]:
            continue
        sides = tuple(seated(slot, winners, losers) for slot in each.slots)
        assert len(set(sides)) == 2, each.id
        won = stronger(*sides)
        winners[each.id], losers[each.id] = won, sum(sides) - won
        played.append((each, won, sum(sides) - won))
    return played


def seated(slot, winners, losers):
    if isinstance(slot, SeedSlot):
        return slot.seed
    return (winners if isinstance(slot, WinnerOf) else losers)[slot.fixture]


def test_the_line_up_of_each_size():
    assert seed_order(4) == (1, 4, 2, 3)
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert seed_order(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


def test_four_and_three_in_a_double_elimination():
    assert listed(double(4)) == {
        "W1.1": ("S1", "S4"),
        "W1.2": ("S2", "S3"),
        "W2.1": ("winner W1.1", "winner W1.2"),
        "L1.1": ("loser W1.1", "loser W1.2"),
        "L2.1": ("loser W2.1", "winner L1.1"),
        "F1.1": ("winner W2.1", "winner L2.1"),
        "F2.1": ("winner F1.1", "loser F1.1"),
    }
    assert double(4).fixtures[-1].only_if == WonBy("F1.1", 1)
    three = listed(double(3))
    assert "W1.1" not in three
    assert three["W2.1"] == ("S1", "winner W1.2")
    assert listed(double(2)) == {
        "W1.1": ("S1", "S2"),
        "F1.1": ("winner W1.1", "loser W1.1"),
        "F2.1": ("winner F1.1", "loser F1.1"),
    }


def test_third_place_is_for_the_losers_of_the_semi_finals():
    assert listed(single(8, third_place=True))["C1.1"] == ("loser W2.1", "loser W2.2")
    assert listed(single(5, third_place=True))["C1.1"] == ("loser W2.1", "loser W2.2")
    for none in (2, 3):
        assert single(none, third_place=True).fixtures == single(none).fixtures


def test_every_field_has_its_matches_and_no_bye_among_them():
    for entrants in range(2, 601):
        one, two = single(entrants), double(entrants)
        assert len(one.fixtures) == entrants - 1
        assert len(single(entrants, third_place=True).fixtures) == entrants - 1 + (entrants > 3)
        assert len(two.fixtures) == 2 * entrants - 1
        assert len(double(entrants, reset=False).fixtures) == 2 * entrants - 2
        assert one.fixtures == tuple(each for each in two.fixtures if each.part == "winners")
        assert one.fixtures[-1].id == f"W{(one.size - 1).bit_length()}.1"
        slots = [slot for each in two.fixtures for slot in each.slots]
        assert len(set(slots)) == len(slots)
        assert sorted(slot.seed for slot in slots if isinstance(slot, SeedSlot)) == list(range(1, entrants + 1))
        names = [each.id for each in two.fixtures]
        assert len(set(names)) == len(names)
        first = {slot.seed for each in two.fixtures if each.id.startswith("W1.") for slot in each.slots}
        assert first == set(range(two.size - entrants + 1, entrants + 1))  # the best have the byes
        done = set()
        for each in two.fixtures:
            assert {slot.fixture for slot in each.slots if not isinstance(slot, SeedSlot)} <= done
            done.add(each.id)


@pytest.mark.parametrize("size", [2, 4, 8, 32, 256])
def test_favourites_add_up(size):
    bracket = single(size)
    rounds = (size - 1).bit_length()
    for each, won, lost in play(bracket, min):
        assert won + lost == 2 ** (rounds - each.round + 1) + 1


def test_there_is_one_champion_whatever_the_results():
    chance = random.Random(1)
    for entrants in SPREAD:
        for draw, most in ((single(entrants), 1), (double(entrants), 2)):
            played = play(draw, lambda *sides: chance.choice(sides))
            lost = [loser for _, _, loser in played]
            counts = sorted(lost.count(seed) for seed in range(1, entrants + 1))
            champion = played[-1][1]
            assert lost.count(champion) < most
            assert counts[1:] == [most] * (entrants - 1)


def test_the_second_final_follows_only_a_losers_bracket_win():
    never = play(double(8), min)
    assert never[-1][0].id == "F1.1"
    upset = play(double(8), lambda one, other: max(one, other) if {one, other} == {1, 2} else min(one, other))
    assert (upset[-1][0].id, len(upset)) == ("F1.1", 14)
    after_reset = play(double(2), max)
    assert [each.id for each, _, _ in after_reset] == ["W1.1", "F1.1"]
    results = iter([1, 2, 1])
    assert [each.id for each, _, _ in play(double(2), lambda *_: next(results))] == ["W1.1", "F1.1", "F2.1"]


def earliest_rematch(bracket):
    """The first L round in which two who may have met can be drawn together, from the matches alone: two have met if
    they dropped out of matches one of which is on the other's way through the winners bracket."""
    onward = {slot.fixture: each.id for each in bracket.fixtures for slot in each.slots if isinstance(slot, WinnerOf)}
    drops = {slot.fixture: each.id for each in bracket.fixtures for slot in each.slots if isinstance(slot, LoserOf)}
    number = {each.id: each.round for each in bracket.fixtures}

    def way(name, letter):
        found = [name]
        while found[-1] in onward and onward[found[-1]][0] == letter:
            found.append(onward[found[-1]])
        return found

    found = []
    for name in [each.id for each in bracket.fixtures if each.part == "winners"]:
        for above in way(name, "W")[1:]:
            if drops[name][0] == drops[above][0] == "L":
                meet = set(way(drops[name], "L")) & set(way(drops[above], "L"))
                found.append(min(number[each] for each in meet))
    return min(found, default=None)


@pytest.mark.parametrize("size", EARLIEST)
def test_who_has_met_meets_again_as_late_as_possible(size):
    assert earliest_rematch(double(size)) == EARLIEST[size]
    for entrants in {size // 2 + 1, size * 5 // 8, size * 3 // 4, size * 7 // 8, size - 1} - {size // 2}:
        assert (earliest_rematch(double(entrants)) or size) >= EARLIEST[size]


def test_no_played_tournament_has_an_earlier_rematch():
    chance = random.Random(2)
    for entrants in (*range(5, 65), 96, 100, 127, 128, 300, 512):
        bracket = double(entrants)
        met = set()
        for each, won, lost in play(bracket, lambda *sides: chance.choice(sides)):
            pair = frozenset((won, lost))
            assert each.id[0] == "F" or pair not in met or each.round >= EARLIEST[bracket.size]
            met.add(pair)


def test_losers_are_moved_by_whole_blocks():
    line = [SeedSlot(seed) for seed in range(8)]
    assert [[slot.seed for slot in moved(line, step)] for step in (1, 2, 3)] == [
        [4, 5, 6, 7, 0, 1, 2, 3],
        [2, 3, 0, 1, 6, 7, 4, 5],
        [6, 7, 4, 5, 2, 3, 0, 1],
    ]
    assert all(one != other for one, other in pairwise(moved(line, 5)))


@pytest.mark.parametrize(("entrants", "said"), [(1, "declare the winner"), (0, "at least two"), (4097, "at most 4096")])
def test_a_field_without_a_match_is_refused_with_what_to_do(entrants, said):
    for draw in (single, double):
        with pytest.raises(Refusal, match=said):
            draw(entrants)
