"""Records of people: won and lost by game and by opponent, runs and lurches, and the way of a season."""

import random

from domain.standings.ratings import RatedMatch, replay
from domain.standings.season import Finished
from projections.records import CountedMatch, Lurches, people_of, record_view
from projections.results import Account
from projections.season import season_view
from projections.season_record import season_record

NAMES = {"a": "Annie", "b": "Benny", "c": "Cleo", "d": None}


def counted(at, winner, *sides, game="parity", given=(), taken=(), cup=None):
    played = RatedMatch(at, f"m{at}", game, f"2026-11-{at:02}", sides, winner, True, cup)
    return CountedMatch(played, Lurches(given, taken))


def record(player, *matches, game=None):
    return record_view(player, game, matches, NAMES, str.title)


def test_matches_are_counted_by_game_and_by_opponent_with_runs_and_lurches():
    shown = record(
        "a",
        counted(1, 0, ("a",), ("b",), given=(2, 0), taken=(0, 2)),
        counted(2, 1, ("b",), ("a",)),
        counted(3, 0, ("a",), ("c",), game="garbo"),
        counted(4, None, ("a",), ("b",)),
        counted(5, 0, ("b",), ("a",), given=(1, 0), taken=(0, 1)),
        counted(6, 0, ("b",), ("c",)),
    )
    all_ = shown.record
    assert (all_.matches, all_.won, all_.drawn, all_.lost, all_.run) == (5, 3, 1, 1, 3)
    assert (all_.given, all_.taken) == (2, 1)
    assert [(each.title, each.record.matches, each.record.run) for each in shown.games] == [
        ("Parity", 4, 2),
        ("Garbo", 1, 1),
    ]
    assert [(each.name, each.record.matches, each.record.won, each.last) for each in shown.opponents] == [
        ("Benny", 4, 2, "2026-11-05"),
        ("Cleo", 1, 1, "2026-11-03"),
    ]
    assert [(run.kind, run.length, run.first, run.last) for run in shown.runs] == [
        ("won", 3, "2026-11-01", "2026-11-03"),
        ("unbeaten", 4, "2026-11-01", "2026-11-04"),
        ("lost", 1, "2026-11-05", "2026-11-05"),
    ]


def test_one_game_alone_leaves_the_list_of_games_whole():
    matches = [counted(1, 0, ("a",), ("b",)), counted(2, 1, ("a",), ("c",), game="garbo")]
    shown = record("a", *matches, game="garbo")
    assert (shown.record.matches, shown.record.lost) == (1, 1)
    assert [each.name for each in shown.opponents] == ["Cleo"]
    assert [each.game for each in shown.games] == ["garbo", "parity"]


def test_runs_follow_log_order_whatever_the_input_order():
    matches = [counted(at, winner, ("a",), ("b",)) for at, winner in enumerate((0, 0, 1, 0), start=1)]
    assert record("a", *matches[::-1]).record.run == 2


def test_partners_count_against_each_opponent_and_never_against_oneself():
    shown = record("a", counted(1, 0, ("a", "b"), ("c", "d")), counted(2, 0, ("a",), ("a",)))
    assert shown.record.matches == 1
    assert [(each.name, each.record.won) for each in shown.opponents] == [("Cleo", 1), (None, 1)]


def test_a_record_counts_what_ratings_count():
    chance = random.Random(7)
    matches = []
    for at in range(1, 60):
        one, other = chance.sample("abcd", 2)
        matches.append(counted(at, chance.choice((0, 1, None)), (one,), (other,)))
    careers = replay([each.played for each in matches], "players")
    for player in "abcd":
        mine, career = record(player, *matches).record, careers[player,]
        assert (mine.won, mine.drawn, mine.lost) == tuple(map(career.count, ("won", "drawn", "lost")))


def test_season_lines_end_at_the_points_of_the_season():
    def cup(name, date, *places):
        event = Finished(name, name, date, tuple((rank, (who,)) for rank, who in enumerate(places, start=1)))
        return Account(event, "2026", 9, (), ())

    accounts = [cup("late", "2026-10-08", "b", "a"), cup("first", "2026-09-01", "a", "b", "c")]
    matches = [counted(1, 0, ("a",), ("b",), cup="first"), counted(2, 0, ("c",), ("a",), cup="other")]
    for best in (None, 1):
        shown = season_view("2026", accounts, (25, 18, 15), best, NAMES)
        told = season_record(shown, accounts, matches, NAMES)
        assert [stop.tournament for stop in told.stops] == ["first", "late"]
        assert {line.player: line.points[-1] for line in told.lines} == {row.player: row.points for row in shown.rows}
    assert {line.player: line.points for line in told.lines} == {"a": (25, 25), "b": (0, 25), "c": (15, 15)}
    assert [(each.name, each.record.won) for each in told.people] == [("Annie", 1), ("Benny", 0)]
    assert people_of([], NAMES) == ()
