"""Bring a moment back: the base before it, and every change up to it, in an embedded server of its own."""

import shutil
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import psycopg

from service.copies.base_manifest import fault_of
from service.copies.changes import Base, Changes, before
from service.copies.erased import Erasure
from service.copies.frames import CopyError
from service.desk.erasing_again import Again
from service.run.binaries import PG_VERSION, EmbeddedError
from service.run.embedded import Embedded
from service.run.passwords import make_passwords, read_passwords
from service.run.restoring import made_ready, put_in_place, started
from service.run.settings import Settings
from service.store import changes as store
from service.store.changes import Placed

Log: TypeAlias = tuple[str, int]  # its club; open or closed
TOO_LATE: Final = "recovery ended before configured recovery target was reached"
EXTERNAL: Final = (
    "a moment comes back into an embedded server: unset LURCH_DATABASE_URL, or bring your own server back with its own "
    "tool (docs/copies.md)"
)
_RECOVERY: Final = """hot_standby = off
restore_command = 'false'
recovery_target_timeline = 'current'
recovery_target_action = 'promote'
"""


class Returned(msgspec.Struct, frozen=True):
    """The last fact of a club's log that came back, and the first that did not; None where there is none."""

    club: str
    last: Placed | None
    lost: Placed | None


class AtMoment(msgspec.Struct, frozen=True):
    """The outcome of going back to a moment: the base, the number of events verified, what each log of each club has,
    what became of later erasures, and the file of changes that is missing, behind which nobody can look."""

    base: Base
    events: int
    logs: tuple[Returned, ...]
    again: Again
    missing: str | None


def restore_at(
    folder: Path, settings: Settings, moment: datetime, gone: bool = False, erased: Sequence[Erasure] = ()
) -> AtMoment:
    """Bring a moment back into a data directory that holds nothing; who was `erased` since is erased again. Raises
    CopyError before anything is made, EmbeddedError, OSError."""
    if settings.database_url:
        raise CopyError(EXTERNAL)
    base, changes = _whole(before(folder, moment))
    with put_in_place(settings.data) as beside:
        to_its_end = _played(changes, base, beside, moment)
        with started(beside) as database:
            with psycopg.connect(database.owner_url) as connection:
                back = {(each.club, each.log): each for each in store.last_facts(connection)}
            events, again = made_ready(database, gone, erased)
        lost = {} if to_its_end else _lost(changes, base, beside / "whole", back)
    clubs = sorted(back.keys() | lost.keys())
    returned = tuple(Returned(club[0], back.get(club), lost.get(club)) for club in clubs)
    return AtMoment(base, events, returned, again, changes.missing_since(base))


def _lost(changes: Changes, base: Base, root: Path, back: Mapping[Log, Placed]) -> dict[Log, Placed]:
    """The first fact of each log that did not come back, read from a server that has all of them."""
    _played(changes, base, root, None)
    with started(root) as database, psycopg.connect(database.owner_url) as connection:
        ends = {(each.club, each.log): each.position for each in store.last_facts(connection)}
        behind = {club: back[club].position if club in back else 0 for club in ends}
        found = {club: store.fact_at(connection, *club, behind[club] + 1) for club in ends}
    shutil.rmtree(root)
    return {club: fact for club, fact in found.items() if fact is not None}


def _whole(bases: list[tuple[Base, Changes]]) -> tuple[Base, Changes]:
    """The first base that is whole and of a server that we have. Raises CopyError with what is wrong with the last."""
    for base, changes in bases:
        wrong = _wrong_with(base.folder)
        if wrong is None:
            return base, changes
    raise CopyError(f"no base can be used, {base.folder}: {wrong}")


def _wrong_with(base: Path) -> str | None:
    try:
        major = (base / "PG_VERSION").read_text(errors="replace").strip()
    except FileNotFoundError:
        return "PG_VERSION is missing"
    if major.isdecimal() and major != PG_VERSION:
        return f"it is of PostgreSQL {major}, and this Lurch has {PG_VERSION}: use the Lurch of then"
    return fault_of(base)


def _played(changes: Changes, base: Base, root: Path, moment: datetime | None) -> bool:
    """Bring a server to a moment, or to the end of its changes; tells whether that is the end. Raises EmbeddedError,
    CopyError."""
    if moment is not None:
        try:
            _recover(changes, base, root, f"recovery_target_time = '{moment.isoformat()}'\n")
        except EmbeddedError as error:
            if TOO_LATE not in str(error):
                raise
            _check_complete(changes, base)
            shutil.rmtree(root)
        else:
            return False
    _recover(changes, base, root, "")
    return True


def _check_complete(changes: Changes, base: Base) -> None:
    """Raises CopyError where the changes end early for one that is missing: what follows is there, and is lost."""
    missing = changes.missing_since(base)
    if missing is not None:
        raise CopyError(
            f"{missing} is missing in {changes.files}, and nothing after it can be brought back: name an earlier moment"
        )


def _recover(changes: Changes, base: Base, root: Path, target: str) -> None:
    """Lay a base and its changes out, and let the server play them with nobody connected. Its passwords are new: those
    of before are in no copy."""
    root.mkdir(parents=True, exist_ok=True)
    embedded = Embedded(root)
    make_passwords(root, embedded.data)
    shutil.copytree(base.folder, embedded.data)
    changes.put_into(embedded.data / "pg_wal", base)
    chosen = embedded.data / "postgresql.auto.conf"
    usual = chosen.read_text(encoding="utf-8")
    chosen.write_text(f"{usual}{_RECOVERY}{target}", encoding="utf-8")
    (embedded.data / "recovery.signal").touch()
    embedded.data.chmod(0o700)
    embedded.folder.own_all()
    embedded.alone(store.new_password("postgres", read_passwords(root).postgres))
    chosen.write_text(usual, encoding="utf-8")
