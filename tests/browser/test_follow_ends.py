"""A page that may not follow any more says why, in a real Chromium."""

import pytest

from tests.browser.conftest import open_match

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


def test_after_sign_out_in_another_tab_a_table_says_that_it_does_not_follow_any_more(page, club):
    open_match(page, club[0])
    other = page.context.new_page()
    other.goto("/")
    other.click("text=Sign out")
    page.wait_for_selector("#ended:visible >> text=signed out")
    assert "Load it anew" in page.inner_text("#ended")
