"""What `lurch score` answers: histories strictly, CTN in record mode with findings and differences."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain import codec
from domain.audit.findings import deal_findings
from domain.match.state import Deal, Match, by_seat, in_force, played, race_of
from domain.notation import history
from domain.notation.ctn_read import Script, loads
from domain.notation.read_sheet import Difference


class Line(msgspec.Struct, frozen=True):
    """One deal's answer: what it is called for people, the JSON object, the exit status, the game, and for
    notation how its match stands after the whole file: totals by side and who won."""

    label: str
    answer: dict[str, Any]
    status: int
    game: str = ""
    match: str = ""
    totals: tuple[int, ...] = ()
    winner: str | None = None


def score_text(text: str, ctn: bool) -> Iterator[Line]:
    """Every deal of a text, in order; one bad line never stops the others."""
    if ctn:
        for number, script in enumerate(loads(text), start=1):
            yield from _script(script, number)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            game, answer = history.score_line(number, line)
            yield Line(f"line {number}", answer, 1 if "error" in answer else 0, game)


def _script(script: Script, number: int) -> Iterator[Line]:
    where = f"match {number}"
    if isinstance(script.state, Match):
        race = race_of(script.state)
        winner = None if race.winner is None else " & ".join(_names(script, race.winner))
        for deal in script.state.deals:
            differences = [each for each in script.differences if each.deal == deal.number]
            line = _deal(script.state, deal, differences)
            yield msgspec.structs.replace(
                line, label=f"{where}, {line.label}", game=script.state.setup.game.key, match=where,
                totals=race.totals, winner=winner,
            )  # fmt: skip
    for problem in script.problems:
        detail = f"{problem.token}: {problem.detail}"
        error = {"rule": "malformed", "line": problem.line, "column": problem.column, "detail": detail}
        yield Line(where, {"error": error}, 1)


def _names(script: Script, side: int) -> tuple[str, ...]:
    return script.tags.names[side] if script.tags is not None else (f"side {side + 1}",)


def _deal(match: Match, deal: Deal, differences: list[Difference]) -> Line:
    label = f"deal {deal.number}"
    result = played(match, deal)
    findings = deal_findings(match, deal)
    covered = {ruling.code for ruling in deal.rulings}
    ruled = in_force(deal)
    wrong = any(finding.code not in covered for finding in findings) or (bool(differences) and ruled is None)
    shared = {
        "findings": codec.plain(findings),
        "recorded": [{"what": each.what, "stated": each.stated, "derived": each.derived} for each in differences],
    }
    if deal.void:
        void = [0] * len(match.setup.seats)
        return Line(label, {"complete": True, "void": True, "scores": void, **shared}, int(wrong))
    if result is None:
        answer = {"complete": False, "scores": None, "actions": len(deal.facts), **shared}
        return Line(label, answer, int(wrong))
    force = result.scores
    if ruled is not None:
        force = ruled if len(force) == len(ruled) else by_seat(match.setup, ruled)
    return Line(label, {"complete": True, **codec.plain(result), "in_force": list(force), **shared}, int(wrong))
