"""The doctor: looks at everything that a service stands on, one finding each, and says what to do about what is wrong.

What cannot be started safely is not started: data of another major version, a directory that was copied while its
server ran, passwords that are lost.
"""

import asyncio
import http.client
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import psycopg

from service import VERSION
from service.copies.frames import CopyError
from service.copies.keeping import AWAY
from service.copies.taking import named
from service.desk.verifying import Verified, verify_some
from service.run.alive import EVERYWHERE, live_answer
from service.run.before import passphrase_of
from service.run.binaries import EmbeddedError
from service.run.database import Database, located
from service.run.embedded import Embedded
from service.run.holders import holders
from service.run.migrate import CUT_OFF, newest
from service.run.nights import kept_copies
from service.run.passwords import NAME, read_passwords
from service.run.pool import make_pool
from service.run.server import bind
from service.run.settings import Settings, SettingsError
from service.run.soundness import sound
from service.run.tls import checked, good_until, is_another_served, wrong_with
from service.store import doctoring, roles
from service.store.unfinished import UNFINISHED

ROOM: Final = 1_000_000_000  # bytes
APART: Final = timedelta(seconds=5)
AHEAD: Final = timedelta(minutes=1)
LATE: Final = timedelta(hours=26)
ERRORS: Final = (EmbeddedError, CopyError, SettingsError, OSError, psycopg.Error, subprocess.SubprocessError)


class Diagnosis(msgspec.Struct, frozen=True):
    """A finding of the doctor: what was looked at, whether it is well, and what to say, with what to do where it is
    not."""

    what: str
    well: bool
    says: str


def examined(settings: Settings, now: datetime | None = None) -> Iterator[Diagnosis]:
    """One finding after the other; the database is asked where it can be started safely."""
    yield Diagnosis("versions", True, f"Lurch {VERSION}, Python {sys.version.split()[0]}")
    yield _of("disk", lambda: _disk(settings))
    yield _of("port", lambda: _port(settings))
    if settings.cert is not None:
        yield _of("certificate", lambda: _certificate(settings, now or datetime.now(UTC)))
    if settings.database_url is None:
        for what, look in (("data", sound_data), ("secrets", _secrets)):
            found = _of(what, partial(look, settings))
            yield found
            if not found.well:
                yield Diagnosis("database", False, "was not asked: first mend what stands above")
                yield _of("copies", lambda: _copies(settings, None))
                return
    try:
        with located(settings) as database:
            yield from _asked(settings, database, now or datetime.now(UTC))
    except ERRORS as error:
        yield Diagnosis("database", False, f"does not answer: {_line(error)}")


def _of(what: str, look: Callable[[], tuple[bool, str]]) -> Diagnosis:
    """The finding of one look; an error is a finding too."""
    try:
        return Diagnosis(what, *look())
    except ERRORS as error:
        return Diagnosis(what, False, _line(error))


def _line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _asked(settings: Settings, database: Database, now: datetime) -> Iterator[Diagnosis]:
    """Yields what only the database tells."""
    found = roles.revisions(database.owner_url)
    yield Diagnosis("schema", *_schema(found))
    if found == {newest()}:
        state = doctoring.vitals(database.owner_url, database.url)
        yield Diagnosis("database", True, f"PostgreSQL {state.version} answers")
        yield Diagnosis("roles", *_roles(state))
        yield Diagnosis("clock", *_clock(state, now))
        yield _of("log", lambda: _sample(database))
        if settings.database_url is not None:
            yield _of("archive", lambda: _archive(database))
    yield _of("copies", lambda: _copies(settings, database))


def _schema(found: set[str]) -> tuple[bool, str]:
    here = max(found, default="")
    if found == {newest()}:
        return True, f"{here}, nothing to migrate"
    if here == UNFINISHED:
        return False, CUT_OFF
    if here > newest():
        return False, f"{here}, which a newer Lurch has made: use that one"
    return False, f"{here or 'none yet'}, and {newest()} is the newest: `lurch migrate` (a copy is taken first)"


def _roles(state: doctoring.Vitals) -> tuple[bool, str]:
    if state.owns:
        return False, "the service logs in as the owner of its log: give it a login of its own in LURCH_DATABASE_URL"
    return True, "the service may append to the log and not change it"


def _clock(state: doctoring.Vitals, now: datetime) -> tuple[bool, str]:
    if abs(state.clock - now) > APART:
        return False, f"the database's clock is {abs(state.clock - now)} away from this one: set both by NTP"
    if state.last is not None and state.last > now + AHEAD:
        return False, f"the last event was recorded at {state.last:%Y-%m-%d %H:%M} UTC, which is to come: set the clock"
    return True, f"{now:%Y-%m-%d %H:%M} UTC here and there"


def _archive(database: Database) -> tuple[bool, str]:
    """The write-ahead log of a PostgreSQL that is not ours: by it any moment comes back."""
    found = doctoring.archive(database.owner_url)
    if not found.on:
        return True, "PostgreSQL archives nothing: only what `lurch backup` copied comes back (docs/copies.md has more)"
    if found.failed is not None and (found.kept is None or found.failed > found.kept):
        return False, (
            f"{found.file} could not be archived at {found.failed:%Y-%m-%d %H:%M} UTC: see PostgreSQL's log, for its "
            "disk fills meanwhile"
        )
    if found.kept is None:
        return False, "PostgreSQL has archived nothing yet: see whether archive_command works"
    return True, f"PostgreSQL archives, last at {found.kept:%Y-%m-%d %H:%M} UTC"


def _sample(database: Database) -> tuple[bool, str]:
    async def some() -> Verified:
        async with make_pool(database.owner_url, 1, timed=False) as pool:
            return await verify_some(pool)

    found = asyncio.run(some())
    if found.wrong:
        return False, f"{found.wrong[0].text}: `lurch verify` reads all of it"
    return True, f"{found.events} events of a sample verified"


def _disk(settings: Settings) -> tuple[bool, str]:
    places = [settings.data] if settings.database_url is None else []
    places += [Path(settings.backup_dir).absolute()] if settings.backup_dir else []
    for place in places:
        there = next(each for each in (place, *place.parents) if each.exists())
        free = shutil.disk_usage(there).free
        if free < ROOM:
            return False, f"only {free / 1e6:,.0f} MB are free for {place}: make room, or choose another disk"
    return True, "there is room"


def _port(settings: Settings) -> tuple[bool, str]:
    try:
        bind(settings.host, settings.port).close()
    except OSError as error:
        if _is_served(settings):
            return True, f"a Lurch answers on {settings.port}"
        return False, _line(error)
    return True, f"{settings.port} is free"


def _certificate(settings: Settings, now: datetime) -> tuple[bool, str]:
    pair = checked(settings.cert, settings.key)
    assert pair is not None, "one is set"
    wrong = wrong_with(pair.cert, now)
    if wrong is None and is_another_served(pair.cert, EVERYWHERE.get(settings.host, settings.host), settings.port):
        wrong = f"{pair.cert} was renewed, and another one is served: start the service again"
    return wrong is None, wrong or f"good until {good_until(pair.cert):%Y-%m-%d}"


def _is_served(settings: Settings) -> bool:
    """Tells whether what listens there is a Lurch."""
    try:
        return b'"live"' in live_answer(settings)[1]
    except (OSError, http.client.HTTPException):
        return False


def sound_data(settings: Settings) -> tuple[bool, str]:
    """The data directory, before any server is started on it. Raises EmbeddedError."""
    data = settings.data / "pg"
    if not data.exists():
        return True, f"none yet in {settings.data}: the first start makes them"
    return sound(data, Embedded(settings.data).binaries, held=bool(holders(data)))


def _secrets(settings: Settings) -> tuple[bool, str]:
    place = settings.data / NAME
    if not place.exists() and not (settings.data / "pg").exists():
        return True, "none yet: the first start makes them"
    read_passwords(settings.data)
    if place.exists() and stat.S_IMODE(place.stat().st_mode) & 0o077:
        return False, f"others may read {place}: chmod 600 it"
    return True, "there, and for their owner alone"


def _copies(settings: Settings, database: Database | None) -> tuple[bool, str]:
    if settings.backup_dir is None:
        return False, "none are taken by night: set LURCH_BACKUP_DIR to a folder on another disk"
    passphrase_of(settings)
    known = database or Database("", "")
    keeping = kept_copies(settings, known, VERSION)
    assert keeping is not None, "a folder is set"
    if keeping.is_away():
        return False, AWAY.format(keeping.kept.folder)
    made, last = keeping.kept.made(), keeping.kept.last()
    if made and made[0] != last:
        return False, (
            f"{keeping.kept.folder / named(made[0])} is of a time to come, by a clock that was wrong, and no copy goes "
            "while it is there: move it away"
        )
    if last is None:
        return False, f"there is none in {settings.backup_dir} yet: the service takes one when it runs"
    if not keeping.kept.is_whole(last):
        return False, f"{keeping.kept.folder / named(last)} cannot be read back: `lurch backup` another one"
    if datetime.now(UTC) - last > LATE:
        return False, f"the last one is of {last:%Y-%m-%d %H:%M} UTC: see what failed on the owner's page /copies"
    if keeping.beside_the_data():
        return False, "they lie on the disk that they are for: set LURCH_BACKUP_DIR to a folder on another one"
    return True, f"the last one is of {last:%Y-%m-%d %H:%M} UTC, and whole"
