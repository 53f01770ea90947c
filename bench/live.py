"""Figure: from a fact's commit to another screen, in a real Chromium, beside the time of the request itself."""

import time
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench.chromium import find
from bench.measure import Detail, Figure, below, in_turns, percentile, row, series
from bench.serving import Caller, director, open_match, service
from bench.stage import Run
from bench.tables import facts_body, played_deal
from service.run.pool import make_pool
from service.store import tokens

# a promise of the page: the time, by the machine's clock, of the next change of its table
WATCH = """() => {
  window.changed = new Promise((done) => new MutationObserver((_, watcher) => {
    watcher.disconnect();
    done(Date.now());
  }).observe(document.querySelector("#table"), {childList: true, subtree: true}));
}"""


def link(run: Run) -> str:
    """A sign-in link's secret: the club is private."""

    async def make() -> str:
        async with make_pool(run.stage.database.url, 1) as pool:
            return await tokens.make_link(pool)

    secret: str = run.stage.run(make)
    return secret


class Tapper:
    """Records facts one by one, and asks the other screen when it saw each."""

    def __init__(self, caller: Caller, match: str, page: Page) -> None:
        self.caller, self.match, self.page = caller, match, page
        self.facts: list[Any] = []
        self.deal = 0
        self.screens: list[float] = []
        self.requests: list[float] = []

    def next_fact(self) -> bytes:
        """The next fact as a body; a deal is begun when one has ended."""
        if not self.facts:
            self.deal += 1
            played = played_deal("parity", self.deal)
            self.caller.post(f"{self.match}/deals", {"dealer": played.dealer})
            self.facts = list(played.facts)
        return facts_body((self.facts.pop(0),))

    def take(self, count: int) -> None:
        """Record facts; for each, measure milliseconds from the answer, when it is committed, to the screen."""
        for _ in range(count):
            body = self.next_fact()
            self.page.wait_for_timeout(30)
            self.page.evaluate(WATCH)
            begun = time.time() * 1000
            self.caller.send("POST", f"{self.match}/facts", body)
            answered = time.time() * 1000
            self.screens.append(max(self.page.evaluate("() => window.changed") - answered, 0.0))
            self.requests.append(answered - begun)

    def median_screen(self, count: int) -> float:
        """The median of the next facts, to the screen."""
        self.take(count)
        return percentile(self.screens[-count:], 0.5)

    def median_request(self, count: int) -> float:
        """The median of the same facts' requests."""
        return percentile(self.requests[-count:], 0.5)


def measure(run: Run) -> Figure:
    """The two medians of the same facts, round by round."""
    rounds, count = run.pick(5, 2), run.pick(20, 5)
    browser_path = find()
    if browser_path is None:
        raise RuntimeError("there is no Chromium on this machine: apt install chromium")
    address, secret = service(run.stage), link(run)
    caller = director(address, run.stage.club)
    match = open_match(caller, run.stage.club.id, 100)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(base_url=address.url)
        page.goto(f"/sign-in?link={secret}")
        page.click("main button")
        page.goto(match.removeprefix("/api/v1"))
        caller.renew()  # Chromium may have taken its time
        tapper = Tapper(caller, match, page)
        pairs = in_turns(rounds, lambda: tapper.median_screen(count), lambda: tapper.median_request(count), run.tick)
        browser.close()
    found = row("median of a fact", "ms", pairs, "lower")
    return Figure(
        name="live",
        title="From the commit of a fact to another screen",
        ours_is="the answer of `POST …/facts` to the change of the live table in Chromium, by server-sent events",
        reference_is="the same request, from sending to its answer",
        rounds=rounds,
        rows=(found,),
        aims=(below(found.label, "below 200 ms", 200, found.ours),),
        details=(Detail("the slowest of each round", series("ms", _slowest(tapper.screens, count, rounds))),),
        notes=(f"{count} facts of Parity a round; both clocks are this machine's, in whole milliseconds",),
    )


def _slowest(times: list[float], count: int, rounds: int) -> list[float]:
    kept = times[-count * rounds :]
    return [max(kept[start : start + count]) for start in range(0, len(kept), count)]
