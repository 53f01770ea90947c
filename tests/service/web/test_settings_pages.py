"""The pages of settings and house rules: for secretaries, group by group, with what was and what is."""

import re

import pytest

from tests.kit.service.asking import FORM, House, squeezed
from tests.kit.service.scenes import World

HTML = {"Accept": "text/html"}


class Browser:
    """Browsers of people of a club, who have signed in."""

    def __init__(self, house, database):
        self.house = house
        self.world = World.__new__(World)
        self.world.database = database

    def get(self, path, role="secretary", status=200):
        self.house.client.cookies.clear()  # what a test before was given: a sign-in is renewed by use
        headers = {**HTML, **self.world.cookie(role, self.house.id)}
        answer = self.house.client.get(f"/clubs/{self.house.id}{path}", headers=headers)
        assert answer.status_code == status, answer.text[:300]
        return squeezed(answer.text)

    def post(self, path, role="secretary", status=303, **form):
        self.house.client.cookies.clear()
        headers = {**HTML, **FORM, **self.world.cookie(role, self.house.id)}
        answer = self.house.client.post(
            f"/clubs/{self.house.id}{path}", data=form, headers=headers, follow_redirects=False
        )
        assert answer.status_code == status, answer.text[:500]
        if status == 303:
            return self.get(answer.headers["location"].removeprefix(f"/clubs/{self.house.id}"), role)
        return squeezed(answer.text)


@pytest.fixture
def browser(client, database):
    with House(client, database) as house:
        yield Browser(house, database)


def version_of(page):
    return re.search(r'name="version" value="(\d+)"', page)[1]


def test_each_group_is_saved_alone_and_says_what_was_and_what_is(browser):
    page = browser.post("/settings", group="zone", version="1", zone="Europe/Vienna")
    assert "Time zone: UTC → <b>Europe/Vienna</b>" in page
    page = browser.post("/settings", group="club", version="1", name="Friday club of ours", public="yes")
    assert "Name: House → <b>Friday club of ours</b>" in page
    assert "Who may read: people of the club → <b>everybody with the link</b>" in page
    page = browser.post("/settings", group="games", version="1", first="garbo", **{"game.parity": "1"})
    assert "Games: every game → <b>Garbo, Parity</b>" in page
    page = browser.post("/settings", group="matches", version="1", opens="member", confirms="pin")
    assert "Who opens matches: scorers and directors → <b>scorers, directors, and members" in page
    form = {"group": "matches", "opens": "member", "confirms": "pin", "signals": "silent"}
    page = browser.post("/settings", version="1", **form)
    assert "Who is told of a broken rule, and when: the table and the director when the deal is over" in page
    now = browser.house.get(f"{browser.house.path}/settings").json()
    assert now["signals"] == "silent"
    assert (now["zone"], now["name"], now["opens"], now["confirms"]) == (
        "Europe/Vienna",
        "Friday club of ours",
        "member",
        "pin",
    )
    assert "→" not in browser.post("/settings", group="zone", version="1", zone="Europe/Vienna")


def test_who_saves_over_a_change_that_was_not_seen_is_shown_both(browser):
    browser.post("/settings", group="zone", version="1", zone="Europe/Vienna")
    page = browser.post("/settings", status=409, group="zone", version="1", zone="Asia/Tokyo")
    assert "somebody else was faster" in page.lower()
    assert "Time zone: now <b>Europe/Vienna</b>, and you wanted <b>Asia/Tokyo</b>" in page
    browser.post("/settings", group="zone", version=version_of(page), zone="Asia/Tokyo")


@pytest.mark.parametrize(
    "form",
    [
        {"group": "zone", "zone": "Europe/Nowhere"},
        {"group": "zone", "zone": "x" * 300},
        {"group": "club", "name": " ", "public": "no"},
        {"group": "club", "name": "Club"},
        {"group": "games", "first": "whist"},
        {"group": "matches", "opens": "nobody", "confirms": "pin"},
        {"group": "matches", "opens": "member", "confirms": "pin", "signals": "deaf"},
        {"group": "colours"},
        {},
    ],
)
def test_what_cannot_be_read_is_said_in_words_and_nothing_is_saved(browser, form):
    page = browser.post("/settings", status=400, **form)
    assert 'role="alert"' in page
    assert "Expected" not in page
    assert browser.house.position() == 1


def test_settings_pages_are_for_secretaries_and_the_owner_only(browser):
    for role in ("director", "scorer", "player"):
        assert "/settings" not in browser.get("", role)
        for path in ("/settings", "/house-rules"):
            browser.get(path, role, 403)
            browser.post(path, role, 403, group="zone", zone="Asia/Tokyo", game="parity", target="50")
            browser.post(path, role, 403, group="nonsense", game="parity", target="nonsense")
    for path in ("/settings", "/house-rules"):
        browser.get(path, "anybody", 404)
    assert browser.house.position() == 1
    for role in ("secretary", "owner"):
        assert "/settings" in browser.get("", role)
        browser.get("/settings", role)


def test_the_house_rules_form_shows_game_options_and_earlier_rules(browser):
    page = browser.get("/house-rules?game=parity")
    assert 'name="option.open_hands"' in page
    assert 'name="option.variant"' not in browser.get("/house-rules?game=cross_purposes")
    form = {"game": "parity", "version": "1", "target": "60", "win_by": "3", "option.open_hands": "false"}
    page = browser.post("/house-rules", **form, lurch="lines", lurch_lines="2/3 1/2")
    assert "Target: 60" in page
    assert "Lurch: below 2/3 1/2; a win is worth 1 2 3" in page
    assert re.search(r'id="target"[^>]*value="60"', page)
    assert "Earlier" not in page
    page = browser.post("/house-rules", **{**form, "version": version_of(page), "target": "80"})
    now, earlier = page.split('id="earlier"')
    assert "Target: 80" in now
    assert ("Target: 60" in earlier, "Lurch: below 2/3 1/2" in earlier) == (True, True)
    late = browser.post("/house-rules", status=409, **{**form, "target": "90"})
    assert ("Target: 80" in late, 'value="90"' in late) == (True, True)
    assert "our own" in browser.get("/settings")


def test_rules_that_cannot_be_are_said_in_words(browser):
    page = browser.post("/house-rules", status=400, game="parity", target="60", cap="50")
    assert "cap" in page.lower()
    assert re.search(r'id="cap"[^>]*value="50"', page), "what was typed stays"
    browser.get("/house-rules?game=whist", status=404)
    assert browser.house.position() == 1


def test_a_new_match_offers_club_games_and_shows_house_rules(browser):
    browser.post("/settings", group="games", first="parity", **{"game.garbo": "1"})
    browser.post("/house-rules", game="parity", target="33", win_by="4", **{"option.open_hands": "false"})
    offered, others = browser.get("/new", "scorer").split("Other games")
    assert offered.index("game=parity") < offered.index("game=garbo")
    assert "game=over_the_top" in others
    page = browser.get("/new?game=parity", "scorer")
    assert "By the house rules of this club" in page
    race = ('placeholder="none" value="33"' in page, 'name="win_by" inputmode="numeric" value="4"' in page)
    assert race == (True, True), "what is usual stands in the fields"
    names = {"name0": "Annie", "name1": "Benny", "game": "parity"}
    headers = {**HTML, **FORM, **browser.world.cookie("scorer", browser.house.id)}
    answer = browser.house.client.post(
        f"/clubs/{browser.house.id}/new", data=names, headers=headers, follow_redirects=False
    )
    match = browser.house.get(f"/api/v1{answer.headers['location']}").json()
    assert (match["target"], match["win_by"], match["options"]) == (33, 4, {"open_hands": False})
    listed = browser.get("/tournaments/new", "director")
    assert listed.index('value="parity"') < listed.index('value="garbo"') < listed.index('value="cross_game"')
    assert "house rules of this club hold where you write nothing: Parity" in listed


def test_only_callers_who_may_open_a_match_see_its_button(browser):
    for opens, allowed in (("director", ["director"]), ("scorer", ["director", "scorer"])):
        browser.post("/settings", group="matches", opens=opens, confirms="scorer")
        for role in ("director", "scorer", "player"):
            assert ("New match" in browser.get("", role)) is (role in allowed)
            browser.get("/new", role, 200 if role in allowed else 403)
