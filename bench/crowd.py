"""`python -m bench.crowd`: spectators in a process of their own.

One line on standard input for each kind of them, an empty one, then words: `ready` waits for all of them and prints
the number that was refused, `told` prints the times of the messages to each since the last word.
"""

import asyncio
import sys
import time
from typing import Any, TextIO

import msgspec

try:
    from uvloop import new_event_loop
except ImportError:  # not on Windows
    new_event_loop = asyncio.new_event_loop  # type: ignore[assignment,unused-ignore]

SETTLED = 0.5  # seconds without a byte: nobody is being told anything


class SpectatorKind(msgspec.Struct, frozen=True):
    """A number of spectators who follow the same path with the same headers."""

    count: int
    path: str
    headers: dict[str, str]


class Spectator(asyncio.Protocol):
    """One open stream; `told` are the times at which its messages were there whole."""

    def __init__(self, kind: SpectatorKind) -> None:
        self.kind, self.told, self.answered, self.open = kind, list[float](), b"", b""

    def connection_made(self, transport: Any) -> None:
        """Ask."""
        lines = [f"GET {self.kind.path} HTTP/1.1", "Host: 127.0.0.1", "Accept: text/event-stream"]
        lines += [f"{name}: {value}" for name, value in self.kind.headers.items()]
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def data_received(self, data: bytes) -> None:
        """The head of the answer, then messages, each a chunk; one may come in pieces."""
        moment = time.monotonic()
        self.answered = self.answered or data[:15]
        self.open += data
        if data.endswith(b"\n\n\r\n"):
            if b"\ndata: " in self.open:
                self.told.append(moment)
            self.open = b""


async def crowd(port: int, kinds: list[SpectatorKind], said: TextIO) -> None:
    """Open all streams, then answer words from standard input."""
    loop = asyncio.get_running_loop()
    wanted = [kind for kind in kinds for _ in range(kind.count)]
    made = await asyncio.gather(
        *(loop.create_connection(lambda kind=kind: Spectator(kind), "127.0.0.1", port) for kind in wanted)  # type: ignore[misc]  # one factory each
    )
    spectators = [protocol for _, protocol in made]
    while word := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        await quiet(spectators)
        if word == "ready":
            refused = sum(b"200" not in each.answered for each in spectators)
            said.write(f"{refused}\n")
        else:
            said.write(msgspec.json.encode([each.told for each in spectators]).decode() + "\n")
        for each in spectators:
            each.told.clear()
        said.flush()


async def quiet(spectators: list[Spectator]) -> None:
    """Wait until nothing has come for a while."""
    while True:
        before = sum(len(each.told) for each in spectators)
        await asyncio.sleep(SETTLED)
        if before == sum(len(each.told) for each in spectators) and all(each.answered for each in spectators):
            return


if __name__ == "__main__":
    kinds = []
    while line := sys.stdin.readline().strip():
        kinds.append(msgspec.json.decode(line, type=SpectatorKind))
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(crowd(int(sys.argv[1]), kinds, sys.stdout))
