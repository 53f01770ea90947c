"""Lurch for everybody: a deal by keyboard and by what a screen reader is told, an app on a phone, a slow line."""

import struct

import pytest

from bench.tables import played_deal
from tests.browser.conftest import open_match
from tests.kit.phones import phone

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]
MOST = 60_000  # bytes of a first load


class Reader:
    """A screen reader with a keyboard: it knows the tree of names and roles, and nothing of what is drawn."""

    def __init__(self, page):
        self.page, self.told = page, page.context.new_cdp_session(page)

    def nodes(self, role):
        """Everything of a role, by its name."""
        tree = self.told.send("Accessibility.getFullAXTree")["nodes"]
        own = (each for each in tree if not each["ignored"] and each["role"]["value"] == role)
        return {each["name"]["value"]: each["backendDOMNodeId"] for each in own if each.get("name", {}).get("value")}

    def press(self, name, role="button"):
        """Go to a thing by its name and press Enter."""
        found = self.nodes(role)
        assert name in found, (name, sorted(found))
        self.told.send("DOM.focus", {"backendNodeId": found[name]})
        self.page.keyboard.press("Enter")

    def heard(self):
        """What was said last, unasked."""
        return self.page.inner_text("#said")


def words_of(fact):
    """The name of the button for a fact: a card as it is said, a bid by its number."""
    card = getattr(fact, "card", None)
    return card.spoken if card else f"bid {fact.bid}" if hasattr(fact, "bid") else "pass"


def test_a_whole_deal_is_told_by_names_and_pressed_by_keys(page, club):
    """Nothing is looked at but the tree that a screen reader reads, and nothing is used but the keyboard."""
    open_match(page, club[0], "cross_game")
    reader = Reader(page)
    deal = played_deal("cross_game", 1, 1)
    reader.press("We cut: Benny deals")
    page.wait_for_selector("text=Deal 1")
    for at, fact in enumerate(deal.facts):
        name = words_of(fact)
        before = reader.heard()
        reader.press(name)
        page.wait_for_function("(before) => document.querySelector('#said').textContent !== before", arg=before)
        if at < len(deal.facts) - 1:
            assert page.evaluate("document.activeElement.closest('#table') !== null"), f"lost after {name}"
    page.wait_for_selector("td:has-text('recorded'), td:has-text('played'), tbody tr:not(.told)")
    assert "wins" in reader.heard() or "Annie" in reader.heard()


def test_lurch_is_installed_as_an_app(page, site):
    page.goto("/")
    told = page.context.new_cdp_session(page)
    found = told.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["manifest"]["name"] == "Lurch"
    lacking = {each["errorId"] for each in told.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert lacking <= {"in-incognito"}
    for icon in page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((one) => one.json())")[
        "icons"
    ]:
        answer = page.request.get(icon["src"])
        assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (200, icon["type"])
        if icon["type"] == "image/png":
            wide, high = struct.unpack(">II", answer.body()[16:24])
            assert icon["sizes"] == f"{wide}x{high}"


@pytest.mark.parametrize("where", ["/", "{club}", "{table}", "{table}/result"])
def test_a_first_load_is_60_kilobytes_at_most(page, chromium, site, database, club, where):
    """Cold and as it comes over the wire, until the page has loaded, with what its scripts ask for."""
    table = open_match(page, club[0])
    page.click("text=Deal card by card")
    with phone(chromium, site, database, "Annie", club=club[0]) as context:
        cold, got = context.new_page(), []
        told = context.new_cdp_session(cold)
        told.send("Network.enable")
        told.on("Network.loadingFinished", lambda each: got.append(each["encodedDataLength"]))
        cold.goto(where.format(club=f"/clubs/{club[0]}", table=table), wait_until="load")
        assert 5_000 < sum(got) <= MOST
