"""Runs the service as a real process: start, wait, kill, stop, and cleanup of everything it leaves."""

import ctypes
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil

from service.run.embedded import Embedded

ROOT = Path(__file__).parents[3]
START_SECONDS = 150  # on a busy machine, with a demo club created first
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def until(happened, seconds=120.0, pause=0.02):
    """Poll a condition until it is true; return its first true value."""
    deadline = time.monotonic() + seconds
    while not (value := happened()):
        assert time.monotonic() < deadline, f"waited {seconds} s for {happened}"
        time.sleep(pause)
    return value


def tell(text):
    """Print a figure of this run; `pytest -rP` shows it."""
    sys.stdout.write(f"{text}\n")


@contextmanager
def data_directory():
    """Make a data directory that the user `nobody` can enter; kill every server in it at the end."""
    root = Path(tempfile.mkdtemp(prefix="lurch-faults-"))
    root.chmod(0o755)
    try:
        yield root / "data"
    finally:
        kill_all(postgres_of(root / "data"))
        shutil.rmtree(root)


def free_port():
    """Return a free port below the range that the system uses for outgoing connections."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port


def postgres_of(data):
    """Return every PostgreSQL process of a data directory, the postmaster first."""
    found = {}
    for process in psutil.process_iter(["cwd", "status", "ppid"]):
        if process.info["cwd"] == str(data / "pg") and process.info["status"] != psutil.STATUS_ZOMBIE:
            found[process.pid] = process
    return sorted(found.values(), key=lambda process: process.info["ppid"] in found)


def postmasters_of(data):
    """Return the postmasters of a data directory."""
    found = postgres_of(data)
    return [process for process in found if process.info["ppid"] not in {each.pid for each in found}]


def kill_all(processes):
    """Send SIGKILL to these processes and wait until they have ended."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    until(lambda: not any(_lives(process) for process in processes))


@contextmanager
def late_end(data):
    """Suspend the checkpointer, so that a stop of this server does not finish before the block ends."""
    (checkpointer,) = [each for each in postgres_of(data) if _is_called(each, "checkpointer")]
    checkpointer.suspend()
    try:
        yield
    finally:
        checkpointer.resume()


def _is_called(process, word):
    try:
        return word in " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return False


def _lives(process):
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def end_with_us():
    """Make the child end when the process of the tests is killed."""
    LIBC.prctl(1, signal.SIGTERM)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # `nohup pytest` would ignore it


class Serving:
    """One `lurch serve` process on a data directory, with the same port for each start."""

    def __init__(self, data, **environment):
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
        own = {"LURCH_LIMITS": "0", "LURCH_DATA_DIR": str(data), "LURCH_PORT": str(self.port)}
        self.environment |= {**own, **environment}
        self.process = None
        self.log = data.parent / f"serve-{self.port}.log"

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def start(self, command=(sys.executable, "-m", "service", "serve")):
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdout=out,
                stderr=out,
                start_new_session=True,
                preexec_fn=end_with_us if sys.platform == "linux" else None,  # noqa: PLW1509  # one call
            )
        return self

    def ready(self):
        """Wait until its readiness check succeeds."""
        with httpx.Client(base_url=self.url, timeout=5) as client:
            try:
                until(lambda: self._says_ready(client), START_SECONDS)
            except AssertionError as error:
                raise AssertionError(f"{error}; it said last: {self.said()[-3000:]}") from None
        return self

    def _says_ready(self, client):
        assert self.process.poll() is None, f"it ended by itself: {self.said()}"
        with suppress(httpx.TransportError):
            return client.get("/health/ready").status_code == 200

    def said(self):
        """Return what it wrote to standard output and error."""
        return self.log.read_text(errors="replace")

    def embedded(self):
        """Return the embedded server of its data directory."""
        return Embedded(self.data)

    def postgres(self):
        return postgres_of(self.data)

    def kill(self):
        """Send SIGKILL, as the out-of-memory killer does."""
        self.process.kill()
        self.process.wait()

    def stop(self, how=signal.SIGTERM):
        """Stop it by a signal and wait until it has ended."""
        self.process.send_signal(how)
        self.process.wait(60)

    def end(self):
        """Kill its whole process group, whatever its state."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@contextmanager
def serving(data, **environment):
    """Start a service on a data directory and wait until it is ready; kill it at the end."""
    service = Serving(data, **environment)
    try:
        yield service.start().ready()
    finally:
        service.end()
