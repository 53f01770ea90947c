"""Leftovers of copies and restores, and spoiled lists, are in nobody's way: they go, or are told with what to do."""

import os
import time

import pytest
from click.testing import CliRunner

from service.cli import cli
from service.copies.taking import take
from tests.conftest import new_database


@pytest.fixture(scope="module")
def own():
    with new_database() as database:
        yield database


def test_a_later_backup_deletes_parts_of_an_interrupted_one_only(own, tmp_path):
    old = time.time() - 2 * 86_400
    names = ("lurch-2026-11-20-040000.lurch.part", "holiday.lurch.part", "lurch-2026-11-20-040000.lurch")
    for name in (*names, "lurch-2026-11-23-040000.lurch.part"):
        (tmp_path / name).touch()
    for name in names:
        os.utime(tmp_path / name, (old, old))
    place, _ = take(own.owner_url, tmp_path, "0.1.0")
    left = {each.name for each in tmp_path.iterdir()}
    assert left == {place.name, *names[1:], "lurch-2026-11-23-040000.lurch.part"}


@pytest.mark.parametrize("spoiled", ["", '{"lurch_er', '{"lurch_erased": 99, "erasures": []}'])
def test_a_spoiled_list_of_erasures_is_reported_after_the_backup(own, tmp_path, spoiled):
    (tmp_path / "erased.json").write_text(spoiled)
    env = {"LURCH_DATABASE_URL": own.url, "LURCH_MIGRATE_URL": own.owner_url, "COLUMNS": "1000"}
    done = CliRunner().invoke(cli, ["backup", str(tmp_path)], env=env)
    assert done.exit_code == 2
    (place,) = tmp_path.glob("*.lurch")
    assert f"{place}: 0 clubs" in done.output
    assert "move it away, and it is made anew" in done.output
    assert (tmp_path / "erased.json").read_text() == spoiled


def test_what_a_killed_restore_left_is_told_at_the_next_one(tmp_path):
    left = tmp_path / "club [1].restoring-0123abcd"
    left.mkdir()
    (tmp_path / "club 1.restoring-0123abcd").mkdir()
    copy = tmp_path / "a.lurch"
    copy.touch()
    env = {"LURCH_DATA_DIR": str(tmp_path / "club [1]"), "COLUMNS": "1000"}
    done = CliRunner().invoke(cli, ["restore", str(copy)], env=env)
    assert [line for line in done.output.splitlines() if "was left" in line] == [
        f"{left} was left by a restore: unless one is at work there now, delete it"
    ]
    assert left.is_dir(), "another restore may be at work"
