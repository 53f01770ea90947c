"""The answers of `lurch score`: histories strictly, CTN in record mode with findings and differences."""

from collections.abc import Iterator

import msgspec

from domain import codec
from domain.log.event import JsonObject
from domain.match.audit.grades import graded
from domain.match.state import Deal, Match, by_seat, played, race_of, ruled_scores
from domain.notation import history
from domain.notation.ctn_read import ReadMatch, loads
from domain.notation.read_sheet import Difference


class DealAnswer(msgspec.Struct, frozen=True):
    """The answer for one deal: a label for people, the JSON object, the exit status, the game. For notation also its
    match after the whole file: totals by side and the winner."""

    label: str
    answer: JsonObject
    status: int
    game: str = ""
    match: str = ""
    totals: tuple[int, ...] = ()
    winner: str | None = None


def score_text(text: str, ctn: bool) -> Iterator[DealAnswer]:
    """Every deal of a text, in order; one bad line never stops the others."""
    if ctn:
        for number, read in enumerate(loads(text), start=1):
            yield from _answers(read, number)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            game, answer = history.score_line(number, line)
            yield DealAnswer(f"line {number}", answer, 1 if "error" in answer else 0, game)


def _answers(read: ReadMatch, number: int) -> Iterator[DealAnswer]:
    where = f"match {number}"
    if isinstance(read.state, Match):
        race = race_of(read.state)
        winner = None if race.winner is None else " & ".join(_names(read, race.winner))
        for deal in read.state.deals:
            differences = [each for each in read.differences if each.deal == deal.number]
            line = _deal(read.state, deal, differences)
            yield msgspec.structs.replace(
                line,
                label=f"{where}, {line.label}",
                game=read.state.setup.game.key,
                match=where,
                totals=race.totals,
                winner=winner,
            )
    for problem in read.problems:
        detail = f"{problem.token}: {problem.detail}"
        error = {"rule": "malformed", "line": problem.line, "column": problem.column, "detail": detail}
        yield DealAnswer(where, {"error": error}, 1)


def _names(read: ReadMatch, side: int) -> tuple[str, ...]:
    return read.tags.names[side] if read.tags is not None else (f"side {side + 1}",)


def _deal(match: Match, deal: Deal, differences: list[Difference]) -> DealAnswer:
    label = f"deal {deal.number}"
    result = played(match, deal)
    findings = [each for each in graded(match, deal) if not each.note]  # figures that differ are told beside
    covered = {ruling.code for ruling in deal.rulings}
    ruled = ruled_scores(deal)
    wrong = any(finding.code not in covered for finding in findings) or (bool(differences) and ruled is None)
    shared = {
        "findings": codec.plain(findings),
        "recorded": [{"what": each.what, "stated": each.stated, "derived": each.derived} for each in differences],
    }
    if deal.void:
        void = [0] * len(match.setup.seats)
        return DealAnswer(label, {"complete": True, "void": True, "scores": void, **shared}, int(wrong))
    if result is None:
        answer = {"complete": False, "scores": None, "actions": len(deal.facts), **shared}
        return DealAnswer(label, answer, int(wrong))
    force = result.scores
    if ruled is not None:
        force = ruled if len(force) == len(ruled) else by_seat(match.setup, ruled)
    return DealAnswer(label, {"complete": True, **codec.plain(result), "in_force": list(force), **shared}, int(wrong))
