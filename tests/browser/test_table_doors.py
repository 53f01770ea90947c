"""A table's code on phones: scan, three taps at most, record; a phone that is out is told, and loses nothing."""

from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import open_match
from tests.browser.test_pages import deal_of_cross_purposes
from tests.browser.test_two_phones import cards, tap
from tests.kit.faults.processes import until
from tests.kit.phones import PHONE, kept, put_away

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


@contextmanager
def stranger(chromium, site):
    """A phone that was never here."""
    context = chromium.new_context(viewport=PHONE, base_url=site, service_workers="block")
    context.set_default_timeout(60_000)
    yield context.new_page()
    put_away(context)


def door(page, club):
    """What the director's program reads of the table of this page."""
    bearer = {"Authorization": f"Bearer {club[1]['director']}"}
    match = page.url.rpartition("/")[2]
    return page.request.get(f"/api/v1/matches/{match}/door", headers=bearer).json()


def post(page, club, act, data):
    bearer = {"Authorization": f"Bearer {club[1]['director']}"}
    match = page.url.rpartition("/")[2]
    answer = page.request.post(f"/api/v1/matches/{match}/door/{act}", headers=bearer, data=data)
    assert answer.status == 201, answer.text()


def accessible(page):
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_a_phone_scans_taps_its_name_and_records(page, chromium, site, club):
    address = open_match(page, club[0], key="parity")
    with stranger(chromium, site) as phone:
        phone.goto(f"/t#{door(page, club)['secret']}")
        phone.wait_for_selector("h1:has-text('Annie against Benny?')")
        assert "#" not in phone.url
        accessible(phone)
        taps = 0
        phone.click("button:has-text('Annie')")
        taps += 1
        phone.wait_for_url(address)
        assert taps <= 3
        phone.wait_for_selector("summary:has-text('Who is in at this table: 1')")
        accessible(phone)
        phone.click("a:has-text('Enter result')")
        phone.click("label:has-text('odd')")
        phone.click("fieldset:has(input[name='tricks.0']) label:has(input[value='11'])")
        phone.click("button:has-text('Close deal')")
        phone.wait_for_url(address)
        page.wait_for_selector(".total:has-text('21')")
    assert door(page, club)["seats"][0]["last"] == "ResultConfirmed"


@pytest.mark.extended
def test_taps_of_a_removed_phone_are_sent_when_it_joins_again(page, chromium, site, club):
    address = deal_of_cross_purposes(page, club[0])
    with stranger(chromium, site) as phone:
        phone.goto(f"/t#{door(page, club)['secret']}")
        phone.click("button:has-text('I keep the score')")
        phone.click("a:has-text('Right')")
        phone.wait_for_selector("summary:has-text('Who is in at this table')")  # its scripts are there
        phone.context.set_offline(True)
        tap(phone, "HA", "H2")
        phone.wait_for_selector("#unsent:not([hidden])")
        post(page, club, "throw-out", {"seat": door(page, club)["seats"][0]["id"]})
        phone.context.set_offline(False)
        phone.wait_for_selector("#unsent a:has-text('Come in again')")
        assert "not in at the table any more. 2 taps kept" in phone.inner_text("#unsent")
        assert cards(page) == 0
        phone.on("dialog", lambda dialog: dialog.accept())
        phone.goto(f"/t#{door(page, club)['secret']}")
        phone.click("button:has-text('I keep the score')")
        phone.click("a:has-text('Right')")
        phone.wait_for_url(address)
        page.wait_for_selector("[data-key=H2]", state="detached")
        until(lambda: kept(phone) == [[], []])  # the other screen can hear of the card before the phone has its answer
    assert cards(page) == 2
