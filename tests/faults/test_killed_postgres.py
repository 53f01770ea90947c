"""kill -9 of Postgres, all of it, while the service runs: it says 503, starts it again, and loses nothing."""

import shutil
import subprocess
from contextlib import contextmanager, suppress

import fasteners
import psycopg
import pytest

from service.run.binaries import runner
from tests.kit.faults.listeners import followers, have_heard_everything, listening
from tests.kit.faults.processes import kill_all, postmasters_of, tell, until
from tests.kit.faults.scorers import RESULT, all_answers, append_elsewhere, batches, more, results, scoring
from tests.kit.faults.watchers import watching

LISTENING = "select count(*) from pg_stat_activity where query like 'listen %'"
END_LISTENING = "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'"


@contextmanager
def not_to_be_started(service):
    """While the block runs the service cannot start its server again: somebody else holds the lock."""
    with fasteners.InterProcessLock(str(service.data / "lock")):
        yield


def test_kill_9_of_postgres_loses_nothing_that_was_acknowledged(service, club_there):
    club = club_there
    common = club.open_match(service.url)
    own = [club.open_match(service.url, names) for names in (("Carla", "Dora"), ("Emil", "Fritz"))]
    works = [results(common), results(common), *map(batches, own)]
    with watching(service.url) as (live, _), listening(*followers(club, service.url, common)) as listeners:
        with scoring(club, [service.url], works) as scorers:
            for _ in range(3):
                more(club, 30)
                kill_all(service.postgres())
            more(club, 30)
        have_heard_everything(club, common, listeners)
    club.check()
    answers = all_answers(scorers)
    assert set(answers) <= {200, 201, 409, 503}, answers
    assert live.statuses() == {200}
    assert [listener.connections for listener in listeners] == [1, 1]
    tell(f"{club.acknowledged()} acknowledged; answers {dict(answers)}")


@pytest.mark.extended
def test_the_service_answers_503_while_postgres_is_down_and_recovers(service, club_there):
    club = club_there
    match = club.open_match(service.url)
    with watching(service.url) as (live, ready), club.client(service.url) as client:
        with not_to_be_started(service):
            kill_all(service.postgres())
            for headers in ({}, {"Accept": "text/event-stream"}):
                is_unavailable(client.get(f"/matches/{match}/events", headers=headers))
            is_unavailable(client.post(f"/matches/{match}/results", json=RESULT))
            until(lambda: 503 in ready.statuses())
        until(lambda: can_connect(club.database_url))
        until(lambda: ready.seen[-1][0] == 200)
        key = {"Idempotency-Key": "as soon as it is back"}
        until(lambda: client.post(f"/matches/{match}/results", json=RESULT, headers=key).status_code == 201)
    assert live.statuses() == {200}
    reasons = {said["reason"] for status, said in ready.seen if status == 503}
    assert reasons and all(reasons)


def can_connect(url):
    with suppress(psycopg.OperationalError), psycopg.connect(url, connect_timeout=2):
        return True


def is_unavailable(answer):
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
    assert int(answer.headers["retry-after"]) >= 1


@pytest.mark.extended
def test_a_start_that_fails_is_tried_again_until_it_succeeds(service):
    log = service.data / "postgres.log"
    tries = service.said().count("could not be started again")
    log.rename(log.with_suffix(".aside"))
    log.mkdir()
    kill_all(service.postgres())
    until(lambda: service.said().count("could not be started again") >= tries + 2)
    log.rmdir()
    service.ready()


@pytest.mark.extended
def test_the_service_listens_again_after_postgres_was_suspended(service, club_there):
    """It takes no connection and says nothing; the connection that listens is lost meanwhile."""
    club = club_there
    match = club.open_match(service.url)
    listeners = followers(club, service.url, match)
    with (
        listening(*listeners),
        watching(service.url) as (live, _),
        psycopg.connect(service.embedded().url("postgres"), autocommit=True) as superuser,
    ):
        (postmaster,) = postmasters_of(service.data)
        postmaster.suspend()
        try:
            seen = service.said().count("listening again")
            superuser.execute(END_LISTENING)
            until(lambda: service.said().count("listening again") > seen)
            before = len(live.seen)
            until(lambda: len(live.seen) > before + 40)
        finally:
            postmaster.resume()
        until(lambda: superuser.execute(LISTENING).fetchone() == (1,))
        append_elsewhere(club, match)
        have_heard_everything(club, match, listeners)
    assert live.statuses() == {200}


def limit_files(processes, size):
    """No file of these may grow beyond this size; only their own user may say so."""
    for process in processes:
        subprocess.run(["prlimit", "--pid", str(process.pid), f"--fsize={size}:"], check=False, **runner().options)


@pytest.mark.extended
@pytest.mark.skipif(shutil.which("prlimit") is None, reason="no prlimit on this machine")
def test_a_log_that_cannot_be_written_loses_nothing(service, club_there):
    """As on a full disk the server panics; it is started again, by itself or by the service."""
    club = club_there
    match, own = club.open_match(service.url), club.open_match(service.url, ("Carla", "Dora"))
    with scoring(club, [service.url], [results(match), results(match), batches(own)]) as scorers:
        more(club, 20)
        # not the postmaster: what it starts anew is free of the limit, or nothing would recover
        masters = {process.pid for process in postmasters_of(service.data)}
        writers = [process for process in service.postgres() if process.pid not in masters]
        limit_files(writers, 100_000)
        until(lambda: not {each.pid for each in writers} & {process.pid for process in service.postgres()})
        more(club, 20)
    club.check()
    answers = all_answers(scorers)
    assert set(answers) <= {200, 201, 409, 503}, answers
    tell(f"{club.acknowledged()} acknowledged; answers {dict(answers)}")
