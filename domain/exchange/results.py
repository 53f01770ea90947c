"""The results of a stage as a table: the pairings of its rounds with their results."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from domain.club.state import same_name
from domain.exchange.faults import FaultyError, TextFault
from domain.exchange.sheets import SheetRow, read_sheet, write_sheet
from domain.log.actor import SERVICE
from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament import events as e
from domain.tournament.decide import decide
from domain.tournament.doubts import NONE, Doubt, doubt_in
from domain.tournament.evolve import fold
from domain.tournament.meetings import Decided, How
from domain.tournament.state import Stage, Tournament

COLUMNS: Final = ("round", "fixture", "table", "one", "other", "score_one", "score_other", "winner", "how", "doubt")
NEEDED: Final = ("fixture", "one", "other")
_SCORE: Final = re.compile(r"-?[0-9]{1,6}\Z", re.ASCII)
_HOWS: Final[dict[str, How]] = {"": "played", "played": "played", "walkover": "walkover", "absent": "absent"}


def write_results(
    state: Tournament,
    stage: int,
    names: Mapping[str, str],
    round_: int | None = None,
    beside: Mapping[str, Doubt] = NONE,
) -> str:
    """The pairings of a round of a stage (counted from 1), or of all that were paired; `beside` are the doubts that do
    not stand in the tournament. Where one is in doubt, a last column says so, which is not read back."""
    own = state.stages[stage]
    wanted = range(len(own.rounds)) if round_ is None else [round_ - 1]
    rows = [
        (*_row(own, place + 1, own.pairings[name], names), doubt_in(own, name, beside) or "")
        for place in wanted
        for name in sorted(own.rounds[place].names, key=lambda each: own.pairings[each].table)
    ]
    if not any(row[-1] for row in rows):
        return write_sheet(COLUMNS[:-1], [row[:-1] for row in rows])
    return write_sheet(COLUMNS, rows)


def sides_of(pairing: e.Pairing, names: Mapping[str, str]) -> tuple[str, str]:
    """The names of both sides of a pairing."""
    one, other = (" & ".join(names[entry] for entry in side) for side in pairing.sides)
    return one, other


def _row(stage: Stage, round_: int, pairing: e.Pairing, names: Mapping[str, str]) -> Sequence[str]:
    sides, outcome = sides_of(pairing, names), stage.decided.get(pairing.fixture)
    head = (str(round_), pairing.fixture, str(pairing.table), *sides)
    if outcome is None:
        return (*head, "", "", "", "")
    scores = ("", "") if outcome.score is None else map(str, outcome.score)
    winner = "" if outcome.how == "absent" else "draw" if outcome.winner is None else sides[outcome.winner]
    return (*head, *scores, winner, outcome.how)


def read_results(state: Tournament, text: str, names: Mapping[str, str]) -> tuple[c.Report, ...]:
    """The results of a table that are new to the current stage. Raises FaultyError with every line that is refused."""
    rows = read_sheet(text, COLUMNS, NEEDED)
    if state.at < 0:
        raise FaultyError([TextFault(1, 1, "no round has been paired: there are no results yet")])
    faults: list[TextFault] = []
    reports: list[c.Report] = []
    seen: dict[str, int] = {}
    for row in rows:
        fixture = row.text("fixture")
        if fixture in seen:
            faults.append(row.cell("fixture").fault(f"{fixture[:20]} stands in line {seen[fixture]} already"))
            continue
        seen[fixture] = row.line
        try:
            report = _report(state.stage, row, names)
            if report is not None:
                state = _after(state, row, report)
                reports.append(report)
        except FaultyError as wrong:
            faults += wrong.faults
    if faults:
        raise FaultyError(faults)
    return tuple(reports)


def _after(state: Tournament, row: SheetRow, report: c.Report) -> Tournament:
    """The tournament with the report. Raises FaultyError where it is refused."""
    try:
        news = decide(state, report, SERVICE)
    except Refusal as refusal:
        column = "score_one" if report.score is not None else "winner" if row.text("winner") else "fixture"
        raise FaultyError([row.cell(column).fault(refusal.detail)]) from None
    return fold(state, [(state.version + at, new.event) for at, new in enumerate(news, start=1)])


def _report(stage: Stage, row: SheetRow, names: Mapping[str, str]) -> c.Report | None:
    """The report of a line; None for a line without a result, or with the one that stands already. Raises
    FaultyError."""
    pairing = stage.pairings.get(row.text("fixture"))
    if pairing is None:
        shown = row.text("fixture")[:20]
        raise FaultyError([row.cell("fixture").fault(f"no match {shown!r} has been paired in the stage that is on")])
    turned = _check_pairing(stage, row, pairing, sides_of(pairing, names))
    how, score, winner = _how(row), _score(row), _winner(row)
    if turned:
        score = None if score is None else (score[1], score[0])
        winner = winner if winner in (None, -1) else 1 - winner
    if not (row.text("how") or row.text("winner") or score):
        return None
    if how == "played" and score is None and winner is None:
        raise FaultyError([row.cell("winner").fault("who won? Write a side's name, or draw, or the score")])
    won: Literal[0, 1] | None = 0 if winner == 0 else 1 if winner == 1 else None
    said = c.Report(pairing.fixture, won, how, score)
    _check_score(row, said, winner)
    return None if _stands(stage.decided.get(pairing.fixture), said) else said


def _check_pairing(stage: Stage, row: SheetRow, pairing: e.Pairing, sides: tuple[str, str]) -> bool:
    """Compare a line with its pairing; True if its sides are swapped. Raises FaultyError for other people, table or
    round."""
    faults = []
    table, round_ = row.text("table"), row.text("round")
    if table and table != str(pairing.table):
        faults.append(row.cell("table").fault(f"{pairing.fixture} is played at table {pairing.table}"))
    paired = stage.round_of(pairing.fixture)
    if round_ and paired is not None and round_ != str(paired + 1):
        faults.append(row.cell("round").fault(f"{pairing.fixture} is of round {paired + 1}"))
    mine, theirs = [same_name(row.text(name)) for name in ("one", "other")], list(map(same_name, sides))
    turned = mine == theirs[::-1] and mine != theirs
    if not turned:
        faults += [
            row.cell(column).fault(f"{pairing.fixture} is between {sides[0]} and {sides[1]}")
            for column, said, right in zip(("one", "other"), mine, theirs, strict=True)
            if said != right
        ]
    if faults:
        raise FaultyError(faults)
    return turned


def _how(row: SheetRow) -> How:
    cell = row.cell("how")
    if cell.text.casefold() not in _HOWS:
        raise FaultyError([cell.fault(f"how: write played, walkover or absent, not {cell.text[:20]!r}")])
    return _HOWS[cell.text.casefold()]


def _score(row: SheetRow) -> tuple[int, int] | None:
    cells = [row.cell(name) for name in ("score_one", "score_other")]
    if not any(cell.text for cell in cells):
        return None
    wrong = [cell.fault("a score is a whole number for each side") for cell in cells if not _SCORE.match(cell.text)]
    wrong += [cell.fault("a score lies between -100000 and 100000") for cell in cells if _far(cell.text)]
    if wrong:
        raise FaultyError(wrong)
    return int(cells[0].text), int(cells[1].text)


def _far(text: str) -> bool:
    return bool(_SCORE.match(text)) and abs(int(text)) > 100_000


def _winner(row: SheetRow) -> int | None:
    """The winner of a line: 0 or 1 in the order of the line, -1 for a draw, None for an empty cell."""
    cell = row.cell("winner")
    named: Iterable[tuple[str, int]] = ((row.text("one"), 0), (row.text("other"), 1), ("draw", -1))
    if not cell.text:
        return None
    found = [place for name, place in named if same_name(name) == same_name(cell.text)]
    if not found:
        said = f"{cell.text[:40]!r} does not play here: the winner is one of the two, or draw"
        raise FaultyError([cell.fault(said)])
    return found[0]


def _check_score(row: SheetRow, said: c.Report, winner: int | None) -> None:
    """Raises FaultyError where winner, score and how do not go together."""
    cell = row.cell("winner")
    if said.how == "absent" and (winner is not None or said.score):
        raise FaultyError([cell.fault("where both are absent there is no winner and no score")])
    if said.how == "walkover" and (winner not in (0, 1) or said.score):
        raise FaultyError([cell.fault("a walkover has a winner and no score")])
    if said.score and winner == -1 and said.score[0] != said.score[1]:
        raise FaultyError([cell.fault("this score is no draw")])


def _stands(before: Decided | None, said: c.Report) -> bool:
    """Tell a report that repeats the result of the stage; a score stands for its winner."""
    if before is None or before.how != said.how:
        return False
    if said.score is not None and before.score is not None and before.score == said.score:
        return said.winner is None or said.winner == before.winner
    return said.score is None and before.winner == said.winner
