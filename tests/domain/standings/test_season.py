"""Season points: places become points, shared places share them, the best results count; the ladder goes on."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.standings.club_ladder import carried, club_ladder, holder, starting_order
from domain.standings.season import CONVENTION, Finished, points_for, season_standings


def event(number, *places):
    return Finished(f"t{number}", f"Evening {number}", None, tuple((rank, tuple(who)) for rank, who in places))


@pytest.mark.parametrize(
    ("rank", "shared", "points"),
    [
        (1, 1, 25),
        (2, 2, Fraction(33, 2)),
        (3, 3, Fraction(37, 3)),
        (10, 2, Fraction(1, 2)),
        (11, 1, 0),
        (1, 12, Fraction(101, 12)),
    ],
)
def test_tied_players_share_the_points_of_their_places(rank, shared, points):
    assert points_for(rank, shared, CONVENTION) == points


def test_partners_get_the_points_of_their_place_each():
    rows = season_standings([event(1, (1, "ab"), (2, "cd"))])
    assert [(row.rank, row.player, row.total) for row in rows] == [
        (1, "a", 25),
        (1, "b", 25),
        (3, "c", 18),
        (3, "d", 18),
    ]


def test_who_never_came_takes_up_a_place_and_gets_nothing():
    (row, *others) = season_standings([event(1, (1, "a"), (2, ""), (2, "b"))])
    assert (row.player, row.total) == ("a", 25)
    assert [(each.player, each.total) for each in others] == [("b", Fraction(33, 2))]


def test_the_best_results_count_and_the_others_are_shown():
    events = [event(1, (1, "a"), (2, "b")), event(2, (2, "a"), (1, "b")), event(3, (1, "a"))]
    rows = season_standings(events, best=2)
    assert [(row.player, row.total) for row in rows] == [("a", 50), ("b", 43)]
    assert [(each.tournament, each.counts) for each in rows[0].scored] == [("t1", True), ("t2", False), ("t3", True)]


def test_of_equal_results_the_earlier_counts():
    (row,) = season_standings([event(number, (1, "a")) for number in (1, 2, 3)], best=1)
    assert [each.counts for each in row.scored] == [True, False, False]


def test_a_club_may_have_a_table_of_its_own():
    assert [row.total for row in season_standings([event(1, (1, "a"), (2, "b"), (3, "c"))], (3, 1))] == [3, 1, 0]


FIELDS = st.lists(
    st.permutations("abcdefgh").flatmap(lambda line: st.integers(0, 8).map(lambda n: line[:n])), max_size=6
)


@given(FIELDS, st.lists(st.integers(0, 2**8 - 1), min_size=6, max_size=6), st.integers(1, 6))
def test_sharing_preserves_points_and_more_results_never_count_less(fields, ties, best):
    events = []
    for number, line in enumerate(fields):
        places, rank = [], 1
        for at, who in enumerate(line):
            rank = rank if at and ties[number] >> at & 1 else at + 1
            places.append((rank, who))
        events.append(event(number, *places))
    rows = season_standings(events)
    assert sum(row.total for row in rows) == sum(sum(CONVENTION[: len(line)]) for line in fields)
    fewer = {row.player: row.total for row in season_standings(events, best=best)}
    more = {row.player: row.total for row in season_standings(events, best=best + 1)}
    assert all(fewer[who] <= more[who] for who in fewer)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)


def line(text):
    return tuple((name,) for name in text)


def text(ladder):
    return "".join("".join(each) for each in ladder)


@pytest.mark.parametrize(
    ("before", "final", "after"),
    [
        ("", "cab", "cab"),
        ("abc", "cab", "cab"),
        ("abcde", "fdb", "afcdeb"),  # b and d held places 2 and 4, f comes in at the bottom
        ("abc", "", "abc"),
        ("abc", "xy", "abcxy"),
    ],
)
def test_absent_players_keep_their_place_when_participants_share_theirs(before, final, after):
    assert text(carried(line(before), line(final))) == after


def test_the_next_ladder_begins_as_the_last_one_ended_and_newcomers_behind():
    ladder = club_ladder([line("abcd"), line("dbac")])
    entries = [("e1", ("new",)), ("e2", ("a",)), ("e3", ("d",)), ("e4", ("newer",))]
    assert starting_order(ladder, entries) == ("e3", "e2", "e1", "e4")


def test_partners_stand_on_the_ladder_together_whoever_is_named_first():
    assert holder(("b", "a")) == holder(("a", "b")) == ("a", "b")


@given(st.permutations("abcdefgh"), st.permutations("efghijkl"), st.integers(0, 8))
def test_a_ladder_loses_nobody_and_keeps_the_order_of_the_last_event(before, final, many):
    ladder, last = line(before), line(final[:many])
    after = carried(ladder, last)
    assert sorted(after) == sorted({*ladder, *last})
    assert tuple(each for each in after if each in last) == last
    for place, each in enumerate(ladder):
        assert each in last or after[place] == each
