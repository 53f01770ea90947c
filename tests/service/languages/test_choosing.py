"""A language is chosen at the foot of a page: for this device, and for whoever is signed in there."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from service.store import languages as rows
from tests.kit.faults import processes
from tests.kit.languages.pseudo import CODE, spoken_in_tests
from tests.kit.service.asking import House, first_of_stream, squeezed
from tests.kit.service.browsers import Browser, invited
from tests.kit.service.club_evenings import Evening
from tests.kit.service.revoke_scene import RevokeScene
from tests.kit.service.spectators import RESULT, hall, until
from tests.service.api.test_tournaments import swiss
from tests.service.web.test_personal_doors import Club

LANG = re.compile(r"<html lang=\"([\w-]+)\"")
MATCH = [["Annie"], ["Benny"]]


@pytest.fixture(scope="module", autouse=True)
def pseudo():
    with spoken_in_tests():
        yield


@pytest.fixture(scope="module")
def club(client, database):
    with Club(client, database) as found:
        yield found


def chosen(browser, code=CODE, referer=""):
    """The answer to a choice; the cookie of the language stands beside that of the sign-in."""
    before = browser.cookie
    headers = {"Sec-Fetch-Site": "same-origin", "Referer": referer, **browser.headers}
    answer = browser.client.post("/language", data={"language": code}, headers=headers, follow_redirects=False)
    browser.client.cookies.clear()
    if answer.status_code == 303:
        given = answer.headers["set-cookie"].partition(";")[0]
        browser.cookie = f"{before}; {given}" if before else given
    return answer


def spoken_on(browser, path="/"):
    return LANG.search(browser.get(path).text)[1]


def speaks(client, code=CODE):
    return Browser(client, f"lurch_language={code}")


def until_somebody_waits(database):
    """Wait until a statement is blocked by a lock of another transaction."""
    waits = """select count(*) from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()"""
    with psycopg.connect(database.owner_url, autocommit=True) as looking:
        processes.until(lambda: looking.execute(waits).fetchone()[0])


def match_of(club):
    path = club.house.match("cross_game", sides=MATCH)
    club.house.done(f"{path}/deals", {"dealer": 0})
    return path.rpartition("/")[2]


def test_a_page_is_english_until_somebody_chooses(client):
    page = Browser(client).get("/").text
    assert LANG.search(page)[1] == "en"
    assert re.search(r'value="en"\s+lang="en" aria-current="true"', page)
    assert re.search(r"Suomi\s*</button>\s*<small>\(draft\)</small>", page)
    assert not re.search(r"English\s*</button>\s*<small>", page)


def test_the_device_keeps_a_choice_and_returns_to_its_page(client):
    browser = Browser(client)
    answer = chosen(browser, referer="http://testserver.local/games?x=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/games?x=1")
    cookie = answer.headers["set-cookie"].lower()
    assert ("httponly" in cookie, "samesite=lax" in cookie, "max-age=31536000" in cookie) == (True, True, True)
    assert spoken_on(browser, "/games") == CODE
    chosen(browser, "en")
    assert spoken_on(browser) == "en"


@pytest.mark.parametrize(
    "referer",
    [
        "",
        "https://elsewhere.example/games",
        "http://testserver.local//elsewhere.example",
        "http://testserver.local/\\e",
        "x",
        "http://[",
    ],
)
def test_a_choice_goes_to_no_other_site(client, referer):
    assert chosen(Browser(client), referer=referer).headers["location"] == "/"


def test_an_unknown_language_is_refused_and_its_cookie_means_english(client):
    assert chosen(Browser(client), "tlh").status_code == 400
    assert spoken_on(speaks(client, "tlh")) == "en"
    assert spoken_on(speaks(client, "../../etc")) == "en"


def test_another_site_chooses_nothing(client):
    answer = client.post("/language", data={"language": CODE}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_a_page_that_there_is_not_says_so_in_the_language(client):
    assert spoken_on(speaks(client), "/nothing/of/the/kind") == CODE


def test_a_public_page_is_kept_under_another_tag_in_each_language(client):
    one, other = (browser.get("/games") for browser in (Browser(client), speaks(client)))
    assert all("Cookie" in each.headers["vary"] for each in (one, other))
    assert one.headers["etag"] != other.headers["etag"]


def test_programs_are_answered_in_english(club, client):
    match = match_of(club)
    asked = {**club.house.bearer("scorer"), "Cookie": f"lurch_language={CODE}"}
    told = client.get(f"/api/v1/matches/{match}", headers=asked)
    client.cookies.clear()
    assert told.status_code == 200
    assert "~" not in told.text


def test_a_choice_is_heard_in_the_live_table_too(club, client):
    match = match_of(club)
    browser = club.browser(club.member("Chooser"))
    told = []
    for code in (CODE, "en"):
        assert chosen(browser, code).status_code == 303
        told.append(first_of_stream(client, f"/matches/{match}/live", browser.headers, b"</section>")[2].decode())
    assert ["tríçkš~" in each for each in told] == [True, False]


def test_two_who_read_one_table_at_once_get_each_their_own_language(database):

    async def act():
        async with hall(database, True) as found:
            match = await found.match()
            await found.post(f"{match}/deals", {"dealer": 0})
            there = {code: found.page(f"{match}/live", Cookie=f"lurch_language={code}") for code in ("en", CODE, "tlh")}
            await until(lambda: all(each.pieces for each in there.values()))
            before = [len(each.pieces) for each in there.values()]
            await found.post(f"{match}/results", RESULT)
            await found.post(f"{match}/deals", {})
            await until(lambda: all(len(each.pieces) > was for each, was in zip(there.values(), before, strict=True)))
            return {code: each.text.decode() for code, each in there.items()}

    told = asyncio.run(act())
    assert [told[code].count("tríçkš~") > 1 for code in ("en", CODE, "tlh")] == [False, True, False]
    assert "~" not in told["en"]
    assert " tricks" in told["en"]
    assert not re.search(r">\d+ tricks?<", told[CODE])


def test_a_choice_follows_its_person_to_a_second_device(club, client):
    player = club.member("Two devices")
    first = club.browser(player)
    assert chosen(first).status_code == 303
    second = Browser(client)
    answer = second.client.post(
        "/sign-in",
        data={"link": invited(club.owner, club.id, player)},
        headers={"Sec-Fetch-Site": "same-origin", **second.headers},
        follow_redirects=False,
    )
    client.cookies.clear()
    assert f"lurch_language={CODE}" in [each.partition(";")[0] for each in answer.headers.get_list("set-cookie")]
    chosen(first, "en")
    assert club.rows("select language from languages_of_people where player = %s", player) == [("en",)]


def test_who_chose_nothing_brings_no_language(club, client):
    browser = Browser(client)
    answer = browser.redeem(invited(club.owner, club.id, club.member("Unasked")))
    assert "lurch_language" not in answer.headers["set-cookie"]


def test_what_an_erased_person_chose_is_gone(club, client):
    player = club.member("Leaving soon")
    chosen(club.browser(player))
    assert club.rows("select language from languages_of_people where player = %s", player) == [(CODE,)]
    club.house.done(f"{club.house.path}/players/{player}/erasure", {"reason": "asked"}, "owner")
    assert club.rows("select language from languages_of_people where player = %s", player) == []


def test_what_is_chosen_while_its_person_is_erased_is_kept_nowhere(club, client, database):
    player = club.member("Leaving now")
    browser = club.browser(player)
    with psycopg.connect(database.owner_url) as leaving, ThreadPoolExecutor(1) as other:
        leaving.execute("delete from sign_in_people where player = %s", [player])
        choice = other.submit(chosen, browser)
        until_somebody_waits(database)
        leaving.commit()
        assert choice.result(timeout=60).status_code == 303
    assert club.rows("select language from languages_of_people where player = %s", player) == []


def test_a_choice_of_nobody_is_kept_nowhere(club, client):
    before = club.rows("select count(*) from languages_of_people")
    chosen(Browser(client))
    assert club.rows("select count(*) from languages_of_people") == before
    assert client.blocking_portal.call(rows.read, client.app.state.services.pool, club.id, club.id) is None


def test_scripts_get_their_texts_in_the_language_of_the_page(client):
    address = re.search(r'src="(/texts\.js\?language=en-XA&amp;v=\w+)"', speaks(client).get("/").text)[1]
    answer = client.get(address.replace("&amp;", "&"))
    assert "immutable" in answer.headers["cache-control"]
    texts = json.loads(answer.text.partition("\n")[0].removeprefix("const TEXTS = ").removesuffix(";"))
    assert texts["{0} tap|{0} taps"] == "{0} táp~|{0} tápš~~"
    english = client.get("/texts.js?language=en")
    assert english.text.startswith("const TEXTS = {};\n")
    assert english.headers["cache-control"] == "no-cache"


def test_the_offline_shell_has_the_language_of_the_page(client):
    worker = client.get(f"/worker.js?language={CODE}").text
    assert f'const SHELL = "/shell?language={CODE}";' in worker
    assert f"/texts.js?language={CODE}&v=" in worker
    assert LANG.search(client.get(f"/shell?language={CODE}").text)[1] == CODE
    assert 'const SHELL = "/shell";' in client.get("/worker.js").text


def test_what_stays_english_says_so_on_a_page_in_another_language(client, club):
    evening = Evening(club.house, [swiss(2)], 4)
    evening.act({"do": "pair_round"})
    path = evening.path.removeprefix("/api/v1")
    why = evening.round()["pairings"][0]["why"]
    finnish = Browser(client, f"{club.owner.cookie}; lurch_language=fi")
    assert f'<span lang="en">{why}</span> (englanniksi)' in squeezed(finnish.get(path).text)
    assert "(englanniksi)" in finnish.get("/nowhere").text
    page = club.owner.get(path).text
    assert (why in squeezed(page), '<span lang="en">' in page) == (True, False)


def test_untranslated_refusals_and_findings_are_marked_as_english(client, club):
    finnish = Browser(client, f"{club.owner.cookie}; lurch_language=fi")
    refused = finnish.post(f"/clubs/{club.id}/members", name="", to="member").text
    assert re.search(r'role="alert"[^>]*><span lang="en">[^<]+</span> \(englanniksi\)', squeezed(refused))
    scene = RevokeScene(club.house)
    table = squeezed(finnish.get(f"/matches/{scene.match}").text)
    assert re.search(r'class="finding">⚑ Jako 1: <span lang="en">[^(]+</span> \(englanniksi\)', table)


def test_the_page_of_a_problem_says_in_the_language_what_it_means(client):
    finnish = Browser(client, "lurch_language=fi")
    meaning = "Osoite on väärä, tai sivu ei ole sinun nähtävissäsi. Vastaus on molemmissa sama."
    assert meaning in finnish.get("/nowhere").text
    assert meaning in finnish.get("/problems/not-found").text
    assert "The address is wrong" not in Browser(client, "").get("/nowhere").text


@pytest.mark.parametrize(
    ("shown", "back"),
    [("/sign-in/password", "/sign-in"), ("/t/in", "/t"), ("/games?x=1", "/games?x=1"), ("/nowhere/at/all", "/")],
)
def test_a_choice_after_a_form_leads_to_the_parent_page(client, shown, back):
    answer = chosen(Browser(client), "fi", f"http://{client.base_url.host}{shown}")
    assert (answer.status_code, answer.headers["location"]) == (303, back)


def test_a_frame_says_its_language_in_its_address_and_reads_no_cookie(client, database):
    with House(client, database, public=True) as house:
        frame = house.match("cross_game", sides=MATCH).replace("/api/v1", "/embed")
        for query, code in (("", "en"), ("?language=fi", "fi"), ("?language=xx", "en")):
            shown = speaks(client).get(f"{frame}{query}")
            assert (shown.status_code, LANG.search(shown.text)[1]) == (200, code)


def test_signing_in_keeps_the_device_choice_if_the_person_has_none(club, client):
    person = club.member("Aino")
    browser = Browser(client, "lurch_language=fi")
    assert browser.redeem(invited(club.owner, club.id, person)).status_code == 303
    assert club.rows("select language from languages_of_people where player = %s", person) == [("fi",)]
