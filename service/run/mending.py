"""New passwords where those of an embedded database are lost, made without a server that anybody could connect to.

PostgreSQL runs alone on the data for one statement (`postgres --single`). It opens no socket, so that no moment of this
leaves a server open, nor its end by kill -9. The new passwords are in place last: what was cut off is mended by asking
again.
"""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import fasteners

from service.run.binaries import EmbeddedError
from service.run.doctor import sound_data
from service.run.embedded import Embedded
from service.run.holders import holders, named
from service.run.passwords import NAME, new_passwords, put_in_place, read_passwords
from service.run.settings import Settings
from service.store.changes import new_password


def mend(settings: Settings) -> Iterator[str]:
    """Mend what can be mended without losing anything, and say what was done. Raises EmbeddedError, OSError."""
    root = settings.data
    if settings.database_url is not None or not (root / "pg").exists():
        return
    if not _is_lost(root):
        yield from _closed(root / NAME)
        return
    well, says = sound_data(settings)
    if not well:
        raise EmbeddedError(says)
    with _nobody_else(root):
        _set_anew(root)
    yield f"the passwords of the database in {root / 'pg'} were lost: new ones stand in {root / NAME}"


def _is_lost(root: Path) -> bool:
    """Tells whether there are none, or a file that says nothing. One that only somebody else may read is not lost:
    raises OSError."""
    try:
        (root / NAME).read_bytes()
        read_passwords(root)
    except (FileNotFoundError, EmbeddedError):
        return True
    return False


def _closed(place: Path) -> Iterator[str]:
    """Passwords that others could read are their owner's alone."""
    if stat.S_IMODE(place.stat().st_mode) & 0o077:
        place.chmod(0o600)
        yield f"others could read {place}: its owner alone may now"


@contextmanager
def _nobody_else(root: Path) -> Iterator[None]:
    """The lock of a start, held, and no server on the data. Raises EmbeddedError."""
    lock = fasteners.InterProcessLock(str(root / "lock"))
    if not lock.acquire(blocking=False):
        raise EmbeddedError(f"somebody starts a server in {root} just now: ask again once it runs or has ended")
    try:
        if holders(root / "pg"):
            raise EmbeddedError(f"stop the service first, for its database runs: {named(root / 'pg')}")
        yield
    finally:
        lock.release()


def _set_anew(root: Path) -> None:
    """The superuser gets his password alone; the next start gives the two roles theirs, as the first one did."""
    made = new_passwords()
    (root / "prepared").unlink(missing_ok=True)
    Embedded(root).alone(new_password("postgres", made.postgres))
    put_in_place(root, made)
