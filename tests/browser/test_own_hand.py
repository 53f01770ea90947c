"""A hand after the PIN, on a tablet: it is gone as soon as nobody looks, and neither a page that is loaded anew nor the
way back shows it."""

import pytest

from domain import codec
from domain.games import find
from service.desk import hashing
from service.store import people_secrets
from tests.browser.conftest import open_match
from tests.browser.test_table_doors import accessible, door, stranger
from tests.conftest import with_pool
from tests.kit.match.tables import random_deal
from tests.kit.service.looking import SMALL

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
PIN = "2468"
AWAY = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def tablet(page, chromium, site, database, club):
    """A tablet that keeps the score of a dealt deal; Annie has a PIN."""
    address = open_match(page, club[0], key="cross_game")
    bearer, api = {"Authorization": f"Bearer {club[1]['scorer']}"}, address.replace("/matches/", "/api/v1/matches/")
    deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
    answer = page.request.post(f"{api}/deals", headers=bearer, data={"deal": deal})
    assert answer.status == 201, answer.text()
    (annie,) = page.request.get(api, headers=bearer).json()["sides"][0]["players"]

    async def set_pin(pool):
        await people_secrets.write(pool, club[0], annie, "pin", await hashing.hashed(PIN))

    with_pool(database, set_pin)
    with stranger(chromium, site) as found:
        found.goto(f"/t#{door(page, club)['secret']}")
        found.click("button:has-text('I keep the score')")
        found.click("a:has-text('Right')")
        found.wait_for_url(address)
        found.wait_for_selector("summary:has-text('Who is in at this table')")  # its scripts are there
        yield found


def look(tablet):
    """Annie types her PIN; the address of the table."""
    address = tablet.url
    tablet.click("summary:has-text('Show my hand')")
    tablet.select_option("[action$=my-hand] [name=person]", label="Annie")
    tablet.fill("[action$=my-hand] [name=pin]", PIN)
    tablet.click("button:has-text('Show it')")
    tablet.wait_for_selector("[data-back] .card")
    tablet.wait_for_url(address)
    return address


def at_the_table(tablet):
    """The tablet is back at the table, where no hand is shown."""
    tablet.wait_for_selector("#table")
    assert tablet.locator("[data-back], .hand").count() == 0


@pytest.mark.extended
def test_a_hand_after_the_pin_is_not_there_again(tablet):
    tablet.click("summary:has-text('Show my hand')")
    accessible(tablet)
    tablet.click("summary:has-text('Show my hand')")
    look(tablet)
    accessible(tablet)
    assert tablet.evaluate(SMALL) == []
    assert not tablet.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    tablet.reload()
    at_the_table(tablet)
    look(tablet)
    tablet.click("a:has-text('Back to the table')")
    at_the_table(tablet)
    tablet.go_back()
    at_the_table(tablet)


def test_a_hand_goes_as_soon_as_nobody_looks_at_the_page(tablet):
    look(tablet)
    tablet.evaluate(AWAY, True)
    assert tablet.locator(".card").count() == 0
    tablet.evaluate(AWAY, False)
    at_the_table(tablet)
