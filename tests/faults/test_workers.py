"""Several workers behind one port: each hears what the others did, and none is missed when it is killed or sleeps."""

import re
import socket
import subprocess
import sys
from types import SimpleNamespace

import httpx
import psutil
import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.processors import TURN
from service.run.database import Database
from service.run.leasing import FOLLOWING
from service.store import tokens
from tests.conftest import with_pool
from tests.kit.faults.listeners import followers, have_heard_everything, listening
from tests.kit.faults.processes import ROOT, data_directory, kill_all, late_end, tell, until
from tests.kit.faults.scorers import RESULT, Club, all_answers, append_elsewhere, batches, more, results, scoring
from tests.kit.faults.workers import Several
from tests.kit.phones import link_for
from tests.kit.service.asking import FORM
from tests.kit.service.people import Phone
from tests.kit.service.turns import turn_of

pytestmark = pytest.mark.extended

REPLACED = "a worker has ended and is replaced"
HURRIED = """
import sys
from service.cli import main
from service.run import workers
workers.START_SECONDS = 0.2
sys.argv = ["lurch", "serve", "--workers", "2"]
main()
"""
CHECKPOINT = "select min(position) from checkpoints where club_id = %s and version > 0 and projection <> 'steward'"


@pytest.fixture(scope="module")
def one():
    with data_directory() as data:
        service = Several(data)
        yield service
        service.end()


@pytest.fixture
def service(one):
    """A service whose workers all answer; one of which a worker has ended is stopped after the test, so that the
    deaths of one test are none of the next one's."""
    if not one.runs():
        one.start()
    one.ready().all_answer()
    before = one.said().count(REPLACED)
    yield one
    if one.said().count(REPLACED) != before:
        one.end()


@pytest.fixture
def club(service):
    return Club(service.embedded().url("lurch_app"))


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def kept_up_to(service, club):
    """The position up to which the club's lists are kept, without asking for them; 0 before there are any."""
    with psycopg.connect(service.embedded().url("lurch_app")) as connection:
        return connection.execute(CHECKPOINT, [club.id]).fetchone()[0] or 0


def is_taken(service):
    """Tells whether the port takes a caller."""
    try:
        socket.create_connection(("127.0.0.1", service.port), timeout=1).close()
    except OSError:
        return False
    return True


def test_each_worker_keeps_a_processor_for_a_while(service):
    if turn_of(0) is None:
        pytest.skip("this kernel gives every process the same turn")
    assert {turn_of(each.pid) for each in service.workers()} == {TURN}


def test_what_one_worker_wrote_the_other_shows_at_once(service, club):
    first, second = service.workers()
    with service.client_of(first, headers=bearer(club.token)) as scorer:
        match = club.open_match(service.url)
        assert scorer.post(f"/api/v1/matches/{match}/results", json=RESULT).status_code == 201
        with service.client_of(second, headers=bearer(club.token)) as reader:
            listed = reader.get(f"/api/v1/clubs/{club.id}/matches").json()["items"]
            assert [(each["id"], each["version"]) for each in listed] == [(match, 3)]
            assert reader.get(f"/api/v1/matches/{match}").json()["version"] == 3


@pytest.fixture
def owner(club):
    """The header of an owner's token."""
    return bearer(with_pool(database_of(club), lambda pool: tokens.create_token(pool, club.id, "owner", "desk")))


@pytest.fixture
def both(service):
    """A client of each worker."""
    first, second = service.workers()
    with service.client_of(first) as one, service.client_of(second) as other:
        yield one, other


def database_of(club):
    return Database(club.database_url, club.database_url)


def created(answer):
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_token_revoked_at_one_worker_ends_at_the_other(club, both, owner):
    first, second = both
    path = f"/api/v1/clubs/{club.id}/tokens"
    made = first.post(path, json={"role": "scorer", "name": "a phone"}, headers=owner).json()
    given = bearer(made["token"])
    assert second.get("/api/v1/me", headers=given).json()["role"] == "scorer"
    assert first.post(f"{path}/{made['id']}/revoke", json={}, headers=owner).is_success
    until(lambda: second.get("/api/v1/me", headers=given).status_code == 401)


def test_a_role_revoked_at_one_worker_ends_at_the_other(club, both, owner):
    first, second = both
    path, page = f"/api/v1/clubs/{club.id}", f"/clubs/{club.id}/friends"  # for directors only
    person = created(first.post(f"{path}/players", json={"name": "Nora"}, headers=owner))["id"]
    role = {"person": person, "role": "director"}
    phone = Phone(SimpleNamespace(id=club.id, database=database_of(club)), person).header
    created(first.post(f"{path}/roles", json=role, headers=owner))
    until(lambda: second.get(page, headers=phone).status_code == 200)
    created(first.post(f"{path}/roles/revoke", json=role, headers=owner))
    until(lambda: second.get(page, headers=phone).status_code == 403)


def test_a_sign_out_at_one_worker_holds_at_the_other(club, both):
    first, second = both
    link = link_for(database_of(club), "Nora", club=club.id)
    entered = first.post("/sign-in", data={"link": link}, headers=FORM)
    cookie = {"Cookie": entered.headers["set-cookie"].partition(";")[0]}
    first.cookies.clear()
    assert second.get(f"/clubs/{club.id}", headers=cookie).status_code == 200
    assert first.post("/sign-out", headers={**FORM, **cookie}).status_code == 303
    until(lambda: second.get(f"/clubs/{club.id}", headers=cookie).status_code != 200)


def test_followers_at_both_workers_hear_of_what_either_wrote(service, club):
    match = club.open_match(service.url)
    with listening(*followers(club, service.url, match), *followers(club, service.url, match)) as listeners:
        with scoring(club, [service.url], [results(match)] * 4):
            more(club, 40)
        have_heard_everything(club, match, listeners)
    club.check()


def test_a_killed_worker_is_replaced_and_loses_nothing(service, club):
    common = club.open_match(service.url)
    own = [club.open_match(service.url, names) for names in (("Carla", "Dora"), ("Emil", "Fritz"))]
    with listening(*followers(club, service.url, common)) as listeners:
        with scoring(club, [service.url], [results(common), results(common), *map(batches, own)]) as scorers:
            for _ in range(2):
                more(club, 40)
                gone = service.workers()[0]
                gone.kill()
                until(lambda: not service.is_there(gone))  # noqa: B023  # asked at once
                service.all_answer()
            more(club, 20)
        have_heard_everything(club, common, listeners)
    club.check()
    tell(f"{club.acknowledged()} acknowledged; answers and faults: {dict(all_answers(scorers))}")


def test_a_standby_worker_replaces_one_that_is_killed():
    with data_directory() as data:
        service = Several(data, processors=1)
        service.start()
        try:
            service.ready()
            until(lambda: len(service.workers()) == 2)
            both = service.workers()
            serving = service.who_serves()
            assert {service.who_serves().pid for _ in range(8)} == {serving.pid}
            (standing_by,) = [each for each in both if each.pid != serving.pid]
            serving.kill()
            until(lambda: not service.is_there(serving))
            until(lambda: service.who_serves().pid == standing_by.pid)
        finally:
            service.end()


def test_another_worker_takes_over_the_lease_of_a_killed_one(service, club):
    match = club.open_match(service.url)
    for _ in service.workers():  # whichever of them has it
        before = until(lambda: service.lease(FOLLOWING))
        holder = service.holder(FOLLOWING)
        holder.kill()
        append_elsewhere(club, match)
        head = club.positions()[-1]
        until(lambda: kept_up_to(service, club) >= head)  # noqa: B023  # asked at once
        after = service.lease(FOLLOWING)
        assert after[0] != before[0]
        assert after[1] > before[1]
        service.all_answer()


def test_a_suspended_worker_loses_its_lease(service, club):
    match = club.open_match(service.url)
    holder, before = service.holder(FOLLOWING), service.lease(FOLLOWING)
    holder.suspend()
    try:
        taken = until(lambda: (found := service.lease(FOLLOWING))[0] != before[0] and found)
        assert taken[1] == before[1] + 1
        append_elsewhere(club, match)
    finally:
        holder.resume()
    until(lambda: kept_up_to(service, club) == club.positions()[-1])
    later = until(lambda: (found := service.lease(FOLLOWING))[2] > taken[2] + 1 and found)
    assert later[:2] == taken[:2], "the one that slept has neither beaten nor taken it back"
    until(lambda: "a lease was lost" in service.said())


def test_figures_are_those_of_all_workers_whoever_is_asked(service, club):
    def answered(client):
        families = text_string_to_metric_families(client.get("/metrics").text)
        found = {each.name: each for each in families}
        lives = [each.value for each in found["lurch_requests"].samples if each.labels["route"] == "/health/live"]
        return sum(lives), found["process_open_fds"].samples[0].value

    first, second = service.workers()
    with service.client_of(first) as one, service.client_of(second) as other:
        before = answered(one)[0]
        for client in (one, other, other):
            client.get("/health/live")
        assert answered(one)[0] == answered(other)[0] == before + 3
        assert answered(one)[1] > psutil.Process(first.pid).num_fds()


def test_the_processor_time_of_all_does_not_fall_when_one_ends(service):
    def seconds(client):
        families = text_string_to_metric_families(client.get("/metrics").text)
        return next(each.samples[0].value for each in families if each.name == "process_cpu_seconds")

    first, second = service.workers()
    with service.client_of(second) as asker:
        before = seconds(asker)
        first.kill()
        until(lambda: not service.is_there(first))
        until(lambda: len(service.workers()) == service.count)  # its parent has heard of it
        assert seconds(asker) >= before


def test_the_parent_starts_the_database_again(service, club):
    match = club.open_match(service.url)
    with scoring(club, [service.url], [results(match)] * 2):
        more(club, 20)
        kill_all(service.postgres())
        more(club, 20)
    club.check()


def test_a_stop_ends_all_in_order(service, club):
    workers, before = service.workers(), len(service.said())
    match = club.open_match(service.url)
    with service.client_of(workers[0], headers=bearer(club.token)) as scorer:
        assert scorer.post(f"/api/v1/matches/{match}/results", json=RESULT).status_code == 201
    with late_end(service.data):
        service.process.terminate()
        until(lambda: not any(service.is_there(each) for each in workers))
        late = [is_taken(service) for _ in range(5)]  # who calls when no worker is there any more
        assert service.runs(), "and the parent still is"
    assert not any(late)
    assert service.process.wait(60) == 0
    assert [each.pid for each in workers if service.is_there(each)] == []
    assert service.postgres() == []
    assert "Traceback" not in service.said()[before:]


def test_a_parent_that_is_killed_takes_all_along(service):
    workers, before = service.workers(), len(service.said())
    service.kill()
    until(lambda: not any(service.is_there(each) for each in workers))
    until(lambda: not service.postgres())
    assert "Traceback" not in service.said()[before:], "they stop in order"


def test_three_deaths_within_a_minute_end_all_with_one_line(service):
    for _ in range(3):
        until(lambda: len(service.workers()) == service.count)
        worker = service.workers()[-1]
        worker.kill()
        until(lambda: not service.is_there(worker))  # noqa: B023  # asked at once
    assert service.process.wait(60) == 2
    assert re.search(r"^lurch: 3 workers ended within a minute", service.said(), re.MULTILINE)
    assert service.postgres() == []


def test_workers_that_cannot_start_end_all_with_one_line(service, tmp_path):
    missing = {"LURCH_BACKUP_DIR": str(tmp_path / "copies"), "LURCH_BACKUP_PASSPHRASE_FILE": str(tmp_path / "none")}
    for command in (["serve"], ["serve", "--workers", "2"]):
        done = subprocess.run(
            [sys.executable, "-m", "service", *command],
            env={**service.environment, **missing, "LURCH_PORT": "0"},
            text=True,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 2
        (line,) = done.stderr.splitlines()
        assert str(tmp_path / "none") in line


def test_workers_that_do_not_answer_in_time_end_all(service):
    """Whatever it is that they wait for; here they have less time than a start takes."""
    done = subprocess.run(
        [sys.executable, "-c", HURRIED],
        cwd=ROOT,
        env={**service.environment, "LURCH_PORT": "0"},
        text=True,
        capture_output=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("lurch: 3 workers ended within a minute")


def test_a_port_that_a_service_has_is_not_shared_with_it(service):
    other = Several(service.data, LURCH_PORT=str(service.port))
    other.start()
    try:
        assert other.process.wait(120) == 2
        assert f"cannot serve on 127.0.0.1:{service.port}" in other.said()
    finally:
        other.end()


def test_more_workers_than_database_connections_allow_are_refused(service):
    other = Several(service.data, 40)
    other.start()
    try:
        assert other.process.wait(120) == 2
        assert re.search(r"take at most \d+ workers", other.said())
    finally:
        other.end()
    assert httpx.get(f"{service.url}/health/ready", timeout=30).status_code == 200
