"""Pages that stay open while their service comes back from a copy show what came back, in a real Chromium."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import psycopg
import pytest

from service.cli import clerk
from service.copies.taking import take
from service.run.restoring import restore
from service.run.settings import Settings
from tests.browser.conftest import served
from tests.browser.test_pages import deal_of_cross_purposes
from tests.browser.test_tournament_pages import announce
from tests.browser.test_two_phones import cards, tap
from tests.conftest import migrated, with_pool
from tests.kit.faults.processes import free_port
from tests.kit.phones import kept, phone, put_away, until_settled
from tests.kit.service.eras import SECOND, of_eras
from tests.kit.service.more_databases import one_more

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(300)]
ASKED = "#held:has-text('brought back from a copy')"
LATER = ("H2", "H3")  # what was played behind the copy
HEARD = """window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", () => document.documentElement.toggleAttribute("data-heard", true));
  }
};"""


class Place:
    """An address, and the service that stands there."""

    def __init__(self, database):
        self.database, self.port, self._service = database, free_port(), None
        self.serve(database)

    def serve(self, database):
        """The service over a database, at the same address as the one before."""
        self._service = ExitStack()
        self.address = self._service.enter_context(served(database, port=self.port))

    def stop(self):
        """Nobody answers."""
        self._service.close()


@contextmanager
def standing(database):
    """A service that can be stopped, and come back."""
    place = Place(database)
    try:
        yield place
    finally:
        place.stop()


@pytest.fixture(scope="module")
def database():
    with migrated() as found:
        yield found


@pytest.fixture
def place(database):
    with standing(database) as found:
        yield found


@pytest.fixture
def club(database, request):
    return with_pool(database, lambda pool: clerk.club_named(pool, request.node.name, True))


@pytest.fixture
def table(chromium, place, database, club):
    """A scorer's table with one card on it, and a page of whoever looks at it."""
    watching = chromium.new_context(base_url=place.address, service_workers="block")
    watching.set_default_timeout(60_000)
    with phone(chromium, place.address, database, "Annie", club=club) as annie:
        page, looks = annie.new_page(), watching.new_page()
        looks.goto(deal_of_cross_purposes(page, club))
        played(page, "HA")
        yield page, looks
        put_away(watching)


@pytest.fixture
def brings_back(place, database, table, tmp_path):
    """Two more cards are played and seen; then the service comes back as it was before them, in an era of its own."""
    page, looks = table
    copied, _ = take(database.owner_url, tmp_path, "0.1.0")
    before = version(page)
    played(page, *LATER)
    until_shown(looks, version(page))
    with one_more(database) as fresh:
        settings = Settings(database_url=fresh.url, migrate_url=fresh.owner_url)
        with ThreadPoolExecutor(1) as thread:  # a browser test has a loop already
            thread.submit(restore, copied, settings).result()
        still_signed_in(database, fresh)

        def back():
            place.stop()
            place.serve(fresh)
            return before

        yield back
        place.stop()
        place.serve(database)


def still_signed_in(database, fresh):
    """A copy holds no sign-in; these tests are about those who have come in again."""
    with (
        psycopg.connect(database.owner_url) as old,
        psycopg.connect(fresh.owner_url) as new,
        old.cursor().copy("copy sign_ins to stdout") as rows,
        new.cursor().copy("copy sign_ins from stdin") as there,
    ):
        for each in rows:
            there.write(each)


def played(page, *cards):
    for card in cards:
        tap(page, card)
        page.wait_for_selector(f"[data-key={card}]", state="detached")
    page.wait_for_selector("[data-live]:not([aria-busy])")


def version(page):
    return int(page.get_attribute("[data-live] h1", "data-version"))


def until_shown(page, at):
    page.wait_for_selector(f"[data-live] h1[data-version='{at}']")


def test_whoever_only_looks_is_shown_what_came_back_and_taps_on_it(table, brings_back):
    page, looks = table
    before = brings_back()
    for each in table:
        until_shown(each, before)
    played(page, "H4")
    until_shown(looks, before + 1)
    assert (cards(page), kept(page)) == (2, [[], []])


def test_a_tap_on_events_lost_by_a_restore_asks_the_user(table, brings_back):
    """A finger is down meanwhile, so nothing is drawn, and what it taps is meant on top of what it sees."""
    page, looks = table
    page.hover("[data-key=H4]")
    page.mouse.down()
    before = brings_back()
    until_shown(looks, before)
    until_settled(page)
    assert version(page) > before
    page.mouse.up()
    page.wait_for_selector(ASKED)
    until_shown(page, before)
    assert cards(page) == 1
    page.click("#held button:text-is('Send')")
    until_shown(looks, before + 1)
    assert (cards(page), kept(page)) == (2, [[], []])


@pytest.mark.parametrize("where", ["", "/standings", "/show?slide=1"])
def test_a_page_of_the_same_number_in_another_era_is_read_again(chromium, place, database, club, where):
    with phone(chromium, place.address, database, "Dee", "director", club) as dee:
        page = dee.new_page()
        page.goto(announce(page, club) + where)
        followed_again(page, place, database)


def test_a_wall_of_the_same_number_in_another_era_is_read_again(chromium, place, database, club):
    with phone(chromium, place.address, database, "Dee", "director", club) as dee:
        page = dee.new_page()
        announce(page, club)
        page.goto(f"/clubs/{club}/wall")
        followed_again(page, place, database)


def followed_again(page, place, database):
    """The log that came back has grown to the number that the page has seen: other words are there all the same."""
    page.add_init_script(HEARD)
    page.reload()
    page.wait_for_selector("html[data-heard]", state="attached")  # the stream has told what the page shows already
    pause = page.locator("[data-next] button[aria-pressed=false]")
    if pause.count():
        page.mouse.move(10, 10)
        pause.click()
    until_settled(page)
    page.evaluate("document.querySelector('[data-follow]').innerHTML = '<p id=gone>of before</p>'")
    with of_eras(database) as begin:
        place.stop()
        begin(SECOND)
        place.serve(database)
        page.wait_for_selector("#gone", state="detached")
