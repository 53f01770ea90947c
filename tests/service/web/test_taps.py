"""What a page's script is told of a tap: the version that it made, or why not and what others recorded meanwhile; and
who may send one that waited."""

import re
from urllib.parse import quote

import pytest

from tests.kit.service.asking import FORM, House, a_problem, sign_in

TURN = quote('{"seat":1,"do":"trump","suit":"H"}')
ODD = quote('{"seat":0,"do":"parity","parity":"odd"}')


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        found.owner = sign_in(client, database)
        path = found.match()
        found.done(f"{path}/deals", {"dealer": 0})
        found.table = path.removeprefix("/api/v1")
        yield found


def who(house):
    """How the pages call whoever is signed in, for scripts."""
    page = house.client.get(house.table, headers=house.owner).text
    return re.search(r'id="kept"[^>]* data-who="([0-9a-f]{16})"', page)[1]


def tap(house, where, body, key="", as_=None, script=True, owner=None, **more):
    headers = {**more, **(house.owner if owner is None else owner), **FORM, **({"X-Table": "1"} if script else {})}
    headers |= {"Idempotency-Key": key} if key else {}
    headers |= {"X-As": as_} if as_ else {}
    return house.client.post(f"{house.table}/{where}", content=body, headers=headers, follow_redirects=False)


def test_a_tap_and_its_repeat_get_the_same_version(house):
    first = tap(house, "facts", f"version=2&fact={TURN}", "a tap").json()
    assert (first["version"], first["turn"], first["refused"]) == (3, 0, None)
    house.done(f"/api/v1{house.table}/facts", {"facts": [{"seat": 0, "do": "parity", "parity": "odd"}]})
    again = tap(house, "facts", f"version=2&fact={TURN}", "a tap").json()
    assert again["version"] == 3  # not 4: the next tap was not meant on top of what somebody else recorded


def test_a_queued_tap_gets_its_version_without_the_table(house):
    whole = tap(house, "facts", f"version=2&fact={TURN}", "a tap").json()
    short = tap(house, "facts", f"version=2&fact={TURN}", "a tap", Prefer="return=minimal")
    assert short.headers["preference-applied"] == "return=minimal"
    assert short.json() == {**whole, "table": ""}
    assert len(short.content) < 200 < len(whole["table"])
    refused = tap(house, "facts", f"version=2&fact={ODD}", Prefer="return=minimal").json()
    assert refused["table"], "a person has to look at it"


def test_a_tap_that_met_another_is_told_what_was_recorded_meanwhile(house):
    tap(house, "facts", f"version=2&fact={TURN}")
    before = house.position()
    answer = tap(house, "facts", f"version=2&fact={TURN}", "late")
    told = answer.json()
    assert (answer.status_code, told["version"], told["refused"]["slug"]) == (409, None, "lost-race")
    assert told["meanwhile"] == ["\u2068Benny\u2069 names ♥ hearts as trumps"]
    assert house.position() == before


def test_without_scripts_a_conflict_is_shown_with_a_resend_button(house):
    tap(house, "facts", f"version=2&fact={TURN}")
    page = tap(house, "facts", f"version=2&fact={ODD}", script=False)
    assert page.status_code == 409
    assert "Recorded meanwhile: \u2068Benny\u2069 names ♥ hearts as trumps. Yours was not recorded." in page.text
    alert = re.search(r'role="alert".*?</form>', page.text, re.DOTALL)[0]
    assert ('name="version" value="3"' in alert, "Send mine after that" in alert) == (True, True)
    assert tap(house, "facts", f"version=3&fact={ODD}&after=1", script=False).status_code == 303


def test_a_tap_is_recorded_for_nobody_but_who_tapped_it(house):
    before = house.position()
    other = tap(house, "facts", f"version=2&fact={TURN}", "kept", as_="0123456789abcdef")
    a_problem(other, 403, "other-sign-in")
    nobody = tap(house, "facts", f"version=2&fact={TURN}", "kept", as_=who(house), owner={})
    a_problem(nobody, 401, "unauthorised")
    for where in ("result", "void", "undo"):
        a_problem(tap(house, where, "version=2", as_="0123456789abcdef"), 403, "other-sign-in")
    assert house.position() == before
    own = tap(house, "facts", f"version=2&fact={TURN}", "kept", as_=who(house))
    assert own.json()["version"] == 3


def test_another_sign_in_of_the_same_person_is_the_same(house, client, database):
    known = who(house)
    house.owner = sign_in(client, database)
    assert who(house) == known


def test_a_deal_is_void_only_when_it_was_asked(house):
    before = house.position()
    asked = tap(house, "void", "version=2", script=False)
    assert asked.status_code == 409
    assert "Is this deal void?" in asked.text
    assert house.position() == before
    assert tap(house, "void", "version=2&sure=1", script=False).status_code == 303
    assert house.get(f"/api/v1{house.table}").json()["deals"][0]["void"]


def test_every_form_that_posts_a_result_names_its_deal(house):
    form = f"{house.table}/result"
    page = house.client.get(form, headers=house.owner).text
    assert page.count(f'action="{form}"') == page.count('name="deal" value="1"') == 1
    before = house.position()
    further = tap(house, "result", "deal=2&version=2&parity=odd&tricks.0=9")
    assert (further.status_code, house.position()) == (409, before)
    assert tap(house, "result", "deal=1&version=2&parity=odd&tricks.0=9").json()["version"] == 3
    page = house.client.get(form, headers=house.owner).text
    assert page.count('name="deal" value="2"') == 1
    again = tap(house, "result", "deal=1&version=2&parity=odd&tricks.0=9")
    assert (again.status_code, again.json()["version"]) == (200, 3)
    other = tap(house, "result", "deal=1&version=3&parity=odd&tricks.0=8")
    assert (other.status_code, other.json()["refused"]["slug"]) == (409, "already-entered")
    assert len(house.get(f"/api/v1{house.table}").json()["deals"]) == 1
