"""Slips against the judge written apart, and random records with one slip: the seeds stand in every message."""

import sys
from collections import Counter

import pytest

from domain.games import find
from domain.match.audit.findings import derived
from domain.match.audit.slips import Bounds, case_of, examined
from domain.match.audit.walk import keys_of
from tests.kit.audit import brute
from tests.kit.audit.campaign import brute_force, record_with_slip, single_revoke, slip_of_the_scorer
from tests.kit.audit.deals import GAMES
from tests.kit.audit.scorers import record_of

BRUTE, SLIPS, REVOKES = 25, 200, 150
START_AT = 1_000  # the first seed; `make audit` goes on from others


def tell(line: str) -> None:
    """The seeds of a run, in the output of a test that fails or is run with -s."""
    sys.stdout.write(line + "\n")


def blocks(count: int, size: int) -> list[range]:
    """The seeds in blocks of a size, each a test of its own, so that many processes share them."""
    return [range(at, min(at + size, START_AT + count)) for at in range(START_AT, START_AT + count, size)]


def has_calls(key: str) -> bool:
    """Tells whether anything is said in a game, beside passes: entries that tell more than a seat, a card, a square."""
    return any(set(kind.__struct_fields__) - {"seat", "card", "cell"} for kind in find(key).facts)


@pytest.mark.extended
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seeds", blocks(BRUTE, 5), ids=str)
@pytest.mark.parametrize("key", GAMES)
def test_a_finding_is_proven_exactly_where_the_judge_finds_no_slip(key, seeds):
    """The judge tries every slip that there is, deal after deal: that is why it takes half a minute."""
    counts, wrong = Counter(), []
    for seed in seeds:
        counts.update(brute_force(key, seed, wrong.append))
    tell(f"{key}: seeds {seeds[0]} to {seeds[-1]}, {dict(counts)}")
    assert wrong == []
    assert counts["findings"] > 0


@pytest.mark.extended
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seeds", blocks(SLIPS, 100), ids=str)
@pytest.mark.parametrize("key", GAMES)
def test_one_slip_of_the_scorer_never_proves_anything_and_is_gone_when_it_is_corrected(key, seeds):
    """A hundred deals, each audited with the slip and without it: that is why it takes half a minute."""
    counts, wrong = Counter(), []
    for seed in seeds:
        counts.update(slip_of_the_scorer(key, seed, wrong.append))
    tell(f"{key}: seeds {seeds[0]} to {seeds[-1]}, {dict(counts)}")
    assert wrong == []
    assert counts["findings"] > len(seeds) / 3
    assert counts["calls mistyped"] > 0 or not has_calls(key)


def test_every_game_but_get_stuck_has_calls_to_mistype():
    assert [key for key in GAMES if not has_calls(key)] == ["get_stuck"]


@pytest.mark.extended
@pytest.mark.timeout(900)
@pytest.mark.parametrize("key", ["parity", "cross_purposes"])
def test_every_fifth_single_revoke_is_proven_before_anybody_affirms_it(key):
    came = Counter(single_revoke(key, seed) for seed in range(START_AT, START_AT + REVOKES))
    tell(f"{key}: seeds {START_AT} to {START_AT + REVOKES - 1}, {dict(came)}")
    assert came["proven"] >= 0.18 * (came["proven"] + came["explained"])
    assert came["proven"] + came["explained"] > 0.9 * REVOKES


def test_the_judge_derives_what_the_audit_derives():
    """A judge who saw other breaches would judge other findings."""
    for key in GAMES:
        for seed in range(20):
            recorded = record_with_slip(key, seed)
            assert brute.found_in(record_of(recorded)) == set(keys_of(derived(recorded))), (key, seed)


def test_what_the_judge_is_asked_is_whether_any_slip_is_left():
    """A mutant of the search that forgets a kind of slip is caught by these records."""
    kinds = Counter()
    for seed in range(60):
        recorded = record_with_slip("cross_purposes", seed)
        case = case_of(recorded, derived(recorded), Bounds())
        kinds.update(came.kind for each in case.found if (came := examined(case, each).explanation))
    assert set(kinds) == {"mistyped", "cards exchanged", "entries exchanged", "too many", "missing", "start"}


def test_a_trump_not_played_rests_on_the_lead_that_made_trumps():
    """CG.4: the first two cards exchanged would make another suit trumps, and the card that fell later none of them."""
    wrong = []
    assert brute_force("cross_game", 100_971, wrong.append)["findings"] == 1
    assert wrong == []


def test_a_card_played_twice_rests_on_the_first_play_and_not_on_its_draw():
    """Its draw is on record: the card that was mistyped is the one that fell before."""
    wrong = []
    assert slip_of_the_scorer("cross_game", 102_619, wrong.append)["findings"] == 1
    assert wrong == []


def test_a_pass_with_a_card_to_play_rests_on_the_deal_where_hands_are_known():
    """A card that was typed into the wrong hand could have been played."""
    wrong = []
    assert slip_of_the_scorer("over_the_top", 103_499, wrong.append)["findings"] == 1
    assert wrong == []
