"""Invitations on phones: invite in two taps, sign in by QR code, be signed out remotely without losing taps."""

import re
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe

from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.log import By
from service.store.streams import Streams
from tests.browser.test_pages import deal_of_cross_purposes
from tests.browser.test_two_phones import cards, tap
from tests.conftest import with_pool
from tests.kit.phones import PHONE, kept, put_away, until_signed_out

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(240)]


@contextmanager
def phone(chromium, site):
    """Open a phone-sized browser context without a sign-in."""
    context = chromium.new_context(viewport=PHONE, base_url=site, service_workers="block")
    context.set_default_timeout(60_000)
    yield context.new_page()
    put_away(context)


def member(database, club, name):
    """A new member of the club."""

    async def made(pool):
        return await Recorder(Streams(pool)).register(club, name, own_request(By(None, "owner")))

    return with_pool(database, made)


def invite(page, club, name, role=None):
    """Invite somebody as the owner; the address that the QR code leads to, from its path on."""
    page.goto(f"/clubs/{club}")
    page.click("a:text-is('Invite')")
    if role:
        page.click("text=Invite with a role")
        page.fill("details input[name=name]", name)
        page.select_option("select[name=role]", role)
        page.click("details button")
    else:
        page.click(f"button[aria-label='Invite {name}']")
    page.wait_for_selector(".scan svg")
    assert faults(page) == []
    return re.search(r"(/sign-in#[\w-]+)", page.inner_text(".secret"))[1]


def faults(page):
    """What a page makes hard to use."""
    return [(each["id"], each["nodes"][0]["html"]) for each in Axe().run(page).response["violations"]]


def come_in(page, link):
    """Open a link and tap its button."""
    page.goto(link)
    page.click("text=Sign this browser in")
    page.wait_for_url("**/clubs/*")


def test_invited_in_two_taps_in_by_the_link_and_ended_from_afar(page, chromium, site, database, club):
    person = member(database, club[0], "Annie")
    link = invite(page, club[0], "Annie")
    with phone(chromium, site) as annie:
        come_in(annie, link)
        annie.goto("/me")
        assert "Annie in" in annie.inner_text("h2")
        assert "Chrome on Linux (this device)" in annie.inner_text("main")
        assert faults(annie) == []
        page.goto(f"/clubs/{club[0]}/players/{person}/doors")
        page.click("button:has-text('End')")
        page.wait_for_selector("text=No device is signed in.")
        until_signed_out(annie.context)
        annie.reload()
        assert "Sign in" in annie.inner_text("nav")


def test_taps_after_a_revoked_sign_in_are_sent_when_that_person_returns(page, chromium, site, database, club):
    person, _ = (member(database, club[0], name) for name in ("Annie", "Dora"))
    link, other = invite(page, club[0], "Annie", "scorer"), invite(page, club[0], "Dora", "scorer")
    address = deal_of_cross_purposes(page, club[0])
    with phone(chromium, site) as annie:
        come_in(annie, link)
        annie.goto(address)
        annie.wait_for_selector("[data-key=SA]")
        page.goto(f"/clubs/{club[0]}/players/{person}/doors")
        page.click("button:has-text('End')")
        page.wait_for_selector("text=No device is signed in.")
        until_signed_out(annie.context)
        tap(annie, "HA", "H2")
        annie.wait_for_selector("#unsent:has-text('You are not signed in on this phone any more')")
        assert "sign in as Annie" in annie.inner_text("#unsent")
        come_in(annie, other)
        annie.goto(address)
        annie.wait_for_selector("#others:has-text('2 taps of Annie wait on this phone')")
        come_in(annie, invite(page, club[0], "Annie"))
        annie.goto(address)
        annie.wait_for_selector("[data-key=H2]", state="detached")
        assert (cards(annie), kept(annie)) == (2, [[], []])
