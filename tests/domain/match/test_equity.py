"""Equity: best play before and after a breach, if every hidden card is known."""

import pytest

from domain import codec
from domain.match.audit.equity import UNTYPED, dealt, equity
from domain.solve import best
from tests.kit.audit.illegal import one_wrong
from tests.kit.match.tables import Table


def table_of(made, known):
    """A match of one deal as it was made; with cards typed, or as a table with physical cards tells it."""
    names = tuple(tuple(f"p{seat}" for seat in side) for side in made.game.sides(made.options))
    options = {name: getattr(made.options, name) for name in made.options.__struct_fields__}
    table = Table(made.game.key, sides=names, options=options)
    table.start(dealer=made.dealer, **({"deal": codec.plain(made.deal)} if known else {}))
    facts = made.facts if known else made.course(known=False).facts
    table.record(*facts, it_happened=True)
    return table.match


@pytest.fixture(scope="module")
def revoke():
    """A deal of Parity with a revoke near its end, so that best play is soon known."""
    found = (one_wrong(("parity", {}), seed, "REV") for seed in range(40))
    return max((each for each in found if each is not None), key=lambda each: each.place)


def test_cards_that_all_fell_are_the_cards_that_were_dealt(revoke):
    match = table_of(revoke, known=False)
    found = dealt(match, match.deals[0])
    assert [sorted(hand) for hand in found.hands] == [sorted(hand) for hand in revoke.deal.hands]


def test_equity_is_best_play_from_before_and_from_after(revoke):
    typed, unknown = (table_of(revoke, known) for known in (True, False))
    found = equity(typed, typed.deals[0], revoke.place)
    assert found.missing is None
    assert (found.before.exact, found.after.exact) == (True, True)
    before = best(revoke.game, revoke.options, revoke.states[revoke.place])
    assert (found.before.low, found.before.high) == before.margin
    scores = revoke.game.score(revoke.states[-1]).scores
    assert found.table == scores[found.sides[0][0]] - scores[found.sides[1][0]]
    assert equity(unknown, unknown.deals[0], revoke.place) == found, "what fell tells the same as what was typed"


def test_where_cards_never_fell_it_says_what_is_missing(revoke):
    names = (("p0",), ("p1",))
    table = Table("parity", sides=names)
    table.start(dealer=revoke.dealer)
    table.record(*revoke.facts[: revoke.place + 1], it_happened=True)
    found = equity(table.match, table.match.deals[0], revoke.place)
    assert (found.before, found.missing) == (None, UNTYPED)


def test_where_the_work_does_not_suffice_there_are_two_margins():
    made = next(each for seed in range(20) if (each := one_wrong(("get_stuck", {}), seed, "DGN")) is not None)
    match = table_of(made, known=True)
    found = equity(match, match.deals[0], made.place, work=2_000)
    assert found.missing is None
    assert found.before.low <= found.before.high
