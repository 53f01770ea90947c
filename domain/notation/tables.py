"""The table of each deal of a text after so many of its facts: histories strictly, CTN as it was recorded."""

from collections.abc import Iterator

import msgspec

from domain.game.protocol import AnyGame, AnyOptions, AnyTable
from domain.log.event import JsonObject
from domain.match.audit.findings import first_breach
from domain.match.state import Deal, Match
from domain.notation import history
from domain.notation.ctn_read import ReadMatch, loads


class DealTable(msgspec.Struct, frozen=True):
    """A deal of a text: a label for people, and the table after `at` of its `facts` facts (remarks are not
    counted)."""

    label: str
    game: AnyGame
    options: AnyOptions
    table: AnyTable
    at: int
    facts: int


class DealFault(msgspec.Struct, frozen=True):
    """A deal that cannot be read or replayed, with the place and the reason."""

    label: str
    error: JsonObject


def deal_tables(text: str, ctn: bool, at: int | None) -> Iterator[DealTable | DealFault]:
    """Every deal of a text after its first `at` facts, all of them when it is None."""
    if ctn:
        for number, read in enumerate(loads(text), start=1):
            yield from _match(read, f"match {number}", at)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _line(number, line, at)


def _line(number: int, line: str, at: int | None) -> DealTable | DealFault:
    label = f"line {number}"
    try:
        read = history.read(line)
    except history.MalformedError as error:
        acted = {} if error.action is None else {"action": error.action}
        found = {"rule": error.rule, "line": number, "column": error.column, **acted, "detail": error.detail}
        return DealFault(label, found)
    if at is not None and at > len(read.facts):
        return _too_far(label, at, len(read.facts))
    facts = read.facts[:at]
    start = read.game.start(read.options, read.dealer, read.deal)
    table, place, reasons = first_breach(read.game, start, facts)
    if reasons:
        code = {"code": reasons[0].code} if reasons[0].code else {}
        return DealFault(label, {"rule": reasons[0].rule, **code, "action": place, "detail": reasons[0].detail})
    return DealTable(label, read.game, read.options, table, len(facts), len(read.facts))


def _match(read: ReadMatch, label: str, at: int | None) -> Iterator[DealTable | DealFault]:
    if isinstance(read.state, Match):
        for deal in read.state.deals:
            yield _deal(read.state, deal, f"{label}, deal {deal.number}", at)
    for problem in read.problems:
        detail = f"{problem.token}: {problem.detail}"
        yield DealFault(label, {"rule": "malformed", "line": problem.line, "column": problem.column, "detail": detail})


def _deal(match: Match, deal: Deal, label: str, at: int | None) -> DealTable | DealFault:
    game, options = match.setup.game, match.setup.options
    facts = [fact for _, fact in deal.facts if type(fact) not in game.remarks]
    if at is not None and at > len(facts):
        return _too_far(label, at, len(facts))
    table = game.start(options, deal.dealer, deal.cards)
    for fact in facts[:at]:
        table = game.evolve(table, fact)
    return DealTable(label, game, options, table, len(facts[:at]), len(facts))


def _too_far(label: str, at: int, facts: int) -> DealFault:
    return DealFault(
        label, {"rule": "malformed", "detail": f"the deal has {facts} facts, not {at}: give --at 0 to {facts}"}
    )
