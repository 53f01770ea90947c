"""An evening through the proxy: a service and the database die in the middle, and what was acknowledged is there once,
also in a copy that is brought back elsewhere."""

import os
import subprocess
import sys
from ipaddress import ip_address, ip_network

import httpx
import psycopg
import pytest

from service.run.embedded import Embedded
from service.store.roles import TIME_LIMITS
from tests.containers import images
from tests.containers.stack import arranged
from tests.kit.faults.listeners import followers, have_heard_everything, listening
from tests.kit.faults.processes import until
from tests.kit.faults.scorers import Club, all_answers, batches, more, results, scoring

TABLES = (("Annie", "Benny"), ("Carla", "Dora"), ("Emil", "Fritz"), ("Gerda", "Hugo"))


@pytest.fixture(scope="module")
def club(stack):
    """A club whose log is compared with what was acknowledged."""
    return Club(stack.database_url())


def logged(url):
    """The whole log: each event with its hash."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            "select club_id::text, log, position, stream_id::text, version, encode(hash, 'hex')"
            " from events order by 1, 2, 3"
        ).fetchall()


def test_the_two_logins_are_as_the_service_would_make_them(stack):
    with psycopg.connect(stack.database_url()) as connection:
        for name, value in TIME_LIMITS.items():
            assert connection.execute(f"show {name}").fetchone() == (value,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("update events set version = 1")
    with psycopg.connect(stack.database_url("lurch_owner", "LURCH_OWNER_PASSWORD")) as connection:
        assert connection.execute("select rolsuper from pg_roles where rolname = current_user").fetchone() == (False,)


def test_an_evening_loses_nothing_when_a_service_and_the_database_die(stack, club):
    matches = [club.open_match(stack.url, names) for names in TABLES]
    works = [results(matches[0]), results(matches[0]), *map(batches, matches[1:])]
    with listening(*followers(club, stack.url, matches[0])) as listeners:
        with scoring(club, [stack.url], works) as scorers:
            more(club, 40)
            stack.crash("lurch-1", "lurch")
            more(club, 40)
            stack.crash("database", "postgres")
            more(club, 40, 90)
            stack.compose("restart", "lurch-2")
            more(club, 40)
        have_heard_everything(club, matches[0], listeners, 30)
    club.check()
    sys.stdout.write(f"{club.acknowledged()} acknowledged; answers {dict(all_answers(scorers))}\n")


def test_the_proxy_passes_on_what_is_for_outside_over_tls_alone(stack):
    with httpx.Client(base_url=stack.url, timeout=10) as client:
        assert client.get("/metrics").status_code == 404
        assert client.get("/health/ready").headers["strict-transport-security"]
    plain = httpx.get(f"http://localhost:{stack.ports['http']}/health/live", follow_redirects=False)
    assert (plain.status_code, plain.headers["location"][:8]) == (308, "https://")


@pytest.mark.parametrize("service", ["lurch-1", "lurch-2"])
def test_a_service_trusts_the_address_of_the_proxy(stack, service):
    (trusted,) = [
        each for each in stack.container(service)["Config"]["Env"] if each.startswith("LURCH_TRUSTED_PROXIES=")
    ]
    places = stack.container("proxy")["NetworkSettings"]["Networks"]
    (place,) = [each["IPAddress"] for each in places.values()]
    assert ip_address(place) in ip_network(trusted.partition("=")[2])


def test_where_no_service_answers_the_proxy_says_so_as_a_service_would(stack):
    stack.compose("stop", "lurch-1", "lurch-2")
    try:
        with httpx.Client(base_url=stack.url, timeout=30) as client:
            answer = client.get("/health/live")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["type"] == "/problems/unavailable"
    finally:
        stack.compose("start", "lurch-1", "lurch-2")
        stack.until_ready()


def test_the_owner_signs_in_over_tls_and_finds_the_nightly_copy(stack):
    said = stack.inside("lurch-2", "lurch", "owner-link")
    assert said.startswith(f"{stack.url}/sign-in?link="), "nothing else of it is reached from outside"
    link = said.split("link=")[1].strip()
    with httpx.Client(base_url=stack.url, timeout=10) as client:
        answer = client.post("/sign-in", data={"link": link}, headers={"Origin": stack.url})
        assert answer.status_code == 303, answer.text
        assert "__Host-lurch_sign_in" in client.cookies
        assert "secure" in answer.headers["set-cookie"].lower()
        until(lambda: "lurch-20" in stack.inside("lurch-1", "ls", "/copies"))
        for _ in range(4):  # whichever service the proxy would choose
            page = client.get("/copies")
            assert page.status_code == 200
            assert "/copies" in page.text


def test_prometheus_scrapes_both_and_has_the_alerts(stack):
    with httpx.Client(base_url=f"http://127.0.0.1:{stack.ports['prometheus']}", timeout=10) as client:

        def up():
            found = client.get("/api/v1/query", params={"query": 'up{job="lurch"}'}).json()["data"]["result"]
            return {each["metric"]["instance"] for each in found if each["value"][1] == "1"}

        until(lambda: up() == {"lurch-1:8000", "lurch-2:8000"})
        until(lambda: client.get("/api/v1/query", params={"query": "lurch_database_up == 1"}).json()["data"]["result"])
        (group,) = client.get("/api/v1/rules").json()["data"]["groups"]
        assert len(group["rules"]) > 10
        assert {rule["health"] for rule in group["rules"]} <= {"ok", "unknown"}


@pytest.fixture(scope="module")
def copy(stack, club, tmp_path_factory):
    """A copy of the evening, fetched out of the containers, and what it is of."""
    stack.inside("lurch-1", "lurch", "backup", "/copies/by-hand")
    (name,) = [each for each in stack.inside("lurch-1", "ls", "/copies/by-hand").split() if each.endswith(".lurch")]
    folder = tmp_path_factory.mktemp("stick")
    fetched = images.run("docker", "cp", f"{stack.container('lurch-1')['Id']}:/copies/by-hand/{name}", str(folder))
    assert fetched.returncode == 0, fetched.stderr
    (folder / name).chmod(0o644)
    there = logged(stack.database_url())
    assert len(there) > club.acknowledged()
    return folder / name, there


def test_a_copy_brought_back_on_a_laptop_has_every_event(copy, tmp_path):
    place, there = copy
    given = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
    given["LURCH_DATA_DIR"] = str(tmp_path / "data")

    def lurch(*words):
        command = [sys.executable, "-m", "service", *words]
        done = subprocess.run(command, cwd=images.ROOT, env=given, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert f"{len(there):,} events, all verified" in lurch("restore", str(place))
    lurch("verify")
    server = Embedded(tmp_path / "data")
    server.start()
    try:
        assert logged(server.url("lurch_app")) == there
    finally:
        server.stop()


def test_a_copy_brought_back_in_other_containers_has_every_event(copy, tmp_path):
    """As docs/containers.md has it: an empty database, the copy, then the services."""
    place, there = copy
    place.parent.chmod(0o755)
    with arranged(tmp_path, "172.30.97.0/24") as other:
        lurch = ("run", "--rm", "-T", "-v", f"{place.parent}:/stick:ro", "migrate")
        told = other.compose(*lurch, "restore", "--old-machine-is-gone", f"/stick/{place.name}")
        assert f"{len(there):,} events, all verified" in told
        other.start()
        assert logged(other.database_url()) == there
        other.inside("lurch-2", "lurch", "verify")
