"""Two services over one database: one of two racers wins, nothing is half there, each sees what the other wrote."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.kit.faults.listeners import followers, have_heard_everything, listening
from tests.kit.faults.processes import Serving, postmasters_of, tell, until
from tests.kit.faults.scorers import BATCH, RESULT, all_answers, batches, more, results, scoring

pytestmark = pytest.mark.extended


@pytest.fixture(scope="module")
def second(one_service):
    service = Serving(one_service.data)
    yield service
    service.end()


@pytest.fixture
def both(service, second):
    """Two services on one data directory: the first has started the server, the second attached to it."""
    if not second.runs():
        second.start()
    return service, second.ready()


@pytest.fixture
def club(both, club_there):
    return club_there


def at_once(clients, path, body, **headers):
    """The same request through both services at one moment; the answers."""
    start = threading.Barrier(2)

    def one(client):
        start.wait()
        return client.post(path, json=body, headers=headers)

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, clients))


@pytest.fixture
def clients(both, club):
    with club.client(both[0].url) as first, club.client(both[1].url) as second:
        yield first, second


def test_one_of_two_writers_on_one_version_loses_the_race(both, club, clients):
    match = club.open_match(both[0].url)
    for version in range(1, 21, 2):
        answers = at_once(clients, f"/matches/{match}/deals", {"expected_version": version})
        won, lost = sorted(answers, key=lambda answer: answer.status_code)
        assert (won.status_code, won.json()["version"]) == (201, version + 1)
        assert (lost.status_code, lost.json()["type"]) == (409, "/problems/lost-race")
        assert lost.json()["current_version"] == version + 1
        assert clients[0].post(f"/matches/{match}/void-deal", json={}).status_code == 201
    assert [row.index for row in club.rows() if row.stream == match] == [0] * 21


def test_one_of_two_equal_results_is_recorded(both, club, clients):
    match = club.open_match(both[0].url)
    for version in range(1, 21, 2):
        answers = at_once(clients, f"/matches/{match}/results", {**RESULT, "expected_version": version})
        assert sorted(answer.status_code for answer in answers) == [200, 201]
        assert {answer.json()["match"]["version"] for answer in answers} == {version + 2}
    assert [row.index for row in club.rows() if row.stream == match] == [0, *[0, 1] * 10]


def test_one_key_sent_to_both_services_is_recorded_once(both, club, clients):
    match = club.open_match(both[0].url)
    for number in range(20):
        by_turns = clients[number % 2]
        assert by_turns.post(f"/matches/{match}/deals", json={"dealer": 0}).status_code == 201
        key = {"Idempotency-Key": f"both-{number}"}
        answers = at_once(clients, f"/matches/{match}/facts", {"facts": BATCH}, **key)
        assert [answer.status_code for answer in answers] == [201, 201]
        assert answers[0].json()["events"] == answers[1].json()["events"]
        assert by_turns.post(f"/matches/{match}/void-deal", json={}).status_code == 201
    rows = [row for row in club.rows() if row.key.startswith("both-")]
    assert len(rows) == 20 * len(BATCH)


def test_followers_of_one_service_see_appends_of_the_other(both, club):
    first, second = both
    match = club.open_match(first.url)
    own = [club.open_match(first.url, names) for names in (("Carla", "Dora"), ("Emil", "Fritz"))]
    works = [results(match), results(match), *map(batches, own)]
    with listening(*(each for s in both for each in followers(club, s.url, match))) as listeners:
        with scoring(club, [first.url, second.url], works) as scorers:
            more(club, 80)
        have_heard_everything(club, match, listeners)
    club.check()
    assert {listener.connections for listener in listeners} == {1}
    tell(f"{club.acknowledged()} acknowledged; answers {dict(all_answers(scorers))}")


def test_the_other_service_starts_postgres_after_the_first_ends(both, club):
    first, second = both
    match = club.open_match(first.url)
    own = club.open_match(first.url, ("Carla", "Dora"))
    assert second.process.pid not in {each.ppid() for each in postmasters_of(first.data)}
    works = [results(match), results(match), batches(own)]
    with scoring(club, [first.url, second.url], works) as scorers:
        more(club, 20)
        first.kill()
        # not what the old server still took
        until(lambda: [each.ppid() for each in postmasters_of(first.data)] == [second.process.pid])
        more(club, 20)
        (postmaster,) = postmasters_of(first.data)
        assert postmaster.ppid() == second.process.pid
        first.start().ready()
        second.stop()
        more(club, 20)
        (postmaster,) = postmasters_of(first.data)
        assert postmaster.ppid() == first.process.pid
    club.check()
    tell(f"{club.acknowledged()} acknowledged; answers {dict(all_answers(scorers))}")
