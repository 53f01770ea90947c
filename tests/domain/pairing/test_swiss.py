"""The Dutch system of 2026: against brute force, against a checker of the absolute criteria, and known cases."""

import random
from itertools import combinations

import pytest

from domain.pairing.crosstable import Crosstable, Outcome, PlayerRow, RoundCell
from domain.pairing.swiss import dutch
from domain.pairing.swiss.acceleration import baku
from domain.pairing.swiss.answer import NoLegalPairing
from domain.pairing.swiss.criteria import Criteria
from domain.pairing.swiss.entrants import Float, players_of_round
from domain.pairing.swiss.pairing import pair
from domain.pairing.swiss.weighed import WeighedBracket
from tests.kit.tournament import swiss_reference
from tests.kit.tournament.explained import in_words
from tests.kit.tournament.swiss_checker import pairable, violations
from tests.kit.tournament.swiss_tournaments import empty, tournaments


def answer(paired):
    return None if isinstance(paired, NoLegalPairing) else (set(paired.pairs), paired.bye)


def rows(*lines):
    """A row for each line of rounds like `3w1 5b1 U`."""
    return tuple(
        PlayerRow(number, f"P{number}", tuple(map(cell, line.split()))) for number, line in enumerate(lines, 1)
    )


def cell(text):
    if len(text) == 1:
        return RoundCell(outcome=Outcome(text))
    return RoundCell(int(text[:-2]), text[-2] == "w", Outcome(text[-1]))


EVENING = Crosstable(rows("3w1 5b1", "4b0 U", "1b0 4w=", "2w1 3b=", "U 1w0"), rounds=4, first_deals=True)


def test_the_evening_is_paired_as_agreed_and_every_pair_has_a_reason():
    paired = pair(EVENING, 3)
    assert (paired.pairs, paired.bye, paired.absent) == (((1, 4), (2, 5)), 3, {})
    assert [(why.pair, why.bracket, why.down, why.up, why.criteria, why.sides) for why in paired.why] == [
        ((1, 4), 15, (1,), (4,), (), "5.2.4"),
        ((2, 5), 10, (), (), (), "5.2.1"),
        ((3, 0), 5, (3,), (), (), None),
    ]
    assert in_words(paired.why[0].told) == (
        "1 floats down: alone on 2 points. Both last dealt second; the higher-ranked gets the wish."
    )


@pytest.mark.parametrize("chunk", range(10))
def test_small_fields_match_brute_force(chunk):
    for seed in range(chunk * 40, chunk * 40 + 40):
        rng = random.Random(seed)
        size, rounds = rng.randint(2, 9), rng.randint(2, 8)
        more = {"forbidden": ((1, 2),)} if seed % 5 == 0 else {}
        if seed % 7 == 0:
            more["extra"] = baku(empty(size, rounds)).extra
        for table, round_, absent, paired in tournaments(
            seed, size, rounds, absences=rng.choice([0, 0.06, 0.2]), **more
        ):
            assert answer(paired) == swiss_reference.dutch(table, round_, absent), (seed, round_)


@pytest.mark.parametrize("density", [0.1, 0.3, 0.5])
def test_small_fields_with_forbidden_pairs_match_brute_force(density):
    for seed in range(100):
        rng = random.Random(seed)
        size = rng.randint(4, 8)
        forbidden = tuple(pair for pair in combinations(range(1, size + 1), 2) if rng.random() < density)
        for table, round_, absent, paired in tournaments(seed, size, 6, forbidden=forbidden):
            assert answer(paired) == swiss_reference.dutch(table, round_, absent), (seed, round_)


@pytest.mark.parametrize("rules", ["dutch-2026", "monrad", "dutch-till-2026"])
def test_rounds_keep_absolute_criteria_and_every_pairable_round_is_paired(rules):
    ignored = {"dutch-2026": (), "monrad": ("C1 or C3", "C5"), "dutch-till-2026": ("C2", "C5")}[rules]
    for seed in range(40):
        rng = random.Random(seed)
        size, rounds = rng.randint(3, 30), rng.randint(3, 9)
        for table, round_, absent, paired in tournaments(seed, size, rounds, rules, forbidden=((1, 3, 4),)):
            if isinstance(paired, NoLegalPairing):
                assert rules == "monrad" or not pairable(table, round_, absent), (seed, round_)
                continue
            found = violations(table, round_, absent, paired.pairs, paired.bye)
            assert not [each for each in found if not each.startswith(ignored)], (seed, round_)


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 30), marks=pytest.mark.extended)], ids=str)
def test_shortcuts_give_the_same_pairings_as_the_full_search(seeds, monkeypatch):
    for seed in seeds:
        rng = random.Random(seed)
        size, rounds = rng.randint(10, 70), rng.randint(3, 9)
        for table, round_, absent, paired in tournaments(seed, size, rounds, draws=rng.choice([0, 0.3, 0.6])):
            with monkeypatch.context() as patched:
                patched.setattr(
                    dutch, "paired_bracket", lambda bracket, odd: WeighedBracket(bracket, Criteria(bracket, odd)).split
                )
                assert answer(pair(table, round_, "dutch-2026", absent)) == answer(paired), (seed, round_)


def test_three_players_have_one_bye_in_the_first_round():
    paired = pair(empty(3, 3), 1)
    assert (paired.pairs, paired.bye) == (((1, 2),), 3)


def test_nobody_has_a_second_bye_while_somebody_had_none():
    for seed in range(20):
        byes = [paired.bye for _, _, _, paired in tournaments(seed, 5, 5, absences=0, forfeits=0) if answer(paired)]
        assert len(set(byes)) == len(byes)


def test_a_full_point_without_play_bars_from_the_bye_only_since_2026():
    table = Crosstable(rows("2w1", "1b0", "F"), rounds=3, first_deals=True)
    assert pair(table, 2).bye == 2
    alone = Crosstable(rows("F"), rounds=3, first_deals=True)
    assert pair(alone, 2, "dutch-till-2026").bye == 1
    assert isinstance(pair(alone, 2), NoLegalPairing)


def test_the_lowest_gets_the_bye_even_breaking_a_score_group():
    # C5 comes before C6: the two on half a point have met, and the bye still goes to the score of zero.
    table = Crosstable(rows("4w1", "3w=", "2b=", "1b0", "Z"), rounds=5, first_deals=True)
    assert pair(table, 2).bye in (4, 5)


def test_the_editions_differ_where_the_bye_goes_to_the_lowest():
    # Until 2026 only the last bracket decided the bye, after those above had as many pairs as they could.
    table = Crosstable(rows("3w1", "4b=", "1b0", "2w=", "U"), rounds=4, first_deals=True)
    assert answer(pair(table, 2)) == ({(2, 1), (5, 4)}, 3)
    old = pair(table, 2, "dutch-till-2026")
    assert answer(old) == ({(5, 1), (3, 4)}, 2)
    assert {why.sides for why in old.why} == {"E.1", None}


def test_the_bye_goes_to_the_fewest_unplayed_rounds():
    # C9: the last of them was absent in round 1.
    table = Crosstable(rows("3w1", "4b1", "1b0", "2w0", "Z"), rounds=3, first_deals=True)
    assert answer(pair(table, 2)) == ({(2, 1), (3, 5)}, 4)


def test_a_zero_point_bye_floated_until_2026_and_no_longer_does():
    table = Crosstable(rows("2w1 Z", "1b0 Z"), rounds=4, first_deals=True)
    for rules, kind in (("dutch-2026", Float.NONE), ("dutch-till-2026", Float.DOWN)):
        assert {entrant.last for entrant in players_of_round(table, 3, rules, (), True)} == {kind}


@pytest.mark.parametrize(
    ("lines", "sides", "text"),
    [
        (("", ""), "5.2.5", "The lot gave odd seeds the first deal."),
        (("3w1", "4w1", "1b0", "2b0"), "5.2.4", "Both last dealt first; the higher-ranked gets the wish."),
        (
            ("3w1 4b1 5b1 6w1", "4b1 3w1 6b1 5w1", "1b0 2b0", "2w0 1w0", "Z Z 1w0 2b0", "Z Z 2w0 1b0"),
            "5.2.3",
            "Both last dealt first; they change from the last round in which they dealt differently.",
        ),
        (("3w1 4w1", "4w1 Z", "1b0", "2b0 1b0"), "5.2.2", "Both last dealt first; the stronger claim is granted."),
    ],
)
def test_how_sides_were_given_is_said(lines, sides, text):
    table = Crosstable(rows(*lines), rounds=9, first_deals=True)
    round_ = max(len(row.cells) for row in table.rows) + 1
    absent = dict.fromkeys(range(3, 7), Outcome.ZERO_BYE)
    (why,) = pair(table, round_, absent=absent).why
    assert (why.sides, in_words(why.told[-1:])) == (sides, text)


def test_late_rounds_of_small_fields_are_paired_if_possible():
    for seed in range(60):
        for table, round_, absent, paired in tournaments(seed, 6, 5, absences=0, forfeits=0):
            assert isinstance(paired, NoLegalPairing) != pairable(table, round_, absent)


def test_where_nobody_can_pair_it_is_said_who_has_nobody_left():
    table = Crosstable(rows("2w1", "1b0"), rounds=3)
    found = pair(table, 2)
    assert isinstance(found, NoLegalPairing)
    assert in_words([found.message]) == "nobody is left for 1 and 2 to meet"
    assert pair(Crosstable(()), 1).pairs == ()
    assert in_words([pair(Crosstable(rows("U")), 2).message]) == "everybody who is there has had a bye"


def test_a_forfeited_pair_may_meet_again_and_has_no_side():
    table = Crosstable(rows("2w+", "1b-"), rounds=3, first_deals=True)
    paired = pair(table, 2)
    assert (paired.pairs, paired.why[0].sides) == (((1, 2),), "5.2.5")


def test_without_sides_nobody_has_a_claim():
    table = Crosstable(rows("3w1 2w1", "4w1 1b0", "1b0 4b1", "2b0 3w0"), rounds=3, first_deals=True)
    assert isinstance(pair(table, 3, sides=False).pairs, tuple)
    assert all(why.sides is None for why in pair(table, 3, sides=False).why)


def test_the_formula_of_acceleration_and_written_records():
    extra = dict(baku(empty(10, 9)).extra)
    assert [sorted(extra[round_].items())[-1] for round_ in range(1, 6)] == [(6, 10)] * 3 + [(6, 5)] * 2
    assert 6 not in extra
    written = empty(10, 9, extra=((1, {1: 10}),))
    assert baku(written) is written
    assert pair(baku(empty(8, 5)), 1).pairs == ((1, 3), (4, 2), (5, 7), (8, 6))


def test_who_is_absent_is_not_paired():
    table = Crosstable(rows("2w1 H", "1b0", "4w1 Z", "3b0"), rounds=3, first_deals=True)
    paired = pair(table, 2)
    assert (paired.pairs, paired.absent) == (((2, 4),), {1: Outcome.HALF_BYE, 3: Outcome.ZERO_BYE})
