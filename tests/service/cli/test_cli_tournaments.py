"""`lurch tournament`: list, show, export and import, on a database of its own club."""

import json
import os
import subprocess
import sys
import threading

import pytest

from service.desk import lists
from service.steward.steward import Steward
from tests.kit.service.asking import House
from tests.service.api.test_tournament_files import nine
from tests.service.cli.test_cli import lurch as command_line

HERE = "Club of files"  # the database is shared: other tests leave clubs behind that play a made-up game


@pytest.fixture(scope="module")
def here(client, database):
    with House(client, database, name=HERE) as found:
        yield found


@pytest.fixture(scope="module")
def evening(here):
    return nine(here)


@pytest.fixture
def lurch(database):
    def run(*words, status=0, given=""):
        code, out, error = command_line("tournament", *words, text=given, LURCH_DATABASE_URL=database.url)
        assert code == status, (out, error)
        return error if status else out

    return run


def test_a_tournament_is_listed_and_shown(evening, lurch):
    rows = [json.loads(line) for line in lurch("list", "--json", "--club", HERE).splitlines()]
    assert next(row for row in rows if row["id"] == evening.id)["entries"] == 9
    assert evening.id in lurch("list", "--club", HERE)
    text = lurch("show", evening.id)
    assert "Round 5 (decided)" in text
    assert "PTS" in text
    assert json.loads(lurch("show", evening.id, "--json"))["tournament"]["id"] == evening.id


def test_a_process_of_its_own_says_the_same(database, evening, lurch):
    command = [sys.executable, "-m", "service", "tournament", "show", evening.id]
    environment = {**os.environ, "LURCH_DATABASE_URL": database.url}
    assert subprocess.run(command, env=environment, capture_output=True, check=True).stdout.decode() == lurch(
        *command[-2:]
    )


def test_a_tournament_goes_out_and_comes_in_by_file(evening, lurch, tmp_path):
    whole = tmp_path / "evening.json"
    whole.write_text(lurch("export", evening.id))
    first = lurch("import", str(whole), "--club", "Archive club").strip()
    assert first != evening.id
    assert lurch("import", str(whole), "--club", "Archive club").strip() == first
    assert json.loads(lurch("show", first, "--json"))["standings"]["rows"][0]["rank"] == 1
    report = lurch("export", evening.id, "--trf", "--format", "trf26")
    made = json.loads(lurch("import", "-", "--club", "Report club", "--json", given=report))
    assert lurch("export", made["id"], "--trf", "--format", "trf26") == report
    assert "name,partner" in lurch("export", evening.id, "--csv", "entries")
    assert lurch("export", evening.id, "--csv", "results", "--round", "2").count("\n") == 5


def test_what_is_wrong_is_named_with_file_line_and_column(evening, lurch, tmp_path):
    table = tmp_path / "entries.csv"
    table.write_text("name,rating\nAnna,x\n")
    assert f"{table}:2:6: a rating" in lurch("import", str(table), "--into", evening.id, status=3)
    both = lurch("import", str(table), "--into", evening.id, "--club", "No such club", status=2)
    assert "--into names a tournament, and so its club: leave --club out" in both
    report = tmp_path / "bad.trf"
    report.write_text("001    1      A".ljust(91) + "   7 w 1\n")
    assert f"{report}:1:92: there is no player 7" in lurch("import", str(report), "--club", "No such club", status=3)
    assert lurch("list", "--club", "No such club") == ""
    assert "cannot be opened" in lurch("import", str(tmp_path / "none"), status=3)
    unknown = "01a1fea4-0000-7000-8000-000000000000"
    assert "there is no tournament" in lurch("show", unknown, status=2)


def test_the_list_waits_until_the_results_of_matches_have_arrived(here, evening, lurch, monkeypatch):
    whole, done = Steward.catch_up, []

    async def slow(steward, club):
        await whole(steward, club)
        done.append((club, threading.get_ident()))

    monkeypatch.setattr(Steward, "catch_up", slow)
    monkeypatch.setattr(lists, "PATIENCE", 0.0)  # a page would not wait at all
    assert evening.id in lurch("list", "--club", HERE)
    assert (here.id, threading.get_ident()) in done
