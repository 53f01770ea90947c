"""When a copy is due by night, and which ones go."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.copies.nightly import APART, NEWEST, is_due, to_delete

HOME = ZoneInfo("Europe/Bucharest")


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=HOME)


@pytest.mark.parametrize(
    ("now", "last", "due"),
    [
        ("2026-11-23T03:59", "2026-11-22T04:00", False),
        ("2026-11-23T04:00", "2026-11-22T04:00", True),
        ("2026-11-23T04:01", "2026-11-23T04:00", False),
        ("2026-11-23T20:00", "2026-11-23T04:00", False),
        ("2026-11-23T20:00", "2026-11-22T17:00", True),  # the machine was off at four
        ("2026-11-23T02:00", "2026-11-21T23:00", True),  # older than 26 hours
    ],
)
def test_a_copy_is_due_at_four_or_where_the_last_is_old(now, last, due):
    assert is_due(at(now), at(last)) is due


def test_the_first_copy_is_due_at_once():
    assert is_due(at("2026-11-23T12:00"), None)


def nights(count, last="2026-11-23T04:00"):
    return [at(last) - timedelta(days=each) for each in range(count)]


def test_a_year_of_nights_leaves_seven_days_and_four_weeks():
    made = []
    for night in reversed(nights(365)):
        made.append(night)
        made = [each for each in made if each not in to_delete(made, night)]
    assert sorted(made, reverse=True)[:7] == nights(7)
    assert 7 + 2 <= len(made) <= 7 + 4, "the newest week, or two, are among the days"
    assert max(made) - min(made) >= timedelta(days=15)


def test_the_newest_three_stay_though_they_are_of_one_day():
    hours = [at("2026-11-23T20:00") - timedelta(hours=each) for each in range(6)]
    assert to_delete(hours, hours[0]) == hours[NEWEST:]


@pytest.mark.parametrize("years", [-20, 20])
def test_a_clock_that_jumps_deletes_nothing(years):
    made, jumped = nights(40), at("2026-11-23T05:00").replace(year=2026 + years)
    assert to_delete(made, jumped) == []
    assert to_delete([*made, jumped], jumped) == []
    assert to_delete([*made, at("2036-01-01T04:00")], at("2026-11-24T04:00")) == []


@given(st.lists(st.integers(0, 400), unique=True, max_size=60))
def test_what_is_kept_is_never_less_than_it_should_be(days):
    now = datetime(2026, 11, 23, 4, tzinfo=UTC)
    made = [now - timedelta(days=each) for each in days]
    gone = set(to_delete(made, now))
    left = sorted((each for each in made if each not in gone), reverse=True)
    assert left[:7] == sorted(made, reverse=True)[:7]
    assert not gone or all(each - other <= APART for each, other in zip([now, *left], left, strict=False))
