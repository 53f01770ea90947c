"""Webhooks over HTTP: made by who directs the club, the secret shown once, their fortunes visible."""

import pytest

from service.run.settings import load
from service.store import webhooks as rows
from tests.kit.service.asking import NOWHERE, House
from tests.kit.service.receivers import receiving


@pytest.fixture
def house(client, database):
    with House(client, database) as found:
        yield found


@pytest.fixture
def receiver():
    with receiving() as found:
        yield found


def hooks(house):
    return f"{house.path}/webhooks"


def listed(house):
    return house.get(hooks(house), "director").json()["items"]


def test_the_secret_is_in_the_first_answer_and_in_no_other(house):
    answer = house.post(hooks(house), {"url": NOWHERE, "types": ["ResultEntered"]}, "director")
    made = answer.json()
    path = answer.headers["location"]
    assert path == f"{hooks(house)}/{made['id']}"
    assert made["secret"].startswith("whsec_")
    assert (made["position"], made["head"], made["types"]) == (house.position(), house.position(), ["ResultEntered"])
    others = [house.get(hooks(house), "owner"), house.get(path, "owner"), house.post(f"{path}/enable", {}, "owner")]
    others += [house.post(f"{path}/test", {}, "owner"), house.ask("DELETE", path, role="owner")]
    assert [other.status_code for other in others] == [200, 200, 201, 201, 200]
    assert all(made["secret"] not in other.text for other in others)


def test_a_repeat_makes_no_second_webhook_and_another_body_is_refused(house):
    key = {"Idempotency-Key": "once"}
    first = house.post(hooks(house), {"url": NOWHERE}, "owner", **key)
    again = house.post(hooks(house), {"url": NOWHERE}, "owner", **key)
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert len(listed(house)) == 1
    house.refused("POST", hooks(house), {"url": f"{NOWHERE}2"}, 422, "key-reused", "owner", key)
    house.post(f"{house.path}/players", {"name": "Nora"}, "owner", **{"Idempotency-Key": "a player"})
    house.refused("POST", hooks(house), {"url": NOWHERE}, 422, "key-reused", "owner", {"Idempotency-Key": "a player"})


@pytest.mark.parametrize(
    ("body", "status", "slug"),
    [
        ({"url": "ftp://club.example/"}, 400, "malformed"),
        ({"url": "http://club.example/a b"}, 400, "malformed"),
        ({"url": "http://club.example/\n"}, 400, "malformed"),
        ({"url": "http://user:word@club.example/"}, 400, "malformed"),
        ({"url": "http://169.254.169.254/latest/meta-data"}, 400, "malformed"),
        ({"url": "http://0.0.0.0/"}, 400, "malformed"),
        ({"url": "http://club.example/" + "a" * 500}, 400, "malformed"),
        ({"url": NOWHERE, "types": []}, 400, "malformed"),
        ({"url": NOWHERE, "types": ["CardEaten"]}, 422, "unknown-option"),
        ({"url": NOWHERE, "secret": "mine"}, 400, "malformed"),
        ({}, 400, "malformed"),
    ],
)
def test_what_cannot_be_meant_is_refused(house, body, status, slug):
    house.refused("POST", hooks(house), body, status, slug, "owner")
    assert listed(house) == []


def test_a_type_that_is_nearly_right_is_told_what_is_right(house):
    said = house.refused(
        "POST", hooks(house), {"url": NOWHERE, "types": ["ResultsEntered"]}, 422, "unknown-option", "owner"
    )
    assert "ResultEntered" in said["detail"]


def test_an_eleventh_webhook_is_one_too_many(house):
    for _ in range(rows.MOST):
        house.done(hooks(house), {"url": NOWHERE}, "owner")
    assert "10 webhooks" in house.refused("POST", hooks(house), {"url": NOWHERE}, 409, "misfit", "owner")["detail"]
    house.ask("DELETE", f"{hooks(house)}/{listed(house)[0]['id']}", role="owner")
    house.done(hooks(house), {"url": NOWHERE}, "owner")


def test_players_and_tokens_of_a_match_cannot_use_webhooks(house):
    match = house.match().rpartition("/")[2]
    bound = house.token("director", match=match)
    for token in ("player", "scorer", "spectator", bound):
        house.refused("GET", hooks(house), None, 403, "forbidden", token)
        house.refused("POST", hooks(house), {"url": NOWHERE}, 403, "forbidden", token)


def test_a_ping_is_sent_at_once_signed_and_listed(house, receiver):
    made = house.done(hooks(house), {"url": receiver.url}, "owner")
    path = f"{hooks(house)}/{made['id']}"
    receiver.answers = [204, 500]
    good, bad = (house.done(f"{path}/test", {}, "director") for _ in range(2))
    assert (good["status"], good["error"], good["events"]) == (204, None, 0)
    assert (bad["status"], bad["error"]) == (500, "answered 500")
    assert [each.id for each in receiver.got] == [good["id"], bad["id"]]
    assert receiver.got[0].body == b'{"club":"%s","events":[],"ping":true}' % house.id.encode()
    seen = house.get(path, "owner").json()
    assert [each["id"] for each in seen["attempts"]] == [bad["id"], good["id"]]
    assert (seen["failures"], seen["disabled_at"]) == (0, None), "a ping changes nothing"


def test_what_is_deleted_is_gone_for_every_request(house):
    path = f"{hooks(house)}/{house.done(hooks(house), {'url': NOWHERE}, 'owner')['id']}"
    assert house.ask("DELETE", path, role="owner").json() == {"id": path.rpartition("/")[2]}
    for method, what in (("GET", ""), ("DELETE", ""), ("POST", "/test"), ("POST", "/enable")):
        house.refused(method, f"{path}{what}", {} if method == "POST" else None, 404, "not-found", "owner")


def test_a_webhook_of_another_club_is_not_there(house, client, database):
    with House(client, database) as other:
        theirs = other.done(hooks(other), {"url": NOWHERE}, "owner")["id"]
    house.refused("GET", f"{hooks(house)}/{theirs}", None, 404, "not-found", "owner")
    house.refused("DELETE", f"{hooks(house)}/{theirs}", None, 404, "not-found", "owner")


def test_the_service_may_be_told_that_the_clubs_own_network_is_meant():
    assert load({"LURCH_WEBHOOK_PRIVATE": "1"}).webhook_private
    assert not load({}).webhook_private
