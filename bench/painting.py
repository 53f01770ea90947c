"""Figure: a table on a slow phone in a real Chromium: when it is first seen, cold, and how long a tap takes to show."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from bench.chromium import find
from bench.live import link
from bench.measure import Figure, below, in_turns, row
from bench.serving import director, open_match, service
from bench.stage import Run

LINE: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
SLOWER: Final = 4  # the processor
FIRST: Final = "first contentful paint of the table"
TAP: Final = "from a tap on a card to the next paint"
PAINTED: Final = """() => new Promise((done) => new PerformanceObserver((list) => {
  const found = list.getEntriesByName("first-contentful-paint")[0];
  if (found) done(found.startTime);
}).observe({ type: "paint", buffered: true }))"""
# the longest of what one tap set off: press, release and click are one interaction
HEARD: Final = """() => {
  window.taps = [];
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (each.interactionId) window.taps.push(each.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}"""
TOOK: Final = "() => new Promise((done) => setTimeout(() => done(Math.max(0, ...window.taps.splice(0))), 400))"
BARE: Final = """<button style="width:9rem;height:9rem" onclick="this.textContent = 'tapped'">tap</button>"""


class Phone:
    """A phone of somebody who has signed in, on a slow line and with a slow processor."""

    def __init__(self, browser: Browser, url: str, signed_in: Any) -> None:
        self.browser, self.url, self.signed_in = browser, url, signed_in

    @contextmanager
    def fresh(self, slow_line: bool = True) -> Iterator[Page]:
        """A page of a browser that has kept nothing but the sign-in."""
        size = {"width": 390, "height": 844}
        context = self.browser.new_context(base_url=self.url, viewport=size, storage_state=self.signed_in)  # type: ignore[arg-type]
        page = context.new_page()
        told = context.new_cdp_session(page)
        told.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        if slow_line:
            told.send("Network.enable")
            told.send("Network.emulateNetworkConditions", dict(LINE))
        yield page
        context.close()

    def first_paint(self, path: str) -> float:
        """Milliseconds from the tap on a link to the first words of a page."""
        with self.fresh() as page:
            page.goto(path, wait_until="commit")
            return float(page.evaluate(PAINTED))

    def tap(self, page: Page, where: str) -> float:
        """Milliseconds from a tap to the next paint; 16 at least: shorter ones are not told of."""
        page.locator(where).first.click()
        return max(16.0, float(page.evaluate(TOOK)))


def measure(run: Run) -> Figure:
    """Both figures, in turns with a page that holds next to nothing."""
    rounds, path_found = run.pick(5, 1), find()
    if path_found is None:
        raise RuntimeError("there is no Chromium on this machine: apt install chromium")
    address, secret = service(run.stage), link(run)
    caller = director(address, run.stage.club)
    match = open_match(caller, run.stage.club.id, 100)
    caller.post(f"{match}/deals", {"dealer": 0})
    facts = [{"seat": 1, "do": "trump", "suit": "H"}, {"seat": 0, "do": "parity", "parity": "odd"}]
    caller.post(f"{match}/facts", {"facts": facts})
    table = match.removeprefix("/api/v1")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path_found, args=["--no-sandbox"])
        signing = browser.new_context(base_url=address.url)
        signing.request.post("/sign-in", form={"link": secret}, headers={"Origin": address.url}, max_redirects=0)
        phone = Phone(browser, address.url, signing.storage_state())
        paints = in_turns(rounds, lambda: phone.first_paint(table), lambda: phone.first_paint("/health/live"), run.tick)
        with phone.fresh() as page, phone.fresh(slow_line=False) as other:
            page.goto(table)
            other.set_content(BARE)
            for each in (page, other):
                each.evaluate(HEARD)
            taps = in_turns(
                rounds, lambda: phone.tap(page, ".grid52 button"), lambda: phone.tap(other, "button"), run.tick
            )
        browser.close()
    first, tap = row(FIRST, "ms", paints, "lower"), row(TAP, "ms", taps, "lower")
    return Figure(
        name="paint",
        title="A table on a slow phone",
        ours_is="the table of a deal in Chromium, 390 × 844, 1.6 Mbit/s, 150 ms, processor four times slower; cold",
        reference_is="`/health/live`, and a button that changes its own word, in the same browser",
        rounds=rounds,
        rows=(first, tap),
        aims=(
            below(FIRST, "below 1 s", 1000, first.ours),
            below(TAP, "below 100 ms", 100, tap.ours),
        ),
        details=(),
        notes=("a tap is told of in steps of 8 ms, and as 16 where it took less",),
    )
