"""The entries of a tournament as a table: names, rating, table, seed, payment and presence."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from domain.club.state import Club, same_name
from domain.exchange.faults import FaultyError, TextFault
from domain.exchange.sheets import SheetCell, SheetRow, read_sheet, write_sheet
from domain.log.actor import SERVICE
from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.decide import decide
from domain.tournament.evolve import fold
from domain.tournament.seeds import seeds_stand
from domain.tournament.state import Entry, Tournament

COLUMNS: Final = ("name", "partner", "rating", "table", "seed", "paid", "here")
PEOPLE: Final = ("name", "partner")
MOST: Final = 500
LONGEST: Final = 80
_YES: Final = frozenset({"yes", "y", "x", "1", "true"})
_NO: Final = frozenset({"", "no", "n", "0", "false"})
_AMOUNT: Final = re.compile(r"([0-9]{1,6})(?:[.,]([0-9]{1,2}))?\Z", re.ASCII)
_BOUNDS: Final = {"rating": (0, 5000), "table": (1, 10_000), "seed": (1, 4096)}


class EntryLine(msgspec.Struct, frozen=True):
    """One line as read: the people as cells, the rest as numbers; `paid` in hundredths."""

    row: SheetRow
    people: tuple[SheetCell, ...]
    rating: int | None
    table: int | None
    seed: int | None
    paid: int
    here: bool


def write_entries(state: Tournament, names: Mapping[str, str | None]) -> str:
    """The active entries as a table, in the order of seeds, else in the order of entry."""
    order = state.stage.order if state.at >= 0 else state.seeds
    active = [each for each in state.entries.values() if not each.withdrawn]
    seeds = {entry: seed for seed, entry in enumerate(order, start=1)}
    listed = sorted(active, key=lambda each: seeds.get(each.id, len(seeds) + 1))
    return write_sheet(COLUMNS, [_row(each, seeds.get(each.id), names) for each in listed])


def _row(entry: Entry, seed: int | None, names: Mapping[str, str | None]) -> Sequence[str]:
    people = [names.get(player) or "(name removed)" for player in entry.players]
    numbers = ("" if each is None else str(each) for each in (entry.rating, entry.table, seed))
    paid = f"{entry.paid // 100}.{entry.paid % 100:02}" if entry.paid else ""
    return (people[0], people[1] if len(people) > 1 else "", *numbers, paid, "yes" if entry.here else "")


def read_entries(text: str) -> tuple[EntryLine, ...]:
    """Read the lines of a table. Raises FaultyError with all faults at once."""
    rows = read_sheet(text, COLUMNS, ("name",))
    faults: list[TextFault] = []
    if len(rows) > MOST:
        faults.append(TextFault(rows[MOST].line, 1, f"no more than {MOST} entries are made at once"))
    lines = tuple(_line(row, faults.append) for row in rows)
    faults += _twice(cell for line in lines for cell in line.people)
    for name in ("seed", "table"):
        faults += _twice(line.row.cell(name) for line in lines if line.row.text(name))
    if faults:
        raise FaultyError(faults)
    return lines


def _line(row: SheetRow, wrong: Callable[[TextFault], None]) -> EntryLine:
    people = tuple(row.cell(name) for name in PEOPLE if row.text(name))
    if not row.text("name"):
        wrong(row.cell("name").fault("the name is missing"))
    for cell in people:
        if len(cell.text) > LONGEST or not cell.text.isprintable():
            wrong(cell.fault(f"a name is one line of 1 to {LONGEST} characters"))
    rating, table, seed = (_number(row.cell(name), name, wrong) for name in _BOUNDS)
    return EntryLine(row, people, rating, table, seed, _paid(row.cell("paid"), wrong), _here(row.cell("here"), wrong))


def _number(cell: SheetCell, name: str, wrong: Callable[[TextFault], None]) -> int | None:
    if not cell.text:
        return None
    low, high = _BOUNDS[name]
    if cell.text.isascii() and cell.text.isdecimal() and len(cell.text) < 7 and low <= int(cell.text) <= high:
        return int(cell.text)
    wrong(cell.fault(f"a {name} is a number from {low} to {high}, not {cell.text[:20]!r}"))
    return None


def _paid(cell: SheetCell, wrong: Callable[[TextFault], None]) -> int:
    if not cell.text:
        return 0
    told = _AMOUNT.match(cell.text)
    amount = int(told[1]) * 100 + int((told[2] or "").ljust(2, "0")) if told else -1
    if not 0 <= amount <= 10_000_000:
        wrong(cell.fault(f"paid: write an amount like 12.50, at most 100000, not {cell.text[:20]!r}"))
    return max(amount, 0)


def _here(cell: SheetCell, wrong: Callable[[TextFault], None]) -> bool:
    if cell.text.casefold() not in _YES | _NO:
        wrong(cell.fault(f"here: write yes or no, not {cell.text[:20]!r}"))
    return cell.text.casefold() in _YES


def _twice(cells: Iterable[SheetCell]) -> Iterable[TextFault]:
    """A fault for each cell with the name, or the number of its column, of a cell before it."""
    first: dict[str, SheetCell] = {}
    for cell in cells:
        key = same_name(cell.text)
        if key in first:
            yield cell.fault(f"{cell.text[:40]!r} stands in line {first[key].line} already")
        first.setdefault(key, cell)


def people_of(
    club: Club, lines: Iterable[EntryLine], meant: Mapping[str, str] | None = None
) -> tuple[tuple[str | None, ...], ...]:
    """The player of each name or id, None for one that is new to the club; `meant` has the ids of people by names as
    they are compared. Raises FaultyError for a name that two people bear."""
    known: dict[str, tuple[str, ...]] = {player: (club.whom(player),) for player in club.players}
    for name, bearers in club.bearers().items():
        known[name] = (*known.get(name, ()), *bearers)
    known |= {name: (club.whom(id),) for name, id in (meant or {}).items()}
    faults = []
    found = []
    for line in lines:
        own = [known.get(same_name(cell.text), ()) for cell in line.people]
        faults += [
            cell.fault(f"{len(ids)} people are called {cell.text[:40]!r}: write the id of one of them instead")
            for cell, ids in zip(line.people, own, strict=True)
            if len(ids) > 1
        ]
        found.append(tuple(ids[0] if ids else None for ids in own))
    if faults:
        raise FaultyError(faults)
    return tuple(found)


def commands_of(
    state: Tournament, lines: Sequence[EntryLine], players: Sequence[tuple[str, ...]], ids: Sequence[str]
) -> tuple[c.TournamentCommand, ...]:
    """A director's commands for the lines, in their order. Raises FaultyError with every command that is refused."""
    faults: list[TextFault] = []
    asked: list[c.TournamentCommand] = []
    for line, own, entry in zip(lines, players, ids, strict=True):
        for command in _of_line(line, own, entry):
            try:
                news = decide(state, command, SERVICE)
            except Refusal as refusal:
                faults.append(_place(line, command).fault(refusal.detail))
                break
            state = fold(state, [(state.version + at, new.event) for at, new in enumerate(news, start=1)])
            asked.append(command)
    seeded = [line for line in lines if line.seed is not None]
    if seeded and state.at >= 0:
        faults.append(seeded[0].row.cell("seed").fault(seeds_stand(state)))
    if faults:
        raise FaultyError(faults)
    return (*asked, *([_seeds(state, lines, ids)] if seeded else []))


def _of_line(line: EntryLine, players: tuple[str, ...], entry: str) -> list[c.TournamentCommand]:
    asked: list[c.TournamentCommand] = [c.Enter(entry, players, line.rating, line.table)]
    asked += [c.Pay(entry, line.paid)] if line.paid else []
    asked += [c.CheckIn(entry)] if line.here else []
    return asked


def _place(line: EntryLine, command: c.TournamentCommand) -> SheetCell:
    """The cell that a refused command is about."""
    return line.row.cell({c.Pay: "paid", c.CheckIn: "here"}.get(type(command), "name"))


def _seeds(state: Tournament, lines: Sequence[EntryLine], ids: Sequence[str]) -> c.Seed:
    """The order of seeds with new entries behind those before: by seed, then as the table has them."""
    before = [entry for entry in (state.seeds or state.active()) if entry not in ids]
    ordered = sorted(zip(lines, ids, strict=True), key=lambda each: each[0].seed or len(lines) + 10_000)
    return c.Seed("given", (*before, *(entry for _, entry in ordered)))
