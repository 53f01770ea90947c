"""Writing tournament files: one that was read, byte for byte but for its changes, or a table as a new file."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from domain.exchange.trf.model import TournamentFile
from domain.exchange.trf.players import WIDTH, column_of
from domain.pairing.crosstable import NOTHING, Crosstable, PlayerRow, PointSystem, RoundCell, Tenths

FileForm: TypeAlias = Literal["trf16", "trf26"]
_SYSTEMS: Final = {"dutch-2026": "FIDE_DUTCH_2025", "dutch-till-2026": "FIDE_DUTCH_2017", "monrad": "CUSTOM_SWISS"}
_LETTERS_162: Final = (("W", "win"), ("D", "draw"), ("L", "loss"), ("A", "zero_bye"), ("P", "pairing_bye"))
_CODES_16: Final = (
    ("BBW", "win"),
    ("BBD", "draw"),
    ("BBL", "loss"),
    ("BBZ", "zero_bye"),
    ("BBF", "forfeit_loss"),
    ("BBU", "pairing_bye"),
)


def dumps(tournament: TournamentFile) -> str:
    """The file as it was read, with the columns of changed rounds and points written anew. New players follow the last
    one of the file."""
    rows = {row.number: row for row in tournament.table.rows}
    parts: list[str] = []
    after, ending = 0, "\n"
    for line in tournament.lines:
        if line.row is None:
            parts.append(line.text + line.ending)
            continue
        now = rows.pop(line.row.number, None)
        if now is not None:
            parts.append(_changed(line.text, line.row, now) + line.ending)
            after, ending = len(parts), line.ending or ending
    if rows and after and not parts[after - 1].endswith(ending):
        parts[after - 1] += ending
    parts[after:after] = [player_line(tournament.table, row) + ending for row in rows.values()]
    return "".join(parts)


def _changed(text: str, was: PlayerRow, now: PlayerRow) -> str:
    """The line with its changed columns."""
    if was == now:
        return text
    for round_ in range(1, max(len(was.cells), len(now.cells)) + 1):
        if was.cell(round_) != now.cell(round_):
            text = _put(text, column_of(round_), cell_text(now.cell(round_)).ljust(WIDTH - 2))
    if was.stated != now.stated and now.stated is not None:
        text = _put(text, 81, column(now.stated))
    return text


def _put(text: str, column: int, part: str) -> str:
    text = text.ljust(column - 1)
    return text[: column - 1] + part + text[column - 1 + len(part) :]


def compose(table: Crosstable, form: FileForm = "trf16", system: str = "", ranks: Mapping[int, int] = {}) -> str:
    """A table as a new file, with the ranks that are given by number."""
    lines = [f"012 {table.name}"] if table.name else []
    lines += _head_26(table, system) if form == "trf26" else ()
    lines += [player_line(table, row, ranks.get(row.number)) for row in table.rows]
    lines += _tail_26(table) if form == "trf26" else _tail_16(table)
    return "".join(f"{line}\n" for line in lines)


def player_line(table: Crosstable, row: PlayerRow, rank: int | None = None) -> str:
    """A player's line with the stated points, else their sum."""
    stated = table.score(row, len(row.cells)) if row.stated is None else row.stated
    rating = f"{row.rating:4}" if row.rating else "    "
    head = f"001 {row.number:4}      {row.name[:33]:<33} {rating}".ljust(80)
    rounds = "".join(cell_text(cell).ljust(WIDTH) for cell in row.cells)
    return f"{head}{column(stated)} {rank or '':4}  {rounds}".rstrip()


def cell_text(cell: RoundCell) -> str:
    """Opponent, side and result of a round, in the form of the columns from 92."""
    if cell == NOTHING:
        return ""
    if not cell.opponent:
        return f"0000 - {cell.outcome.value}"
    side = {True: "w", False: "b", None: "-"}[cell.first]
    return f"{cell.opponent:4} {side} {cell.outcome.value}"


def tenths(value: Tenths) -> str:
    """Points as 11.5, four wide."""
    sign = "-" if value < 0 else ""
    return f"{sign}{abs(value) // 10}.{abs(value) % 10}".rjust(4)


def column(value: Tenths) -> str:
    """Points in the four columns of a player's line: from 100 without the decimal of a whole number, and blank if they
    do not fit."""
    whole = tenths(value).removesuffix(".0").rjust(4) if abs(value) >= 1000 else tenths(value)
    return whole if len(whole) == 4 else "    "


def _head_26(table: Crosstable, system: str) -> Iterator[str]:
    if table.rounds:
        yield f"142 {table.rounds}"
    if table.first_deals is not None:
        yield f"152 {'W' if table.first_deals else 'B'}"
    if table.points != PointSystem():
        yield "162  " + "    ".join(f"{code}{tenths(getattr(table.points, name))}" for code, name in _LETTERS_162)
    named = system or ("FIDE_ROUNDROBIN" if table.fixed_pairings else _SYSTEMS.get(table.rules or "", ""))
    if named:
        yield f"192 {named}"
    if table.tiebreaks:
        yield f"212 {','.join(table.tiebreaks)}"


def _tail_26(table: Crosstable) -> Iterator[str]:
    last = max(table.rounds, table.played + 1)
    for round_, extra in table.extra:
        for number, value in extra.items():
            yield f"250      {tenths(value)} {round_:03} {round_:03} {number:04} {number:04}"
    for group in table.forbidden:
        yield f"260 001 {last:03} {' '.join(f'{number:4}' for number in group)}"


def _tail_16(table: Crosstable) -> Iterator[str]:
    if table.rounds:
        yield f"XXR {table.rounds}"
    if table.first_deals is not None:
        yield f"XXC {'white1' if table.first_deals else 'black1'}"
    if table.points != PointSystem():
        yield from (f"{code} {tenths(getattr(table.points, name))}" for code, name in _CODES_16)
    yield from _virtual_16(table)
    for group in table.forbidden:
        yield f"XXP {' '.join(map(str, group))}"


def _virtual_16(table: Crosstable) -> Iterator[str]:
    """A line XXA for each player, with every round from the first."""
    by_round = dict(table.extra)
    last = max(by_round, default=0)
    for number in sorted({number for extra in by_round.values() for number in extra}):
        values = (tenths(by_round.get(round_, {}).get(number, 0)) for round_ in range(1, last + 1))
        yield f"XXA {number:4} {' '.join(values)}"
