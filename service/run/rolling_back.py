"""Roll back: the copy before the last migration takes the place of what is there, in one transaction or not at all."""

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
import psycopg

from service import VERSION
from service.copies import erased
from service.copies.erased import Erasure
from service.copies.frames import CopyError
from service.copies.manifest import Manifest
from service.copies.reading import checked
from service.copies.taking import named, take_alone
from service.desk.erasing_again import Again
from service.run.before import FOLDER, beside, copies_before
from service.run.migrate import check_known, in_one_transaction, upgrade_within
from service.run.restoring import check_same, erased_again, put_tables
from service.run.settings import Settings
from service.store import copying, roles, rolling_back
from service.store.rolling_back import RecordedSince

ARCHIVES: Final = "rolled-back"
BECAUSE: Final = "rolled back to a copy"
Told = Callable[[int], None]


class Earlier(msgspec.Struct, frozen=True):
    """The copy before the last migration, and the schema that the migration left."""

    place: Path
    manifest: Manifest
    passphrase: str | None
    now: str


class RolledBack(msgspec.Struct, frozen=True):
    """The outcome of a rollback: the manifest, the number of facts lost, the file with everything that was there, and
    what became of later erasures, which the list beside that file names."""

    manifest: Manifest
    facts: int
    archive: Path
    again: Again
    listed: Path


class WouldLoseError(Exception):
    """Facts were recorded since; they are named, and whoever rolls back says how many."""

    def __init__(self, since: list[RecordedSince], manifest: Manifest) -> None:
        super().__init__("facts were recorded since")
        self.since, self.manifest = since, manifest

    @property
    def facts(self) -> int:
        """The number of facts recorded since."""
        return sum(each.facts for each in self.since)


def earlier(settings: Settings, owner_url: str) -> Earlier:
    """The copy before the last migration. Raises CopyError, SchemaError, OSError."""
    check_known(owner_url)
    now = max(roles.revisions(owner_url), default="")
    copies = copies_before(settings, owner_url)
    for made in copies.made():
        place = copies.folder / named(made)
        manifest = checked(place, copies.passphrase)
        if manifest.revision < now:
            return Earlier(place, manifest, copies.passphrase, now)
    raise CopyError(
        f"there is no copy from before a migration in {copies.folder}, so there is nothing to roll back to: "
        "`lurch restore` brings back a copy of another day"
    )


def roll_back(settings: Settings, owner_url: str, lose: int, told: Told = lambda rows: None) -> RolledBack:
    """Bring the copy before the last migration back, where no more and no less is lost than `lose` says; who was
    erased since is erased again. Raises WouldLoseError, CopyError, SchemaError, UnderWayError, OSError; then nothing
    has changed."""
    with copying.alone(owner_url, "rollback"):
        back = earlier(settings, owner_url)
        with in_one_transaction(owner_url, "rollback") as (outer, connection):
            check_alone(connection)
            rolling_back.hold_still(connection)
            since = _since(connection, back)
            lost = sum(each.facts for each in since)
            if lost != lose:
                raise WouldLoseError(since, back.manifest)
            archives, gone = beside(settings) / ARCHIVES, erased.recorded_in(connection)
            archive, _ = take_alone(owner_url, archives, VERSION, back.passphrase, at=datetime.now(UTC))
            erased.write_beside(archives, gone)
            rolling_back.drop_all(connection)
            upgrade_within(outer, back.manifest.revision)
            put_tables(connection, back.place, back.passphrase, told)
            check_same(connection, back.manifest)
            copying.begin_anew(connection, secrets.token_hex(4), BECAUSE)
            known = erased.recorded_in(connection)
        again = _erased_again(owner_url, back, [each for each in gone if each not in known])
    return RolledBack(back.manifest, lost, archive, again, archives / erased.NAME)


def _erased_again(owner_url: str, back: Earlier, wanted: Sequence[Erasure]) -> Again:
    """Erase again in the schema of before, as far as this program can: it may ask for what is not there yet."""
    try:
        return erased_again(owner_url, wanted)
    except psycopg.Error as error:
        why = f"{_line(error)}: start Lurch {back.manifest.lurch} first"
        return Again(refused=tuple((each.club, each.person, why) for each in wanted))


def _line(error: psycopg.Error) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def check_alone(connection: copying.Owner) -> None:
    """Raises CopyError while others are connected, who remember what is there or go on recording."""
    others = rolling_back.others(connection)
    if others:
        told = ", ".join(f"{name} ({number})" for name, number in others)
        raise CopyError(f"others are connected to this database, {told}: stop the service first. Nothing was changed")


def _since(connection: copying.Owner, back: Earlier) -> list[RecordedSince]:
    """The facts recorded since the copy, of whose log this must be."""
    heads = {(each.club, each.log): each for each in back.manifest.heads}
    there = copying.heads(connection)
    if missing := heads.keys() - {(club, log) for club, log, _, _ in there}:
        raise _strange(back, sorted(missing)[0][0])
    found = list[RecordedSince]()
    for club, log, _, _ in there:
        head = heads.get((club, log))
        reached = 0 if head is None else head.position
        if head is not None and not rolling_back.is_of_this_log(connection, club, log, reached, head.hash):
            raise _strange(back, club)
        found += rolling_back.recorded_since(connection, club, log, reached)
    return found


def _strange(back: Earlier, club: str) -> CopyError:
    return CopyError(
        f"{back.place} is of another log of club {club}: set LURCH_BACKUP_DIR to the folder in which {FOLDER} is that "
        "of this database. Nothing was changed"
    )
