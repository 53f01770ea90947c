"""Pages of the people of a club: added in one tap, asked who is meant, mended, taken from a table."""

import re

import pytest

from service.web.members import TABLE_LIMIT
from tests.kit.service.asking import FORM, House, squeezed

HTML = {"Accept": "text/html"}


@pytest.fixture
def house(client, database):
    """A club of its own for every test: who is known there decides what a name means."""
    with House(client, database, public=True) as found:
        yield found


def shown(house, path, headers, status=200):
    answer = house.client.get(path, headers={**HTML, **headers}, follow_redirects=False)
    assert answer.status_code == status, answer.text
    return squeezed(answer.text)


def sent(house, path, headers, fields, status=303):
    """A form that is answered so; where it leads, or the page."""
    answer = house.client.post(path, data=fields, headers={**HTML, **headers, **FORM}, follow_redirects=False)
    assert answer.status_code == status, answer.text
    return answer.headers["location"] if status == 303 else squeezed(answer.text)


def asked(house, path, headers, fields):
    """A form that is answered with the question who is meant: the page as it came, line breaks and all."""
    answer = house.client.post(path, data=fields, headers={**HTML, **headers, **FORM}, follow_redirects=False)
    assert (answer.status_code, "<h1>Who is meant?</h1>" in answer.text) == (409, True)
    return answer.text


def known(house):
    return {each["name"]: each for each in house.get(f"{house.path}/players?limit=200").json()["items"]}


def chosen(page, name, meant, at=0):
    """The fields of the question on a page, with somebody chosen; the rest is sent again as it was."""
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    assert hidden[f"typed.{at}"] == name
    return {**hidden, f"meant.{at}": meant}


def test_enter_adds_a_visitor_and_the_field_has_the_focus_again(house, owner):
    members = f"/clubs/{house.id}/members"
    assert "autofocus" not in shown(house, members, owner)
    where = sent(house, members, owner, {"name": " Benny King ", "visitor": "yes"})
    page = shown(house, where, owner)
    assert "Benny King</bdi></a> is a visitor now" in page
    assert re.search(r'<input name="name"[^>]* autofocus', page)
    assert page.index('value="yes">Add visitor') < page.index('value="no"'), "Enter takes the first button"
    sent(house, members, owner, {"name": "Ida", "visitor": "no"})
    assert {name: each["visitor"] for name, each in known(house).items()} == {"Benny King": True, "Ida": False}


def test_a_name_that_is_nearly_somebodys_is_asked_about(house, owner):
    members = f"/clubs/{house.id}/members"
    sent(house, members, owner, {"name": "Benny King", "visitor": "no"})
    benny = known(house)["Benny King"]["id"]
    page = asked(house, members, owner, {"name": "Bennny", "visitor": "yes"})
    assert list(known(house)) == ["Benny King"]
    assert sent(house, members, owner, chosen(page, "Bennny", benny)) == f"{members}/{benny}"
    sent(house, members, owner, chosen(page, "Bennny", "new"))
    page = asked(house, members, owner, {"name": "BENNNY", "visitor": "yes"})
    sent(house, members, owner, chosen(page, "BENNNY", "new"))
    assert sorted(known(house)) == ["BENNNY", "Bennny", "Benny King"]


@pytest.mark.parametrize("name", ["x" * 200, "   ", "\u202eAnnie", "\x00"])
def test_what_nobody_is_called_is_said_on_the_page(house, owner, name):
    page = sent(house, f"/clubs/{house.id}/members", owner, {"name": name}, 400)
    assert 'role="alert"' in page
    assert known(house) == {}


def test_a_new_match_asks_who_sits_down_before_it_makes_a_visitor(house, owner):
    sent(house, f"/clubs/{house.id}/members", owner, {"name": "Benny King", "visitor": "no"})
    benny, new = known(house)["Benny King"]["id"], f"/clubs/{house.id}/new"
    form = {"game": "parity", "name0": "Bennny", "name1": "Annie", "target": "60"}
    page = asked(house, new, owner, form)
    assert list(known(house)) == ["Benny King"]
    match = sent(house, new, owner, chosen(page, "Bennny", benny))
    assert sorted(known(house)) == ["Annie", "Benny King"]
    view = house.get(f"/api/v1{match}").json()
    assert ([side["names"] for side in view["sides"]], view["target"]) == ([["Benny King"], ["Annie"]], 60)
    sent(house, new, owner, chosen(page, "Bennny", "new"))
    assert sorted(known(house)) == ["Annie", "Bennny", "Benny King"]


def test_of_two_people_of_one_name_the_page_asks_which(house, owner):
    for _ in range(2):
        house.done(f"{house.path}/players", {"name": "Annie", "another": True}, "owner")
    form = {"game": "parity", "name0": "Annie", "name1": "Ole"}
    page = asked(house, f"/clubs/{house.id}/new", owner, form)
    people = re.findall(r'name="meant\.0" value="([^"]+)"', page)
    assert len(people) == 2
    assert "new" not in people
    match = sent(house, f"/clubs/{house.id}/new", owner, chosen(page, "Annie", people[1]))
    assert house.get(f"/api/v1{match}").json()["sides"][0]["players"] == [people[1]]


def test_a_tournament_asks_wherever_people_come_in(house, owner):
    sent(house, f"/clubs/{house.id}/members", owner, {"name": "Benny King", "visitor": "no"})
    benny = known(house)["Benny King"]["id"]
    new = f"/clubs/{house.id}/tournaments/new"
    form = {"name": "Cup", "game": "parity", "template": "single", "players": "Bennny, 1500\nAnnie"}
    page = asked(house, new, owner, form)
    cup = sent(house, new, owner, chosen(page, "Bennny", benny)).removesuffix("/director")
    page = asked(house, f"{cup}/actions", owner, {"do": "enter", "who": "Annnie"})
    sent(house, f"{cup}/actions", owner, chosen(page, "Annnie", "new"))
    page = asked(house, f"{cup}/entries", owner, {"lines": "Olga\nOle\nKing Bennny"})
    refused = sent(house, f"{cup}/entries", owner, chosen(page, "King Bennny", benny), 400)
    assert "Who is meant?" not in refused, "he is entered already"
    sent(house, f"{cup}/entries", owner, chosen(page, "King Bennny", "new"))
    names = [each["name"] for each in house.get(f"/api/v1{cup}").json()["entries"]]
    assert names == ["Benny King", "Annie", "Annnie", "Olga", "Ole", "King Bennny"]


def test_while_a_name_is_typed_those_it_may_mean_are_shown(house, owner):
    near = f"/clubs/{house.id}/members/near"
    nora = house.done(f"{house.path}/players", {"name": "Nora Hill"}, "owner")["id"]
    house.done(f"{house.path}/players/{nora}/name", {"name": "Nora Field"}, "owner")
    assert f"/members/{nora}" in shown(house, f"{near}?name=Nora+Feild", {})
    assert 'data-name="Nora Field"' in shown(house, f"{near}?name=Nora+Feild&fill=1", {})
    assert "Nora Field" in shown(house, f"{near}?name=Nora+Hil", owner)
    assert "Field" not in shown(house, f"{near}?name=Hill", {}), "an earlier name is nobody else's matter"
    assert shown(house, f"{near}?name=N", {}).strip() == ""


def test_a_list_is_searched_and_turned(house, owner):
    for at in range(102):
        house.done(f"{house.path}/players", {"name": f"Player {at:03}"}, "owner")
    members = f"/clubs/{house.id}/members"
    first, second = shown(house, members, {}), shown(house, f"{members}?page=2", {})
    assert (first.count("/members/"), second.count("/members/")) == (100, 2)
    assert "102 members, 0 visitors" in first
    assert "Player 017" in shown(house, f"{members}?like=ayer+017", {})
    assert "Nobody is called" in shown(house, f"{members}?like=Zacharias", {})
    for page in ("0", "x", "10001"):
        assert house.client.get(f"{members}?page={page}", headers=HTML).status_code == 400


def test_a_person_has_a_page_with_matches_and_tournaments(house, owner):
    match = house.match(sides=[["Annie"], ["Benny"]])
    cup = {"name": "Spring cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}
    entries = [{"do": "enter", "players": [name]} for name in ("Annie", "Cleo")]
    house.done(f"{house.path}/tournaments", {**cup, "entries": entries}, "director")
    people = known(house)
    annie, benny = (f"/clubs/{house.id}/members/{people[name]['id']}" for name in ("Annie", "Benny"))
    page = shown(house, annie, {})
    assert match.removeprefix("/api/v1") in page
    assert "Spring cup" in page
    assert "Spring cup" not in shown(house, benny, {})
    for form in ("/name", "/membership", "/description", "<textarea"):
        assert form not in page
        assert form in shown(house, annie, owner)


def test_a_secretary_mends_a_name_and_keeps_a_note(house, owner):
    person = house.done(f"{house.path}/players", {"name": "Nora Hill"}, "owner")["id"]
    house.done(f"{house.path}/players", {"name": "Nora Field"}, "owner")
    path = f"/clubs/{house.id}/members/{person}"
    page = sent(house, f"{path}/name", owner, {"name": "nora field"}, 409)
    assert "is this another person?" in page
    assert "`" not in page
    question = re.search(r"<button>Yes, another person of this name</button>", page)
    assert question is not None
    sent(house, f"{path}/name", owner, {"name": "nora field", "another": "yes"})
    sent(house, f"{path}/membership", owner, {"visitor": "yes"})
    sent(house, f"{path}/description", owner, {"note": "has a key", "ids": "FIDE=150", "rating": "1850"})
    page = shown(house, path, owner)
    for said in ("Called before: <bdi>Nora Hill</bdi>", "Visitor", "has a key", "FIDE=150", "1850"):
        assert said in page
    page = shown(house, path, {})
    for said in ("Hill", "has a key", "FIDE=150", "1850"):
        assert said not in page
    for fields in ({"ids": "150"}, {"rating": "high"}, {"note": "x" * 1001}):
        assert 'role="alert"' in sent(house, f"{path}/description", owner, fields, 400)


def test_what_a_page_showed_is_not_written_over_what_came_since(house, owner):
    person = house.done(f"{house.path}/players", {"name": "Nora"}, "owner")["id"]
    path = f"/clubs/{house.id}/members/{person}"
    version = re.search(r'name="version" value="(\d+)"', shown(house, path, owner))[1]
    sent(house, f"{path}/description", owner, {"note": "hers", "version": version})
    page = sent(house, f"{path}/description", owner, {"note": "mine", "version": version}, 409)
    assert "Kept now: <bdi>hers</bdi>" in page
    assert ">mine</textarea>" in page
    now = re.search(r'name="version" value="(\d+)"', page)[1]
    sent(house, f"{path}/description", owner, {"note": "both", "version": now})


TABLE = "name,visitor,ids\nAnnie,no,FIDE=150\nBennny,yes,\n"


def test_a_table_is_shown_with_what_it_does_and_then_taken(house, owner):
    house.done(f"{house.path}/players", {"name": "Benny King"}, "owner")
    path = f"/clubs/{house.id}/members/import"
    before = house.position()
    page = sent(house, path, owner, {"text": TABLE}, 200)
    assert "2 new, 0 changed, 0 as they are. Nothing is recorded yet." in page
    assert "⚑ <bdi>Benny King</bdi>" in page
    assert house.position() == before
    sent(house, path, owner, {"text": TABLE, "sure": "yes"})
    assert sorted(known(house)) == ["Annie", "Bennny", "Benny King"]
    assert "0 new, 0 changed, 2 as they are" in sent(house, path, owner, {"text": TABLE}, 200)
    page = sent(house, path, owner, {"text": "name,rating\nOle,high\n,1\n"}, 400)
    assert "line 2: a rating is a number" in page
    assert "line 3: the name is missing" in page


def test_a_table_is_taken_as_a_file_too(house, owner):
    path = f"/clubs/{house.id}/members/import"
    headers = {**HTML, **owner, "Sec-Fetch-Site": "same-origin"}
    for data, status in ((b"\xef\xbb\xbf" + TABLE.encode(), 200), (b"name\n\xff\n", 400)):
        files = {"file": ("members.csv", data, "text/csv")}
        assert house.client.post(path, files=files, headers=headers).status_code == status
    taken = house.client.post(path, files={"text": (None, TABLE), "sure": (None, "yes")}, headers=headers)
    assert taken.status_code == 200
    own = house.client.get(f"/clubs/{house.id}/members.csv", headers=owner)
    assert "FIDE=150" in own.text
    assert "attachment" in own.headers["content-disposition"]


def test_a_member_table_that_is_too_large_is_refused_with_its_limit(house, owner):
    path = f"/clubs/{house.id}/members/import"
    page = sent(house, path, owner, {"text": "x" * (2 * TABLE_LIMIT + 1)}, 413)
    assert f"the body is larger than {2 * TABLE_LIMIT:,} bytes: send less at a time" in page
    page = sent(house, f"/clubs/{house.id}/members", owner, {"name": "x" * 70_000}, 413)
    assert "larger than 65,536 bytes" in page


def test_the_page_of_a_person_links_everything_the_caller_may_do(house, owner):
    sent(house, f"/clubs/{house.id}/members", owner, {"name": "Ida", "visitor": "no"})
    ida = known(house)["Ida"]["id"]
    person = f"/clubs/{house.id}/members/{ida}"
    there = [f"{person}/{each}" for each in ("merge", "erase", "export", "export?format=ctn")]
    there += [f"/clubs/{house.id}/players/{ida}/doors", f"/clubs/{house.id}/roles?person={ida}#give"]
    for headers, seen in ((owner, there), ({}, [])):
        page = shown(house, person, headers)
        assert [each for each in there if f'href="{each}"' in page] == seen
        assert ("Invite</button>" in page) is bool(seen)
    page = shown(house, f"/clubs/{house.id}/roles?person={ida}", owner)
    assert f'<option value="{ida}" selected>Ida</option>' in page


def test_the_page_of_a_club_lists_pages_the_caller_may_open(house, owner):
    rooms = ["Tonight", "Tournaments", "Wall", "Members", "Ratings", "Season"]
    for headers, seen in (
        (owner, [*rooms, "Tables", "Cases", "From elsewhere", "Invite", "Settings", "Roles"]),
        ({}, rooms),
    ):
        page = shown(house, f"/clubs/{house.id}", headers)
        nav = page.partition('aria-label="Club">')[2].partition("</nav>")[0]
        assert re.findall(r">([^<]+)</a>", nav) == seen
        for path in re.findall(r'href="([^"]+)"', nav):
            shown(house, path, headers)
