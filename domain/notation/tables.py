"""The table of each deal of a text after so many of its facts: histories strictly, CTN as it was recorded."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.audit.findings import first_breach
from domain.game import Game
from domain.match.state import Deal, Match
from domain.notation import history
from domain.notation.ctn_read import Script, loads


class Standing(msgspec.Struct, frozen=True):
    """A deal of a text as it stands: what it is called for people, the table after `at` of its `facts` facts (remarks
    are not counted)."""

    label: str
    game: Game[Any, Any]
    options: Any
    table: Any
    at: int
    facts: int


class Fault(msgspec.Struct, frozen=True):
    """What cannot be read or replayed so far, and where."""

    label: str
    error: dict[str, Any]


def tables(text: str, ctn: bool, at: int | None) -> Iterator[Standing | Fault]:
    """Every deal of a text after its first `at` facts, all of them when it is None."""
    if ctn:
        for number, script in enumerate(loads(text), start=1):
            yield from _match(script, f"match {number}", at)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _line(number, line, at)


def _line(number: int, line: str, at: int | None) -> Standing | Fault:
    label = f"line {number}"
    try:
        read = history.read(line)
    except history.MalformedError as error:
        acted = {} if error.action is None else {"action": error.action}
        found = {"rule": error.rule, "line": number, "column": error.column, **acted, "detail": error.detail}
        return Fault(label, found)
    if at is not None and at > len(read.facts):
        return _too_far(label, at, len(read.facts))
    facts = read.facts[:at]
    start = read.game.start(read.options, read.dealer, read.deal)
    table, place, reasons = first_breach(read.game, start, facts)
    if reasons:
        code = {"code": reasons[0].code} if reasons[0].code else {}
        return Fault(label, {"rule": reasons[0].rule, **code, "action": place, "detail": reasons[0].detail})
    return Standing(label, read.game, read.options, table, len(facts), len(read.facts))


def _match(script: Script, label: str, at: int | None) -> Iterator[Standing | Fault]:
    if isinstance(script.state, Match):
        for deal in script.state.deals:
            yield _deal(script.state, deal, f"{label}, deal {deal.number}", at)
    for problem in script.problems:
        detail = f"{problem.token}: {problem.detail}"
        yield Fault(label, {"rule": "malformed", "line": problem.line, "column": problem.column, "detail": detail})


def _deal(match: Match, deal: Deal, label: str, at: int | None) -> Standing | Fault:
    game, options = match.setup.game, match.setup.options
    facts = [fact for _, fact in deal.facts if type(fact) not in game.remarks]
    if at is not None and at > len(facts):
        return _too_far(label, at, len(facts))
    table = game.start(options, deal.dealer, deal.cards)
    for fact in facts[:at]:
        table = game.evolve(table, fact)
    return Standing(label, game, options, table, len(facts[:at]), len(facts))


def _too_far(label: str, at: int, facts: int) -> Fault:
    return Fault(
        label, {"rule": "malformed", "detail": f"the deal has {facts} facts, not {at}: give --at 0 to {facts}"}
    )
