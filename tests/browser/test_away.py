"""An open match page keeps recording what it last offered while the network is down, with TLS and without."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from domain import codec
from tests.browser.conftest import open_match
from tests.browser.test_evening_of_a_failing_network import stored
from tests.browser.test_kept import away, back
from tests.browser.test_looks import WIDER
from tests.browser.test_pages import deal_of_cross_purposes
from tests.browser.test_two_phones import tap
from tests.kit.games.strategies import played_out
from tests.kit.phones import PHONE, kept, until_offered
from tests.kit.service.looking import SMALL
from tests.kit.service.revoke_scene import planted

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(300)]

TOLD = "Without a connection: everything that this table has offered"
CALLS = {"S": "♠ spades", "8": "Eight", "D": "♦ diamonds", "Q": "Queen"}
OF_A_SUIT = ["SA", "SK", "SQ", "SJ", "ST", "S9", "S8", "S7", "S6", "S5", "S4", "S3", "S2"]


def recorded(database, club, address):
    """Return the recorded facts of a match in order, each as its card or call."""
    facts = stored(database, club)[address.rsplit("/", 1)[1]]
    return [next(fact[name] for name in ("card", "value", "suit", "parity") if name in fact) for fact in facts]


def meant(fact):
    """The same of a fact."""
    return str(fact.card) if hasattr(fact, "card") else fact.value


def gone_on(page, text):
    """Tap a button by what it says."""
    page.get_by_role("button", name=text, exact=True).first.click()


@pytest.mark.parametrize("over", ["plain", "secure"])
def test_two_deals_tapped_offline_from_the_first_call_are_recorded(visitor, over, database):
    table, club = visitor(over)
    open_match(table, club)
    table.click("text=Deal card by card")
    table.wait_for_selector("section.entry .calls")
    assert table.evaluate("isSecureContext") == (over == "secure")
    until_offered(table)
    facts = [fact for _, fact in planted().deals[0].facts] * 2
    table.context.set_offline(True)
    for at, fact in enumerate(facts):
        if at == len(facts) // 2:
            gone_on(table, "Deal card by card")
        if hasattr(fact, "card"):
            table.click(f"[data-key={fact.card}]")
        else:
            gone_on(table, CALLS[fact.value])
    assert table.inner_text(".offered .quiet") == TOLD
    assert table.inner_text("[data-unsent]") == f"{len(facts) + 1} unsent"
    table.context.set_offline(False)
    table.wait_for_selector("#unsent", state="hidden")
    table.wait_for_selector("#table:not([aria-busy])", timeout=90_000)
    table.wait_for_selector(".offered", state="detached")
    assert table.locator("tbody tr:has-text('reported')").count() == 2
    assert kept(table) == [[], []]
    assert recorded(database, club, table.url) == list(map(meant, facts))


@pytest.mark.parametrize("over", ["plain", "secure"])
def test_cards_that_are_gone_are_there_again_in_the_next_deal(visitor, over, database):
    table, club = visitor(over)
    open_match(table, club, "over_the_top")
    table.click("text=Deal card by card")
    table.click("[data-key=SA]")
    table.wait_for_selector("[data-key=SA]", state="detached")
    until_offered(table)
    table.context.set_offline(True)
    tap(table, "SK")
    table.wait_for_selector(".offered")
    assert table.locator(".grid52 .blank").evaluate_all("(all) => all.map((each) => each.value)") == ["SA", "SK"]
    tap(table, "SA", "SK", "SQ")
    assert table.inner_text("[data-unsent]") == "2 unsent"
    gone_on(table, "Deal card by card")
    assert table.locator(".grid52 .blank").count() == 0
    assert (
        table.locator(".grid52 .suit >> nth=0").locator("button").evaluate_all("(all) => all.map((each) => each.value)")
        == OF_A_SUIT
    )
    table.click(".offered .quiet")
    assert table.inner_text("[data-unsent]") == "3 unsent"


def test_parity_goes_on_with_calls_that_no_page_has_shown(visitor, database):
    table, club = visitor("plain")
    open_match(table, club, "parity")
    table.click("text=Deal card by card")
    table.wait_for_selector("section.entry .calls")
    until_offered(table)
    table.context.set_offline(True)
    gone_on(table, "♥ hearts")
    gone_on(table, "odd")
    table.click(".offered [data-key=HA]")
    table.context.set_offline(False)
    table.wait_for_selector(".trick [aria-label='Ace of hearts']")
    assert (recorded(database, club, table.url), kept(table)) == (["H", "odd", "HA"], [[], []])


@pytest.fixture
def dealt(visitor):
    """A deal of Cross Purposes whose cards are played."""
    page, club = visitor("plain")
    deal_of_cross_purposes(page, club)
    until_offered(page)
    return page


BOXES = """() => [...document.querySelectorAll(".grid52 button, .felt, .versus")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join();
  })"""


def test_nothing_moves_the_focus_stays_and_one_line_is_heard(dealt):
    before = dealt.evaluate(BOXES)
    dealt.evaluate(
        """() => { window.heard = [];
            new MutationObserver(() => window.heard.push(document.querySelector("#said").textContent))
              .observe(document.querySelector("#said"), { childList: true }); }"""
    )
    away(dealt)
    dealt.focus("[data-key=H2]")
    dealt.keyboard.press("Enter")
    dealt.wait_for_selector(".offered")
    for _ in range(2):  # it is tried again
        dealt.wait_for_event("request", lambda request: request.url.endswith("/facts"))
    assert dealt.evaluate(BOXES) == before
    assert dealt.evaluate("document.activeElement.dataset.key") == "H2"
    dealt.set_viewport_size({"width": 1280, "height": 800})
    low, high = (dealt.locator(each).bounding_box() for each in (".grid52", ".offered"))
    assert low["y"] + low["height"] <= high["y"]
    dealt.set_viewport_size(PHONE)
    assert dealt.evaluate("window.heard") == [TOLD]
    back(dealt)
    dealt.wait_for_selector(".offered", state="detached")
    dealt.wait_for_selector("[data-key=H2]", state="detached")
    assert dealt.evaluate("document.activeElement.closest('.entry') !== null")
    assert "plays the two of hearts" in dealt.evaluate("window.heard.at(-1)")


def test_what_is_offered_is_legible_easy_to_hit_and_within_the_screen(dealt):
    away(dealt)
    tap(dealt, "H2")
    dealt.wait_for_selector(".offered")
    for theme in ("light", "dark"):
        dealt.emulate_media(color_scheme=theme)
        found = Axe().run(dealt, options={"runOnly": ["wcag2a", "wcag2aa"]}, context=".entry").response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    for width in (360, 390, 1280):
        dealt.set_viewport_size({"width": width, "height": 664})
        assert (dealt.evaluate(SMALL), dealt.evaluate(WIDER)) == ([], [])
    assert dealt.get_by_role("button", name="Deal card by card", exact=True).is_visible()


def test_offline_no_card_is_offered_when_hands_are_hidden_from_this_phone(visitor, club):
    page, _ = visitor("plain")
    address = open_match(page, club[0])
    *_, dealer, deal, _, _ = played_out(("cross_purposes", {}), 7)
    answer = page.evaluate(
        """([path, token, body]) => fetch(path, { method: "POST", body,
            headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } })
          .then((answer) => answer.status)""",
        [
            f"/api/v1/matches/{address.rsplit('/', 1)[1]}/deals",
            club[1]["scorer"],
            codec.encode({"dealer": dealer, "deal": codec.plain(deal)}).decode(),
        ],
    )
    assert answer == 201
    page.wait_for_selector("section.entry .calls")
    until_offered(page)
    away(page)
    gone_on(page, "♣ clubs")
    page.wait_for_selector(".offered")
    assert (page.locator(".offered").inner_text().split("\n")[0], page.locator(".offers").count()) == (TOLD, 0)
    assert [len(each) for each in kept(page)] == [1, 0]
    gone_on(page, "Ace")
    assert [len(each) for each in kept(page)] == [2, 0]


def test_nothing_is_drawn_while_a_finger_is_down(dealt):
    away(dealt)
    dealt.dispatch_event(".felt", "pointerdown")
    tap(dealt, "H2")
    dealt.wait_for_selector("#unsent:not([hidden])")
    assert dealt.locator(".offered").count() == 0
    dealt.dispatch_event(".felt", "pointerup")
    dealt.wait_for_selector(".offered")
    dealt.dispatch_event(".felt", "pointerdown")
    back(dealt)
    dealt.wait_for_selector("#unsent", state="hidden")
    assert dealt.locator(".offered").count() == 1
    dealt.dispatch_event(".felt", "pointerup")
    dealt.wait_for_selector(".offered", state="detached")


def test_offline_undo_returns_a_card_and_a_repeated_call_counts_later(visitor):
    page, club = visitor("plain")
    page.clock.install()
    open_match(page, club, "cross_game")
    page.click("[data-key=deal0]")
    page.wait_for_selector("section.entry .calls")
    away(page)
    passes = "document.querySelector('.entry form').querySelectorAll('button').forEach((each) => "
    page.evaluate(f"{passes} each.textContent.trim() === 'pass' && (each.click(), each.click()))")
    page.wait_for_selector(".offered")
    assert page.inner_text("[data-unsent]") == "1 unsent"
    page.clock.fast_forward(1100)
    gone_on(page, "pass")
    assert page.inner_text("[data-unsent]") == "2 unsent"
    page.click("[data-key=undo]")
    gone_on(page, "bid 2")
    tap(page, "H9")
    assert page.locator(".offered .blank").count() == 1
    page.clock.fast_forward(1100)
    page.click("[data-key=undo]")
    assert page.locator(".offered .blank").count() == 0
    tap(page, "HA")
    back(page)
    page.wait_for_selector(".trick [aria-label='Ace of hearts']")
    assert kept(page) == [[], []]
