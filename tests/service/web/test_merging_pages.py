"""Pages on which two ids become one person: what is offered, what is said beforehand, what ends."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from service.store.ids import new_id
from service.store.tokens import digest
from tests.kit.service.asking import FORM, House, squeezed
from tests.service.api.test_merging import merge, part, person
from tests.service.api.test_standings import match, read


@pytest.fixture
def house(client, database):
    """A club of its own for every test."""
    with House(client, database) as found:
        yield found


@pytest.fixture
def desk(house, owner):
    """The pages as the owner sees them."""

    def ask(player, what, form=None, query=""):
        address = f"/clubs/{house.id}/members/{player}/{what}{query}"
        if form is None:
            return house.client.get(address, headers=owner)
        return house.client.post(address, data=form, headers={**owner, **FORM}, follow_redirects=False)

    return ask


def phone(house, player=None, match=None):
    """A device that a person has signed in on, or on which a table's code was shown; the header of its browser."""
    secret, now = new_id(), datetime.now(UTC)
    soon = now + timedelta(hours=1)
    house.log.execute(
        "insert into sign_ins (hash, club_id, role, name, one_time, created_at, expires_at)"
        " values (%s, %s, 'spectator', 'phone', false, %s, %s)",
        [digest(secret), house.id, now, soon],
    )
    if match is None:
        row = [digest(secret), house.id, player, now]
        house.log.execute("insert into sign_in_people (hash, club_id, player, created_at) values (%s, %s, %s, %s)", row)
    else:
        house.log.execute(
            "insert into table_seats (id, hash, club_id, match_id, player, counter, created_at, last_used, good_until)"
            " values (%s, %s, %s, %s, %s, 0, %s, %s, %s)",
            [new_id(), digest(secret), house.id, match, player, now, now, soon],
        )
    return {"Cookie": f"lurch_sign_in={secret}"}


def test_one_chooses_sees_what_moves_presses_one_button_and_parts_again(house, desk):
    match(house, ["Benny King"], ["Cleo"])
    match(house, ["Bennny"], ["Cleo"])
    rows = {row["name"]: row["id"] for row in read(house, "/players")["items"]}
    first, second = rows["Benny King"], rows["Bennny"]
    chosen = squeezed(desk(first, "merge").text)
    (likely,) = re.findall(r'<optgroup label="Nearly the same name">(.*?)</optgroup>', chosen)
    assert ("Bennny" in likely, "Cleo" in likely, "Cleo" in chosen) == (True, False, True)
    position = house.position()
    shown = squeezed(desk(first, "merge", query=f"?with={second}").text)
    assert "<p>1 match moves.</p>" in shown
    assert "Rating: <bdi>Parity</bdi>" in shown
    assert "nothing ends" in shown
    assert house.position() == position, "looking records nothing"
    done = desk(first, "merge", {"with": second})
    assert (done.status_code, done.headers["location"]) == (303, f"/clubs/{house.id}/members/{first}/merge")
    after = squeezed(desk(second, "merge").text)
    assert "<h1>Merge <bdi>Benny King</bdi> with somebody</h1>" in after, "the page of either is that of the person"
    assert f"part?with={second}" in after
    assert "Bennny (visitor)</option>" not in after, "who was merged is nobody to choose"
    assert "do not come back" in desk(first, "part", query=f"?with={second}").text
    assert desk(first, "part", {"with": second}).status_code == 303
    assert "Bennny (visitor)</option>" in squeezed(desk(first, "merge").text)


def test_of_a_chain_the_page_says_who_goes_along(house, desk):
    ids = [person(house, name) for name in ("Annie", "Anny", "Ann")]
    merge(house, ids[1], ids[2])
    merge(house, ids[0], ids[1])
    assert "With <bdi>Anny</bdi> goes who was merged there before: <bdi>Ann</bdi>" in squeezed(
        desk(ids[0], "part", query=f"?with={ids[1]}").text
    )
    assert "goes who" not in desk(ids[0], "part", query=f"?with={ids[2]}").text


def test_two_who_played_each_other_get_no_button_and_see_the_match(house, desk):
    path = match(house, ["Annie"], ["Benny"])
    rows = {row["name"]: row["id"] for row in read(house, "/players")["items"]}
    shown = desk(rows["Annie"], "merge", query=f"?with={rows['Benny']}").text
    assert "Make them one person" not in shown
    assert f'href="/matches/{path.rpartition("/")[2]}"' in shown
    refused = desk(rows["Annie"], "merge", {"with": rows["Benny"]})
    assert (refused.status_code, "sat in one match" in refused.text) == (409, True)


def test_who_was_merged_or_parted_meanwhile_is_told(house, desk):
    one, other = person(house, "Annie"), person(house, "Anny")
    merge(house, other, one)
    late = desk(one, "merge", {"with": other})
    assert (late.status_code, "one person already" in late.text) == (409, True)
    part(house, other, one)
    gone = desk(other, "part", {"with": one})
    assert (gone.status_code, "not merged" in gone.text) == (409, True)
    assert desk(other, "part", query=f"?with={one}").status_code == 404


def test_an_address_that_names_nobody_is_refused(house, desk):
    one = person(house, "Annie")
    assert desk(one, "merge", query="?with=Benny").status_code == 400
    assert desk(one, "merge", query=f"?with={new_id()}").status_code == 404
    assert desk(new_id(), "merge").status_code == 404
    assert desk(one, "merge", {"with": new_id()}).status_code == 400
    assert desk(one, "merge", {}).status_code == 400


def test_merging_ends_the_second_persons_roles_devices_seats_and_tokens(house, desk, owner):
    first, second = person(house, "Annie"), person(house, "Anny")
    table = house.match(sides=[[{"id": second}], ["Cleo"]], target=15)
    id_ = table.rpartition("/")[2]
    own, tapped, mine = phone(house, second), phone(house, second, id_), phone(house, first)
    house.token("player", player=second)
    shown = squeezed(desk(first, "merge", query=f"?with={second}").text)
    for said in ("1 device that is signed in", "1 seat at a table by code", "1 token"):
        assert f"<li>{said}</li>" in shown
    page = f"/clubs/{house.id}"
    assert [house.client.get(page, headers=each).status_code for each in (own, mine)] == [200, 200]
    assert house.client.get(f"/matches/{id_}", headers=tapped).status_code == 200
    desk(first, "merge", {"with": second})
    assert [house.client.get(page, headers=each).status_code for each in (own, mine)] == [404, 200]
    assert house.client.get(f"/matches/{id_}", headers=tapped).status_code == 404
    late = phone(house, second)
    house.client.app.state.services.forget()
    assert house.client.get(page, headers=late).status_code == 404, "an id that counts for another opens nothing"
    desk(first, "part", {"with": second})
    for each in (own, late):
        assert house.client.get(page, headers=each).status_code == 404, "nor after they were parted"
    assert house.client.get(f"/matches/{id_}", headers=tapped).status_code == 404


def test_whoever_has_signed_in_without_being_secretary_sees_none_of_it(house):
    first, second = person(house, "Annie"), person(house, "Anny")
    mine = phone(house, first)
    address = f"/clubs/{house.id}/members/{first}"
    for what in ("merge", f"merge?with={second}", f"part?with={second}", f"merge?with={new_id()}"):
        assert house.client.get(f"{address}/{what}", headers=mine).status_code == 403
    for what in ("merge", "part"):
        answer = house.client.post(f"{address}/{what}", data={"with": second}, headers={**mine, **FORM})
        assert answer.status_code == 403
