"""Reading tournament files: line by line, then the agreement of the lines with each other."""

import re
from collections.abc import Iterator

import msgspec

from domain.exchange.trf import worth
from domain.exchange.trf.consistency import check
from domain.exchange.trf.fields import Word, player
from domain.exchange.trf.model import BadFile, FileLine, FileWarning, TournamentFile
from domain.exchange.trf.players import read_row
from domain.exchange.trf.rounds import absent_in, in_force, upcoming, with_cell
from domain.exchange.trf.settings import FileSettings
from domain.pairing.crosstable import Crosstable, Outcome, PlayerRow, RoundCell, Tenths

PLAYER = "001"
_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")


def loads(text: str) -> TournamentFile:
    """Read a tournament file. Raises BadFile, and nothing else, for one that cannot be read."""
    lines, settings = list(split(text)), FileSettings()
    rows: dict[int, PlayerRow] = {}
    where: dict[int, int] = {}
    for number, line in enumerate(lines, start=1):
        if line.text[:3] == PLAYER:
            row = read_row(line.text, number)
            if row.number in rows:
                at = where[row.number]
                raise BadFile(number, 5, f"player {row.number} is there twice, first in line {at}")
            rows[row.number], where[row.number] = row, number
        else:
            settings.read(line.text, number)
    if not rows:
        raise BadFile(1, 1, "there is no player, no line that begins with 001")
    _check_named(settings.named, rows)
    _grant(settings, rows)
    check(rows, where)
    return _whole(settings, rows, where, lines)


def split(text: str) -> Iterator[FileLine]:
    """The lines with their endings: CR, LF or both."""
    for found in _LINE.finditer(text.removeprefix("\ufeff")):
        if found.group():
            yield FileLine(found.group(1), found.group(2))


def _check_named(named: list[Word], rows: dict[int, PlayerRow]) -> None:
    for word in named:
        if player(word) not in rows:
            raise word.bad(f"there is no player {word.text}")


def _grant(settings: FileSettings, rows: dict[int, PlayerRow]) -> None:
    """Records 240 and XXZ as cells of their rounds."""
    for letter, round_, word in settings.byes:
        row = rows[player(word)]
        cell = row.cell(round_)
        if cell.opponent or cell.outcome.value not in (letter, " "):
            raise word.bad(f"player {row.number} has {letter} in round {round_} here and something else in line 001")
        rows[row.number] = with_cell(row, round_, RoundCell(outcome=Outcome(letter)))
    if settings.away:
        due = upcoming(rows.values())
        for word in settings.away:
            row = rows[player(word)]
            if row.cell(due).outcome is Outcome.UNKNOWN and not row.cell(due).opponent:
                rows[row.number] = with_cell(row, due, RoundCell(outcome=Outcome.ZERO_BYE))


def _whole(
    settings: FileSettings, rows: dict[int, PlayerRow], where: dict[int, int], lines: list[FileLine]
) -> TournamentFile:
    points = worth.all_points(settings.points)
    for seed, number in where.items():
        lines[number - 1] = msgspec.structs.replace(lines[number - 1], row=rows[seed])
    table = Crosstable(
        rows=tuple(rows[seed] for seed in sorted(rows)),
        rounds=settings.rounds,
        points=points,
        rules=settings.rules,
        first_deals=settings.first_deals,
        extra=_extra(settings, rows),
        tiebreaks=settings.tiebreaks,
        fixed_pairings="ROUNDROBIN" in settings.system,
        name=settings.name,
    )
    due = upcoming(table.rows)
    found = TournamentFile(
        table=table,
        upcoming=due,
        absent=absent_in(table.rows, due),
        barred=tuple(settings.barred),
        system=settings.system,
        lines=tuple(lines),
        warnings=tuple(_differing(table, where)),
        always=tuple(settings.groups),
    )
    return msgspec.structs.replace(found, table=msgspec.structs.replace(table, forbidden=in_force(found, due)))


def _extra(settings: FileSettings, rows: dict[int, PlayerRow]) -> tuple[tuple[int, dict[int, Tenths]], ...]:
    """Virtual points by round, those of 250 with those of XXA."""
    extra = {round_: dict(each) for round_, each in settings.extra.items()}
    for value, rounds, players in settings.spans:
        for round_ in rounds:
            extra.setdefault(round_, {}).update({seed: value for seed in rows if seed in players})
    return tuple(sorted((round_, {seed: each[seed] for seed in sorted(each)}) for round_, each in extra.items()))


def _differing(table: Crosstable, where: dict[int, int]) -> Iterator[FileWarning]:
    """A warning for stated points that are not the sum, neither with nor without the byes of rounds to come."""
    played = max((place for row in table.rows for place, cell in enumerate(row.cells, 1) if cell.opponent), default=0)
    for row in sorted(table.rows, key=lambda each: where[each.number]):
        sums = (table.score(row, played), table.score(row, len(row.cells)))
        if row.stated is not None and row.stated not in sums:
            told = f"player {row.number} is said to have {row.stated / 10:g} points, the rounds add up to"
            yield FileWarning(where[row.number], 81, f"{told} {sums[0] / 10:g}")
