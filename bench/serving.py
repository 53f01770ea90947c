"""Servers in processes of their own, the service as people run it and the bare reference, and a client for both."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec

from bench.stage import BenchClub, Stage
from bench.tables import facts_body, played_deal

LURCH = Path(sys.executable).with_name("lurch")
START_SECONDS = 60.0
UNKEPT = "PYTHONDONTWRITEBYTECODE"


class Address(msgspec.Struct, frozen=True):
    """The port of a server that runs for the bench, and its process."""

    port: int
    process: int

    @property
    def url(self) -> str:
        """The root of its addresses."""
        return f"http://127.0.0.1:{self.port}"


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def environment(**own: str) -> dict[str, str]:
    """Our environment without settings of a service that may run here, and these settings. A bench has no limits: it
    asks faster than anybody may. A program keeps its compiled modules, as where people run it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_") and name != UNKEPT}
    return {**kept, "LURCH_LIMITS": "0", **own}


@contextmanager
def server(command: list[str], port: int, log: Path, settings: dict[str, str]) -> Iterator[Address]:
    """A server in a process of its own, ready; stopped in any case."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            env=environment(LURCH_PORT=str(port), **settings),
            stdout=out,
            stderr=out,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    try:
        _until_ready(process, port, log)
        yield Address(port, process.pid)
    finally:
        process.terminate()
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _until_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/health/ready", trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise RuntimeError(f"{log.stem} does not answer: {log.read_text(errors='replace').strip()[-500:]}")


def service(stage: Stage, *given: str) -> Address:
    """`lurch serve` with these options over the stage's database, for as long as the stage stands."""
    port = free_port()
    settings = {"LURCH_DATABASE_URL": stage.database.url, "LURCH_MIGRATE_URL": stage.database.owner_url}
    running = server([str(LURCH), "serve", *given], port, stage.folder / f"serve-{port}.log", settings)
    return stage.stack.enter_context(running)


def bare(stage: Stage) -> Address:
    """The reference server over the same database."""
    port = free_port()
    settings = {"LURCH_DATABASE_URL": stage.database.url}
    running = server([sys.executable, "-m", "bench.bare"], port, stage.folder / f"bare-{port}.log", settings)
    return stage.stack.enter_context(running)


class Caller:
    """One client with one connection that is kept; as lean as the standard library allows, for its own
    time counts on both sides of a ratio."""

    def __init__(self, address: Address, token: str | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=60)
        self.headers = {"Content-Type": "application/json"}
        if token is not None:
            self.headers["Authorization"] = f"Bearer {token}"

    def renew(self) -> None:
        """A fresh connection: the server ends one that was idle for some seconds."""
        self.connection.close()
        self.connection.connect()

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> bytes:
        """The answer's body. Raises RuntimeError for an answer that is no success."""
        self.connection.request(method, path, body, {**self.headers, **headers})
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]!r}")
        return content

    def post(self, path: str, value: Any) -> Any:
        """Send JSON, read JSON."""
        return msgspec.json.decode(self.send("POST", path, msgspec.json.encode(value)))


def signed_in(address: Address, link: str) -> dict[str, str]:
    """A browser on which a link was opened: the header with its cookie."""
    answer = httpx.post(f"{address.url}/sign-in", data={"link": link}, headers={"Origin": address.url}, trust_env=False)
    return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


def open_match(caller: Caller, club: str, deals: int) -> str:
    """A match of Parity over many deals; its path."""
    body = {"game": "parity", "sides": [["Ann"], ["Ben"]], "target": None, "deals": deals}
    return f"/api/v1/matches/{caller.post(f'/api/v1/clubs/{club}/matches', body)['match']['id']}"


def record_deal(caller: Caller, match: str, number: int) -> int:
    """Record a whole deal in one request; the number of its facts."""
    deal = played_deal("parity", number)
    caller.post(f"{match}/deals", {"dealer": deal.dealer})
    caller.send("POST", f"{match}/facts", facts_body(deal.facts))
    return len(deal.facts)


def director(address: Address, club: BenchClub) -> Caller:
    """A caller with the director's token."""
    return Caller(address, club.token)
