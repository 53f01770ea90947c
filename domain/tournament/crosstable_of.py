"""Builds a stage's cross table, the input of pairing and tie-breaks, from its matches."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from domain.chance import shuffled, words
from domain.pairing.crosstable import Crosstable, Outcome, PlayerRow, RoundCell
from domain.tournament.format import StageSoFar
from domain.tournament.meetings import Meeting

BYES: Final = {
    "bye": Outcome.PAIRING_BYE,
    "half": Outcome.HALF_BYE,
    "full": Outcome.FULL_BYE,
    "zero": Outcome.ZERO_BYE,
}


def table_of(field: StageSoFar, rounds: int, fixed: bool, seeds: Iterable[int] | None = None) -> Crosstable:
    """The cross table of a stage, or of some of its seeds; `rounds` is how many there will be. `fixed`: all pairings
    were made beforehand, so a round without a match is nothing; else whoever has none in a round was absent."""
    chosen = sorted(seeds) if seeds is not None else range(1, field.entrants + 1)
    cells = {seed: [RoundCell() for _ in range(rounds)] for seed in chosen}
    for each in field.found.values():
        for place in (0, 1):
            for seed in each.of_side(place):
                if seed in cells and each.fixture.round <= rounds:
                    cells[seed][each.fixture.round - 1] = _cell(field, each, place)
    if not fixed:
        _fill_in(field, cells, rounds)
    lots = shuffled(list(chosen), words(b"lot %d" % field.lot))
    drawn = {seed: place for place, seed in enumerate(lots, start=1)}
    rows = tuple(
        PlayerRow(
            seed,
            f"{{{seed}}}",
            tuple(own),
            lot=drawn[seed],
            late=0 if fixed else _late(field, seed, own[: field.rounds]),
        )
        for seed, own in cells.items()
    )
    return Crosstable(
        rows,
        rounds,
        field.terms.match_points(),
        first_deals=field.lot % 2 == 0,
        fixed_pairings=fixed,
        by_worth=field.terms.points == "win",
    )


def _fill_in(field: StageSoFar, cells: dict[int, list[RoundCell]], rounds: int) -> None:
    """The byes of the rounds that were paired; who was not in one was absent from it."""
    for number, byes in enumerate(field.byes[:rounds]):
        for seed, own in cells.items():
            if own[number].opponent:
                continue
            kind = byes.get(seed, "zero")
            worth = field.terms.bye_worth if kind in ("bye", "full") else 0
            own[number] = RoundCell(0, None, BYES.get(kind, Outcome.ZERO_BYE), worth)


def _late(field: StageSoFar, seed: int, own: Sequence[RoundCell]) -> int:
    """The number of rounds that were paired before an entry was made: those before the first match or bye; none for who
    left."""
    if seed in field.gone:
        return 0
    took_part = (place for place, cell in enumerate(own) if cell.opponent or seed in field.byes[place])
    return next(took_part, len(own))


def _cell(field: StageSoFar, meeting: Meeting, place: int) -> RoundCell:
    """A match as one of its sides has it; the first-named deals first."""
    opponents = meeting.of_side(1 - place)
    cell = RoundCell(opponents[0] if opponents else 0, place == 0, _outcome(meeting, place))
    decided = meeting.decided
    if decided is None:
        return cell
    if decided.how == "walkover":
        return msgspec.structs.replace(cell, worth=field.terms.walkover_worth * (decided.winner == place))
    score, levels = decided.score or (0, 0), decided.levels or (0, 0)
    worth = decided.worth[place] if decided.worth is not None else int(decided.winner == place)
    return msgspec.structs.replace(
        cell,
        worth=worth,
        difference=score[place] - score[1 - place],
        given=levels[1 - place],
        taken=levels[place],
    )


def _outcome(meeting: Meeting, place: int) -> Outcome:
    decided = meeting.decided
    if decided is None:
        return Outcome.UNKNOWN
    if decided.how == "absent":
        return Outcome.FORFEIT_LOSS
    if decided.winner is None:
        return Outcome.DRAW
    won = decided.winner == place
    if decided.how == "walkover":
        return Outcome.FORFEIT_WIN if won else Outcome.FORFEIT_LOSS
    return Outcome.WIN if won else Outcome.LOSS


def settled(table: Crosstable) -> Crosstable:
    """The table with a draw for every match that is still open, so that a round can be paired beside it."""
    rows = []
    for row in table.rows:
        cells = (
            msgspec.structs.replace(cell, outcome=Outcome.DRAW)
            if cell.opponent and cell.outcome is Outcome.UNKNOWN
            else cell
            for cell in row.cells
        )
        rows.append(msgspec.structs.replace(row, cells=tuple(cells)))
    return msgspec.structs.replace(table, rows=tuple(rows))
