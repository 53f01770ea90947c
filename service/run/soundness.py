"""The data of an embedded server, looked at before one is started on them: of our major version, whole, and not copied
while a server wrote to them. What a look goes by (`postmaster.pid`) is deleted by a start, and so never before it.
"""

import subprocess
from pathlib import Path
from typing import Final

from service.run.binaries import PG_VERSION, EmbeddedError, environment, program

PARTS: Final = ("base", "global", "pg_multixact", "pg_wal", "pg_xact")  # without which no data are whole
_PLACE, _KEY = 1, 6  # lines of postmaster.pid


def check_sound(data: Path, binaries: Path) -> None:
    """Checks data that no process holds. Raises EmbeddedError with what to do where no server may be started on
    them."""
    well, says = sound(data, binaries, held=False)
    if not well:
        raise EmbeddedError(says)


def sound(data: Path, binaries: Path, held: bool) -> tuple[bool, str]:
    """Tells whether a server may be started on data, and what to say. Raises EmbeddedError where they are not whole or
    cannot be read."""
    major = _major_of(data)
    if major != PG_VERSION:
        return False, (
            f"{data} is of PostgreSQL {major}, and this Lurch brings {PG_VERSION}: take `lurch backup` with the Lurch "
            "that made it, and `lurch restore` into another data directory with this one"
        )
    if held:
        return True, "in use by its server"
    state = _state_of(data, binaries)
    if state.startswith("shut down"):
        return True, state
    origin = _copied_from(data)
    if origin is not None:
        return False, (
            f"{data} was copied from {origin} while its server ran, and may lack what was written then: bring back "
            "a file of `lurch backup` with `lurch restore`, into another data directory"
        )
    return True, f"{state}: the machine went off; the next start recovers"


def _major_of(data: Path) -> str:
    place = data / "PG_VERSION"
    try:
        major = place.read_text(errors="replace").strip()
    except FileNotFoundError:
        raise _half(data) from None
    except OSError as error:
        raise EmbeddedError(
            f"{place} cannot be read ({error.strerror}): run Lurch as the user whose data these are"
        ) from None
    if not major:
        raise _half(data)
    return major


def _state_of(data: Path, binaries: Path) -> str:
    """The state of a cluster, as pg_controldata says it of a file that it believes."""
    if not all((data / part).is_dir() for part in PARTS):
        raise _half(data)
    command = [str(binaries / program("pg_controldata")), str(data)]
    done = subprocess.run(command, cwd="/", env=environment(), capture_output=True, check=False)
    for line in done.stdout.decode(errors="replace").splitlines():
        name, _, said = line.partition(":")
        if name == "Database cluster state" and done.returncode == 0 and b"warning" not in done.stderr:
            return said.strip()
    raise _half(data)


def _half(data: Path) -> EmbeddedError:
    return EmbeddedError(
        f"{data} is no whole data directory: bring back a file of `lurch backup` with `lurch restore`, into another one"
    )


def _copied_from(data: Path) -> Path | None:
    """The place where the server of these data ran, if it said so and they are a copy. What was moved whole, as the
    disk of a machine that died is, stays the same directory: PostgreSQL takes its number as the key of its memory."""
    try:
        lines = (data / "postmaster.pid").read_text(errors="replace").splitlines()
        place = Path(lines[_PLACE])
    except (OSError, IndexError):
        return None
    if place.is_relative_to("/proc") or place.resolve() == data.resolve():
        return None
    key = lines[_KEY].split()[:1] if len(lines) > _KEY else []
    number = data.stat().st_ino
    return None if key and key[0].isdecimal() and (int(key[0]) - number) % 2**32 == 0 else place
