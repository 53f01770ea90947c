"""Which scoring slip explains a finding, and what rules a slip out."""

import ast
import random
from pathlib import Path

import msgspec

from domain.match.audit.finding import START, Course
from domain.match.audit.findings import derived
from domain.match.audit.slip_kinds import slips_for
from domain.match.audit.slip_words import words_of
from domain.match.audit.slips import Bounds, Examined, case_of, examined, explained, sheet_of
from domain.match.audit.walk import keys_of, walked
from tests.kit.audit import brute
from tests.kit.audit.deals import played
from tests.kit.audit.scorers import slipped
from tests.kit.match.tables import deal_for, fact, find, options_of


def course(key: str, *actions, dealer: int = 0, cards=None, **options) -> Course:
    facts = tuple(fact(*each) if isinstance(each, tuple) else each for each in actions)
    return Course(find(key), options_of(key, **options), dealer, cards, facts)


def calls() -> list:
    """Cross Purposes: seat 1 leads under spades, aces high."""
    return [(1, "declare", "trump", "S"), (0, "declare", "top", "A")]


def words(recorded: Course, number: int = 0) -> str | None:
    found = explained(recorded, derived(recorded)[number])
    return found and found.words


def test_the_judge_imports_nothing_of_the_audit():
    tree = ast.parse(Path(brute.__file__).read_text())
    names = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any("match" in name for name in names), names


def test_a_mistyped_card_explains_what_is_proven_by_it():
    recorded = course(
        "cross_purposes", *calls(), (1, "play", "H9"), (0, "play", "C2"), (1, "play", "D2"), (0, "play", "H3")
    )
    assert [each.code for each in derived(recorded)] == ["REV"]
    assert words(recorded) == "♣2 was written for ♥2"


def test_a_seat_that_was_mistyped():
    recorded = course("cross_purposes", *calls(), (0, "play", "H2"))
    assert words(recorded) == "seat 0 was written for seat 1: seat 0 plays the two of hearts"


def test_two_entries_of_one_seat_exchanged():
    # all cards have fallen, so no other card could have been meant
    recorded = whole_parity_with_a_revoke()
    found = [explained(recorded, each) for each in derived(recorded)]
    assert [each.kind for each in found if each] == ["entries exchanged"]
    seat = recorded.facts[found[0].places[0]].seat
    one, other = found[0].places
    assert found[0].words == f"two entries of seat {seat} exchanged: places {one} and {other}"


def whole_parity_with_a_revoke() -> Course:
    """Return a complete deal of Parity with two entries exchanged, which shows only as a revoke."""
    for seed in range(200):
        right = played(("parity", {}), seed).course(known=False)
        for one in range(2, 30):
            for other in range(one + 1, 32):
                if right.facts[one].seat != right.facts[other].seat:
                    continue
                facts = list(right.facts)
                facts[one], facts[other] = facts[other], facts[one]
                wrong = msgspec.structs.replace(right, facts=tuple(facts))
                if [each.code for each in derived(wrong)] == ["REV"]:
                    return wrong
    raise AssertionError("no such deal was met")


def test_two_cards_of_one_trick_exchanged():
    # ♠3 was led to ♠K; written in the other order, the second leader leads out of turn
    right = [(1, "play", "S3"), (0, "play", "SK"), (0, "play", "H4"), (1, "play", "H9")]
    wrong = [(1, "play", "SK"), (0, "play", "S3"), *right[2:]]
    assert derived(course("cross_purposes", *calls(), *right)) == ()
    recorded = course("cross_purposes", *calls(), *wrong)
    assert [each.code for each in derived(recorded)] == ["LOT"]
    assert explained(recorded, derived(recorded)[0]) is not None


def test_an_entry_too_many_and_one_missing():
    played = [(1, "play", "H2"), (0, "play", "H3"), (0, "play", "C2"), (1, "play", "C9")]
    twice = course("cross_purposes", *calls(), *played[:2], (0, "play", "H3"), *played[2:])
    assert {each.code for each in derived(twice)} >= {"DUP"}
    assert explained(twice, derived(twice)[0]) is not None
    without = course("cross_purposes", *calls(), played[0], *played[2:])
    assert all(explained(without, each) is not None for each in derived(without))


def test_another_dealer_and_another_option():
    recorded = course("parity", (0, "trump", "S"), (1, "parity", "odd"), dealer=0)
    assert [each.code for each in derived(recorded)][:1] == ["OOB"]
    kinds = {
        examined(case_of(recorded, derived(recorded), Bounds()), each).explanation.kind for each in derived(recorded)
    }
    assert None not in kinds


def test_cards_of_the_deal_exchanged_where_they_were_typed():
    cards = deal_for("cross_purposes", "H3 C2", "H2")
    recorded = course("cross_purposes", *calls(), (1, "play", "H2"), (0, "play", "C2"), cards=cards)
    revoke = derived(recorded)[0]
    assert START in revoke.rests_on
    held = [card for card in cards.phase1[0] if card.suit == "H"]
    found = explained(recorded, revoke)
    assert found is not None
    assert len(held) > 1 or found.kind == "start"


def test_a_written_score_rules_out_slips_that_change_it():
    tried = ruled_out = 0
    for seed in range(60):
        recorded = slipped(played(("parity", {}), seed).course(known=False), random.Random(seed))[1]
        case = case_of(recorded, derived(recorded), Bounds())
        written = sheet_of(recorded, case.walk.tables[-1])
        for each in case.found if written else ():
            free, bound = explained(recorded, each), explained(recorded, each, written)
            tried += 1
            ruled_out += bound != free
            assert bound is None or _sheet_without(case, each, bound) == written
    assert tried > 20
    assert ruled_out > 5


def _sheet_without(case, each, found) -> tuple | None:
    rests = frozenset(place for one in case.found for place in one.rests_on)
    for slip in slips_for(case.walk, each.rests_on, rests, keys_of((each,))):
        if slip.places == found.places and words_of(case.walk.course, slip) == found.words:
            return sheet_of(slip.course, walked(slip.course).tables[-1])
    raise AssertionError("the slip is not there")


def test_the_limit_of_folds_leaves_a_finding_unexamined():
    recorded = course(
        "cross_purposes", *calls(), (1, "play", "H9"), (0, "play", "C2"), (1, "play", "D2"), (0, "play", "H3")
    )
    case = case_of(recorded, derived(recorded), Bounds())
    assert examined(case, case.found[0], limit=0) == Examined(None, 0, whole=False)
    assert examined(case, case.found[0], limit=1).folds == 1
    assert examined(case, case.found[0]).whole


def test_a_wrong_total_is_a_number_that_may_have_been_mistyped():
    recorded = course("over_the_top", (1, "play", "H5"), (1, "total", 6))
    assert [each.code for each in derived(recorded)] == ["WTA"]
    assert words(recorded) == "“seat 1 calls a total of 6” was written for “seat 1 calls a total of 5”"
