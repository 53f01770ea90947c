"""Pages of webhooks and of people who are close: what is shown once, what is offered, what ends with a role."""

import re

import pytest

from service.store.credentials import of_cookie, of_token
from tests.kit.faults.processes import until
from tests.kit.service.asking import FORM, NOWHERE, House
from tests.kit.service.callers_cast import CallersCast


@pytest.fixture(scope="module")
def cast(client, database):
    with House(client, database) as house:
        cup = {"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}
        made = house.done(f"{house.path}/tournaments", cup, "owner")["tournament"]["id"]
        yield CallersCast(house, house.match(sides=[["Uma"], ["Vera"]]).rpartition("/")[2], made)


def sent(cast, kind, path, **form):
    headers = {**FORM, **cast.cookie(kind, None, None)}
    answer = cast.house.client.post(f"/clubs/{cast.house.id}{path}", data=form, headers=headers, follow_redirects=False)
    cast.house.client.cookies.clear()
    return answer


def shown(cast, kind, path):
    answer = cast.house.client.get(f"/clubs/{cast.house.id}{path}", headers=cast.cookie(kind, None, None))
    cast.house.client.cookies.clear()
    assert answer.status_code == 200
    return answer.text


def test_a_webhook_is_made_tried_and_deleted_on_its_pages(cast):
    made = sent(cast, "S", "/webhooks", url=NOWHERE, types="MatchOpened")
    secret = re.search(r"whsec_[\w+/=-]+", made.text)[0]
    assert (made.headers["cache-control"], "content-encoding" in made.headers) == ("no-store", False)
    hook = re.search(r"/webhooks/([0-9a-f-]{36})", made.text)[1]
    assert secret not in shown(cast, "S", "/webhooks") + shown(cast, "S", f"/webhooks/{hook}")
    assert sent(cast, "D", f"/webhooks/{hook}/test").status_code == 303
    assert "ping" in shown(cast, "D", f"/webhooks/{hook}")
    assert sent(cast, "D", f"/webhooks/{hook}/delete").status_code == 303
    assert "There is no webhook" in shown(cast, "D", "/webhooks")


@pytest.mark.parametrize(("url", "types"), [("ftp://example.org/x", ""), ("x", ""), (NOWHERE, "NoSuchEvent")])
def test_a_webhook_that_cannot_be_says_why_and_keeps_what_was_written(cast, url, types):
    answer = sent(cast, "D", "/webhooks", url=url, types=types)
    assert answer.status_code in (400, 422)
    assert 'role="alert"' in answer.text
    assert f'value="{url}"' in answer.text


def test_a_webhook_stops_when_its_makers_role_ends(cast):
    house = cast.house
    dirk = house.done(f"{house.path}/players", {"name": "Dirk"}, "owner")["id"]
    role = {"person": dirk, "role": "director"}
    house.done(f"{house.path}/roles", role, "owner")
    headers = {**FORM, **cast.signed_in(dirk)}
    answer = house.client.post(f"/clubs/{house.id}/webhooks", data={"url": NOWHERE}, headers=headers)
    house.client.cookies.clear()
    hook = re.search(r"/webhooks/([0-9a-f-]{36})", answer.text)[1]
    house.done(f"{house.path}/roles/revoke", role, "owner")
    path = f"{house.path}/webhooks/{hook}"
    assert "role has ended" in until(lambda: house.get(path, "owner").json()["disabled_because"])
    page = shown(cast, "S", f"/webhooks/{hook}")
    assert "Try again" in page
    assert sent(cast, "S", f"/webhooks/{hook}/enable", skip="1").status_code == 303
    assert house.get(path, "owner").json()["disabled_at"] is None


def test_declared_friends_cannot_withdraw_the_declaration_themselves(cast):
    director, carla = cast.people["D"], cast.people["q"]
    assert sent(cast, "D", "/friends", one=director, other=carla).status_code == 303
    page = shown(cast, "D", "/friends")
    assert "another director takes this back" in page
    assert "Take back" in shown(cast, "O", "/friends")
    version = cast.house.get(f"{cast.house.path}/friends", "director").json()["items"][0]["version"]
    assert sent(cast, "D", "/friends/end", version=version).status_code == 403
    assert sent(cast, "O", "/friends/end", version=version).status_code == 303
    assert sent(cast, "D", "/friends", one=director, other="").status_code == 400


def test_a_directors_token_shares_the_directors_conflicts_of_interest(cast):
    house = cast.house
    pair = {"one": cast.people["D"], "other": cast.people["q"]}
    house.done(f"{house.path}/friends", pair, "owner")
    body = {"role": "director", "name": "hers", "person": cast.people["D"]}
    own = house.done(f"{house.path}/tokens", body, "secretary")["token"]
    page = sent(cast, "S", "/tokens", role="director", name="desk")
    by_sue = re.search(r"lurch_[\w-]{43}", page.text)[0]
    doors = house.client.app.state.services.doors
    secret = cast.cookie("D", None, None)["Cookie"].partition("=")[2]
    for credential, near in (
        (of_cookie(secret), cast.people["q"]),
        (of_token(own), cast.people["q"]),
        (of_token(by_sue), cast.people["S"]),
    ):
        caller = house.client.blocking_portal.call(doors.by, credential)
        actors = [each for each in caller.actor().within(house.id).each() if each.role == "director"]
        assert [near in each.close for each in actors] == [True]
