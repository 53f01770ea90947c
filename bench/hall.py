"""`python -m bench.hall PORT [aside]`: scorers, or readers, in a process of their own, each with one connection and one
request at a time. Who stands aside interrupts nobody who serves: phones are machines of their own.

One line of JSON on standard input for each run: the token, and for each scorer the requests that it sends. Printed is a
line of JSON for each: seconds in all, and the milliseconds of each request.
"""

import asyncio
import math
import sys
import time
from collections.abc import Iterable
from itertools import cycle

import msgspec

from service.processors import take_long_turns

try:
    from uvloop import new_event_loop
except ImportError:  # not on Windows
    new_event_loop = asyncio.new_event_loop  # type: ignore[assignment,unused-ignore]


class Sent(msgspec.Struct, frozen=True):
    """A request: its path, its body, its method."""

    path: str
    body: str = ""
    method: str = "POST"


class Hall(msgspec.Struct, frozen=True):
    """Requests of each scorer, in order; `headers` are on every one. With `seconds` they are sent again and again for
    so long: several workers have not the same number of connections, and the last to end would say how fast all are."""

    headers: dict[str, str]
    scorers: list[list[Sent]]
    seconds: float = 0.0


class Took(msgspec.Struct, frozen=True):
    """Times: all in seconds, each request in milliseconds."""

    seconds: float
    each: list[float]


async def score(port: int, headers: str, requests: Iterable[Sent], until: float) -> list[float]:
    """One scorer's requests, one after the other, until a time; the milliseconds of each. Raises RuntimeError for one
    that is no success."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    times = []
    for each in requests:
        body = each.body.encode()
        head = f"{each.method} {each.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
        start = time.perf_counter()
        if start > until:
            break
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        told = await reader.readexactly(length)
        times.append(1000 * (time.perf_counter() - start))
        if not answer.startswith(b"HTTP/1.1 20"):
            raise RuntimeError(f"{each.path}: {answer[:40]!r} {told[:300]!r}")
    writer.close()
    return times


async def run(port: int, hall: Hall) -> Took:
    """All of them at once."""
    headers = "".join(f"{name}: {value}\r\n" for name, value in hall.headers.items())
    start = time.perf_counter()
    until = start + hall.seconds if hall.seconds else math.inf
    sent = [cycle(each) if hall.seconds else each for each in hall.scorers]
    found = await asyncio.gather(*(score(port, headers, each, until) for each in sent))
    return Took(time.perf_counter() - start, [each for own in found for each in own])


if __name__ == "__main__":
    if "aside" in sys.argv:
        take_long_turns()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        while line := sys.stdin.readline().strip():
            took = runner.run(run(int(sys.argv[1]), msgspec.json.decode(line, type=Hall)))
            print(msgspec.json.encode(took).decode(), flush=True)
