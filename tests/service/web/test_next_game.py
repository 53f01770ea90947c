"""The own games above a club's evening: tonight's, what was opened last first, each with what to do there."""

from datetime import UTC, datetime

from service.desk.clubs import NamedRow, NamedSide
from service.web.evenings import evening_of

NOW = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


def row(number, opened="2026-11-22T19:00:00Z", status="open", player="annie", confirmed=(), deals=0):
    """A match between somebody and Benny."""
    sides = tuple(NamedSide(names=(each,), players=(each,)) for each in (player, "benny"))
    return NamedRow(
        id=f"match {number}",
        version=1,
        game="parity",
        sides=sides,
        target=100,
        win_by=1,
        totals=(0, 0),
        status=status,
        winner=None,
        deals=deals,
        opened_at=opened,
        changed_at=opened,
        tournament=None,
        confirmed=confirmed,
        games=(),
        agreed=False,
    )


def own(*rows):
    found = evening_of(rows, (), "Europe/Helsinki", NOW, "annie")
    return [(each.row.id, each.todo) for each in found.own], found


def test_the_newest_of_tonight_comes_first_and_at_most_three_are_shown():
    rows = [row(at, opened=f"2026-11-22T1{at}:00:00Z", deals=at % 2) for at in range(5)]
    shown, evening = own(*rows)
    assert shown == [("match 4", "Begin"), ("match 3", "Go on"), ("match 2", "Begin")]
    assert [each.id for each in evening.matches] == ["match 0", "match 1"]


def test_an_open_match_of_another_evening_is_no_next_game():
    shown, evening = own(row(1, opened="2026-11-01T19:00:00Z"), row(2))
    assert shown == [("match 2", "Begin")]
    assert [each.id for each in evening.earlier] == ["match 1"]


def test_a_finished_match_waits_for_the_own_confirmation_and_for_nobody_elses():
    rows = [row(1, status="finished"), row(2, status="finished", confirmed=(0,)), row(3, status="void")]
    shown, _ = own(*rows, row(4, player="carla"))
    assert shown == [("match 1", "Confirm the result")]
