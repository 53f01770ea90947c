"""The embedded Postgres: the wheel's binaries, started, watched and stopped by ourselves.

The wheel's own Python layer is not used: it opens parent directories, keeps stale pids and never stops
an orphan. Here a start is idempotent under a file lock, a server is stopped only by who started it, a dead
one is started again, and a deaf one ended first. Its folder, and whose that is: `server_folder`.
"""

import asyncio
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final
from urllib.parse import quote

import fasteners

from service.run.binaries import (
    EmbeddedError,
    as_our_child,
    environment,
    program,
    reachable,
    wheel_binaries,
)
from service.run.holders import end_all, holders, named, note_end, servers
from service.run.passwords import Passwords, make_passwords, private_end, read_passwords, write_private
from service.run.server_folder import ServerFolder
from service.run.silence import Silence
from service.run.soundness import check_sound
from service.store.roles import prepare

DEAF_SECONDS: Final = 8.0
START_SECONDS: Final = 120.0  # for a server that has not opened its socket yet, or has closed it
END_SECONDS: Final = 10.0
STOP_SECONDS: Final = (4.0, 6.0)  # after SIGINT, after SIGQUIT
PAUSE: Final = 0.02
LOG_LIMIT: Final = 20_000_000
HELD: Final = "2GB"  # of changes for a folder of copies that is away: a stick pulled out never fills the disk
OURS: Final = "hostaddr=&port=5432&channel_binding=prefer"  # else PGHOSTADDR, PGPORT and PGCHANNELBINDING are asked
PREPARED: Final = "prepared"  # a file that says that roles and database are made
STARTING: Final = 1  # what pg_isready says of a server that starts, recovers or ends, in its exit status


class Embedded:
    """One data directory and its server."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder = root, ServerFolder(root)
        self.data, self.runner = self.folder.data, self.folder.runner
        self.child: subprocess.Popen[bytes] | None = None
        self._binaries: Path | None = None
        self._passwords: Passwords | None = None

    # ------------------------------------------------------------------ places

    @property
    def passwords(self) -> Passwords:
        """The passwords of this data directory. Raises EmbeddedError."""
        if self._passwords is None:
            self._passwords = read_passwords(self.root)
        return self._passwords

    def url(self, role: str, database: str = "lurch") -> str:
        """The connection URL of a role, over the unix socket, whatever libpq's variables say of other servers."""
        password = getattr(self.passwords, role)
        return f"postgresql://{role}:{password}@/{database}?host={quote(str(self.folder.sockets), safe='')}&{OURS}"

    @property
    def started_here(self) -> bool:
        """Tells whether we started the server that runs."""
        return self.child is not None and self.child.poll() is None

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
        wheel_binaries()  # where there are none, nothing is made
        self._check_not_gone()
        self.folder.make()
        lock = fasteners.InterProcessLock(str(self.root / "lock"))
        while not lock.acquire(blocking=False):
            yield
        try:
            if self._passwords is None:  # a service that runs goes on with those it has
                make_passwords(self.root, self.data)
                self._passwords = read_passwords(self.root)
            if (yield from self._asked()) != 0:
                yield from self._start_steps()
            self._prepare()
        finally:
            lock.release()

    def _check_not_gone(self) -> None:
        """Checks that no data were here that are away now: in the place of a disk that was pulled out nothing is begun
        anew. Raises EmbeddedError."""
        begun = self.root / PREPARED
        if not self.data.exists() and (self._passwords is not None or begun.exists()):
            raise EmbeddedError(
                f"{self.data} is gone, and a database was there: bring it back. To begin anew, delete {begun} too"
            )

    def _start_steps(self) -> Generator[None, None, None]:
        for left in self.root.glob("pg.new-*"):
            shutil.rmtree(left, ignore_errors=True)
        if not self.data.exists():
            self._initialise()
        silence, started = Silence(), False
        while not (yield from self._serves(silence)):
            if not self._held():
                if started:
                    raise EmbeddedError(f"PostgreSQL stopped at once: see {self.root / 'postgres.log'}")
                self._spawn()
                silence, started = Silence(), True
            elif silence.longer_than(DEAF_SECONDS if self.folder.socket.exists() else START_SECONDS):
                yield from self._end_deaf()
                silence, started = Silence(), False
            yield

    def _serves(self, silence: Silence) -> Generator[None, None, bool]:
        """Ask once, and add to the silence if nothing is said."""
        said = yield from self._asked()
        if said in (0, STARTING):
            silence.broken()
        else:
            silence.questions += 1
        return said == 0

    def _held(self) -> bool:
        """Tells whether any process of an earlier server still has the data directory as its own."""
        return self.started_here or bool(holders(self.data))

    def _end_deaf(self) -> Generator[None, None, None]:
        """End every process of a server that lives and does not answer, and wait until the last one is gone. One that
        has no socket and is not ours may be somebody at work on the data (postgres --single), and is left alone."""
        ours = self.child is not None or self.folder.socket.exists()
        if ours and servers(self.data):
            note_end(self.root / "ended")
        deadline = time.monotonic() + END_SECONDS
        while self._held():
            if not ours or time.monotonic() > deadline:
                raise EmbeddedError(f"no server can be started: {self.data} is held by {named(self.data)}")
            end_all(self.data)
            yield

    def _asked(self) -> Generator[None, None, int]:
        """Asks what a server says on our socket, as pg_isready's exit status; one that is deaf needs two seconds to say
        nothing."""
        if not self.folder.socket.exists():
            return 2
        command = [str(self.binaries / program("pg_isready")), "-q", "-h", str(self.folder.sockets), "-t", "2"]
        asked = subprocess.Popen(command, cwd="/", env=environment(), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            while asked.poll() is None:
                yield
        finally:
            asked.kill()
            asked.wait()
        return asked.returncode

    def _initialise(self) -> None:
        """Initdb into a folder beside, renamed when done; every machine sorts alike. The folder has a name of
        its own each time: the initdb of a start that was killed may still be writing to the last one."""
        fresh = self.root / f"pg.new-{secrets.token_hex(4)}"
        password = self.root / "password.tmp"
        write_private(password, self.passwords.postgres.encode())
        self.folder.own(password)
        command = [
            str(self.binaries / program("initdb")), "-D", self.folder.seen(fresh), "-U", "postgres",
            f"--pwfile={self.folder.seen(password)}",
            "--auth=scram-sha-256", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
            "--encoding=UTF8", "--set", "timezone=UTC", "--set", "max_wal_size=512MB",
        ]  # fmt: skip
        try:
            done = subprocess.run(command, cwd="/", env=environment(), capture_output=True, check=False,
                                  pass_fds=self.folder.handles, **self.runner.options)  # fmt: skip
        finally:
            password.unlink()
        if done.returncode != 0:
            raise EmbeddedError(f"initdb failed: {done.stderr.decode(errors='replace').strip()[-500:]}")
        fresh.rename(self.data)

    def _clear_the_way(self) -> None:
        """Before every start, of a server or for one statement. The data are looked at first: what tells a copy goes.
        Raises EmbeddedError."""
        check_sound(self.data, self.binaries)
        self.folder.remove_lock_files()

    def _spawn(self) -> None:
        self._clear_the_way()
        log = self.root / "postgres.log"
        if log.exists() and log.stat().st_size > LOG_LIMIT:
            log.rename(log.with_suffix(".old"))
        command = [
            str(self.binaries / program("postgres")), "-D", self.folder.seen(self.data), "-c", "listen_addresses=",
            "-c", f"unix_socket_directories={self.folder.seen(self.folder.sockets)}",
            "-c", "unix_socket_permissions=0700", "-c", f"max_slot_wal_keep_size={HELD}",
        ]  # fmt: skip
        with private_end(log) as out:
            self.child = subprocess.Popen(
                command, cwd="/", env=environment(), stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                start_new_session=True, pass_fds=self.folder.handles, **self.runner.options,
                preexec_fn=as_our_child(),  # noqa: PLW1509  # two calls of the system, in the main thread
            )  # fmt: skip

    async def client(self, name: str, *given: str) -> asyncio.subprocess.Process:
        """One of PostgreSQL's programs, connected as the server's own user; it ends with us."""
        reach = ("-w", "-h", str(self.folder.sockets), "-U", "postgres")
        return await asyncio.create_subprocess_exec(
            str(self.binaries / program(name)), *given, *reach, cwd="/", preexec_fn=as_our_child(),
            env={**environment(), "PGPASSWORD": self.passwords.postgres},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip

    def alone(self, statement: str) -> None:
        """Run a statement by a server that nobody can connect to, in a data directory that no server has. Raises
        EmbeddedError with what it said last."""
        self.folder.make()
        self._clear_the_way()
        command = [
            str(self.binaries / program("postgres")),
            "--single",
            "-j",
            "-D",
            self.folder.seen(self.data),
            "postgres",
        ]
        done = subprocess.run(command, cwd="/", env=environment(), input=f"{statement}\n\n".encode(), check=False,
                              capture_output=True, pass_fds=self.folder.handles, **self.runner.options)  # fmt: skip
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode or "ERROR:" in said:
            raise EmbeddedError(said.splitlines()[-1] if said else f"PostgreSQL ended with {done.returncode}")

    def _prepare(self) -> None:
        """The roles and the database, once."""
        done = self.root / PREPARED
        if not done.exists():
            prepare(self.url("postgres", "postgres"), self.passwords.lurch_owner, self.passwords.lurch_app)
            done.touch()

    # -------------------------------------------------------------------- stop

    def stop(self) -> None:
        """Stop in order what we started; never what somebody else did."""
        child, self.child = self.child, None
        if child is None or child.poll() is not None:
            return
        for how, seconds in zip((signal.SIGINT, signal.SIGQUIT), STOP_SECONDS, strict=True):
            child.send_signal(how)
            try:
                child.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            return
        end_all(self.data)  # it hears no signal that can be heard
        child.wait()
        self._wait_for_the_rest()

    def _wait_for_the_rest(self) -> None:
        """Waits for the end of what the server has started, a moment after its own: a start must not find it."""
        deadline = time.monotonic() + END_SECONDS
        while servers(self.data) and time.monotonic() < deadline:
            end_all(self.data)
            time.sleep(PAUSE)
