"""A board goes on without a network, in the page that was open and in the one that a worker starts: what is tapped is
on the board, counted, kept over a reload, and recorded once in its order."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import open_match
from tests.browser.test_boards import SAFARI, key, play_by_lot, shuffled, square, until_laid
from tests.browser.test_evening_of_a_failing_network import stored
from tests.browser.test_looks import WIDER
from tests.browser.test_offline import offered, prepared
from tests.kit.match.tables import find
from tests.kit.phones import kept, until_offered
from tests.kit.service.looking import SMALL

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(300)]

MOVES = 8


def check_looks(page):
    """Legible, named, easy to hit and within the screen, and what waits stands in view with the bar above it."""
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]}, context="main").response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    squares = page.locator(".on-board .board button").evaluate_all(
        "all => all.map((each) => Math.min(each.offsetWidth, each.offsetHeight))"
    )
    assert min(squares) >= 44
    assert (page.evaluate(SMALL), page.evaluate(WIDER)) == ([], [])
    dock, told = (page.locator(each).bounding_box() for each in ("main > #table .dock, main > .dock", "#unsent"))
    assert dock["y"] + dock["height"] <= told["y"] + 1


def recorded(database, club, address):
    """What the log holds of a match, fact by fact, without the seats."""
    facts = stored(database, club)[address.rpartition("/")[2]]
    return [{name: value for name, value in fact.items() if name != "seat"} for fact in facts]


def come_back(page, address):
    """The network is there again, and everything that waited is recorded."""
    page.context.set_offline(False)
    page.wait_for_selector("#table", timeout=120_000)  # the page itself is back when everything is recorded
    page.wait_for_selector("#unsent", state="hidden")
    page.wait_for_selector("#table:not([aria-busy])", timeout=120_000)
    assert (page.url, kept(page)) == (address, [[], []])


def garbo(page, club, claims):
    """A table of cards and squares, Annie dealing."""
    page.goto(f"/clubs/{club}/new?game=garbo")
    page.fill("[name=name0]", "Annie")
    page.fill("[name=name1]", "Benny")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.select_option('[name="option.claims"]', claims)
    page.click("text=Open the match")
    page.wait_for_url("**/matches/*")
    page.click(key("deal0"))
    page.wait_for_selector(".on-board")
    return page.url


def lay(page, game, fact):
    """A card on its square, as two taps; the last card is chosen by itself, and so is the only square."""
    place = f".on-board .picks label:has({key(fact.card)})"
    alone = page.locator(".on-board .board button").count() == 1
    if page.locator(".on-board .picks label").count() > 1:
        page.click(place)
    if not alone:
        page.click(f".on-board .board {key(square(game, fact))}")
    assert page.locator(place).count() == 0, "a card that was tapped is gone from those to be tapped"
    text = page.inner_text(f".on-board .board {key(square(game, fact))}")
    assert text.startswith({"T": "10"}.get(str(fact.card)[1], str(fact.card)[1]))


@pytest.mark.parametrize("over", ["plain", "secure"])
def test_a_whole_deal_of_cards_on_squares_goes_on_without_a_network(visitor, over, database):
    """Both levels with their claims, begun with one card while the network was there; over TLS the page is loaded anew
    in between, and a worker starts it."""
    page, club = visitor(over)
    page.set_viewport_size(SAFARI)
    address, game = garbo(page, club, "manual"), find("garbo")
    deal, _ = shuffled("garbo", 9)
    plays = [each for each in play_by_lot(game, game.options(claims="manual"), deal, 9) if each[1]]
    lay_first = plays[0][1]
    page.click(f"label:has({key(lay_first.card)})")  # there is one square only
    page.wait_for_selector(".claim[open]")  # the service has drawn it
    if over == "secure":
        prepared(page)
    until_offered(page)
    page.context.set_offline(True)
    expected, taps = [], 0
    for at, (_, fact, due) in enumerate(plays):
        expected.append({"do": fact.__struct_config__.tag, "card": str(fact.card), "cell": list(fact.cell)})
        if at:
            if over == "secure" and at in (2, 20):
                page.goto(address)
                page.wait_for_selector("text=The table, without a connection")
                page.wait_for_selector(f".on-board .picks label:has({key(fact.card)})")  # its script draws it later
                if taps:
                    page.wait_for_selector(f"[data-unsent]:has-text('{taps} unsent')")
            if at == 1 and over == "plain":
                page.evaluate("document.querySelector('.claim').open = false")
            lay(page, game, fact)
            taps += 1
            if at == 1 and over == "plain":
                page.wait_for_selector(".offered")
        if at == 3:
            check_looks(page)
        if due:
            if not page.locator(".claim[open]").count():
                page.click(".claim > summary")
            page.click(f"label:has({key('any')})")
            page.fill(".numbers [name=number]", str(due))
            page.press(".numbers [name=number]", "Enter")
            expected.append({"do": "claim", "claim": due})
            taps += 1
        assert page.inner_text("[data-unsent]") == (f"{taps} unsent" if taps else "")
    page.get_by_role("button", name="pass", exact=True).click()
    expected.append({"do": "pass"})
    come_back(page, address)
    page.wait_for_selector("td:has-text('reported')")
    assert recorded(database, club, address) == expected


@pytest.mark.parametrize("over", ["plain", "secure"])
def test_a_layout_is_typed_and_its_moves_are_tapped_without_a_network(visitor, over, database):
    page, club = visitor(over)
    page.set_viewport_size(SAFARI)
    address = open_match(page, club, "get_stuck")
    deal, cards = shuffled("get_stuck", 5)
    game = find("get_stuck")
    if over == "secure":
        prepared(page)
    page.goto(f"{address}/layout")
    page.wait_for_selector(".board:not([hidden])")
    page.select_option("[name=dealer]", "0")
    page.evaluate("() => new Promise((done) => requestIdleCallback(done, { timeout: 3000 }))")
    if over == "secure":
        offered(page)  # behind what the page is writing
    page.context.set_offline(True)
    for card in cards[:20]:
        page.click(key(card))
    until_laid(page, 20)
    if over == "secure":
        page.reload()
        page.wait_for_selector("text=20 of 49")
        page.select_option("[name=dealer]", "0")
    for card in cards[20:48]:
        page.click(f".layout-form {key(card)}")
    page.click(key("laid"))
    page.wait_for_selector(".on-board .board .card")
    assert page.locator(".on-board .board button").count() == 48, "which of them may move is told nowhere"
    plays = [fact for _, fact, _ in play_by_lot(game, game.options(), deal, 5) if fact]
    for at, fact in enumerate(plays):
        page.click(f".on-board .board {key(square(game, fact))}")
        assert page.locator(".on-board .board .blank").count() == at + 1
        if at == MOVES - 1:
            check_looks(page)
        if over == "secure" and at == MOVES:
            page.goto(address)
            page.wait_for_selector(".on-board .board .blank >> nth=8")
            page.wait_for_selector(f"[data-unsent]:has-text('{at + 2} unsent')")
    assert page.inner_text("[data-unsent]") == f"{len(plays) + 1} unsent"
    come_back(page, address)
    page.wait_for_selector("td:has-text('reported')")
    moves = [{"do": "move", "cell": list(fact.cell)} for fact in plays]
    assert [{name: each[name] for name in ("do", "cell")} for each in recorded(database, club, address)] == moves
