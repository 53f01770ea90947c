"""A revoke from the call to the ruling, on phones: taps are counted, and the keys step through the deal."""

import pytest

from tests.kit.phones import PHONE
from tests.kit.service.asking import House
from tests.kit.service.people import Phone
from tests.kit.service.revoke_scene import RevokeScene

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


@pytest.fixture(scope="module")
def scene(client, database):
    with House(client, database, public=True) as house:
        yield RevokeScene(house)


@pytest.fixture
def quiet(client, database):
    """A scene in a club of its own, in which nobody has called a director yet, whichever test comes first."""
    with House(client, database, public=True) as house:
        yield RevokeScene(house)


@pytest.fixture
def phone(chromium, site):
    """A maker of phones; a page that breaks its own content policy or throws is a fault."""
    faults, contexts = [], []

    def made(phone):
        context = chromium.new_context(viewport=PHONE, base_url=site, service_workers="block")
        contexts.append(context)
        context.set_default_timeout(60_000)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("console", lambda line: "Security Policy" in line.text and faults.append(line.text))
        context.add_cookies([{"name": "lurch_sign_in", "value": phone.cookie, "url": site}])
        return Hand(context.new_page())

    yield made
    for context in contexts:
        context.close()
    assert faults == []


class Hand:
    """A phone, and how often it was tapped."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, target):
        with self.page.expect_navigation():
            target.click()
        self.taps += 1

    def button(self, name, **more):
        return self.page.get_by_role("button", name=name, **more)

    def link(self, name):
        return self.page.get_by_role("link", name=name)


@pytest.mark.extended
def test_a_call_takes_two_taps_and_a_ruling_six(quiet, phone):
    annie, dora = phone(quiet.phone(quiet.annie)), phone(quiet.phone(quiet.dora))
    dora.page.goto(f"/clubs/{quiet.house.id}/cases")
    assert "Nobody waits for a director." in dora.page.inner_text("main")
    annie.page.goto(f"/matches/{quiet.match}")
    annie.page.click("summary:has-text('More')")
    annie.taps += 1
    annie.tap(annie.button("A rule was broken"))
    assert annie.taps == 2
    assert "/cases/" in annie.page.url
    dora.page.wait_for_selector("a:has-text('Annie – Benny')")  # told without loading anything
    dora.tap(dora.link("Annie – Benny"))
    dora.tap(dora.button("I looked at the cards"))
    assert "Proven: the entries are settled" in dora.page.inner_text("main")
    dora.tap(dora.link("Tricks pass"))
    assert "48–49 → 40–56" in dora.page.inner_text(".moves")
    dora.tap(dora.button("Preview"))
    assert "48–49 → 40–56" in dora.page.inner_text(".moves")
    dora.tap(dora.button("Rule", exact=True))
    dora.tap(dora.button("Confirm: 40–56"))
    assert dora.taps == 6, "open, inspect, remedy, preview, rule, confirm"
    (ruling,) = quiet.house.get(quiet.path).json()["rulings"]
    assert (ruling["scores"], ruling["code"]) == ([40, 56], "REV")
    annie.page.reload()
    assert "Revoke, CP.5: 40–56" in annie.page.inner_text("main")


@pytest.mark.extended
def test_a_phone_that_came_in_by_a_code_calls_disputes_and_states(scene, phone):
    """Two taps each, on the live table; the link to the statement comes without loading anything, and the director
    reads whose it is."""
    table = RevokeScene(scene.house)
    annie, dora = phone(Phone(table.house, match=table.match, name=table.annie)), phone(table.phone(table.dora))
    annie.page.goto(f"/matches/{table.match}")
    annie.page.click("summary:has-text('More')")
    annie.taps += 1
    annie.tap(annie.button("A rule was broken"))
    assert annie.taps == 2
    assert "The director has been called to this table." in annie.page.inner_text("main")
    annie.page.click("summary:has-text('More')")
    annie.page.click("button:has-text('Dispute it')")
    annie.page.wait_for_selector("text=is disputed")
    annie.tap(annie.link("your statement is asked"))
    annie.page.fill("form[action$='/case/statement'] textarea >> nth=0", "He had the three of hearts.")
    annie.tap(annie.button("State it", exact=True))
    assert "with the director now" in annie.page.inner_text("main")
    assert "the three of hearts" not in annie.page.inner_text("main")
    found = table.house.get(f"{table.house.path}/cases", table.as_dora).json()["items"]
    dora.page.goto(f"/cases/{next(each['id'] for each in found if each['match'] == table.match)}")
    told = dora.page.inner_text("main")
    assert "a name tapped at the table" in told
    assert "sealed" in told


@pytest.mark.extended
def test_a_party_at_the_live_table_sees_the_case_without_reloading(scene, phone):
    table = RevokeScene(scene.house)
    benny = phone(table.phone(table.benny))
    benny.page.goto(f"/matches/{table.match}")
    benny.page.wait_for_selector("text=Call the director", state="attached")
    case = table.call().rpartition("/")[2]
    benny.page.wait_for_selector(f"a[href='/cases/{case}']:has-text('your statement is asked')")


def test_best_play_is_put_beside_the_ruling_and_the_page_stays(scene, phone):
    table = RevokeScene(scene.house)
    at = table.finding()["version"]
    case = table.call(table.as_dora, matter="finding", deal=1, at=[at], code="REV").rpartition("/")[2]
    dora = phone(table.phone(table.dora))
    dora.page.goto(f"/cases/{case}?finding=0&remedy=equity")
    dora.page.fill("textarea[name=reason]", "A fair score.")
    dora.page.click("text=What would best play have given?")
    dora.page.wait_for_selector("#equity li, #equity p:has-text('missing')", timeout=60_000)
    assert dora.page.input_value("textarea[name=reason]") == "A fair score.", "what was written stays"
    assert dora.page.url.endswith("remedy=equity")


@pytest.mark.extended
def test_keys_step_through_the_deal_by_entry_and_by_trick(scene, phone):
    dora = phone(scene.phone(scene.dora))
    case = scene.call().rpartition("/")[2]
    dora.page.goto(f"/cases/{case}?at=40")

    def pressed(key):
        with dora.page.expect_navigation():
            dora.page.keyboard.press(key)
        return dora.page.inner_text("#position ~ .felt .turn, section .felt .turn")

    for key, entry in (("ArrowLeft", 39), ("ArrowRight", 40), ("ArrowDown", 41), ("ArrowUp", 39)):
        assert f"Entry {entry}:" in pressed(key)
    assert "The end of the deal" in pressed("End")


@pytest.mark.extended
def test_what_is_printed_holds_no_button_and_the_whole_timeline(scene, phone):
    dora = phone(scene.phone(scene.dora))
    dora.page.goto(f"/cases/{scene.call().rpartition('/')[2]}")
    dora.page.emulate_media(media="print")
    assert not dora.page.is_visible("button")
    tall = dora.page.evaluate(
        "(() => { const t = document.querySelector('.timeline'); return t.scrollHeight <= t.clientHeight + 1 })()"
    )
    assert tall
