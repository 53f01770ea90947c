"""A Postgres that lives and does not answer: all are told in time, and it is replaced, never beside the old one."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import httpx
import psutil
import pytest

from tests.faults.test_killed_postgres import is_unavailable, not_to_be_started
from tests.kit.faults.listeners import followers, have_heard_everything, listening
from tests.kit.faults.processes import postmasters_of, until
from tests.kit.faults.scorers import RESULT, append_elsewhere, more, results, scoring
from tests.kit.faults.watchers import watching

pytestmark = pytest.mark.extended

CLIENT_SECONDS = 60  # the service answers long before


@contextmanager
def deaf(service):
    """Every process of the server is stopped, one too that began meanwhile; those that are still there at the end go
    on."""
    stopped = []
    while fresh := [process for process in service.postgres() if process not in stopped]:
        for process in fresh:
            with suppress(psutil.NoSuchProcess):  # one that has ended since it was seen
                process.suspend()
        stopped += fresh
    try:
        yield stopped
    finally:
        for process in stopped:
            with suppress(psutil.NoSuchProcess):
                process.resume()


@pytest.fixture(autouse=True)
def no_ends_before(service):
    """What the tests before did to this server is not held against it."""
    (service.data / "ended").unlink(missing_ok=True)


def test_every_request_to_an_unresponsive_server_is_answered_503(service, club_there):
    club = club_there
    match = club.open_match(service.url)
    asked = {
        "read": ("GET", f"/api/v1/matches/{match}", {}),
        "stream": ("GET", f"/api/v1/matches/{match}/events", {"Accept": "text/event-stream"}),
        "page": ("GET", f"/clubs/{club.id}", {"Accept": "text/html"}),
        "ready": ("GET", "/health/ready", {}),
    } | {f"write {number}": ("POST", f"/api/v1/matches/{match}/results", {}) for number in range(20)}

    def ask(method, path, headers):
        headers = headers | {"Authorization": f"Bearer {club.token}"}
        return httpx.request(
            method,
            service.url + path,
            json=RESULT if method == "POST" else None,
            headers=headers,
            timeout=CLIENT_SECONDS,
        )

    with not_to_be_started(service), deaf(service), ThreadPoolExecutor(len(asked)) as pool:
        answers = dict(zip(asked, pool.map(lambda each: ask(*each), asked.values()), strict=True))
        alive = ask("GET", "/health/live", {})
    assert alive.status_code == 200
    assert {answer.status_code for answer in answers.values()} == {503}
    page = answers.pop("page")
    assert page.headers["content-type"].startswith("text/html") and page.headers["retry-after"] == "1"
    assert answers.pop("ready").json()["reason"]
    for answer in answers.values():
        is_unavailable(answer)
    service.ready()


def test_the_same_key_tells_whether_an_unanswered_write_was_kept(service, club_there):
    club = club_there
    match = club.open_match(service.url)
    key = {"Idempotency-Key": "was it kept?"}
    with club.client(service.url) as client:
        with not_to_be_started(service):
            assert client.get(f"/matches/{match}").status_code == 200  # so that a connection is fresh
            with deaf(service):
                answer = client.post(f"/matches/{match}/results", json=RESULT, headers=key)
                is_unavailable(answer)
                assert "may have been kept" in answer.json()["detail"]
                assert "same Idempotency-Key" in answer.json()["detail"]
                unkeyed = client.post(f"/matches/{match}/results", json=RESULT).json()["detail"]
                assert "may have been kept" in unkeyed and "Look before" in unkeyed
                assert "kept" not in client.get(f"/matches/{match}").json()["detail"]
            service.ready()
        again = [client.post(f"/matches/{match}/results", json=RESULT, headers=key) for _ in range(2)]
        assert [answer.status_code for answer in again] == [201, 201]
        assert again[0].json()["events"] == again[1].json()["events"]
    assert sum(row.key == "was it kept?" for row in club.rows()) == len(again[0].json()["events"])


class Witness(threading.Thread):
    """Looks at the processes of a data directory all the time; keeps the postmasters it saw beside each other."""

    def __init__(self, service, old):
        super().__init__()
        self.service, self.old = service, {process.pid for process in old}
        self.leave = threading.Event()
        self.beside, self.new = [], set()

    def run(self):
        while not self.leave.wait(0.01):
            there = {process.pid for process in self.service.postgres()}
            if (there & self.old) and (there - self.old):
                self.beside.append(there)
            self.new |= there - self.old


@contextmanager
def witnessed(service, old):
    witness = Witness(service, old)
    witness.start()
    try:
        yield witness
    finally:
        witness.leave.set()
        witness.join()


def test_an_unresponsive_server_is_replaced_and_nothing_is_lost(service, club_there):
    club = club_there
    match = club.open_match(service.url)
    listeners = followers(club, service.url, match)
    with watching(service.url) as (live, ready), listening(*listeners):
        with scoring(club, [service.url], [results(match), results(match)]):
            more(club, 10)
            with deaf(service) as old, witnessed(service, old) as witness:
                until(lambda: witness.new and ready.seen[-1][0] == 200)
            more(club, 10, 60)
        club.check()
        append_elsewhere(club, match)
        have_heard_everything(club, match, listeners)
    assert witness.beside == []
    assert not {process.pid for process in old} & {process.pid for process in service.postgres()}
    assert len(postmasters_of(service.data)) == 1
    assert live.statuses() == {200}
