"""Figure: a phone that scans in at a table while somebody guesses codes, beside the same phone with nobody guessing.

`python -m bench.guessing PORT` is the guesser: one code after the other from forty addresses of this machine, eight at
a time, until standard input ends. It prints an empty line once no more codes are looked at, and at the end a line of
JSON, the answers by status.
"""

import asyncio
import http.client
import re
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from functools import partial

import msgspec

from bench.measure import Detail, Figure, below, in_turns, milliseconds, row, series
from bench.serving import Address, Caller, director, open_match, service
from bench.stage import Run

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", "Accept": "text/html"}
SHUT = "429"


class Guesser:
    """Somebody who guesses, in a process of his own, for as long as the block lasts; then `answers` are known."""

    def __init__(self, address: Address) -> None:
        self.address, self.answers, self.seconds = address, Counter[str](), 0.0

    def __enter__(self) -> "Guesser":
        command = [sys.executable, "-m", "bench.guessing", str(self.address.port)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.process.stdout.readline()
        self.begun = time.monotonic()
        return self

    def __exit__(self, *exc: object) -> None:
        told = self.process.communicate(timeout=30)[0]
        self.seconds = time.monotonic() - self.begun
        self.answers += Counter(msgspec.json.decode(told, type=dict[str, int]))


def scan_in(address: Address, secret: str, path: str) -> None:
    """The three requests of a phone: scan, tap the first name, see the table. Raises RuntimeError when it is not in."""
    phone = http.client.HTTPConnection("127.0.0.1", address.port, timeout=60)
    phone.request("POST", "/t", f"secret={secret}", FORM)
    page = phone.getresponse().read().decode()
    name = re.search(r'name="as" value="([\w-]{36})"', page)
    if name is None:
        raise RuntimeError(f"no name to tap: {page[:300]}")
    phone.request("POST", "/t/in", f"secret={secret}&as={name[1]}", FORM)
    answer = phone.getresponse()
    cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
    answer.read()
    phone.request("GET", path, headers={"Cookie": cookie, "Accept": "text/html"})
    if (found := phone.getresponse()).status != 200:
        raise RuntimeError(f"{path}: {found.status}")
    found.read()
    phone.close()


def measure(run: Run) -> Figure:
    """A table of its own for each scan, so that no phone takes another one's place."""
    rounds, each = run.pick(5, 2), run.pick(5, 2)
    address = service(run.stage)
    caller = director(address, run.stage.club)
    counts, rates = Counter[str](), list[float]()

    def scanned() -> float:
        tables = [_table(caller, run.stage.club.id) for _ in range(each)]
        return max(milliseconds(partial(scan_in, address, *table)) for table in tables)

    def beside() -> float:
        with Guesser(address) as guesser:
            found = scanned()
        counts.update(guesser.answers)
        rates.append(guesser.answers.total() / guesser.seconds)
        return found

    found = row("a phone is in, slowest", "ms", in_turns(rounds, beside, scanned, run.tick), "lower")
    return Figure(
        "door",
        "a phone that scans in while codes are guessed",
        f"scan, tap, table; the slowest of {each} phones while eight connections guess",
        "the same with nobody guessing",
        rounds,
        (found,),
        (below(found.label, "a phone that scans is in within a second", 1000, found.ours),),
        (Detail("codes guessed meanwhile", series("codes/s", rates)),),
        (f"answers to the guesser by status: {dict(sorted(counts.items()))}",),
    )


def _table(caller: Caller, club: str) -> tuple[str, str]:
    """The secret of a new table's code, and the address of its page."""
    match = open_match(caller, club, 1)
    secret: str = msgspec.json.decode(caller.send("GET", f"{match}/door"))["secret"]
    return secret, match.removeprefix("/api/v1")


async def guess(port: int, lane: int, answers: Counter[str]) -> None:
    """Wrong codes for ever, each connection from another address of this machine."""
    for number in range(lane, 10**9, 8):
        place = (f"127.0.2.{1 + number % 40}", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=place)
        body = f"code={''.join('ABCDEFGH'[number >> 3 * at & 7] for at in range(6))}"
        head = "".join(f"{name}: {value}\r\n" for name, value in FORM.items())
        request = (
            f"POST /t HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{head}Content-Length: {len(body)}\r\n\r\n"
        )
        writer.write((request + body).encode())
        answer = await reader.read()
        writer.close()
        answers[answer.partition(b" ")[2][:3].decode()] += 1
        if answer.startswith(b"HTTP/1.1 429") and answers[SHUT] == 1:
            print(flush=True)


async def flood(port: int) -> Counter[str]:
    """Guess until standard input ends."""
    answers = Counter[str]()
    lanes = [asyncio.create_task(guess(port, lane, answers)) for lane in range(8)]
    await asyncio.to_thread(sys.stdin.read)
    for lane in lanes:
        lane.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*lanes)
    return answers


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(flood(int(sys.argv[1])))))
