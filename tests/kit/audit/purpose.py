"""Deals with one breach of a given code, and whether the audit finds it."""

from collections.abc import Callable
from functools import cache
from typing import Final

from domain.match import events as e
from domain.match.audit.findings import derived, findings
from domain.match.audit.pace import Pace, slow
from domain.match.audit.walk import keys_of
from domain.match.evolve import fold
from domain.match.state import side_scores
from domain.notation.ctn_read import loads
from tests.kit.audit.deals import forms_of
from tests.kit.audit.examples import claimed, figures
from tests.kit.audit.illegal import one_wrong
from tests.kit.audit.legal import legal_deal
from tests.kit.audit.said import DRAWN, TOTALS, missing_draw, totals, twice_drawn, unclaimed
from tests.kit.match.tables import Table

Found = bool | None  # None: such a deal is not to be had from this seed
SAID: Final = frozenset({"WTA", "DRW", "LAP", "CLM", "MIS"})  # no single act makes these
PROBES: Final = range(1, 9)  # a code that these seeds do not give is none of the game's
LAPSES: Final = {"garbo": {"claims": "manual"}, "cross_game": {"announce": "declared"}}


def action(key: str, code: str, seed: int) -> Found:
    """Check one breach of the code, in the first option set from the seed's own that allows it."""
    return _acted(key, code, seed) if any(_acted(key, code, each) is not None for each in PROBES) else None


@cache
def _acted(key: str, code: str, seed: int) -> Found:
    forms = forms_of(key)
    for at in range(len(forms)):
        made = one_wrong(forms[(seed + at) % len(forms)], seed, code, physical=code not in ("DUP", "NIH"))
        if made is not None:
            return (made.place, code) in keys_of(derived(made.course(known=True)))
    return None


def wrong_total(key: str, seed: int) -> Found:
    course, place = totals((key, {}), seed, known=seed % 2 == 0, wrong=True)
    return keys_of(derived(course)) == {(place, "WTA")}


def wrong_draw(key: str, seed: int) -> Found:
    """Check an extra draw or a missing one."""
    if seed % 2:
        course, place = twice_drawn((key, {}), seed)
        return (place, "DRW") in keys_of(derived(course))
    course, seat = missing_draw((key, {}), seed)
    return [(each.code, each.seat) for each in derived(course)] == [("DRW", seat)]


def lapsed(key: str, seed: int) -> Found:
    course, place, _ = unclaimed((key, LAPSES[key]), seed, known=True)
    return None if place < 0 else "LAP" in {code for at, code in keys_of(derived(course)) if at >= place}


def contested(key: str, seed: int) -> Found:
    return {code for _, code in keys_of(derived(claimed(seed, yes=False)))} == {"CLM"}


def written(key: str, seed: int, code: str) -> Found:
    wrong, right = loads(figures(code, seed).replace("% expects", "%"))
    return code in {each.code for each in findings(wrong.state)} and findings(right.state) == ()


def signed(key: str, seed: int) -> Found:
    """Check a side that signed a score other than that of the cards."""
    course = legal_deal((key, {}), seed)
    sides = course.game.sides(course.options)
    table = Table(key, sides=tuple(tuple(f"p{seat}" for seat in side) for side in sides))
    table.start(dealer=course.dealer, deal=course.cards)
    table.record(*course.facts)
    scores = side_scores(table.match, table.match.deals[0])
    if scores is None:
        return None
    event = e.ResultConfirmed(1, 0, (scores[0] + 1, *scores[1:]), None, "ann", "own device")
    match = fold(table.match, [(table.match.version + 1, event)])
    return "ENT" in {each.code for each in findings(match)}


def slowly(key: str, seed: int) -> Found:
    usual = 200.0 + seed % 1_000
    paces = [Pace(f"m{place}", 1, usual) for place in range(7)]
    late = slow((*paces, Pace("m7", 1, 2 * usual + 1)), late=True)
    return [each.code for each in late] == ["SLO"] and slow((*paces, Pace("m7", 1, 2 * usual)), late=True) == ()


def maker(key: str, code: str) -> Callable[[int], Found]:
    """Return the check for a code of a game."""
    if code == "WTA" and key in TOTALS:
        return lambda seed: wrong_total(key, seed)
    if code == "DRW" and key in DRAWN:
        return lambda seed: wrong_draw(key, seed)
    if code == "LAP" and key in LAPSES:
        return lambda seed: lapsed(key, seed)
    if code == "CLM" and key == "parity":
        return lambda seed: contested(key, seed)
    if code == "MIS" and key == "parity":
        return lambda seed: written(key, seed, code)
    if code == "ENT":
        return lambda seed: signed(key, seed)
    if code == "SLO":
        return lambda seed: slowly(key, seed)
    return (lambda _: None) if code in SAID else (lambda seed: action(key, code, seed))
