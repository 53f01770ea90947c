"""Figure: the page of a case over HTTP, on a match of a thousand events, beside an answer that does nothing."""

import httpx

from bench.live import link
from bench.measure import Detail, Figure, below, in_turns, row, series
from bench.serving import director, service
from bench.stage import Run
from bench.viewing import Reader, long_match

OURS = {"Sec-Fetch-Site": "same-origin", "Accept": "text/html"}


def measure(run: Run) -> Figure:
    """The page in turns with /health/live, on one server."""
    rounds, count, club = run.pick(11, 3), run.pick(20, 5), run.stage.club
    address, secret = service(run.stage), link(run)
    match, version = long_match(address, club, run.pick(1000, 100))
    called = director(address, club).post(f"{match}/cases", {"reason": "They do not agree.", "deal": 1})
    with httpx.Client(base_url=address.url, headers=OURS, trust_env=False, timeout=60) as client:
        client.post("/sign-in", data={"link": secret})
        page, live = Reader(client, f"/cases/{called['case']}"), Reader(client, "/health/live")
        pairs = in_turns(rounds, lambda: page.median(count), lambda: live.median(count), run.tick)
        size = len(client.get(page.path).content)
    found = row("median of a request", "ms", pairs, "lower")
    return Figure(
        name="case",
        title=f"Page of a case on a match of {version:,} events over HTTP",
        ours_is="`GET /cases/{id}` with the owner's sign-in, one httpx client with keep-alive, `lurch serve`",
        reference_is="`GET /health/live` of the same server by the same client",
        rounds=rounds,
        rows=(found,),
        aims=(below(found.label, "median below 50 ms", 50, found.ours),),
        details=(Detail("95 of 100 pages within", series("ms", page.most[-rounds:])),),
        notes=(f"one case about the first deal of a match of Parity; the page has {size:,} bytes",),
    )
