"""The search for slips against an independent brute-force judge, and random records with one scoring slip."""

import sys
from collections import Counter
from itertools import pairwise

import pytest

from domain.games import find
from domain.match.audit.findings import derived
from domain.match.audit.slips import Bounds, case_of, examined
from domain.match.audit.walk import keys_of
from tests.kit.audit import brute
from tests.kit.audit.campaign import brute_force, record_with_slip, single_revoke, slip_of_the_scorer
from tests.kit.audit.deals import GAMES
from tests.kit.audit.scorers import record_of

REVOKES = 150
START_AT = 1_000  # the first seed; `make audit` goes on from others


def tell(line: str) -> None:
    """Write the seeds of a run into the output that pytest shows of a failed test."""
    sys.stdout.write(line + "\n")


def blocks(*ends: int) -> list:
    """Return the seeds in blocks that end before these numbers; all but the first belong to the second tier."""
    first, *others = (range(START_AT + start, START_AT + end) for start, end in pairwise((0, *ends)))
    return [first, *(pytest.param(each, marks=pytest.mark.extended) for each in others)]


def has_calls(key: str) -> bool:
    """Return True if a game has calls: facts with more members than a seat, a card and a square."""
    return any(set(kind.__struct_fields__) - {"seat", "card", "cell"} for kind in find(key).facts)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("seeds", blocks(3, 5, 10, 15, 20, 25), ids=str)
@pytest.mark.parametrize("key", GAMES)
def test_a_finding_is_proven_exactly_where_the_judge_finds_no_slip(key, seeds):
    counts, wrong = Counter(), []
    for seed in seeds:
        counts.update(brute_force(key, seed, wrong.append))
    tell(f"{key}: seeds {seeds[0]} to {seeds[-1]}, {dict(counts)}")
    assert wrong == []
    assert counts["findings"] > 0


@pytest.mark.timeout(900)
@pytest.mark.parametrize("seeds", blocks(20, 100, 200), ids=str)
@pytest.mark.parametrize("key", GAMES)
def test_a_slip_of_the_scorer_proves_nothing_and_vanishes_when_corrected(key, seeds):
    counts, wrong = Counter(), []
    for seed in seeds:
        counts.update(slip_of_the_scorer(key, seed, wrong.append))
    tell(f"{key}: seeds {seeds[0]} to {seeds[-1]}, {dict(counts)}")
    assert wrong == []
    assert counts["findings"] > len(seeds) / 3
    assert counts["calls mistyped"] > 0 or not has_calls(key)


def test_every_game_but_get_stuck_has_calls_to_mistype():
    assert [key for key in GAMES if not has_calls(key)] == ["get_stuck"]


@pytest.mark.parametrize("key", ["parity", pytest.param("cross_purposes", marks=pytest.mark.extended)])
def test_every_fifth_single_revoke_is_proven_without_affirmation(key):
    came = Counter(single_revoke(key, seed) for seed in range(START_AT, START_AT + REVOKES))
    tell(f"{key}: seeds {START_AT} to {START_AT + REVOKES - 1}, {dict(came)}")
    assert came["proven"] >= 0.18 * (came["proven"] + came["explained"])
    assert came["proven"] + came["explained"] > 0.9 * REVOKES


def test_the_judge_derives_what_the_audit_derives():
    for key in GAMES:
        for seed in range(20):
            recorded = record_with_slip(key, seed)
            assert brute.found_in(record_of(recorded)) == set(keys_of(derived(recorded))), (key, seed)


def test_the_search_finds_every_kind_of_slip():
    kinds = Counter()
    for seed in range(60):
        recorded = record_with_slip("cross_purposes", seed)
        case = case_of(recorded, derived(recorded), Bounds())
        kinds.update(came.kind for each in case.found if (came := examined(case, each).explanation))
    assert set(kinds) == {"mistyped", "cards exchanged", "entries exchanged", "too many", "missing", "start"}


def test_a_trump_not_played_rests_on_the_lead_that_made_trumps():
    # CG.4: with the first two cards exchanged another suit is trumps, and the later card is none
    wrong = []
    assert brute_force("cross_game", 100_971, wrong.append)["findings"] == 1
    assert wrong == []


def test_a_card_played_twice_rests_on_its_first_play():
    wrong = []  # its draw is on record, so the mistyped card is the one that fell earlier
    assert slip_of_the_scorer("cross_game", 102_619, wrong.append)["findings"] == 1
    assert wrong == []


def test_a_false_pass_rests_on_the_deal_if_hands_are_known():
    wrong = []  # the playable card may have been typed into the wrong hand
    assert slip_of_the_scorer("over_the_top", 103_499, wrong.append)["findings"] == 1
    assert wrong == []
