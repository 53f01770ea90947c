"""The people of a club as a table: id in this club, name, visitor, rating, ids of other bodies."""

from collections.abc import Callable
from typing import Final

from domain.club.commands import ListedPerson
from domain.club.names import LONGEST, people
from domain.club.people import HIGHEST, LONGEST_ID, MOST_IDS
from domain.club.state import Club, Player, same_name
from domain.exchange.faults import FaultyError, TextFault
from domain.exchange.sheets import SheetCell, SheetRow, read_sheet, write_sheet
from domain.log.decider import Refusal

COLUMNS: Final = ("id", "name", "visitor", "rating", "ids")
MOST: Final = 500
_YES: Final = frozenset({"yes", "y", "x", "1", "true", "visitor"})
_NO: Final = frozenset({"no", "n", "0", "false", "member"})
Wrong = Callable[[TextFault], None]


def write_members(club: Club) -> str:
    """Everybody of a club, by name."""
    listed = sorted(people(club), key=lambda each: (same_name(each.name or ""), each.id))
    return write_sheet(COLUMNS, map(_row, listed))


def _row(player: Player) -> tuple[str, ...]:
    rating = "" if player.rating is None else str(player.rating)
    ids = "; ".join(f"{body}={id}" for body, id in sorted(player.ids.items()))
    return player.id, player.name or "", "yes" if player.visitor else "no", rating, ids


def read_members(text: str) -> tuple[ListedPerson, ...]:
    """Read the lines of a table. Raises FaultyError with all faults at once."""
    rows = read_sheet(text, COLUMNS, ("name",))
    faults: list[TextFault] = []
    if len(rows) > MOST:
        faults.append(TextFault(rows[MOST].line, 1, f"no more than {MOST} people are taken at once"))
    lines = tuple(_line(row, faults.append) for row in rows)
    if faults:
        raise FaultyError(faults)
    return lines


def _line(row: SheetRow, wrong: Wrong) -> ListedPerson:
    name = row.cell("name")
    if not name.text:
        wrong(name.fault("the name is missing"))
    elif len(name.text) > LONGEST:
        wrong(name.fault(f"a name is one line of 1 to {LONGEST} characters"))
    own, visitor, rating = row.text("id")[:LONGEST_ID], row.cell("visitor"), row.cell("rating")
    ids = _ids(row.cell("ids"), wrong)
    return ListedPerson(row.line, name.text, own, _visitor(visitor, wrong), ids, _rating(rating, wrong))


def _visitor(cell: SheetCell, wrong: Wrong) -> bool | None:
    said = cell.text.casefold()
    if said and said not in _YES | _NO:
        wrong(cell.fault(f"visitor: write yes or no, not {cell.text[:20]!r}"))
    return None if not said else said in _YES


def _rating(cell: SheetCell, wrong: Wrong) -> int | None:
    if not cell.text:
        return None
    if cell.text.isascii() and cell.text.isdecimal() and len(cell.text) < 7 and int(cell.text) <= HIGHEST:
        return int(cell.text)
    wrong(cell.fault(f"a rating is a number from 0 to {HIGHEST}, not {cell.text[:20]!r}"))
    return None


def ids_of_text(text: str) -> dict[str, str]:
    """Ids of other bodies as they are written on one line. Raises Refusal."""
    faults: list[TextFault] = []
    found = _ids(SheetCell(text, 1, 1), faults.append)
    if faults:
        raise Refusal("malformed", faults[0].message)
    return found


def _ids(cell: SheetCell, wrong: Wrong) -> dict[str, str]:
    """`FIDE=1503014; ECF=123456A` by body."""
    found: dict[str, str] = {}
    parts = [part for part in cell.text.split(";") if part.strip()]
    for part in parts[:MOST_IDS]:
        body, mark, id = (piece.strip() for piece in part.partition("="))
        if not (body and mark and id) or max(len(body), len(id)) > LONGEST_ID or not (body + id).isprintable():
            wrong(cell.fault(f"{part.strip()[:40]!r} is no id of another body: write FIDE=1503014; ECF=123456A"))
        elif any(same_name(body) == same_name(each) for each in found):
            wrong(cell.fault(f"{body!r} stands twice"))
        found[body] = id
    if len(parts) > MOST_IDS:
        wrong(cell.fault(f"{MOST_IDS} ids of other bodies are kept at most"))
    return found
