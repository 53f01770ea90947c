"""The API as its clients use it."""

import json

import pytest

DEAL_RESULT = {"entry": {"phases": [[6, 7], [8, 5]]}}


def bearer(club, role="scorer"):
    return {"Authorization": f"Bearer {club[1][role]}"}


def opened(client, club, **more):
    body = {"game": "cross_purposes", "sides": [["Annie"], ["Benny"]], **more}
    answer = client.post(f"/api/v1/clubs/{club[0]}/matches", json=body, headers=bearer(club))
    assert answer.status_code == 201, answer.text
    return answer.json()["match"]


def post(client, club, match, what, body, role="scorer", **headers):
    return client.post(f"/api/v1/matches/{match['id']}/{what}", json=body, headers={**bearer(club, role), **headers})


def test_a_result_is_scored_and_stands_in_the_list(client, club):
    match = opened(client, club)
    answer = post(client, club, match, "results", DEAL_RESULT)
    assert answer.status_code == 201
    assert answer.json()["match"]["totals"] == [56, 40]
    assert answer.headers["location"].endswith(match["id"])
    rows = client.get(f"/api/v1/clubs/{club[0]}/matches", headers=bearer(club)).json()["items"]
    assert [row["totals"] for row in rows] == [[56, 40]]
    assert [side["names"] for side in rows[0]["sides"]] == [["Annie"], ["Benny"]]


def test_facts_are_recorded_all_or_none(client, club):
    match = opened(client, club)
    post(client, club, match, "deals", {"dealer": 0})
    facts = [{"seat": 1, "do": "declare", "dim": "trump", "value": "S"}, {"seat": 1, "do": "play", "card": "SA"}]
    refused = post(client, club, match, "facts", {"facts": facts})
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/misfit")
    assert refused.json()["errors"][0]["path"] == "facts[1]"
    seen = client.get(f"/api/v1/matches/{match['id']}", headers=bearer(club)).json()
    assert seen["version"] == 2


def test_the_wrong_expected_version_is_told_the_current_one(client, club):
    match = opened(client, club)
    answer = post(client, club, match, "results", {**DEAL_RESULT, "expected_version": 9})
    assert (answer.status_code, answer.json()["current_version"]) == (409, 1)


def test_a_repeat_with_one_key_is_answered_and_recorded_once(client, club):
    match = opened(client, club)
    key = {"Idempotency-Key": "tonight-1"}
    first = post(client, club, match, "results", DEAL_RESULT, **key)
    again = post(client, club, match, "results", DEAL_RESULT, **key)
    assert (again.status_code, again.json()["version"]) == (201, first.json()["version"])
    other = post(client, club, match, "results", {"entry": {"phases": [[1], [1]]}}, **key)
    assert (other.status_code, other.json()["type"]) == (422, "/problems/key-reused")


def test_roles_are_kept(client, club):
    match = opened(client, club)
    path = f"/api/v1/matches/{match['id']}"
    assert client.get(path).status_code == 404
    assert client.get(path, headers=bearer(club, "spectator")).status_code == 200
    assert post(client, club, match, "results", DEAL_RESULT, role="player").status_code == 403
    assert client.get(path, headers={"Authorization": "Bearer nonsense"}).status_code == 401


@pytest.mark.parametrize(
    ("body", "status", "slug"),
    [
        (b"{", 400, "malformed"),
        (b'{"entry": {}, "more": 1}', 400, "malformed"),
        (b"[" * 60_000, 400, "malformed"),
        (b'{"entry": {"phases": [[7, 7], [6, 7]]}}', 400, "malformed"),
        (b'{"entry": {}, "expected_version": 99999999999}', 400, "malformed"),
        (b'{"entry": "\xff"}', 400, "malformed"),
        (b" " * 65_537, 413, "too-large"),
    ],
)
def test_bad_bodies_get_an_answer(client, club, body, status, slug):
    match = opened(client, club)
    headers = {**bearer(club), "Content-Type": "application/json"}
    answer = client.post(f"/api/v1/matches/{match['id']}/results", content=body, headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{slug}")
    assert answer.headers["content-type"].startswith("application/problem+json")


def test_an_unknown_game_or_option_is_named(client, club):
    for body in ({"game": "bridge"}, {"game": "parity", "options": {"variant": "two"}}):
        answer = client.post(
            f"/api/v1/clubs/{club[0]}/matches", json={**body, "sides": [["A"], ["B"]]}, headers=bearer(club)
        )
        assert (answer.status_code, answer.json()["type"]) == (422, "/problems/unknown-option")


def test_nul_and_line_breaks_in_a_name_are_refused(client, club):
    for name in ("a\x00b", "a\nb", "a\u2028b", "a\n"):
        body = {"game": "parity", "sides": [[name], ["B"]]}
        answer = client.post(f"/api/v1/clubs/{club[0]}/matches", json=body, headers=bearer(club))
        assert answer.status_code == 400


def test_a_hidden_hand_never_leaves_for_a_spectator(client, club):
    match = opened(client, club)
    suit = [rank + letter for letter in "SHDC" for rank in "AKQJT98765432"]
    deal = {"phase1": [suit[:13], suit[13:26]], "phase2": [suit[26:39], suit[39:]]}
    answer = post(client, club, match, "deals", {"dealer": 0, "deal": deal})
    assert answer.json()["table"]["hands"][0] is not None
    reader = bearer(club, "spectator")
    seen = client.get(f"/api/v1/matches/{match['id']}", headers=reader).json()["table"]
    assert (seen["hands"], seen["legal"]) == ([None, None], None)
    lines = client.get(f"/api/v1/matches/{match['id']}/events", headers=reader).text.splitlines()
    begun = json.loads(lines[1])
    assert (begun["data"]["deal"], begun["hidden"]) == (None, ["data.deal"])
    assert "hash" not in begun


def test_undo_correct_and_read_back_as_of_any_moment(client, club):
    match = opened(client, club)
    post(client, club, match, "results", DEAL_RESULT)
    body = {"version": 3, "now": {"phases": [[6, 7], [7, 6]]}, "reason": "misread"}
    assert post(client, club, match, "corrections", body).json()["match"]["totals"] == [49, 48]
    path = f"/api/v1/matches/{match['id']}"
    assert client.get(f"{path}?as_of=3", headers=bearer(club)).json()["totals"] == [56, 40]
    assert client.get(f"{path}?as_of=soon", headers=bearer(club)).status_code == 400
    assert post(client, club, match, "undo", {}).json()["match"]["totals"] == [0, 0]
    for name in ("tricks", "cross_points", "lurch", "scoreboard", "timeline"):
        assert client.get(f"{path}/projections/{name}?as_of=3", headers=bearer(club)).json()["version"] == 3


def test_the_open_doors_are_open(client):
    for path in ("/", "/games", "/games/parity", "/docs", "/docs/openapi.json", "/health/live", "/health/ready"):
        assert client.get(path).status_code == 200
    assert client.get("/problems/misfit").status_code == 200
    assert client.get("/games/bridge").status_code == 404
    assert {game["key"] for game in client.get("/api/v1/games").json()} >= {"parity", "cross_game"}
