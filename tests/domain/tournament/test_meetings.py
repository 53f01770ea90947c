"""What becomes of a plan of matches: who is in each, who goes on, and who ends where."""

import random

import pytest

from domain.tournament.crosstable_of import table_of
from domain.tournament.fixtures import Fixture, SeedSlot
from domain.tournament.format import StageSoFar
from domain.tournament.formats.double import double
from domain.tournament.formats.round_robin import round_robin
from domain.tournament.formats.single import single
from domain.tournament.meetings import NOBODY, WAITING, Decided, lower, meetings, walkovers
from domain.tournament.places import RankedSeed, of_elimination, of_table

ONE, TWO = Decided(0, "played", (12, 10)), Decided(1, "played", (9, 11))
ABSENT = Decided(None, "absent")


def round_robin_places(entrants, rounds, found, tiebreaks):
    return of_table(table_of(StageSoFar(entrants, found), rounds, fixed=True), tiebreaks)


def statuses(found):
    return {name: each.status for name, each in found.items()}


def berger(entrants, double_cycle=False):
    """A round robin as matches with names."""
    return tuple(
        Fixture(f"R{each.round}.{place}", each.round, (SeedSlot(pair[0]), SeedSlot(pair[1])))
        for each in round_robin(entrants, double_cycle).rounds
        for place, pair in enumerate(each.pairs, start=1)
    )


def played_at_random(fixtures, seed, leave=0.0):
    """Ready matches decided one by one, in any order; now and then somebody leaves. The end, and who is gone."""
    chance, decided, gone = random.Random(seed), {}, set()
    while True:
        decided |= walkovers(fixtures, decided, frozenset(gone))
        found = meetings(fixtures, decided)
        ready = [each for each in found.values() if each.status == "ready"]
        if not ready:
            return found, frozenset(gone)
        if chance.random() < leave:
            gone.add(chance.choice(chance.choice(ready).sides))
            continue
        each = chance.choice(ready)
        decided[each.fixture.id] = chance.choice([ONE, TWO])


def with_gone(fixtures, decided, *gone):
    """The matches after these seeds have left."""
    return meetings(fixtures, decided | walkovers(fixtures, decided, frozenset(gone)))


def test_a_second_withdrawal_takes_no_walkover_back():
    fixtures = single(4).fixtures
    first = walkovers(fixtures, {"W1.2": ONE}, frozenset({4}))
    assert first == {"W1.1": Decided(0, "walkover")}
    played = {"W1.2": ONE, **first, "W2.1": ONE}
    assert walkovers(fixtures, played, frozenset({4, 1})) == {}
    assert of_elimination(4, meetings(fixtures, played))[0] == RankedSeed(1, 1)


def test_a_match_waits_for_those_that_feed_it_and_is_ready_then():
    fixtures = single(4, third_place=True).fixtures
    assert statuses(meetings(fixtures, {})) == {"W1.1": "ready", "W1.2": "ready", "W2.1": "waiting", "C1.1": "waiting"}
    half = meetings(fixtures, {"W1.1": ONE})
    assert half["W2.1"].sides == (1, WAITING)
    assert half["C1.1"].sides == (4, WAITING)
    whole = meetings(fixtures, {"W1.1": ONE, "W1.2": TWO})
    assert (whole["W2.1"].sides, whole["W2.1"].status) == ((1, 3), "ready")
    assert (whole["C1.1"].sides, whole["C1.1"].status) == ((4, 2), "ready")


def test_a_corrected_winner_shows_at_once_in_what_follows():
    fixtures = single(4).fixtures
    for first, expected in ((ONE, 1), (TWO, 4)):
        assert meetings(fixtures, {"W1.1": first, "W1.2": ONE})["W2.1"].sides == (expected, 2)
    assert lower(meetings(fixtures, {}), "W1.1") == ("W2.1",)
    assert lower(meetings(double(4).fixtures, {}), "W1.1") == ("W2.1", "L1.1", "L2.1", "F1.1", "F2.1")


def test_who_has_left_gives_a_walkover_and_a_played_match_stands():
    fixtures = single(4).fixtures
    left = with_gone(fixtures, {"W1.1": ONE}, 4, 2)
    assert left["W1.1"].decided == ONE
    assert left["W1.2"].decided == Decided(1, "walkover")
    assert left["W2.1"].sides == (1, 3)


def test_both_absent_are_both_out_and_the_next_opponent_has_a_walkover():
    found = meetings(single(4).fixtures, {"W1.1": ABSENT, "W1.2": ONE})
    assert found["W2.1"].sides == (NOBODY, 2)
    assert found["W2.1"].decided == Decided(1, "walkover")
    assert of_elimination(4, found) == (RankedSeed(1, 2), RankedSeed(2, 3), RankedSeed(3, 1), RankedSeed(3, 4))


def test_who_leaves_a_double_elimination_leaves_no_hole():
    # Due in both brackets: the next opponent in the losers bracket has a walkover.
    fixtures = double(4).fixtures
    found = with_gone(fixtures, {"W1.1": ONE, "W1.2": ONE}, 1)
    assert found["W2.1"].decided == Decided(1, "walkover")
    later = with_gone(fixtures, {"W1.1": ONE, "W1.2": ONE, "L1.1": ONE}, 1)
    assert later["L2.1"].decided == Decided(1, "walkover")
    assert later["F1.1"].sides == (2, 4)


def test_the_second_final_is_played_only_if_it_is_needed():
    base = {"W1.1": ONE, "W1.2": ONE, "W2.1": ONE, "L1.1": ONE, "L2.1": ONE}
    assert meetings(double(4).fixtures, base)["F2.1"].status == "waiting"
    kept = meetings(double(4).fixtures, base | {"F1.1": ONE})
    assert kept["F2.1"].status == "off"
    assert of_elimination(4, kept)[:2] == (RankedSeed(1, 1), RankedSeed(2, 2))
    again = meetings(double(4).fixtures, base | {"F1.1": TWO})
    assert (again["F2.1"].status, again["F2.1"].sides) == ("ready", (2, 1))
    ended = meetings(double(4).fixtures, base | {"F1.1": TWO, "F2.1": TWO})
    assert of_elimination(4, ended)[:2] == (RankedSeed(1, 1), RankedSeed(2, 2))


def test_the_third_place_match_ranks_the_semi_final_losers():
    found = meetings(single(4, third_place=True).fixtures, {"W1.1": ONE, "W1.2": ONE, "W2.1": TWO, "C1.1": TWO})
    assert of_elimination(4, found) == (RankedSeed(1, 2), RankedSeed(2, 1), RankedSeed(3, 3), RankedSeed(4, 4))
    shared = meetings(single(8).fixtures, dict.fromkeys(("W1.1", "W1.2", "W1.3", "W1.4", "W2.1", "W2.2", "W3.1"), ONE))
    assert [place.rank for place in of_elimination(8, shared)] == [1, 2, 3, 3, 5, 5, 5, 5]


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 8, 11, 16, 23, 33])
@pytest.mark.parametrize("leave", [0.0, 0.15])
def test_every_elimination_places_all_players_with_at_most_one_champion(entrants, leave):
    plans = (single(entrants), single(entrants, third_place=True), double(entrants), double(entrants, reset=False))
    for number, plan in enumerate(plans):
        for seed in range(6):
            found, gone = played_at_random(plan.fixtures, seed, leave)
            assert not [each for each in found.values() if each.status in ("waiting", "ready")]
            places = of_elimination(entrants, found)
            assert sorted(place.seed for place in places) == list(range(1, entrants + 1))
            assert [place.rank for place in places] == sorted(place.rank for place in places)
            lost = dict.fromkeys(range(1, entrants + 1), 0)
            for each in found.values():
                if each.decided is not None and each.decided.how == "played":
                    lost[each.loser] += 1
            assert max(lost.values()) <= (1 if number == 0 else 2)
            if not gone:
                assert [place.rank for place in places].count(1) == 1
                assert lost[places[0].seed] <= (0 if number < 2 else 1)


def test_a_round_robin_is_ranked_by_points_then_direct_encounter():
    fixtures = berger(4)
    decided = {
        each.id: ONE if each.slots[0].seed < each.slots[1].seed else TWO for each in fixtures
    }  # the better seed wins
    places = round_robin_places(4, 3, meetings(fixtures, decided), ("PTS", "DE"))
    assert [(place.rank, place.seed) for place in places] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert places[0].values == (3, 0)
    level = decided | {"R1.1": Decided(None, "played", (10, 10))}
    assert round_robin_places(4, 3, meetings(fixtures, level), ("PTS",))[0].values == (2.5,)


@pytest.mark.parametrize("entrants", [3, 4, 5, 8, 9])
def test_who_leaves_a_round_robin_gives_his_matches_away(entrants):
    found = with_gone(berger(entrants), {}, 2)
    mine = [each for each in found.values() if 2 in each.sides]
    assert len(mine) == entrants - 1
    assert all(each.decided.how == "walkover" and each.loser == 2 for each in mine)
    assert round_robin_places(entrants, entrants - 1 + entrants % 2, found, ("PTS", "DE", "SB"))[-1].seed == 2
