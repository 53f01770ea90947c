"""The service as a real process: started, waited for, killed, stopped, and never left behind."""

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
START_SECONDS = 150  # of a busy machine, with a whole demo club to be played first
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def until(happened, seconds=120.0, pause=0.02):
    """Wait for something to be so; its first true value."""
    deadline = time.monotonic() + seconds
    while not (value := happened()):
        assert time.monotonic() < deadline, f"waited {seconds} s in vain for {happened}"
        time.sleep(pause)
    return value


def tell(text):
    """A figure of this run, for who reads the tests' output (`pytest -rP`)."""
    sys.stdout.write(f"{text}\n")


@contextmanager
def data_directory():
    """A temp directory that `nobody` can reach; whatever still runs in it is killed at the end."""
    root = Path(tempfile.mkdtemp(prefix="lurch-faults-"))
    root.chmod(0o755)
    try:
        yield root / "data"
    finally:
        kill_all(postgres_of(root / "data"))
        shutil.rmtree(root)


def free_port():
    """A port that is free, below those that the system hands out to outgoing connections."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port


def postgres_of(data):
    """Every process that has the data directory as its own, the postmaster first."""
    found = {}
    for process in psutil.process_iter(["cwd", "status", "ppid"]):
        if process.info["cwd"] == str(data / "pg") and process.info["status"] != psutil.STATUS_ZOMBIE:
            found[process.pid] = process
    return sorted(found.values(), key=lambda process: process.info["ppid"] in found)


def postmasters_of(data):
    """Those of them that are nobody's child there."""
    found = postgres_of(data)
    return [process for process in found if process.info["ppid"] not in {each.pid for each in found}]


def kill_all(processes):
    """SIGKILL to each of a list that was taken before, and wait until they are gone."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    until(lambda: not any(_lives(process) for process in processes))


@contextmanager
def late_end(data):
    """The server of a data directory does not end before the block: its checkpointer stands still. Who stops it is
    there meanwhile, however slowly the test looks on."""
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
    """Also when the tests are killed nothing of theirs goes on."""
    LIBC.prctl(1, signal.SIGTERM)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which `nohup pytest` would hand down


class Serving:
    """One `lurch serve` over a data directory; the same port each time that it is started."""

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
        """Wait until it says that it is."""
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
        """What it wrote to its standard output and error."""
        return self.log.read_text(errors="replace")

    def embedded(self):
        """Where its server is."""
        return Embedded(self.data)

    def postgres(self):
        return postgres_of(self.data)

    def kill(self):
        """SIGKILL, as a crash or an out-of-memory killer would."""
        self.process.kill()
        self.process.wait()

    def stop(self, how=signal.SIGTERM):
        """Stop it by a signal and wait until it has ended."""
        self.process.send_signal(how)
        self.process.wait(60)

    def end(self):
        """Whatever state it is in: nothing of it is left."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@contextmanager
def serving(data, **environment):
    """A service over a data directory, started and ready, gone at the end."""
    service = Serving(data, **environment)
    try:
        yield service.start().ready()
    finally:
        service.end()
