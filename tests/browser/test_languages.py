"""Languages in a browser: the switch without and with scripts, the forms of a script's text, and longer texts."""

import pytest

from service.languages.known import LANGUAGES
from tests.kit.languages.pseudo import CODE, spoken_in_tests

pytestmark = [pytest.mark.browser, pytest.mark.extended]
FORMS = "{0} tap|{0} few|{0} many"


def test_a_language_is_chosen_at_the_foot_of_a_page(page, site):
    page.goto("/games")
    page.click("footer button:has-text('Suomi')")
    page.wait_for_selector("html[lang=fi]")
    assert page.url.endswith("/games")
    assert page.inner_text("footer [aria-current]").strip("✓ ") == LANGUAGES["fi"].name
    page.click("footer button:has-text('English')")
    page.wait_for_selector("html[lang=en]")


@pytest.mark.parametrize(("code", "said"), [("en", "1 tap 2 few 20 few"), ("ro", "1 tap 2 few 20 many")])
def test_a_text_of_a_script_has_the_form_of_its_number(page, site, code, said):
    page.goto("/")
    page.click(f"footer button[value={code}]")
    page.wait_for_selector(f"html[lang={code}]")
    forms = FORMS if code == "ro" else FORMS.rpartition("|")[0]
    assert page.evaluate("(forms) => [1, 2, 20].map((each) => worded(forms, each)).join(' ')", forms) == said


def test_longer_texts_fit_a_phone(page, site):
    with spoken_in_tests():
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto("/")
        page.click(f"footer button[value={CODE}]")
        page.wait_for_selector(f"html[lang={CODE}]")
        for path in ("/", "/games", "/sign-in"):
            page.goto(path)
            assert "~" in page.inner_text("body")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
