"""A language whose texts are 40 % longer fits a phone on every page. Each is opened, which takes the time."""

import pytest

from tests.browser.conftest import served
from tests.browser.test_looks import PAGES, WIDER, address_of, open_all
from tests.kit.languages.pseudo import CODE, spoken_in_tests
from tests.kit.service.behind_forms import Behind

pytestmark = [pytest.mark.browser, pytest.mark.extended, pytest.mark.timeout(300)]
PHONE = {"width": 390, "height": 844}
ENGLISH = ("/design", "/shell")  # for programmers; and the shell, whose language stands in its address


@pytest.fixture(scope="module")
def site(world):
    with spoken_in_tests(), served(world.database) as address:
        yield address


@pytest.fixture
def page(chromium, site, world):
    """A phone of the owner, in that language."""
    context = chromium.new_context(base_url=site, reduced_motion="reduce", service_workers="block", viewport=PHONE)
    name, _, value = world.cookie("owner", world.house.id)["Cookie"].partition("=")
    said = {name: value, "lurch_language": CODE}
    context.add_cookies([{"name": each, "value": text, "url": site} for each, text in said.items()])
    Behind(world, CODE).lead(context)
    yield context.new_page()
    context.close()


def test_every_page_fits_a_phone_in_longer_words(page, world):
    wide = {}
    for name in PAGES:
        page.goto(address_of(world, name), wait_until="domcontentloaded")
        if name not in ENGLISH:
            assert (page.get_attribute("html", "lang"), "~" in page.inner_text("body")) == (CODE, True), name
        open_all(page)
        if found := page.evaluate(WIDER):
            wide[name] = found
    assert wide == {}
