"""The embedded Postgres: the wheel's binaries, started, watched and stopped by ourselves.

The wheel's own Python layer is not used: it opens parent directories, keeps stale pids and never stops
an orphan. Here a start is idempotent under a file lock, a server is stopped only by who started it, and
a dead one is started again. As root the server runs as `nobody`, for PostgreSQL refuses to be root.
"""

import asyncio
import ctypes
import hashlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import fasteners
import msgspec
import psutil

from service.binaries import EmbeddedError, program, reachable, runner, wheel_binaries
from service.roles import prepare

START_TIMEOUT: Final = 120.0
PAUSE: Final = 0.02
LOG_LIMIT: Final = 20_000_000


class Secrets(msgspec.Struct, frozen=True):
    """The passwords of the three roles, kept in a 0600 file beside the data."""

    postgres: str
    lurch_owner: str
    lurch_app: str


class Embedded:
    """One data directory and its server."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.data = root / "pg"
        self.runner = runner()
        self.child: subprocess.Popen[bytes] | None = None
        self._door: int | None = None
        self._binaries: Path | None = None
        self._secrets: Secrets | None = None

    # ------------------------------------------------------------------ places

    @property
    def sockets(self) -> Path:
        """The socket's directory, ours alone; in the temp directory when the path would be too long."""
        near = self.root / "run"
        if len(os.fsencode(near)) <= 80:
            return near
        name = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"lurch-{name}"

    @property
    def passwords(self) -> Secrets:
        """The passwords of this data directory."""
        if self._secrets is None:
            self._secrets = msgspec.json.decode((self.root / "secrets.json").read_bytes(), type=Secrets)
        return self._secrets

    def url(self, role: str, database: str = "lurch") -> str:
        """The connection URL of a role, over the unix socket."""
        password = getattr(self.passwords, role)
        return f"postgresql://{role}:{password}@/{database}?host={quote(str(self.sockets), safe='')}"

    @property
    def binaries(self) -> Path:
        """PostgreSQL's programs, where the server's user can run them."""
        if self._binaries is None:
            self._binaries = reachable(wheel_binaries(), self.runner)
        return self._binaries

    # ------------------------------------------------------------------- start

    def start(self) -> None:
        """Start the server or attach to the one that runs. Raises EmbeddedError."""
        for _ in self._steps():
            time.sleep(PAUSE)

    async def start_again(self) -> None:
        """The same from inside the event loop, which goes on answering meanwhile."""
        for _ in self._steps():
            await asyncio.sleep(PAUSE)

    def _steps(self) -> Generator[None, None, None]:
        self._make_root()
        lock = fasteners.InterProcessLock(str(self.root / "lock"))
        while not lock.acquire(blocking=False):
            yield
        try:
            self._make_secrets()
            if not (yield from self._answered()):
                yield from self._start_steps()
            self._prepare()
        finally:
            lock.release()

    def _start_steps(self) -> Generator[None, None, None]:
        for left in self.root.glob("pg.new-*"):
            shutil.rmtree(left, ignore_errors=True)
        if not self.data.exists():
            self._initialise()
        deadline = time.monotonic() + START_TIMEOUT
        while self._living() or (self.child is not None and self.child.poll() is None):
            _check(deadline, f"an old server is still ending in {self.data}")
            yield
            if (yield from self._answered()):
                return  # it has started again by itself
        self._remove_lock_files()
        self._spawn()
        while not (yield from self._answered()):
            if self.child is not None and self.child.poll() is not None:
                raise EmbeddedError(f"PostgreSQL stopped at once: see {self.root / 'postgres.log'}")
            _check(deadline, f"PostgreSQL does not answer: see {self.root / 'postgres.log'}")
            yield

    def _make_root(self) -> None:
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self.sockets.mkdir(mode=0o700, exist_ok=True)
            self._own(self.root, self.sockets)
        except OSError as error:
            raise EmbeddedError(
                f"the data directory {self.root} cannot be used ({error.strerror}): set LURCH_DATA_DIR"
            ) from None
        self._open_door()

    def _make_secrets(self) -> None:
        """Written beside and renamed: a full disk or kill -9 must not leave half of them for ever."""
        if not (self.root / "secrets.json").exists():
            made = Secrets(*(secrets.token_urlsafe(24) for _ in range(3)))
            _write_private(self.root / "secrets.new", msgspec.json.encode(made))
            (self.root / "secrets.new").rename(self.root / "secrets.json")

    def _own(self, *places: Path) -> None:
        """As root: what the server writes to belongs to its user; no parent is touched."""
        if self.runner.uid is None or self.runner.gid is None:
            return
        for place in places:
            os.chown(place, self.runner.uid, self.runner.gid)

    def _open_door(self) -> None:
        """As root, behind a parent that `nobody` cannot pass: the server gets our open handle on the
        directory and names its files through that. No parent is opened for it, and the place stays as set."""
        if self.runner.uid is None or self._door is not None or self._passable():
            return
        if not sys.platform.startswith("linux"):
            raise EmbeddedError(f"the user `nobody` cannot reach {self.root}: set LURCH_DATA_DIR to another place")
        self._door = os.open(self.root, os.O_PATH | os.O_DIRECTORY)

    def _passable(self) -> bool:
        parents = [parent.stat() for parent in self.root.parents]
        return all(found.st_mode & 0o001 or found.st_uid == self.runner.uid for found in parents)

    def _seen(self, place: Path) -> str:
        """A place as the server's processes name it."""
        if self._door is None or not place.is_relative_to(self.root):
            return str(place)
        return f"/proc/self/fd/{self._door}/{place.relative_to(self.root)}"

    @property
    def _handles(self) -> tuple[int, ...]:
        return () if self._door is None else (self._door,)

    def _answered(self) -> Generator[None, None, bool]:
        """Whether a server answers on our socket; one that hangs needs two seconds to say nothing."""
        if not (self.sockets / ".s.PGSQL.5432").exists():
            return False
        command = [str(self.binaries / program("pg_isready")), "-q", "-h", str(self.sockets), "-t", "2"]
        asked = subprocess.Popen(command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while asked.poll() is None:
                yield
        finally:
            asked.kill()
            asked.wait()
        return asked.returncode == 0

    def _initialise(self) -> None:
        """Initdb into a folder beside, renamed when done; every machine sorts alike. The folder has a name of
        its own each time: the initdb of a start that was killed may still be writing to the last one."""
        fresh = self.root / f"pg.new-{secrets.token_hex(4)}"
        password = self.root / "password.tmp"
        _write_private(password, self.passwords.postgres.encode())
        self._own(password)
        command = [
            str(self.binaries / program("initdb")), "-D", self._seen(fresh), "-U", "postgres",
            f"--pwfile={self._seen(password)}",
            "--auth=scram-sha-256", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
            "--encoding=UTF8", "--set", "timezone=UTC", "--set", "max_wal_size=512MB",
        ]  # fmt: skip
        try:
            done = subprocess.run(command, cwd="/", env=_environment(), capture_output=True, check=False,
                                  pass_fds=self._handles, **self.runner.options)  # fmt: skip
        finally:
            password.unlink()
        if done.returncode != 0:
            raise EmbeddedError(f"initdb failed: {done.stderr.decode(errors='replace').strip()[-500:]}")
        fresh.rename(self.data)

    def _living(self) -> bool:
        """Whether any process of an earlier server still has the data directory as its own."""
        for process in psutil.process_iter(["cwd", "status"]):
            info = process.info
            if info["cwd"] == str(self.data) and info["status"] != psutil.STATUS_ZOMBIE:
                return True
        return False

    def _remove_lock_files(self) -> None:
        """A foreign process with the old number counts as alive for PostgreSQL: both files must go.
        Safe only after no process of the old server is left."""
        for place in (self.data / "postmaster.pid", self.sockets / ".s.PGSQL.5432.lock"):
            place.unlink(missing_ok=True)

    def _spawn(self) -> None:
        log = self.root / "postgres.log"
        if log.exists() and log.stat().st_size > LOG_LIMIT:
            log.rename(log.with_suffix(".old"))
        command = [
            str(self.binaries / program("postgres")), "-D", self._seen(self.data), "-c", "listen_addresses=",
            "-c", f"unix_socket_directories={self._seen(self.sockets)}", "-c", "unix_socket_permissions=0700",
        ]  # fmt: skip
        with log.open("ab") as out:
            self.child = subprocess.Popen(
                command, cwd="/", env=_environment(), stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                start_new_session=True, pass_fds=self._handles, **self.runner.options,
                preexec_fn=_end_with_parent(),  # noqa: PLW1509  # one prctl call, in the main thread
            )  # fmt: skip

    def _prepare(self) -> None:
        """The roles and the database, once."""
        done = self.root / "prepared"
        if not done.exists():
            prepare(self.url("postgres", "postgres"), self.passwords.lurch_owner, self.passwords.lurch_app)
            done.touch()

    # -------------------------------------------------------------------- stop

    def stop(self) -> None:
        """Stop in order what we started; never what somebody else did."""
        child, self.child = self.child, None
        if child is None or child.poll() is not None:
            return
        child.send_signal(signal.SIGINT)
        try:
            child.wait(timeout=4)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGQUIT)
            child.wait(timeout=10)


def _check(deadline: float, message: str) -> None:
    if time.monotonic() > deadline:
        raise EmbeddedError(message)


def _environment() -> dict[str, str]:
    return {"LC_ALL": "C", "PATH": "/usr/bin:/bin", "TZ": "UTC"}


def _write_private(place: Path, content: bytes) -> None:
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def _end_with_parent() -> Any:
    """On Linux the server gets SIGINT when the thread that forked it ends, even after kill -9 of us."""
    if not sys.platform.startswith("linux"):
        return None
    parent = os.getpid()
    libc = ctypes.CDLL(None, use_errno=True)

    def prepare() -> None:
        libc.prctl(1, signal.SIGINT)
        if os.getppid() != parent:
            os._exit(1)

    return prepare
