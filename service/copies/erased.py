"""The list of erasures beside copies: ids and no names, so that who was erased since a copy is erased again."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
import psycopg

from domain.club.events import ErasureReason, PersonErased
from service.copies.frames import CopyError
from service.store import erasures
from service.store.copying import Owner

NAME: Final = "erased.json"
VERSION: Final = 1


class Erasure(msgspec.Struct, frozen=True, order=True):
    """A person who was erased: the club, the reason, and the rows (stream and version) that went."""

    club: str
    person: str
    reason: ErasureReason
    rows: tuple[tuple[str, int], ...] = ()


class ErasedList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    lurch_erased: int
    erasures: tuple[Erasure, ...]


def read(place: Path) -> tuple[Erasure, ...]:
    """The erasures of a file. Raises CopyError, OSError."""
    try:
        found = msgspec.json.decode(place.read_bytes(), type=ErasedList)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise CopyError(f"{place} is no list of erasures: choose the {NAME} that lies beside the copies") from None
    if found.lurch_erased > VERSION:
        raise CopyError(f"{place} was written by a newer Lurch: use that one")
    return found.erasures


def _so_far(place: Path) -> tuple[Erasure, ...]:
    """The erasures of a list that is to be brought up to date. Raises CopyError, OSError."""
    if not place.exists():
        return ()
    try:
        return read(place)
    except CopyError as error:
        raise CopyError(
            f"who was erased cannot be added to {place}, which was changed or made by a newer Lurch: move it away, "
            "and it is made anew with the next copy"
        ) from error


def recorded(owner_url: str) -> tuple[Erasure, ...]:
    """The erasures that the logs hold."""
    with psycopg.connect(owner_url, application_name="lurch erasures") as connection:
        return recorded_in(connection)


def recorded_in(connection: Owner) -> tuple[Erasure, ...]:
    """The erasures that the logs hold, as this transaction sees them."""
    found = [(club, msgspec.json.decode(data, type=PersonErased)) for club, data in erasures.all_of(connection)]
    return joined(
        Erasure(club, each.person, each.reason, tuple((row[0], row[1]) for row in each.rows)) for club, each in found
    )


def joined(found: Iterable[Erasure]) -> tuple[Erasure, ...]:
    """One of each person of a club, with all rows that went."""
    by: dict[tuple[str, str], Erasure] = {}
    for each in found:
        before = by.get((each.club, each.person), each)
        rows = tuple(sorted({*before.rows, *each.rows}))
        by[each.club, each.person] = msgspec.structs.replace(before, rows=rows)
    return tuple(sorted(by.values()))


def write_beside(folder: Path, found: Iterable[Erasure]) -> None:
    """Bring the list of a folder up to date with the erasures `found` in the logs. What stands in it stays: a log that
    was restored from an earlier copy knows fewer. Without an erasure there is no list. Raises CopyError, OSError."""
    place = folder / NAME
    before = _so_far(place)
    now = joined((*before, *found))
    if now == before:
        return
    folder.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f"{NAME}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(ErasedList(VERSION, now)))
            file.flush()
            os.fsync(file.fileno())
        part.rename(place)
    finally:
        part.unlink(missing_ok=True)  # on a full disk it would stay
