"""What holds of standings whatever the tournament: the order of rows, ranks, and workings that add up."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.standings import tiebreaks
from domain.standings.tiebreaks.terms import total
from tests.kit.tournament.tournaments import robin, swiss

SEEDS = st.integers(0, 10_000)
ALL = tuple(tiebreaks.TIEBREAKS.values())


def made(seed):
    return robin(seed) if seed % 3 == 0 else swiss(seed)


@settings(max_examples=60)
@given(SEEDS, st.permutations(ALL))
def test_standings_do_not_depend_on_the_order_of_rows(seed, order):
    table = made(seed)
    rows = list(table.rows)
    random.Random(seed).shuffle(rows)
    found = tiebreaks.standings(table, order)
    assert tiebreaks.standings(msgspec.structs.replace(table, rows=tuple(rows)), order) == found


@settings(max_examples=60)
@given(SEEDS, st.lists(st.sampled_from(ALL), min_size=1, max_size=4))
def test_ranks_are_shared_by_equals_alone_and_skip_as_many(seed, order):
    rows = tiebreaks.standings(made(seed), order).rows
    for place, row in enumerate(rows):
        assert row.rank == 1 + sum(other.rank < row.rank for other in rows)
        assert row.rank <= place + 1
    for one in rows:
        for other in rows:
            assert (one.rank == other.rank) == (one.values == other.values)


@settings(max_examples=60)
@given(SEEDS)
def test_the_working_of_every_tie_break_adds_up_to_its_value(seed):
    table = made(seed)
    found = tiebreaks.standings(table, ALL)
    for row in found.rows[::3]:
        terms = tiebreaks.working(table, ALL, row.number)
        assert tuple(map(total, terms)) == row.values
        assert all(term.words for each in terms for term in each)


@settings(max_examples=40)
@given(SEEDS)
def test_direct_encounter_ranges_from_0_to_the_number_of_others(seed):
    table = made(seed)
    rows = tiebreaks.standings(table, tiebreaks.tiebreaks_named(["PTS", "DE"])).rows
    for score in {row.values[0] for row in rows}:
        placed = sorted(row.values[1] for row in rows if row.values[0] == score)
        assert placed[0] == 0
        assert all(value == sum(other < value for other in placed) for value in placed)


def test_the_working_says_where_each_term_comes_from():
    table = swiss(7, players=6, rounds=4)
    words = [
        term.words
        for each in tiebreaks.working(table, tiebreaks.tiebreaks_named(["PTS", "BH/C1", "SB"]), 1)
        for term in each
    ]
    assert any("Player" in each for each in words)


@pytest.mark.parametrize("fixed", [True, False])
def test_nobody_and_nothing_played_have_standings_too(fixed):
    table = swiss(1, players=3, rounds=1)
    nobody = msgspec.structs.replace(table, rows=())
    assert tiebreaks.standings(nobody, ALL, fixed).rows == ()
    idle = tuple(msgspec.structs.replace(row, cells=()) for row in table.rows)
    found = tiebreaks.standings(msgspec.structs.replace(table, rows=idle), ALL, fixed)
    assert [(row.rank, set(row.values)) for row in found.rows] == [(1, {0})] * 3
