"""A connection to the database is cut at every kind of byte: the same key again, and it is in the log once."""

import os

import psycopg
import pytest
from litestar.testing import TestClient

from service.run.app import create_app
from service.run.database import Database
from tests.kit.faults.processes import until
from tests.kit.faults.relay import TO_CLIENT, TO_SERVER, Cut, relayed
from tests.kit.faults.scorers import BATCH

# the first message with the key appends: what comes back, 94 bytes or so, is the reply to the commit, and where a
# cut leaves the client without knowing; the repeat finds its own key there (the second message looks it up)
CUTS = [
    *((1, TO_SERVER, after) for after in (0, 1, 5, 101, 200, 301, 400)),
    *((1, TO_CLIENT, after) for after in (0, 1, 4, 5, 6, 15, 30, 45, 60, 71, 76, 81, 85, 88, 89, 90, 91, 92)),
]
FIRST = [(1, TO_SERVER, 0), (1, TO_SERVER, 301), (1, TO_CLIENT, 0), (1, TO_CLIENT, 15), (1, TO_CLIENT, 92)]


@pytest.fixture(scope="module")
def cut_off(database):
    """The application with a relay between it and its database."""
    with (
        relayed(database.url) as (relay, url),
        TestClient(create_app(Database(url, database.owner_url)), raise_server_exceptions=False) as client,
    ):
        yield relay, client


def keys_of(database, match):
    with psycopg.connect(database.url) as connection:
        rows = connection.execute(
            "select version, command_id, command_index from events where stream_id = %s order by version", [match]
        ).fetchall()
    assert [version for version, _, _ in rows] == list(range(1, len(rows) + 1))
    return [(key, index) for _, key, index in rows]


@pytest.mark.parametrize(
    ("message", "direction", "after"),
    [pytest.param(*cut, marks=() if cut in FIRST else pytest.mark.extended) for cut in CUTS],
)
def test_a_command_on_a_cut_connection_is_recorded_once_and_whole(cut_off, database, club, message, direction, after):
    relay, client = cut_off
    count = len(BATCH) if after % 2 else 1
    relay.arm(None)
    client.headers = {"Authorization": f"Bearer {club[1]['scorer']}"}
    body = {"game": "cross_purposes", "sides": [["Annie"], ["Benny"]]}
    match = client.post(f"/api/v1/clubs/{club[0]}/matches", json=body).json()["match"]["id"]
    client.post(f"/api/v1/matches/{match}/deals", json={"dealer": 0})
    key = f"cut-{os.urandom(6).hex()}"
    statuses = []

    def answered():
        answer = client.post(
            f"/api/v1/matches/{match}/facts", json={"facts": BATCH[:count]}, headers={"Idempotency-Key": key}
        )
        statuses.append(answer.status_code)
        return answer if answer.status_code != 503 else None

    relay.arm(Cut(key.encode(), message, direction, after))
    told = until(answered)
    assert relay.was_cut
    first, *between, last = statuses  # a busy machine may take more than one try to connect again
    assert (first, set(between) - {503}, last) == (503, set(), 201)
    assert told.json()["version"] == 2 + count
    assert [event["version"] for event in told.json()["events"]] == list(range(3, 3 + count))
    assert keys_of(database, match)[2:] == [(key, place) for place in range(count)]


@pytest.mark.parametrize(("message", "direction", "after"), [(1, TO_CLIENT, 5), (2, TO_SERVER, 100), (2, TO_CLIENT, 0)])
def test_a_match_whose_opening_was_cut_off_is_opened_once(cut_off, club, message, direction, after):
    relay, client = cut_off
    client.headers = {"Authorization": f"Bearer {club[1]['scorer']}"}
    key = f"cut-{os.urandom(6).hex()}"
    body = {"game": "cross_purposes", "sides": [["Annie"], ["Benny"]]}
    path = f"/api/v1/clubs/{club[0]}"
    relay.arm(Cut(key.encode(), message, direction, after))
    first = client.post(f"{path}/matches", json=body, headers={"Idempotency-Key": key})
    again = client.post(f"{path}/matches", json=body, headers={"Idempotency-Key": key})
    assert (first.status_code, again.status_code, relay.was_cut) == (503, 201, True)
    matches = client.get(f"{path}/matches").json()["items"]
    assert [match["id"] for match in matches] == [again.json()["match"]["id"]]
    assert [each["name"] for each in client.get(f"{path}/players").json()["items"]] == ["Annie", "Benny"]
