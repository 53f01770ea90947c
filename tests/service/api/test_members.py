"""People of a club over HTTP: names mended, members and visitors, what is kept beside a name, tables of people."""

import asyncio

import pytest

from domain.club.commands import RenamePlayer
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.kinds import CLUB
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.service.asking import House


@pytest.fixture
def house(client, database):
    """A club of its own for every test: who is known there decides what a name means."""
    with House(client, database, public=True) as found:
        yield found


def added(house, name, **more):
    return house.done(f"{house.path}/players", {"name": name, **more}, "secretary")["id"]


def path_of(house, player):
    return f"{house.path}/players/{player}"


def person(house, player, role="secretary"):
    answer = house.get(path_of(house, player), role)
    assert answer.status_code == 200, answer.text
    return answer.json()


def listed(house, role="secretary", **query):
    answer = house.client.get(f"{house.path}/players", params=query, headers=house.bearer(role))
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


def names(house, role="secretary", **query):
    return [each["name"] for each in listed(house, role, **query)]


def taken(house, text, status=201, query="", **headers):
    answer = house.ask("POST", f"{house.path}/players.csv{query}", text.encode(), "secretary", headers)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_new_name_is_shown_wherever_the_old_one_was(house):
    match = house.match(sides=[["Bennny"], ["Annie"]])
    cup = {"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}
    entries = [{"do": "enter", "players": [name]} for name in ("Bennny", "Annie")]
    cup = house.done(f"{house.path}/tournaments", {**cup, "entries": entries}, "director")["tournament"]["id"]
    house.done(f"{match}/results", {"entry": {"parity": "odd", "tricks": [9, 6]}})
    (benny,) = [each["id"] for each in listed(house) if each["name"] == "Bennny"]
    seen = [f"{house.path}/players", f"{house.path}/matches", match, f"/api/v1/tournaments/{cup}"]
    seen += [
        f"{house.path}/ratings",
        f"/clubs/{house.id}",
        f"/tournaments/{cup}/entries",
        match.removeprefix("/api/v1"),
    ]
    for address in seen[:4]:
        assert "Bennny" in house.get(address).text
    view = house.done(f"{path_of(house, benny)}/name", {"name": "Benny King"}, "director")
    assert (view["id"], view["name"], view["earlier"]) == (benny, "Benny King", ["Bennny"])
    for address in seen:
        text = house.get(address, None if address.startswith(("/clubs", "/tour", "/match")) else "scorer").text
        assert "Bennny" not in text, address


def test_a_name_is_mended_by_a_director_and_kept_by_the_secretary(house):
    annie = added(house, "Annie", visitor=True)
    for role, allowed in {
        "scorer": (),
        "player": (),
        "spectator": (),
        "director": ("name",),
        "secretary": ("name", "membership", "description"),
        "owner": ("name", "membership", "description"),
    }.items():
        for what, body in {"name": {"name": "Annie"}, "membership": {"visitor": True}, "description": {}}.items():
            status = 201 if what in allowed else 403
            assert house.post(f"{path_of(house, annie)}/{what}", body, role).status_code == status, (role, what)


def test_an_earlier_name_finds_a_person_only_for_permitted_callers(house):
    nora = added(house, "Nora Hill")
    house.done(f"{path_of(house, nora)}/name", {"name": "Nora Field"}, "secretary")
    for role in ("owner", "secretary", "director"):
        assert names(house, role, like="nora hill") == ["Nora Field"]
        assert person(house, nora, role)["earlier"] == ["Nora Hill"]
    for role in (None, "spectator", "player", "scorer"):
        assert names(house, role, like="hill") == []
        assert (person(house, nora, role)["earlier"], "Hill" in house.get(path_of(house, nora), role).text) == (
            None,
            False,
        )


def test_what_is_kept_beside_a_name_is_for_the_secretary_only(house):
    annie = added(house, "Annie")
    kept = {"note": "has a key\npays in May", "ids": {"FIDE": "1503014"}, "rating": 1850}
    view = house.done(f"{path_of(house, annie)}/description", kept, "secretary")
    assert {name: view[name] for name in kept} == kept
    for role in (None, "spectator", "player", "scorer", "director"):
        found = person(house, annie, role)
        assert [found[name] for name in kept] == [None, None, None]
        assert {"note", "ids", "rating"} <= set(found["hidden"])
        for address in (path_of(house, annie), f"{house.path}/players", f"{house.path}/events"):
            text = house.get(address, role).text
            assert "1503014" not in text, (role, address)
            assert "has a key" not in text, (role, address)


def test_a_visitor_becomes_a_member_and_back(house):
    house.match(sides=[["Annie"], ["Benny"]])
    annie = next(each for each in listed(house) if each["name"] == "Annie")
    assert annie["visitor"]
    for visitor in (False, True):
        assert (
            house.done(f"{path_of(house, annie['id'])}/membership", {"visitor": visitor}, "secretary")["visitor"]
            is visitor
        )
        assert {each["id"]: each["visitor"] for each in listed(house)}[annie["id"]] is visitor
    before = house.position()
    house.done(f"{path_of(house, annie['id'])}/membership", {"visitor": True}, "secretary")
    assert house.position() == before


@pytest.mark.parametrize("name", ["x" * 200, "    ", "\u202eAnnie", "\u3164", "Annie\nBenny"])
def test_what_nobody_is_called_is_refused(house, name):
    benny = added(house, "Benny")
    house.refused("POST", f"{house.path}/players", {"name": name}, 400, "malformed", "secretary")
    house.refused("POST", f"{path_of(house, benny)}/name", {"name": name}, 400, "malformed", "secretary")


@pytest.mark.parametrize("name", ["דוד לוי", "<script>alert(1)</script>", "=1+1"])
def test_a_name_is_text_whatever_it_says(house, name):
    assert person(house, added(house, name))["name"] == name
    page = house.client.get(f"/clubs/{house.id}/members").text
    assert "<script>alert" not in page


def test_a_name_that_somebody_bears_is_asked_about(house):
    annie, other = added(house, "Annie"), added(house, "Bo")
    for path, body in (
        (f"{house.path}/players", {"name": "ＡＮＮＩＥ"}),
        (f"{path_of(house, other)}/name", {"name": "annie"}),
    ):
        problem = house.refused("POST", path, body, 409, "confirm-needed", "director")
        assert [each["path"] for each in problem["errors"]] == ["another"]
        assert house.post(path, {**body, "another": True}, "director").status_code == 201
    house.done(f"{path_of(house, annie)}/name", {"name": "ANNIE"}, "secretary")  # nobody is another than oneself
    assert len(names(house, like="annie")) == 3


def test_a_person_who_was_changed_meanwhile_is_looked_at_again(house):
    annie = added(house, "Annie")
    seen = person(house, annie)["version"]
    house.done(f"{path_of(house, annie)}/name", {"name": "Anna", "expected_version": seen}, "secretary")
    for what, body in {"name": {"name": "Anne"}, "membership": {"visitor": True}, "description": {"note": "x"}}.items():
        late = {**body, "expected_version": seen}
        problem = house.refused("POST", f"{path_of(house, annie)}/{what}", late, 409, "lost-race", "secretary")
        assert problem["current_version"] == person(house, annie)["version"]
    added(house, "Benny")  # somebody else does not matter
    now = person(house, annie)["version"]
    house.done(f"{path_of(house, annie)}/name", {"name": "Anne", "expected_version": now}, "secretary")
    assert person(house, annie)["earlier"] == ["Anna", "Annie"]


def test_of_two_secretaries_at_once_one_renames(house, database):
    annie = added(house, "Annie")
    seen = person(house, annie)["version"]

    async def both(pool):
        other = Recorder(Streams(pool))  # as another process has it
        first = Recorder(Streams(pool))
        await other.club(house.id)
        return await asyncio.gather(
            *(
                each.on_stream(house.id, CLUB, RenamePlayer(annie, name, False, seen), own_request(By(None, "owner")))
                for each, name in ((first, "Anna"), (other, "Anne"))
            ),
            return_exceptions=True,
        )

    slugs = [getattr(each, "slug", "done") for each in with_pool(database, both)]
    assert sorted(slugs) == ["done", "lost-race"]
    assert person(house, annie)["earlier"] == ["Annie"]


def test_who_is_not_there_is_not_found_whatever_is_asked(house):
    nobody = "01a1fea4-0000-7000-8000-000000000000"
    for what, body in {"name": {"name": "Annie"}, "membership": {"visitor": True}, "description": {}}.items():
        house.refused("POST", f"{path_of(house, nobody)}/{what}", body, 404, "not-found", "secretary")
    house.refused("GET", path_of(house, nobody), None, 404, "not-found", None)


def test_an_id_of_another_body_belongs_to_one_person(house):
    annie, benny = added(house, "Annie"), added(house, "Benny")
    house.done(f"{path_of(house, annie)}/description", {"ids": {"FIDE": "150"}}, "secretary")
    twice = {"ids": {"fide": "150"}}
    house.refused("POST", f"{path_of(house, benny)}/description", twice, 409, "misfit", "secretary")
    for ids in ({"": "1"}, {"FIDE": ""}, {"FIDE": "x" * 41}, {"a=b": "1"}, {"FIDE": "1", "fide": "2"}, {"A": "1\n2"}):
        house.refused("POST", f"{path_of(house, benny)}/description", {"ids": ids}, 400, "malformed", "secretary")


def test_the_past_tells_who_was_there_and_nobody_what_they_were_called(house):
    annie = added(house, "Annie")
    at = house.position()
    house.done(f"{path_of(house, annie)}/name", {"name": "Zoe"}, "secretary")
    added(house, "Zora")
    assert names(house, as_of=at) == ["Zoe"]
    assert names(house, like="Zo", as_of=at) == ["Zoe"]
    assert names(house, None, like="Anni", as_of=at) == []
    assert names(house, like="Anni", as_of=at) == ["Zoe"]


def test_a_search_has_one_page(house):
    annie = added(house, "Annie")
    house.refused("GET", f"{house.path}/players?like=a&cursor={annie}", None, 400, "malformed")


def test_a_program_opens_a_match_with_a_new_name_as_ever(house):
    added(house, "Benny King")
    house.match(sides=[["Bennny"], ["Annie"]])
    assert sorted(names(house)) == ["Annie", "Bennny", "Benny King"]


TABLE = """name,visitor,rating,ids
Annie,no,1850,FIDE=150; ECF=7A
Benny King,yes,,
=1+1,,1200,
"""


def test_a_table_is_taken_once_however_often_it_is_sent(house):
    before = house.position()
    lines = taken(house, TABLE, 200, "?preview=true")["lines"]
    assert [(each["line"], each["do"], each["player"]) for each in lines] == [
        (2, "add", None),
        (3, "add", None),
        (4, "add", None),
    ]
    assert house.position() == before
    first = taken(house, TABLE)
    assert first["recorded"] == 5
    again = taken(house, TABLE)
    assert (again["recorded"], {each["do"] for each in again["lines"]}) == (0, {"keep"})
    own = house.get(f"{house.path}/players.csv", "secretary").text
    assert "'=1+1" in own
    assert taken(house, own)["recorded"] == 0
    assert sorted(names(house)) == ["=1+1", "Annie", "Benny King"]


def test_a_line_matches_by_id_then_federation_id_then_name(house):
    taken(house, TABLE)
    people = {each["name"]: each["id"] for each in listed(house)}
    text = f"id,name,visitor,rating,ids\n,Anna Berg,,1900,fide=150\n{people['Benny King']},Benny Kong,no,,\n"
    text += ",=1+1,,,ECF=9\n"
    plan = taken(house, text)["lines"]
    assert [each["changes"] for each in plan] == [
        ["Annie is called Anna Berg", "fide 150", "rating 1900"],
        ["Benny King is called Benny Kong", "is a member"],
        ["ECF 9"],
    ]
    anna = person(house, people["Annie"])
    assert (anna["name"], anna["ids"], anna["rating"], anna["earlier"]) == (
        "Anna Berg",
        {"ECF": "7A", "fide": "150"},
        1900,
        ["Annie"],
    )
    assert sorted(names(house)) == ["=1+1", "Anna Berg", "Benny Kong"]


FAULTY = {
    "a name that is missing": ("name,rating\n,1\n", "2:1"),
    "a name of 81 letters": (f"name\n{'x' * 81}\n", "2:1"),
    "a name that turns text": ("name\n\u202eAnnie\n", "2:1"),
    "a rating": ("name,rating\nAnnie,high\n", "2:7"),
    "visitor": ("name,visitor\nAnnie,perhaps\n", "2:7"),
    "an id": ("name,ids\nAnnie,150\n", "2:7"),
    "a column": ("name,colour\nAnnie,red\n", "1:6"),
    "one person twice": ("name\nAnnie\nANNIE\n", "3:1"),
    "one id twice": ("name,ids\nAnnie,F=1\nBenny,F=1\n", "3:1"),
    "another id of a known name": ("name,ids\nKnown,FIDE=2\n", "2:1"),
    "the ids of two people": ("name,ids\nKnown,FIDE=1; ECF=1\n", "2:1"),
    "a name that two bear": ("name\nTwo\n", "2:1"),
    "the name of somebody else": ("name,ids\nOther,FIDE=1\n", "2:1"),
}


@pytest.mark.parametrize("what", FAULTY)
def test_of_a_table_with_a_fault_nobody_is_taken(house, what):
    taken(house, "name,ids\nKnown,FIDE=1\nOther,ECF=1\nTwo,\n")
    added(house, "TWO", another=True)
    text, place = FAULTY[what]
    rest = "Nora" + "," * text.partition("\n")[0].count(",") + "\n"
    problem = house.refused("POST", f"{house.path}/players.csv", (text + rest).encode(), 400, "malformed", "secretary")
    assert [each["path"] for each in problem["errors"]] == [place]
    assert f"line {place.partition(':')[0]}" in problem["detail"]


def test_a_table_has_an_end(house):
    many = "name\n" + "".join(f"n{at}\n" for at in range(501))
    house.refused("POST", f"{house.path}/players.csv", many.encode(), 400, "malformed", "secretary")
    house.refused("POST", f"{house.path}/players.csv", b"name\n" + b"x" * 262_144, 413, "too-large", "secretary")


def test_a_new_name_in_a_table_is_compared_with_known_names(house):
    added(house, "Benny King")
    (line,) = taken(house, "name\nBennny\n", 200, "?preview=true")["lines"]
    assert [(each["name"], each["reason"]) for each in line["near"]] == [("Benny King", "part")]


def test_a_repeated_member_table_with_its_key_gets_the_first_answer(house):
    key = {"Idempotency-Key": "members of 2026"}
    first = taken(house, TABLE, **key)
    annie = next(each["id"] for each in listed(house) if each["name"] == "Annie")
    house.done(f"{path_of(house, annie)}/name", {"name": "Anna"}, "secretary")
    again = taken(house, TABLE, **key)
    assert (again["version"], again["recorded"]) == (first["version"], first["recorded"])
    assert "Annie" not in names(house)
