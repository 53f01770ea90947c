"""Ratings are what a replay of all results gives: of players and of partnerships, whatever was corrected on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.standings.ratings import FORMULA, NEWCOMER, RatedMatch, Rating, replay, teams
from projections.kept_ratings import RatingStanding
from projections.ratings import rating_rows


def played(at, winner, *sides, fixed=True):
    return RatedMatch(at, f"m{at}", "parity", "2026-11-21T19:00:00.000000Z", tuple(map(tuple, sides)), winner, fixed)


def ratings(results, kind="players"):
    return {who: career.rating for who, career in replay(results, kind).items()}


NAMES = "abcdef"
SINGLES = st.permutations(NAMES).map(lambda line: (line[:1], line[1:2]))
DOUBLES = st.permutations(NAMES).map(lambda line: (line[:2], line[2:4]))
WINNERS = st.sampled_from([0, 1, None])
LOGS = st.lists(st.tuples(WINNERS, SINGLES | DOUBLES, st.booleans()), max_size=12).map(
    lambda rows: [played(at, winner, *sides, fixed=fixed) for at, (winner, sides, fixed) in enumerate(rows, start=1)]
)


def test_who_never_played_has_no_rating_and_begins_at_1000():
    assert replay([], "players") == {}
    assert NEWCOMER.shown == 1000
    assert NEWCOMER.cautious == pytest.approx(0)


def test_the_formula_is_the_one_that_is_told():
    assert FORMULA.startswith("1000 + 40 × (mu − 3 × sigma)")
    assert Rating(30.0, 5.0).shown == 1600


def test_the_winner_rises_above_the_loser_and_both_become_surer():
    found = ratings([played(1, 0, "a", "b")])
    assert found[("a",)].mu > NEWCOMER.mu > found[("b",)].mu
    assert found[("a",)].sigma == found[("b",)].sigma < NEWCOMER.sigma


def test_a_draw_of_newcomers_moves_nobody_and_counts_as_a_draw():
    careers = replay([played(1, None, "a", "b")], "players")
    assert [career.rating.mu for career in careers.values()] == pytest.approx([NEWCOMER.mu] * 2)
    assert [career.count("drawn") for career in careers.values()] == [1, 1]


def test_a_draw_brings_the_stronger_down_and_the_weaker_up():
    before = [played(at, 0, "a", "b") for at in range(1, 6)]
    one, other = ratings(before), ratings([*before, played(9, None, "a", "b")])
    assert other[("a",)].mu < one[("a",)].mu
    assert other[("b",)].mu > one[("b",)].mu


def test_partners_are_rated_as_two_players_and_as_one_pair():
    result = played(1, 0, "ab", "cd")
    assert set(ratings([result])) == {("a",), ("b",), ("c",), ("d",)}
    pairs = ratings([result, played(2, 1, "dc", "ba")], "partners")
    assert set(pairs) == {("a", "b"), ("c", "d")}, "the same pair whoever sits where"
    assert pairs[("a", "b")].mu > pairs[("c", "d")].mu


def test_partners_of_one_round_are_no_partnership_and_yet_rated_as_players():
    result = played(1, 0, "ab", "cd", fixed=False)
    assert ratings([result], "partners") == {}
    assert ratings([result])[("a",)].mu > NEWCOMER.mu


def test_single_players_have_no_partnership():
    assert teams(played(1, 0, "a", "b"), "partners") == ()


def test_a_side_without_anybody_or_somebody_on_both_sides_says_nothing():
    assert ratings([played(1, 0, "a", ""), played(2, 0, "a", "a")]) == {}


def test_of_four_sides_one_wins_and_the_others_are_level():
    found = ratings([played(1, 2, "a", "b", "c", "d")])
    others = [found[(name,)].mu for name in "abd"]
    assert max(others) == pytest.approx(min(others))
    assert found[("c",)].mu > NEWCOMER.mu > max(others)


def test_a_history_goes_from_newcomer_to_the_rating_without_a_gap():
    career = replay([played(1, 0, "ab", "cd"), played(2, 1, "ac", "bd"), played(3, None, "a", "d")], "players")[("a",)]
    assert career.steps[0].before == NEWCOMER
    assert [one.after for one in career.steps[:-1]] == [other.before for other in career.steps[1:]]
    assert career.steps[-1].after == career.rating
    assert [step.outcome for step in career.steps] == ["won", "lost", "drawn"]
    assert [step.partners for step in career.steps] == [("b",), ("c",), ()]
    assert [step.opponents for step in career.steps] == [(("c", "d"),), (("b", "d"),), (("d",),)]


def test_matches_that_share_nobody_may_be_played_in_any_order():
    first, second = played(1, 0, "a", "b"), played(2, 1, "c", "d")
    swapped = [played(2, 0, "a", "b"), played(1, 1, "c", "d")]
    assert ratings([first, second]) == ratings(swapped)


def test_the_order_of_matches_that_share_somebody_is_that_of_the_log():
    assert ratings([played(1, 0, "a", "b"), played(2, 1, "b", "c")]) != ratings(
        [played(2, 0, "a", "b"), played(1, 1, "b", "c")]
    )


@given(LOGS, st.randoms(use_true_random=False))
def test_the_order_in_which_results_are_handed_over_does_not_matter(log, chance):
    mixed = chance.sample(log, len(log))
    assert ratings(mixed) == ratings(log)
    assert ratings(mixed, "partners") == ratings(log, "partners")


@given(LOGS, st.data())
def test_a_corrected_winner_changes_the_ratings_and_nothing_else_does(log, data):
    wrong = list(log)
    if log:
        at = data.draw(st.integers(0, len(log) - 1))
        wrong[at] = played(log[at].at, data.draw(WINNERS), *log[at].sides, fixed=log[at].fixed)
    assert (ratings(wrong) == ratings(log)) == ([each.winner for each in wrong] == [each.winner for each in log])


@given(LOGS)
def test_it_does_not_matter_which_side_is_named_first(log):
    turned = [
        played(
            each.at, None if each.winner is None else 1 - each.winner, each.sides[1], each.sides[0], fixed=each.fixed
        )
        for each in log
    ]
    for kind in ("players", "partners"):
        one, other = ratings(log, kind), ratings(turned, kind)
        assert one.keys() == other.keys()
        for who, rating in one.items():
            assert (other[who].mu, other[who].sigma) == pytest.approx((rating.mu, rating.sigma), rel=1e-9)


@given(LOGS)
def test_wins_draws_and_losses_add_up(log):
    careers = replay(log, "players").values()
    for career in careers:
        assert sum(career.count(outcome) for outcome in ("won", "drawn", "lost")) == len(career.steps)
    assert sum(len(career.steps) for career in careers) == sum(len(side) for each in log for side in each.sides)


STANDINGS = st.lists(
    st.builds(
        RatingStanding,
        kind=st.just("players"),
        who=st.uuids().map(lambda each: (str(each),)),
        mu=st.floats(0, 50) | st.sampled_from([25.0, 25.001]),
        sigma=st.floats(0.1, 9) | st.just(8.0),
        won=st.integers(0, 9),
        drawn=st.integers(0, 9),
        lost=st.integers(0, 9),
        last=st.just("2026-11-21T19:00:00.000000Z"),
    ),
    max_size=12,
)


@given(STANDINGS)
def test_equal_ratings_share_a_rank_below_the_highest(standings):
    names = {standings[0].who[0]: "Annie"} if standings else {}
    rows = rating_rows(standings, names)
    ordered = sorted(standings, key=lambda each: (-each.rating.shown, -each.rating.cautious, each.who))
    assert [row.players for row in rows] == [each.who for each in ordered]
    assert [row.rating for row in rows] == [each.rating.shown for each in ordered]
    assert [row.rank for row in rows] == [1 + sum(one.rating > row.rating for one in rows) for row in rows]
    assert [row.names for row in rows] == [tuple(names.get(who) for who in row.players) for row in rows]
