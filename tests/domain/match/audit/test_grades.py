"""Grades of findings: proven, explained by a slip, settled or unexamined."""

import random

import msgspec
import pytest

from domain.cards.facts import CardDrawn
from domain.match import commands as c
from domain.match.audit import grades
from domain.match.audit.findings import derived
from domain.match.audit.grades import EVERY, PAGE, UNEXAMINED, Budget, explained_by, graded
from domain.match.audit.openings import openings
from domain.match.said import Affirmed
from tests.kit.audit.campaign import single_revoke
from tests.kit.audit.deals import played
from tests.kit.match.tables import Table

PROVEN, EXPLAINED = (
    next(seed for seed in range(200) if single_revoke("parity", seed) == wanted) for wanted in ("proven", "explained")
)


def graded_match(match, budget=PAGE):
    """Return the graded findings of every deal of a match, in order."""
    return tuple(finding for deal in match.deals for finding in graded(match, deal, budget))


def revoke(seed: int) -> Table:
    """Return a match of Parity whose first deal has one revoke, hands unknown."""
    tries = (played(("parity", {}), f"revoke {seed} {again}", breach=True, code="REV") for again in range(20))
    deal = next(each for each in tries if each is not None)
    table = Table("parity")
    table.start(dealer=deal.dealer)
    table.record(*deal.course(known=False).facts)
    return table


def with_affirmed(table: Table, **given) -> tuple:
    """Affirm everything that the only finding of a match rests on."""
    (deal,) = table.match.deals
    finding = graded(table.match, deal)[0]
    one = Affirmed(**{"version": 99, "versions": finding.rests_on, "side": finding.seat, "person": None, **given})
    deal = msgspec.structs.replace(deal, affirmed=(one,))
    match = msgspec.structs.replace(table.match, deals=(deal,))
    return match, deal


def grade(match, deal, **given) -> str:
    return graded(match, deal, **given)[0].grade


def test_a_revoke_is_proven_unless_a_slip_explains_it():
    (deal,) = (match := revoke(PROVEN).match).deals
    assert [(each.code, each.grade, each.explained_by) for each in graded(match, deal)] == [("REV", "P", None)]
    (deal,) = (match := revoke(EXPLAINED).match).deals
    (finding,) = graded(match, deal)
    assert (finding.code, finding.grade) == ("REV", "C")
    assert finding.explained_by == explained_by(match, deal, finding.place, "REV").words


@pytest.mark.parametrize("strength", ["own device", "pin", "table"])
def test_the_offenders_side_settles_its_entries(strength):
    match, deal = with_affirmed(revoke(EXPLAINED), strength=strength)
    assert grade(match, deal) == "P"


@pytest.mark.parametrize("strength", ["scorer", "timeout", "file", "token"])
def test_weaker_words_settle_nothing(strength):
    match, deal = with_affirmed(revoke(EXPLAINED), strength=strength)
    assert grade(match, deal) == "C"


def test_the_other_side_settles_nothing_and_a_director_who_looked_does():
    table = revoke(EXPLAINED)
    seat = graded(table.match, table.match.deals[0])[0].seat
    assert grade(*with_affirmed(table, strength="own device", side=1 - seat)) == "C"
    assert grade(*with_affirmed(table, strength="own device", side=None)) == "C"
    assert grade(*with_affirmed(table, strength="inspected", side=None)) == "P"


def test_an_affirmation_of_a_part_settles_nothing():
    table = revoke(EXPLAINED)
    versions = graded(table.match, table.match.deals[0])[0].rests_on
    for left in range(len(versions)):
        part = tuple(version for at, version in enumerate(versions) if at != left)
        assert grade(*with_affirmed(table, strength="own device", versions=part)) == "C"


def test_findings_beyond_the_budget_are_neither_examined_nor_proven():
    (deal,) = (match := revoke(PROVEN).match).deals
    (finding,) = graded(match, deal, Budget(3, 2000))
    assert (finding.grade, finding.explained_by) == ("C", UNEXAMINED)
    assert graded(match, deal, Budget(400, 3))[0].explained_by == UNEXAMINED
    assert grade(match, deal, budget=EVERY) == "P"
    assert graded(match, deal, Budget(3, 2000)) == (finding,), "what was found with more folds changes nothing"


def test_grades_do_not_hang_on_what_was_asked_before():
    (deal,) = (match := revoke(EXPLAINED).match).deals
    budgets = [Budget(each, 2000) for each in (0, 5, 50, 400)]
    grades._known.clear()
    upwards = [graded(match, deal, each) for each in budgets]
    grades._known.clear()
    downwards = [graded(match, deal, each) for each in reversed(budgets)]
    assert upwards == downwards[::-1]


def test_the_severest_finding_of_a_match_is_examined_first():
    table = revoke(EXPLAINED)
    (first,) = table.match.deals
    folds = grades._memory(table.match, first).examined
    graded(table.match, first)
    needed = folds[0].folds
    table.start()
    dealer = table.match.deals[1].dealer
    table.record((dealer, "trump", "S"))  # out of turn, which weighs less than the revoke
    budget = Budget(400, needed)
    codes = {each.code: each.explained_by for each in graded_match(table.match, budget)}
    assert codes["REV"] != UNEXAMINED
    assert codes["OOB"] == UNEXAMINED


def test_a_score_on_the_sheet_rules_out_slips_that_change_it():
    ruled_out = 0
    for seed in range(40):
        if single_revoke("parity", seed) != "explained":
            continue
        table = revoke(seed)
        (deal,) = table.match.deals
        free = graded(table.match, deal)[0]
        scores = table.match.setup.game.score(deal.table).scores
        table.do(c.StateScore(what="R", stated=f"A {scores[0]} B {scores[1]}"))
        (bound,) = graded(table.match, table.match.deals[0])
        ruled_out += bound.explained_by != free.explained_by
        if bound.grade == "P":
            assert free.grade == "C"
    assert ruled_out > 2


def test_a_wrong_figure_is_a_scoring_slip_and_never_proven():
    table = Table("parity")
    deal = played(("parity", {}), 1)
    table.start(dealer=deal.dealer)
    table.record(*deal.course(known=False).facts)
    table.do(c.StateScore(what="R", stated="A 11 B 12"))
    found = graded(table.match, table.match.deals[0])
    assert {(each.code, each.grade) for each in found} == {("ENT", "C")}


def test_a_match_of_a_thousand_facts_is_graded_in_its_budget():
    table = Table("parity", target=1000)
    for number in range(31):
        wrong = played(("parity", {}), f"long {number}", breach=True, code="REV") if number % 3 == 0 else None
        deal = wrong or played(("parity", {}), f"long {number}")
        table.start(dealer=deal.dealer)
        table.record(*deal.course(known=False).facts)
    grades._known.clear()
    found = graded_match(table.match)
    assert len(found) >= 5
    memories = [grades._memory(table.match, deal) for deal in table.match.deals]
    folds = [each.folds for memory in memories for each in memory.examined.values()]
    assert 0 < sum(folds) <= grades.FOLDS_OF_MATCH
    assert max(folds) <= grades.FOLDS


def test_a_pass_that_a_draw_may_explain_is_an_opening():
    shown = 0
    for seed in range(100):
        recorded = played(("over_the_top", {}), f"opening {seed}").course(known=False)
        assert derived(recorded) == ()
        for each in openings(recorded):
            shown += 1
            assert recorded.facts[each.place].seat == each.seat == recorded.facts[each.shown].seat
            assert each.tricks
            assert each.words.startswith("not provable: the card may have been drawn after trick ")
    assert shown > 0
    known = played(("over_the_top", {}), "opening 1").course(known=True)
    assert openings(known) == ()


def test_a_draw_that_was_seen_leaves_no_opening():
    there = 0
    for seed in range(60):
        recorded = played(("over_the_top", {}), f"opening {seed}").course(known=False, draws=random.Random(seed))
        for each in openings(recorded):
            there += 1
            since = recorded.facts[each.place : each.shown]
            assert recorded.facts[each.shown].card not in [one.card for one in since if type(one) is CardDrawn]
    assert there > 0
