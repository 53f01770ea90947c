"""`lurch audit --club`: every match of a club from the log, by one process or several, says what each says alone."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress

import psutil
import pytest
from click.testing import CliRunner

from service.cli import cli, club_audit
from tests.kit.service.asking import House
from tests.kit.service.case_scene import RESULT
from tests.kit.service.club_evenings import Evening
from tests.kit.service.revoke_scene import RevokeScene


@pytest.fixture(scope="module")
def scene(client, database):
    """Four matches: one with the planted revoke between three with nothing in them, one of which has not begun."""
    with House(client, database) as house:
        before = house.match(sides=[["Cleo"], ["Dan"]])
        house.done(f"{before}/results", {"entry": RESULT})
        found = RevokeScene(house)
        found.all = [before, found.path, *(house.match(sides=[["Cleo"], ["Dan"]]) for _ in range(2))]
        yield found


@pytest.fixture
def audit(scene, database, monkeypatch):
    def run(*words, status=0):
        monkeypatch.setattr(club_audit, "BATCH", 2)
        done = CliRunner().invoke(cli, ["audit", *words], env={"LURCH_DATABASE_URL": database.url})
        assert done.exit_code == status, done.output
        return done.output

    return run


def test_findings_are_the_same_for_any_number_of_processes(scene, audit):
    alone = "".join(audit("--json", each.rpartition("/")[2]) for each in scene.all)
    assert [bool(json.loads(line)["findings"]) for line in alone.splitlines()] == [False, True, False, False]
    for processes in ("1", "2"):
        assert audit("--club", scene.house.id, "--json", "--processes", processes) == alone


def test_the_text_lists_matches_with_findings_and_counts_all(scene, audit):
    told = audit("--club", scene.house.id, "--processes", "2").splitlines()
    assert told == [*audit(scene.match).splitlines(), "4 matches of the club, 1 with findings"]
    assert told[1].startswith("  deal 1, CP.5 REV: Annie did not follow suit")


def test_the_openings_are_listed_if_asked_for(scene, audit):
    lines = audit("--club", scene.house.id, "--openings", "--json").splitlines()
    assert all("openings" in json.loads(line) for line in lines)


def test_on_paper_a_club_is_one_page(scene, audit):
    page = audit("--club", scene.house.id, "--html")
    assert page.startswith("<!doctype html>")
    assert page.count("<h2>") == 4


def test_an_unknown_club_or_conflicting_options_are_one_line(scene, audit):
    assert "no clubs called" in audit("--club", "Nowhere", status=2)
    assert "name nothing else" in " ".join(audit("--club", scene.house.id, scene.match, status=2).split())
    assert "name nothing else" in " ".join(audit("--club", scene.house.id, "--as-of", "3", status=2).split())
    assert "name a match or a file" in " ".join(audit(status=2).split())


def test_an_audit_of_a_club_finds_reports_that_contradict_records(client, database):
    with House(client, database) as house:
        evening = Evening(house, [{"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}], players=2)
        evening.act({"do": "pair_round"})
        (only,) = evening.open()
        evening.act({"do": "report", "fixture": only["fixture"], "score": [12, 21]})
        house.done(f"/api/v1/matches/{only['match']}/results", {"entry": {"parity": "odd", "tricks": [4, 11]}})
        home = {"LURCH_DATABASE_URL": database.url}
        alone = CliRunner().invoke(cli, ["audit", "--json", only["match"]], env=home).output
        assert "12–21 was reported" in alone
        assert CliRunner().invoke(cli, ["audit", "--json", "--club", house.id], env=home).output == alone
        assert CliRunner().invoke(cli, ["audit", "--json", only["match"].upper()], env=home).output == alone


BROKEN = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs the tests in the background has it ignored
import psycopg
from service.cli import audit_worker, club_audit, main
def broken(*_):
    {what}
club_audit.BATCH = 2
audit_worker.Worker.{method} = broken
sys.argv = ["lurch", "audit", "--club", "{club}", "--processes", "2"]
main()
"""


@contextmanager
def broken(scene, database, method, what):
    """An audit by processes of which each does something else than it should; none of them is left behind."""
    program = BROKEN.format(method=method, what=what, club=scene.house.id)
    running = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "LURCH_DATABASE_URL": database.url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield running
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()


def at_work(running):
    """Wait until both processes are at it: before that a signal would meet one that has not begun."""
    assert [running.stdout.readline() for _ in range(2)] == [b"at work\n"] * 2


def test_a_killed_process_of_an_audit_is_one_line(scene, database):
    with broken(scene, database, "printed", "os.kill(os.getpid(), signal.SIGKILL)") as running:
        told = running.communicate(timeout=120)[1].decode()
        assert (running.returncode, told.count("\n")) == (2, 1), told
        assert "audit again" in told


@pytest.mark.extended
def test_an_audit_process_without_a_connection_is_one_line(scene, database):
    with broken(scene, database, "__init__", "raise psycopg.OperationalError('too many connections')") as running:
        told = running.communicate(timeout=120)[1].decode()
        assert (running.returncode, told) == (2, "lurch: too many connections\n")


@pytest.mark.extended
def test_ctrl_c_ends_every_process_of_an_audit_without_a_traceback(scene, database, tmp_path):
    """Those that audit go on with what they are at, here until they are told."""
    go_on = tmp_path / "go on"
    wait = f"[time.sleep(0.05) for _ in iter(lambda: os.path.exists({str(go_on)!r}), True)]"
    with broken(scene, database, "printed", f"os.write(1, b'at work\\n'); {wait}") as running:
        at_work(running)
        os.killpg(running.pid, signal.SIGINT)
        go_on.touch()
        told = running.communicate(timeout=120)[1].decode()
        assert (running.returncode, told.strip()) == (130, "lurch: stopped")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent has ended")
def test_no_process_of_an_audit_that_is_killed_stays_behind(scene, database):
    with broken(scene, database, "printed", "os.write(1, b'at work\\n'); signal.pause()") as running:
        at_work(running)
        others = psutil.Process(running.pid).children()
        running.kill()
        assert (len(others), psutil.wait_procs(others, timeout=50)[1]) == (2, [])
