"""Plots: every value lies in the field, where the grid says, and no mark covers another."""

from itertools import pairwise

import pytest

from service.web.plots import APART, HIGH, WIDE, plot, step_of


def test_a_line_goes_through_its_values_from_edge_to_edge():
    drawn = plot([("1020", [1000, 940, 1020])], ["start", "one", "two"])
    assert [tick.text for tick in drawn.rows] == ["940", "960", "980", "1000", "1020"]
    (curve,) = drawn.curves
    assert [y for _, y in curve.dots] == [drawn.rows[3].at, drawn.rows[0].at, drawn.rows[4].at]
    assert (curve.dots[0][0], curve.dots[-1][0]) == (drawn.left, drawn.right)
    assert [tick.text for tick in drawn.columns] == ["start", "two"]


@pytest.mark.parametrize("values", [[5, 5], [0, 0.5], [-3, 1200], [1e6, 1e6 + 1]])
def test_everything_stays_inside(values):
    drawn = plot([("a", values), ("b", values[::-1])], ["one", "two"])
    for curve in drawn.curves:
        for x, y in (*curve.dots, curve.end):
            assert 0 <= x <= WIDE
            assert 0 <= y <= HIGH
    assert 2 <= len(drawn.rows) <= 7


def test_marks_of_lines_that_end_together_stand_apart():
    drawn = plot([(str(n), [0, 7]) for n in range(5)], ["one", "two"])
    ends = sorted(curve.end[1] for curve in drawn.curves)
    assert all(below - above >= APART - 0.2 for above, below in pairwise(ends))


def test_there_is_nothing_to_draw_of_one_value():
    assert plot([("a", [1])], ["one"]) is None
    assert plot([], ["one", "two"]) is None


def test_steps_are_round():
    assert [step_of(0, high) for high in (4, 9, 30, 90, 1000)] == [1, 5, 10, 50, 500]


def test_many_matches_have_no_dots():
    names = [str(n) for n in range(100)]
    assert plot([("a", list(range(100)))], names).curves[0].dots == ()
