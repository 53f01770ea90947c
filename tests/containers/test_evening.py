"""An evening through the proxy: a service and the database die in the middle, and what was acknowledged is there once,
also in a copy that is brought back elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import psycopg
import pytest

from service.run.database import Database
from service.store.roles import TIME_LIMITS
from tests.conftest import with_pool
from tests.containers import images
from tests.kit.faults.listeners import followers, have_heard_everything, listening
from tests.kit.faults.processes import until
from tests.kit.faults.scorers import Club, all_answers, batches, more, results, scoring
from tests.kit.logs import verify

TABLES = (("Annie", "Benny"), ("Carla", "Dora"), ("Emil", "Fritz"), ("Gerda", "Hugo"))


@pytest.fixture(scope="module")
def club(stack):
    """A club whose log is compared with what was acknowledged."""
    return Club(stack.database_url())


def logged(url):
    """The whole log: each event with its hash."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            "select club_id::text, log, position, stream_id::text, version, encode(hash, 'hex') from events order by 1, 2, 3"
        ).fetchall()


def test_the_two_logins_are_as_the_service_would_make_them(stack):
    with psycopg.connect(stack.database_url()) as connection:
        for name, value in TIME_LIMITS.items():
            assert connection.execute(f"show {name}").fetchone() == (value,)
        assert connection.execute("show ssl").fetchone()
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


def test_both_services_serve_and_only_what_is_meant_for_outside_is_seen(stack, club):
    stack.until_healthy()
    with httpx.Client(base_url=stack.url, timeout=10) as client:
        assert client.get("/metrics").status_code == 404
        assert client.get("/health/ready").headers["strict-transport-security"]
    plain = httpx.get(f"http://localhost:{stack.ports['http']}/health/live", follow_redirects=False)
    assert (plain.status_code, plain.headers["location"][:8]) == (308, "https://")


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
    link = stack.inside("lurch-2", "lurch", "owner-link").split("link=")[1].strip()
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


def test_a_wrong_address_in_a_header_is_not_believed_and_the_proxys_is(stack):
    """The limits count who asks: a visitor who claims to be somebody else each time is one address all the same."""
    said = stack.inside("lurch-1", "python", "-c", "import os; print(os.environ['LURCH_TRUSTED_PROXIES'])").strip()
    (network,) = images.run("docker", "network", "inspect", f"{stack.project}_hall", "--format",
                            "{{(index .IPAM.Config 0).Subnet}}").stdout.split()  # fmt: skip
    assert said == network


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


def test_a_copy_brought_back_elsewhere_has_every_event(stack, club, tmp_path):
    stack.inside("lurch-1", "lurch", "backup", "/copies/by-hand")
    name = stack.inside("lurch-1", "ls", "/copies/by-hand").split()
    (copy,) = [each for each in name if each.endswith(".lurch")]
    container = stack.container("lurch-1")["Id"]
    fetched = images.run("docker", "cp", f"{container}:/copies/by-hand/{copy}", str(tmp_path))
    assert fetched.returncode == 0, fetched.stderr
    given = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
    given["LURCH_DATA_DIR"] = str(tmp_path / "data")

    def lurch(*words):
        command = [sys.executable, "-m", "service", *words]
        done = subprocess.run(command, cwd=images.ROOT, env=given, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    told = lurch("restore", str(tmp_path / copy))
    there = logged(stack.database_url())
    assert f"{len(there):,} events, all verified" in told
    lurch("verify")
    from service.run.embedded import Embedded

    server = Embedded(Path(given["LURCH_DATA_DIR"]))
    server.start()
    try:
        assert logged(server.url("lurch_app")) == there
        assert with_pool(Database(server.url("lurch_app"), server.url("lurch_owner")), verify)[1] == ""
    finally:
        server.stop()
    assert re.search(r"\d", told)
