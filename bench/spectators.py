"""Figure: a thousand spectators of one table while its scorer plays, beside the same requests while nobody does."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec

from bench.crowd import SpectatorKind
from bench.measure import Detail, Figure, below, in_turns, percentile, row, series
from bench.serving import Address, Caller, service
from bench.stage import Run, Stage
from bench.tables import facts_body, played_deal
from service.cli import clerk
from service.run.pool import make_pool
from service.store import tokens

PACE = 0.2  # seconds between two facts
NAMES = ("Ann", "Ben")


class Scene(msgspec.Struct, frozen=True):
    """A public club with a match: the tokens of its director and of the two who play."""

    match: str
    director: str
    seats: tuple[str, ...]


def staged(stage: Stage, address: Address) -> Scene:
    """A match between two members, and their tokens."""

    async def made() -> tuple[str, str]:
        async with make_pool(stage.database.url, 1) as pool:
            club = await clerk.club_named(pool, "Crowd", True)
            return club, await tokens.create_token(pool, club, "director", "bench")

    club, director = stage.run(made)
    caller = Caller(address, director)
    people = [caller.post(f"/api/v1/clubs/{club}/players", {"name": name})["id"] for name in NAMES]
    body = {"game": "parity", "sides": [[{"id": each}] for each in people], "target": None, "deals": 1000}
    match = caller.post(f"/api/v1/clubs/{club}/matches", body)["match"]["id"]

    async def of_players() -> tuple[str, ...]:
        async with make_pool(stage.database.url, 1) as pool:
            return tuple([await tokens.create_token(pool, club, "player", "phone", each) for each in people])

    return Scene(match, director, stage.run(of_players))


def kinds_of(scene: Scene, each: int) -> list[SpectatorKind]:
    """Guests at the page of the table, and three kinds of viewers of its events."""
    events = f"/api/v1/matches/{scene.match}/events"
    bearers = [{"Authorization": f"Bearer {token}"} for token in (*scene.seats, scene.director)]
    return [
        SpectatorKind(each, f"/matches/{scene.match}/live", {}),
        *(SpectatorKind(each, events, bearer) for bearer in bearers),
    ]


class Crowd:
    """The spectators' process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def say(self, word: str) -> Any:
        """The answer to a word."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        return msgspec.json.decode(self.process.stdout.readline())


@contextmanager
def gathered(address: Address, kinds: list[SpectatorKind]) -> Iterator[Crowd]:
    """A crowd that is there, all of it."""
    command = [sys.executable, "-m", "bench.crowd", str(address.port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        process.stdin.write("\n".join(msgspec.json.encode(kind).decode() for kind in kinds) + "\n\n")
        crowd = Crowd(process)
        refused = crowd.say("ready")
        if refused:
            raise RuntimeError(f"{refused} spectators were refused")
        yield crowd
        process.stdin.close()


class Prober(threading.Thread):
    """Reads the match again and again, as a spectator's other requests do; milliseconds of each."""

    def __init__(self, address: Address, scene: Scene) -> None:
        super().__init__()
        self.url, self.path = address.url, f"/api/v1/matches/{scene.match}"
        self.times: list[float] = []
        self.over = threading.Event()

    def run(self) -> None:
        """Read until the event `over`."""
        with httpx.Client(base_url=self.url, trust_env=False, timeout=60) as client:
            client.get(self.path)
            while not self.over.wait(0.01):
                start = time.perf_counter()
                client.get(self.path).raise_for_status()
                self.times.append(1000 * (time.perf_counter() - start))


class WatchedTable:
    """The scorer, the crowd, and a reader beside them."""

    def __init__(self, address: Address, scene: Scene, crowd: Crowd) -> None:
        self.address, self.scene, self.crowd = address, scene, crowd
        self.caller = Caller(address, scene.director)
        self.match = f"/api/v1/matches/{scene.match}"
        self.facts: list[Any] = []
        self.deal = 0
        self.told: list[float] = []
        self.reads: dict[bool, list[float]] = {True: [], False: []}
        self.missed = 0

    def fact(self) -> float:
        """Record the next fact; the time of its answer."""
        if not self.facts:
            self.deal += 1
            played = played_deal("parity", self.deal)
            self.caller.post(f"{self.match}/deals", {"dealer": played.dealer})
            self.facts = list(played.facts)
            time.sleep(PACE)
        self.caller.send("POST", f"{self.match}/facts", facts_body((self.facts.pop(0),)))
        return time.monotonic()

    def reading(self, playing: bool, count: int) -> float:
        """The 95th percentile of reads beside so many facts, or beside as much time in which nothing happens."""
        self.caller.renew()
        prober = Prober(self.address, self.scene)
        prober.start()
        moments = []
        for _ in range(count):
            time.sleep(PACE)
            if playing:
                moments.append(self.fact())
        time.sleep(PACE)
        prober.over.set()
        prober.join()
        self.reads[playing] += prober.times
        self._heard(moments)
        return percentile(prober.times, 0.95)

    def _heard(self, moments: list[float]) -> None:
        """For each spectator and fact: from its answer to the first message that came then."""
        for times in self.crowd.say("told"):
            for moment in moments:
                after = [at - moment for at in times if at > moment - PACE / 2]
                self.missed += not after
                self.told += [1000 * max(after[0], 0.0)] if after else []


def measure(run: Run) -> Figure:
    """Reads while a scorer plays in turns with reads while nobody does, before the same crowd."""
    rounds, count, each = run.pick(5, 2), run.pick(20, 4), run.pick(250, 5)
    address = service(run.stage)
    scene = staged(run.stage, address)
    with gathered(address, kinds_of(scene, each)) as crowd:
        table = WatchedTable(address, scene, crowd)
        pairs = in_turns(rounds, lambda: table.reading(True, count), lambda: table.reading(False, count), run.tick)
    if table.missed:
        raise RuntimeError(f"{table.missed} times a spectator was not told")
    found = row("95 of 100 reads of the match within", "ms", pairs, "lower")
    size = 4 * each * count
    told = [table.told[start : start + size] for start in range(size, len(table.told), size)]
    last = row(
        "99 of 100 times a spectator was told within",
        "ms",
        [(percentile(part, 0.99), pair[1]) for part, pair in zip(told, pairs, strict=True)],
        "lower",
    )
    return Figure(
        name="spectators",
        title=f"{4 * each:,} spectators of four kinds while the scorer plays",
        ours_is="a fact every 0.2 s: from its answer to each spectator, and `GET /api/v1/matches/{id}` meanwhile",
        reference_is="the same read before the same spectators while nobody plays",
        rounds=rounds,
        rows=(last, found),
        aims=(
            below(last.label, "below 500 ms", 500, last.ours),
            below(found.label, "below twice the idle time", 2, found.ratio),
        ),
        details=(
            Detail("half of the times within", series("ms", [percentile(part, 0.5) for part in told])),
            Detail("the last spectator within", series("ms", [max(part) for part in told])),
        ),
        notes=(
            "a quarter each: guests at the page of the table, both players and the director at its events",
            f"{count} facts of Parity a round; nothing was refused",
        ),
    )
