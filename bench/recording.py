"""Figure: recording one fact a request over HTTP, beside a bare handler that does one INSERT."""

import time
from collections.abc import Iterator

from bench.measure import Detail, Figure, at_least, in_turns, percentile, row, series
from bench.serving import Address, Caller, bare, director, open_match, service
from bench.stage import BenchClub, Run
from bench.tables import facts_body, played_deal
from service.store.ids import new_id

DEALS_A_MATCH = 4


class Clock:
    """Requests, timed each for itself: a rate for each round, its median and its 95th percentile."""

    def __init__(self) -> None:
        self.halves: list[float] = []
        self.most: list[float] = []

    def rate(self, requests: Iterator[tuple[Caller, str, bytes, dict[str, str]]]) -> float:
        """Requests a second, not counting the time between them."""
        times = []
        for caller, path, body, headers in requests:
            start = time.perf_counter()
            caller.send("POST", path, body, **headers)
            times.append(time.perf_counter() - start)
        self.halves.append(percentile(times, 0.5) * 1000)
        self.most.append(percentile(times, 0.95) * 1000)
        return len(times) / sum(times)

    def details(self, label: str, rounds: int) -> tuple[Detail, Detail]:
        """The last rounds as half and 95 of 100 requests saw them."""
        return (
            Detail(f"{label}: half of the requests within", series("ms", self.halves[-rounds:])),
            Detail(f"{label}: 95 of 100 within", series("ms", self.most[-rounds:])),
        )


class Scorer:
    """A scorer who taps card after card, match after match."""

    def __init__(self, address: Address, club: BenchClub) -> None:
        self.caller, self.club, self.deal = director(address, club), club, 0

    def facts(self, deals: int, keyed: bool) -> Iterator[tuple[Caller, str, bytes, dict[str, str]]]:
        """One request a fact; opening matches and deals happens between the requests."""
        self.caller.renew()
        for place in range(deals):
            if place % DEALS_A_MATCH == 0:
                match = open_match(self.caller, self.club.id, 100)
            self.deal += 1
            played = played_deal("parity", self.deal)
            self.caller.post(f"{match}/deals", {"dealer": played.dealer})
            for fact in played.facts:
                headers = {"Idempotency-Key": new_id()} if keyed else {}
                yield self.caller, f"{match}/facts", facts_body((fact,)), headers


def rows(caller: Caller, deals: int) -> Iterator[tuple[Caller, str, bytes, dict[str, str]]]:
    """The same facts to the bare handler."""
    caller.renew()
    for number in range(1, deals + 1):
        for fact in played_deal("parity", number).facts:
            yield caller, "/rows", facts_body((fact,)), {}


def measure(run: Run) -> Figure:
    """Ours in turns with the bare handler; then ours with a key of the client's."""
    rounds, deals = run.pick(21, 3), run.pick(DEALS_A_MATCH, 1)
    recorder = Scorer(service(run.stage), run.stage.club)
    caller = Caller(bare(run.stage))
    ours, reference, keyed = Clock(), Clock(), Clock()
    pairs = in_turns(
        rounds,
        lambda: ours.rate(recorder.facts(deals, keyed=False)),
        lambda: reference.rate(rows(caller, deals)),
        run.tick,
    )
    with_key = [keyed.rate(recorder.facts(deals, keyed=True)) for _ in range(rounds)]
    found = row("one fact a request", "requests/s", pairs)
    return Figure(
        name="facts",
        title="Recording one fact a request over HTTP",
        ours_is="`POST /api/v1/matches/{id}/facts` of `lurch serve`, one client with keep-alive, one request at a time",
        reference_is="a bare Litestar handler with one INSERT of the same columns, same pool settings, same kind of "
        "server",
        rounds=rounds,
        rows=(found,),
        aims=(at_least(found.label, "at least 0.5 times the reference", 0.5, found.ratio),),
        details=(
            *ours.details("ours", rounds),
            *reference.details("reference", rounds),
            Detail("ours with an Idempotency-Key", series("requests/s", with_key)),
        ),
        notes=(
            f"{deals} deals of Parity a round, {DEALS_A_MATCH} a match, hands unknown; the client (http.client) sends "
            "the next request when the answer is read",
            run.stage.durability,
        ),
    )
