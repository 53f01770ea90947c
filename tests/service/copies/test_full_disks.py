"""A disk that is really full while a copy is written: the command says so, and only what was whole before is there."""

import os
import resource
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from service.copies import reading
from service.copies.taking import take
from tests.conftest import new_database
from tests.kit.faults.processes import ROOT
from tests.service.cli.test_import_side_by_side import histories, imported

pytestmark = pytest.mark.extended
BEFORE = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def source():
    with new_database() as database:
        imported(database, "House", histories(100), 1)
        yield database


def backup(database, folder, most):
    """`lurch backup`, in whose files there is no room for more than so many bytes."""
    return subprocess.run(
        [sys.executable, "-m", "service", "backup", str(folder)],
        cwd=ROOT,
        env={"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url, "PATH": os.environ["PATH"]},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),  # one call of the system
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of files as Linux keeps it")
def test_a_full_disk_leaves_only_the_earlier_backups(source, tmp_path):
    place, manifest = take(source.owner_url, tmp_path, "0.1.0", at=BEFORE)
    whole = place.read_bytes()
    for most in (0, 10, len(whole) // 2, len(whole) - 1):
        done = backup(source, tmp_path, most)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"lurch: {tmp_path}: File too large\n"), most
        assert [each.name for each in tmp_path.iterdir()] == [place.name], most
        assert place.read_bytes() == whole
    assert reading.checked(place) == manifest
    done = backup(source, tmp_path, 2 * len(whole))
    assert (done.returncode, len(list(tmp_path.iterdir()))) == (0, 2), done.stderr
