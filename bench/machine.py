"""The machine that the figures are taken on, and the versions of the programs in them."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

import msgspec
import psutil

from service.run.binaries import EmbeddedError, wheel_binaries

PACKAGES = ("litestar", "msgspec", "psycopg", "uvicorn", "uvloop", "httpx", "chess")


class Machine(msgspec.Struct, frozen=True):
    """Model of the processor, cores, memory, system, and the load at the beginning of the run."""

    cpu: str
    cores: int
    memory_gib: float
    system: str
    load: tuple[float, ...]


def machine() -> Machine:
    """This machine."""
    memory = round(psutil.virtual_memory().total / (1 << 30), 1)
    return Machine(_cpu(), os.cpu_count() or 1, memory, f"{_system()} {platform.machine()}", load())


def load() -> tuple[float, ...]:
    """The load of the machine over 1, 5 and 15 minutes."""
    return tuple(round(each, 2) for each in psutil.getloadavg())


def _cpu() -> str:
    place = Path("/proc/cpuinfo")
    if place.exists():
        for line in place.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _system() -> str:
    try:
        name = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        name = platform.system()
    return f"{name}, {platform.system()} {platform.release()}"


def versions() -> dict[str, str]:
    """Python, PostgreSQL and the packages that the figures depend on."""
    found = {"python": platform.python_version(), "postgres": _postgres()}
    for package in PACKAGES:
        found["python-chess" if package == "chess" else package] = version(package)
    return found


def _postgres() -> str:
    try:
        command = [str(wheel_binaries() / "postgres"), "--version"]
    except EmbeddedError:
        return "none"
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1]
