"""Tokens by API and page: shown once, never more than the maker holds, and both a row and an event or neither."""

import json
import re

import pytest

from service.store import tokens
from tests.kit.service.asking import FORM, House
from tests.kit.service.callers_cast import CallersCast


@pytest.fixture(scope="module")
def cast(client, database):
    with House(client, database) as house:
        body = {
            "name": "Cup",
            "stages": [{"format": {"kind": "single"}, "game": "parity"}],
            "entries": [{"do": "enter", "players": [name]} for name in ("Uma", "Vera")],
        }
        cup = house.done(f"{house.path}/tournaments", body, "owner")["tournament"]["id"]
        pair = {"actions": [{"do": "pair_round"}]}
        rounds = house.done(f"/api/v1/tournaments/{cup}/actions", pair, "owner")["tournament"]["rounds"]
        yield CallersCast(house, rounds[0]["pairings"][0]["match"], cup)


@pytest.fixture
def house(cast):
    return cast.house


def made(house, by="secretary", **body):
    return house.done(f"{house.path}/tokens", {"name": "desk", "role": "scorer", **body}, by)


def of_kind(house, kind):
    lines = house.get(f"{house.path}/events", "owner").text.splitlines()
    return [each["data"] for each in map(json.loads, lines) if each["type"] == kind and each["data"]["token"]]


def rows(house):
    return house.log.execute("select count(*) from tokens where club_id = %s", [house.id]).fetchone()[0]


def works(house, token):
    return house.get(house.path, token).status_code == 200


def paged(client, cookie, path, **form):
    answer = client.post(path, data=form, headers={**FORM, **cookie}, follow_redirects=False)
    client.cookies.clear()
    return answer


def test_a_token_is_made_shown_once_listed_and_revoked(house):
    token = made(house)
    assert token["token"].startswith("lurch_")
    assert works(house, token["token"])
    assert of_kind(house, "RoleGranted")[-1]["token"] == token["id"]
    listed = house.get(f"{house.path}/tokens", "secretary")
    assert token["token"] not in listed.text
    row = next(each for each in listed.json()["items"] if each["id"] == token["id"])
    assert (row["role"], row["name"], row["revoked_at"]) == ("scorer", "desk", None)
    ended = house.done(f"{house.path}/tokens/{token['id']}/revoke", {}, "secretary")
    assert ended["revoked_at"] is not None
    assert of_kind(house, "RoleRevoked")[-1]["token"] == token["id"]
    house.refused("GET", house.path, None, 401, "unauthorised", token["token"])


def test_the_answer_with_a_secret_is_kept_by_nobody_and_not_compressed(client, house, cast):
    answer = house.post(f"{house.path}/tokens", {"role": "scorer", "name": "desk"}, "secretary")
    cookie = cast.cookie("S", None, None)
    page = paged(client, cookie, f"/clubs/{house.id}/tokens", role="scorer", name="hall")
    for each in (answer, page):
        assert each.headers["cache-control"] == "no-store"
        assert "content-encoding" not in each.headers
    secret = re.search(r"lurch_[\w-]{43}", page.text)[0]
    assert works(house, secret)
    assert secret not in client.get(f"/clubs/{house.id}/tokens", headers=cookie).text


def test_the_same_request_again_is_refused_and_leaves_nothing(house):
    body, key = {"role": "scorer", "name": "desk"}, {"Idempotency-Key": "tonight"}
    assert house.post(f"{house.path}/tokens", body, "secretary", **key).status_code == 201
    before = rows(house)
    problem = house.refused("POST", f"{house.path}/tokens", body, 409, "misfit", "secretary", key)
    assert "shown once" in problem["detail"]
    assert rows(house) == before


def test_what_is_refused_leaves_no_row_and_no_event(house, cast):
    before = rows(house)
    refused = [
        ({"role": "owner"}, "secretary", 403, "forbidden"),
        ({"role": "scorer"}, "director", 403, "forbidden"),
        ({"role": "player"}, "secretary", 400, "malformed"),
        ({"role": "deputy"}, "secretary", 400, "malformed"),
        ({"role": "director", "tournament": cast.tournament}, "secretary", 400, "malformed"),
        ({"role": "director", "person": cast.people["q"]}, "secretary", 403, "forbidden"),
        ({"role": "owner", "person": cast.people["S"]}, "owner", 403, "forbidden"),
    ]
    for body, by, status, slug in refused:
        house.refused("POST", f"{house.path}/tokens", {"name": "x", **body}, status, slug, by)
    assert rows(house) == before


@pytest.mark.parametrize("left", ["row", "event"])
def test_of_what_was_done_by_half_nothing_is_good(house, left):
    token = made(house)
    if left == "row":
        secret = tokens.new_secret()
        house.log.execute(
            "insert into tokens (id, club_id, hash, name, role, created_at, recorded)"
            " values (gen_random_uuid(), %s, %s, 'half', 'director', now(), true)",
            [house.id, tokens.digest(secret)],
        )
    else:
        secret = token["token"]
        house.done(f"{house.path}/tokens/{token['id']}/revoke", {}, "secretary")
        house.log.execute("update tokens set revoked_at = null where id = %s", [token["id"]])
    assert not works(house, secret)
    assert house.get("/api/v1/me", secret).json()["roles"] == []
    listed = house.get(f"{house.path}/tokens", "secretary").json()["items"]
    assert not [each for each in listed if each["name"] == "half"]


def test_a_token_ends_with_the_role_of_who_made_it(client, house, cast):
    sue = house.done(f"{house.path}/players", {"name": "Sue"}, "owner")["id"]
    role = {"person": sue, "role": "secretary"}
    house.done(f"{house.path}/roles", role, "owner")
    page = paged(client, cast.signed_in(sue), f"/clubs/{house.id}/tokens", role="director", name="hers")
    secret = re.search(r"lurch_[\w-]{43}", page.text)[0]
    for path, good in (("/roles/revoke", False), ("/roles", True)):
        house.done(f"{house.path}{path}", role, "owner")
        assert works(house, secret) is good


def test_a_token_that_acts_for_a_person_ends_with_the_persons_role(house):
    dee = house.done(f"{house.path}/players", {"name": "Dee"}, "owner")["id"]
    role = {"person": dee, "role": "director"}
    house.done(f"{house.path}/roles", role, "owner")
    token = made(house, role="director", person=dee)["token"]
    assert house.get("/api/v1/me", token).json()["roles"][0]["person"] == dee
    house.done(f"{house.path}/roles/revoke", role, "owner")
    assert not works(house, token)


def test_a_token_ends_with_the_token_that_made_it(house):
    first = made(house, "owner", role="secretary", name="first")
    second = made(house, first["token"], role="secretary", name="second")
    third = made(house, second["token"], name="third")
    assert (second["made_with"], third["made_with"]) == (first["id"], second["id"])
    house.done(f"{house.path}/tokens/{first['id']}/revoke", {}, "owner")
    assert [works(house, each["token"]) for each in (first, second, third)] == [False] * 3
    assert (
        len({each["token"] for each in of_kind(house, "RoleRevoked")} & {first["id"], second["id"], third["id"]}) == 3
    )


def test_a_token_for_a_tournament_or_a_table_reaches_no_further(house, cast):
    deputy = made(house, role="deputy", tournament=cast.tournament)["token"]
    scorer = made(house, role="scorer", match=cast.match)
    assert (scorer["match"], scorer["tournament"]) == (cast.match, cast.tournament)
    other = house.match(sides=[["Nils"], ["Olga"]])
    for token in (deputy, scorer["token"]):
        house.done(f"/api/v1/matches/{cast.match}/facts", {"facts": [_turn(house, cast.match)]}, token)
        house.refused("POST", f"{other}/deals", {}, 403, "forbidden", token)
        house.refused("POST", f"{house.path}/matches", NEW, 403, "forbidden", token)
        house.refused("POST", f"{house.path}/tournaments", CUP, 403, "forbidden", token)


NEW = {"game": "parity", "sides": [["Nils"], ["Olga"]]}
CUP = {"name": "Other", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}


def _turn(house, match):
    """A fact that fits, at a deal that is begun for it."""
    house.done(f"/api/v1/matches/{match}/void-deal", {}, "owner") if _on(house, match) else None
    house.done(f"/api/v1/matches/{match}/deals", {"dealer": 0}, "owner")
    return {"seat": 1, "do": "trump", "suit": "H"}


def _on(house, match):
    deals = house.get(f"/api/v1/matches/{match}", "owner").json()["deals"]
    return bool(deals) and not deals[-1]["complete"]
