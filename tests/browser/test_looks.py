"""How pages look: legible in both themes and forced colours, easy to hit, still, and never wider than the screen, at
any size of the text and the names.

One page of each kind in the states that look different, as the owner, who is shown the most. Each is opened once; the
theme, the width and the size of the text change under it."""

import pytest

from service.web.render import TEMPLATES
from tests.kit.phones import put_away
from tests.kit.service.behind_forms import BEHIND, Behind, address_behind
from tests.kit.service.crawling import Templates
from tests.kit.service.looking import FORCED, MOVED, SMALL, WATCH, axe_finds

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
SIZED = ("target-size", "scrollable-region-focusable", "meta-viewport", "css-orientation-lock")  # what size can break
SIZES = ((390, "100%"), (390, "200%"), (1280, "100%"), (1280, "200%"))
SWISS = "tournament: swiss, disputed"
LONG = "tournament: single, long names"
ENDED = "tournament: two stages, finished"
TABS = ("", "/standings", "/crosstable", "/entries", "/director", "/log", "/show")
PAGES = [
    "/",
    "{club}",
    "{club}/new",
    "{club}/new?game=cross_purposes&variant=alliance",
    "{club}/ratings",
    "{club}/season",
    "{club}/players/{person}",
    "{club}/wall",
    "{club}/tournaments",
    "{club}/tournaments/new",
    "/games",
    "/design",
    "/guide",
    "/guide/scorer",
    "/games/parity",
    "/games/garbo#ga-g4",
    "/problems/misfit",
    "/sign-in",
    "/sign-in?link=x",
    "/shell",
    "/me",
    "/copies",
    "{club}/invite",
    "{club}/players/{person}/doors",
    "{club}/members",
    "pushes",
    "a new club",
    "{club}/members/import",
    "{club}/members/{person}",
    "{club}/members/{person}/merge",
    "{club}/members/{person}/part",
    "{club}/members/{person}/erase",
    "{club}/settings",
    "{club}/house-rules?game=parity",
    "{club}/roles",
    "{club}/friends",
    "{club}/tokens",
    "{club}/webhooks",
    "{club}/doors",
    "{club}/doors/sheet",
    "/t",
    "{club}/cases",
    "case: called",
    "case: of a finding?remedy=tricks-pass",
    "case: of a finding?openings=1&at=30",
    "case: ruled on",
    "case: of a finding/equity",
    "match: ruled on/case",
    "match: opened/seats",
    f"{SWISS}/doors",
    f"{SWISS}/slips",
    f"{ENDED}/paper",
    "/nowhere",
    *(
        f"match: {state}"
        for state in (
            "opened",
            "deal on",
            "playing",
            "corrected",
            "finished",
            "disputed",
            "claimed",
            "proposed",
            "void, hands hidden",
            "long names",
            "garbo, deal on",
            "cross_purposes, deal on",
            "get_stuck, deal on",
            "ristikontra, deal on",
        )
    ),
    "match: opened/result",
    "match: corrected/sheet",
    "match: get_stuck, deal on/sheet",
    "/games/cross_purposes/sheet?way=2",
    "match: corrected/result?deal=1",
    "match: corrected/correct?at=4",
    "match: corrected/replay?at=4",
    "match: playing/correct?at=4",
    "match: get_stuck, entered/layout",
    "match: playing/correct?at=4&do=remove",
    "match: proposed/correct?at=3",
    "match: long names/result",
    "match: long names/replay",
    *(f"{SWISS}{tab}" for tab in TABS),
    *(f"{LONG}{tab}" for tab in TABS),
    f"{LONG}/bracket",
    f"{LONG}/entries/…",
    f"{ENDED}",
    f"{ENDED}/standings/…",
    f"{ENDED}/standings?stage=1",
    "tournament: double, disputed/bracket",
    "part",
    "webhook",
    *BEHIND,
]
# tried where they are made
UNSEEN = {
    "docs.html",
    "_preview.html",
    "_first_deal.html",
    "embed/table.html",
    "embed/bracket.html",
}
WIDER = """() => {
  const room = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > room + 1);
  const over = document.documentElement.scrollWidth - room;
  return over > 0 ? [over, ...wide.slice(0, 3).map((each) => each.outerHTML.slice(0, 120))] : [];
}"""


@pytest.fixture(scope="module")
def site(world_site):
    return world_site


@pytest.fixture(scope="module")
def shown():
    """The templates that were shown meanwhile."""
    with Templates() as templates:
        yield templates


@pytest.fixture(scope="module")
def looking(chromium, site, world, shown):
    """A phone of the owner; nothing moves on it."""
    context = chromium.new_context(base_url=site, reduced_motion="reduce", service_workers="block")
    name, _, value = world.cookie("owner", world.house.id)["Cookie"].partition("=")
    context.add_cookies([{"name": name, "value": value, "url": site}])
    context.set_default_timeout(60_000)
    context.add_init_script(WATCH)
    Behind(world).lead(context)
    page = context.new_page()
    yield page
    put_away(context)


def address_of(world, page):
    """The address that a name in the list stands for; `…` is an entry of the tournament."""
    if page in BEHIND:
        return address_behind(page)
    states = {**world.scenes, **world.office}
    for state in sorted(states, key=len, reverse=True):
        if page.startswith(state):
            where = page.replace(state, states[state])
            return where.replace("…", world.entry_of(state)) if "…" in where else where
    person = world.house.get(f"{world.house.path}/players").json()["items"][0]["id"] if "{person}" in page else ""
    return page.format(club=f"/clubs/{world.house.id}", person=person)


def some_of(values, *first):
    """Return values for `parametrize`, all but `first` marked as extended."""

    def param(value):
        one = value if isinstance(value, tuple) else (value,)
        return pytest.param(*one, marks=() if value in first else pytest.mark.extended)

    return [param(each) for each in values]


def opened(looking, world, page):
    looking.set_viewport_size({"width": 390, "height": 844})
    looking.goto(address_of(world, page))


def open_all(looking):
    looking.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")


@pytest.mark.parametrize("page", some_of(PAGES, "{club}", "match: playing", f"{SWISS}/director", f"{SWISS}/doors"))
def test_a_page_is_legible_stable_and_fits_in_both_themes(looking, world, page):
    opened(looking, world, page)
    assert looking.evaluate(MOVED) == [], "something moved while the page was loading"
    open_all(looking)
    looking.emulate_media(color_scheme="light", forced_colors="none")
    assert axe_finds(looking) == []
    assert looking.evaluate(SMALL) == [], "less than 44 px high"
    looking.emulate_media(color_scheme="dark")
    assert axe_finds(looking, "color-contrast") == [], "dark"
    looking.emulate_media(forced_colors="active")
    assert looking.evaluate(FORCED) == [], "forced colours"
    looking.emulate_media(forced_colors="none")
    for width, size in SIZES:
        looking.set_viewport_size({"width": width, "height": 844})
        looking.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)
        assert looking.evaluate(WIDER) == [], (width, size)
        if (width, size) == (390, "200%"):
            assert axe_finds(looking, *SIZED) == [], "at 200 %"


@pytest.mark.extended
def test_every_kind_of_page_is_among_them(looking, world, shown):
    for page in set(PAGES) - set(BEHIND):
        looking.request.get(address_of(world, page), headers={"Accept": "text/html"})
    assert set(TEMPLATES.list_templates()) - shown.shown - UNSEEN == set()


@pytest.mark.extended
@pytest.mark.parametrize("tab", TABS[:-1])
def test_tabs_form_one_row_on_a_phone_with_the_current_in_view(looking, world, tab):
    opened(looking, world, f"{SWISS}{tab}")
    open_all(looking)
    rows, current, line = looking.evaluate(
        """() => {
          const tabs = [...document.querySelectorAll(".tabs a")].map((each) => each.getBoundingClientRect());
          const open = document.querySelector(".tabs a[aria-current]").getBoundingClientRect();
          const text = document.createRange();
          text.selectNodeContents(document.querySelector(".tabs a[aria-current]"));
          const word = text.getBoundingClientRect();
          const even = Math.abs(word.left - open.left - (open.right - word.right)) < 1;
          return [new Set(tabs.map((each) => each.top)).size, [open.left >= 0, open.right <= innerWidth], even];
        }"""
    )
    assert (rows, current, line) == (1, [True, True], True)


@pytest.mark.extended
@pytest.mark.parametrize("page", [f"{ENDED}/bracket?stage=2", "tournament: double, disputed/bracket"])
@pytest.mark.parametrize("width", [820, 1920])
def test_names_in_a_bracket_are_as_large_as_other_text(looking, world, page, width):
    looking.set_viewport_size({"width": width, "height": 1080})
    looking.goto(address_of(world, page))
    drawn = looking.locator(".bracket.picture svg").evaluate(
        """(svg) => parseFloat(getComputedStyle(svg.querySelector("text")).fontSize)
        * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
        / parseFloat(getComputedStyle(document.documentElement).fontSize)"""
    )
    assert 0.8 <= drawn <= 1.26


@pytest.mark.extended
@pytest.mark.parametrize("page", ["match: corrected/result?deal=1", "match: long names/result"])
def test_the_counts_of_a_result_come_where_their_room_was(looking, world, page):
    held = []
    looking.route("**/result/preview*", lambda route: held.append(route))  # noqa: PLW0108  # it is given a function
    with looking.expect_request("**/result/preview*"):
        opened(looking, world, page)
    while not held:  # it was sent, and has not been handed over yet
        looking.wait_for_timeout(20)
    high = "() => document.querySelector('.dock').getBoundingClientRect().height"
    before = looking.evaluate(high)
    looking.unroute("**/result/preview*")
    looking.evaluate(
        "document.querySelectorAll('fieldset').forEach((each) => each.querySelectorAll('input')[1].click())"
    )
    looking.wait_for_selector("#preview b")
    assert looking.evaluate(high) == before
