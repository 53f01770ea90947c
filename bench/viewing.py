"""Figure: the view of a match of a thousand events over HTTP, beside an answer that does nothing."""

import time

import httpx
import msgspec

from bench.measure import Detail, Figure, below, in_turns, percentile, row, series
from bench.serving import Address, director, open_match, record_deal, service
from bench.stage import BenchClub, Run


def long_match(address: Address, club: BenchClub, events: int) -> tuple[str, int]:
    """A match with at least that many events: its path, and its version."""
    caller = director(address, club)
    match = open_match(caller, club.id, 1000)
    version, number = 1, 0
    while version < events:
        version += 1 + record_deal(caller, match, number)
        number += 1
    return match, version


class Reader:
    """A client with one connection that is kept."""

    def __init__(self, client: httpx.Client, path: str) -> None:
        self.client, self.path = client, path
        self.most: list[float] = []

    def median(self, count: int) -> float:
        """The median of this many requests, in milliseconds."""
        times = [self._once() for _ in range(count)]
        self.most.append(percentile(times, 0.95))
        return percentile(times, 0.5)

    def _once(self) -> float:
        start = time.perf_counter()
        answer = self.client.get(self.path)
        spent = time.perf_counter() - start
        answer.raise_for_status()
        return spent * 1000


def measure(run: Run) -> Figure:
    """The view in turns with /health/live, on one server."""
    rounds, count, club = run.pick(17, 3), run.pick(30, 10), run.stage.club
    address = service(run.stage)
    match, version = long_match(address, club, run.pick(1000, 100))
    headers = {"Authorization": f"Bearer {club.token}"}
    with httpx.Client(base_url=address.url, headers=headers, trust_env=False, timeout=60) as client:
        view, live, past = (Reader(client, path) for path in (match, "/health/live", f"{match}?as_of={version - 1}"))
        pairs = in_turns(rounds, lambda: view.median(count), lambda: live.median(count), run.tick)
        older = [past.median(5) for _ in range(rounds)]
        size = len(client.get(match).content)
        deals = len(msgspec.json.decode(client.get(match).content)["deals"])
    found = row("median of a request", "ms", pairs, "lower")
    return Figure(
        name="view",
        title=f"Match view after {version:,} events over HTTP",
        ours_is="`GET /api/v1/matches/{id}` with a director's token, one httpx client with keep-alive, `lurch serve`",
        reference_is="`GET /health/live` of the same server by the same client",
        rounds=rounds,
        rows=(found,),
        aims=(below(found.label, "median below 5 ms", 5, found.ours),),
        details=(
            Detail("95 of 100 views within", series("ms", view.most[-rounds:])),
            Detail("95 of 100 answers of /health/live within", series("ms", live.most[-rounds:])),
            Detail("the view as of the version before, folded from the log", series("ms", older)),
        ),
        notes=(
            f"one match of Parity, {deals} deals, {version:,} events; the answer has {size:,} bytes",
            f"{count} requests of each a round",
        ),
    )
