"""Deals with one breach of every code, and with one random illegal action, are found out by the audit."""

import random
import sys

import pytest

from domain.games import all_games
from domain.log.actor import Actor
from domain.match import commands as c
from domain.match import events as e
from domain.match.audit.findings import derived, findings
from domain.match.audit.pace import Pace, slow
from domain.match.evolve import fold
from domain.match.state import side_scores
from domain.notation.ctn_read import loads
from tests.domain.match.audit.test_rests_on import every
from tests.kit.audit.examples import figures
from tests.kit.audit.illegal import one_wrong
from tests.kit.audit.legal import legal_deal
from tests.kit.audit.said import DRAWN, TOTALS, missing_draw, totals, twice_drawn, unclaimed
from tests.kit.games.strategies import FORMS
from tests.kit.match.tables import Table, random_deal

TIMES = 20
DEALS = [60, pytest.param(240, marks=pytest.mark.extended)]  # with seeds of their own
RISTI = ("ristikontra", {"cleaning": True, "spice": True, "no_fourth_lead": True})
MANUAL = ("garbo", {"claims": "manual"})
DECLARED = ("cross_game", {"announce": "declared"})
# by form: the codes that one action against the rules makes
ONE_ACTION = [
    (("cross_purposes", {}), ("REV", "LOT", "POT", "DUP", "NIH", "DIM", "OOB")),
    (("cross_purposes", {"variant": "fixed"}), ("REV", "LOT", "POT", "DUP", "NIH", "PAS", "OOB", "DIM")),
    (("cross_purposes", {"variant": "alliance"}), ("REV", "PAS", "OOB")),
    (("cross_game", {}), ("REV", "FTT", "LOT", "POT", "INS", "OOB", "DUP", "NIH")),
    (DECLARED, ("KQF",)),
    (("parity", {}), ("REV", "LOT", "POT", "OOB", "DUP", "NIH")),
    (("over_the_top", {}), ("OSU", "FPS", "LOT", "POT", "DUP", "NIH")),
    (("get_stuck", {}), ("JMP", "DGN", "WCL", "STK", "POT", "DUP")),
    (("garbo", {}), ("PLC", "LOT", "POT", "DUP", "NIH")),
    (MANUAL, ("OVC", "LTC")),
    (RISTI, ("LKG", "RK4", "LOT", "POT", "OOB", "DUP", "NIH")),
]
CASES = [(form, code) for form, codes in ONE_ACTION for code in codes]
# what the plays alone prove in a deal that was played to its end
BY_PLAYS = {"REV", "FTT", "LOT", "POT", "DUP", "DIM", "PAS", "OOB", "INS", "OSU", "PLC", "OVC", "LTC", "LKG"}


def codes_at(course, place: int) -> set:
    return {each.code for each in every(derived(course)) if each.place == place}


def made_on_purpose(form, code, count, seed=0):
    end = seed + 40 * TIMES
    while count and seed < end:
        seed += 1
        made = one_wrong(form, seed, code, physical=code not in ("DUP", "NIH"))
        if made is not None:
            count -= 1
            yield seed, made


@pytest.mark.parametrize(("count", "start"), [(6, 0), pytest.param(TIMES - 6, 10_000, marks=pytest.mark.extended)])
@pytest.mark.parametrize(("form", "code"), CASES, ids=[f"{form[0]}-{code}" for form, code in CASES])
def test_a_code_made_on_purpose_is_found_at_its_place(form, code, count, start):
    times = 0
    for seed, made in made_on_purpose(form, code, count, start):
        times += 1
        wanted = {breach.code for breach in made.breaches}
        assert wanted <= codes_at(made.course(), made.place), seed
        is_over = made.game.to_act(made.states[-1]) is None
        if is_over and code in BY_PLAYS and form[0] != "get_stuck":
            assert code in codes_at(made.course(known=False), made.place), f"{seed}, cards unknown"
    assert times == count


@pytest.mark.parametrize("deals", DEALS)
@pytest.mark.parametrize("key", all_games())
def test_one_random_illegal_action_is_found_at_its_place(key, deals):
    forms = [form for form in FORMS if form[0] == key]
    seed, checked = random.Random(f"{key} {deals}").randrange(10**6), 0
    sys.stdout.write(f"seeds from {seed} on\n")
    while checked < deals:
        seed += 1
        made = one_wrong(forms[seed % len(forms)], seed)
        if made is None or (key != "get_stuck" and made.game.to_act(made.states[-1]) is not None):
            continue  # a deal that cannot be played on to its end shows nothing more
        checked += 1
        wanted = {breach.code for breach in made.breaches}
        if key == "get_stuck":
            assert wanted <= codes_at(made.course(), made.place), seed
        else:
            draws = seed % 2 == 0
            course = made.course(known=False, draws=draws)
            assert wanted & BY_PLAYS <= codes_at(course, made.at(course)), seed


@pytest.mark.parametrize("key", TOTALS)
@pytest.mark.parametrize("wrong", [True, False])
def test_a_wrong_total_is_found_and_a_right_one_is_not(key, wrong):
    for seed in range(TIMES):
        course, place = totals((key, {}), seed, known=seed % 2 == 0, wrong=wrong)
        assert [(each.place, each.code) for each in derived(course)] == ([(place, "WTA")] if wrong else [])


@pytest.mark.parametrize("key", DRAWN)
def test_extra_and_missing_draws_are_found(key):
    for seed in range(TIMES):
        course, place = twice_drawn((key, {}), seed)
        assert "DRW" in codes_at(course, place)
        course, seat = missing_draw((key, {}), seed)
        assert [(each.code, each.seat) for each in derived(course)] == [("DRW", seat)]


def test_ga_4_a_match_that_was_not_claimed_has_lapsed():
    for seed in range(TIMES):
        course, place, _ = unclaimed(MANUAL, seed, known=seed % 2 == 0)
        found = derived(course)
        assert "LAP" in [each.code for each in found if each.place >= place]
        assert {each.code for each in found} <= {"LAP", "LOT"}  # without those points another leads to the second level


def test_cg_g7_a_pair_that_was_not_announced_in_time_has_lapsed():
    times = seed = 0
    while times < TIMES:
        seed += 1
        course, place, seat = unclaimed(DECLARED, seed, known=True)
        if place >= 0:
            found = derived(course)
            assert ("LAP", seat, place) in [(each.code, each.seat, each.place) for each in found]
            times += 1


def test_gs_5_a_later_move_proves_a_straight_move_was_possible():
    found = 0
    for _, made in made_on_purpose(("get_stuck", {}), "DGN", 3 * TIMES):
        found += "DGN" in codes_at(made.course(known=False), made.place)
    assert found >= TIMES


def paces(*seconds: float) -> list[Pace]:
    return [Pace(f"m{place}", 1, each) for place, each in enumerate(seconds)]


def test_slow_play_is_over_twice_the_median_of_eight_tables():
    others = [300.0] * 7
    (found,) = slow(paces(*others, 601.0), late=True)
    assert (found.match, found.code, found.grade, found.median) == ("m7", "SLO", "C", 300.0)
    assert slow(paces(*others, 600.0), late=True) == ()
    assert slow(paces(*others, 601.0), late=False) == ()
    assert slow(paces(*others[1:], 601.0), late=True) == ()


@pytest.mark.parametrize("code", ["MIS", "ENT"])
def test_an_impossible_or_wrong_figure_is_found(code):
    for seed in range(1, TIMES + 1):
        wrong, right = loads(figures(code, seed).replace("% expects", "%"))
        assert code in {each.code for each in findings(wrong.state)}, seed
        assert findings(right.state) == (), seed


@pytest.mark.parametrize("most", range(3))
def test_two_sides_that_enter_different_scores_give_a_finding(most):
    table = Table("cross_game", sides=(("0.0",), ("1.0",)))
    table.start(dealer=0, deal=random_deal("cross_game", table.match.setup.options, most))
    said = [{"bidder": 0, "bid": 1, "cross_points": points} for points in ([1, 1 + most % 3], [2, 1 + most % 3])]
    first = table.do(c.EnterResult(entry=said[0]), Actor("scorer", person="0.0"))
    assert findings(table.match) == (), "one side alone"
    second = table.do(c.EnterResult(entry=said[1]), Actor("scorer", person="1.0"))
    (found,) = findings(table.match)
    assert (found.code, found.rests_on, found.note) == ("ENT", (second, first), True)
    table.do(c.EnterResult(entry=said[0]), Actor("scorer", person="1.0"))
    assert findings(table.match) == (), "both say the same"


def test_a_side_that_signed_another_score_than_the_cards_give_is_found():
    for seed in range(TIMES):
        course = legal_deal(("parity", {}), seed, known=False)
        table = Table("parity")
        table.start(dealer=course.dealer)
        table.record(*course.facts)
        scores = side_scores(table.match, table.match.deals[0])
        for figures_signed, wanted in ((scores, []), ((scores[0] + 1, scores[1]), ["ENT"])):
            event = e.ResultConfirmed(1, 0, figures_signed, None, "ann", "own device")
            match = fold(table.match, [(table.match.version + 1, event)])
            assert [each.code for each in findings(match)] == wanted, seed
