"""Lost passwords of an embedded database are made anew: never while its server runs, and never by an open one."""

import os
import shutil
import signal
import subprocess
import sys
import time

import psycopg
import pytest
from click.testing import CliRunner

from service.cli import cli
from service.run.binaries import EmbeddedError
from service.run.embedded import Embedded
from service.run.holders import holders
from service.run.mending import mend
from service.run.passwords import read_passwords
from service.run.settings import Settings
from tests.conftest import copy, embedded, folder
from tests.kit.faults.processes import until


@pytest.fixture(scope="module")
def stopped():
    """The data directory of a stopped server, with one row in it."""
    with embedded() as database:
        with psycopg.connect(database.owner_url) as connection:
            connection.execute("create table kept as select 7 as number")
        database.embedded.stop()
        yield database.embedded.root


@pytest.fixture
def shut(stopped):
    """A copy of it."""
    root = folder()
    copy(stopped, root)
    yield root / "data"
    shutil.rmtree(root)


def rows(root):
    """Start a server on this directory and return its rows."""
    server = Embedded(root)
    server.start()
    try:
        with psycopg.connect(server.url("lurch_owner")) as connection:
            return connection.execute("select number from kept").fetchall()
    finally:
        server.stop()


def settings(root):
    return Settings(data_dir=str(root))


@pytest.mark.parametrize(
    "content", [None, *(pytest.param(each, marks=pytest.mark.extended) for each in (b"", b'{"postgres":"ab"}'))]
)
def test_lost_passwords_are_made_anew_and_nothing_else_is_lost(shut, content):
    place = shut / "secrets.json"
    before = read_passwords(shut)
    if content is None:
        place.unlink()
    else:
        place.write_bytes(content)
    with pytest.raises(EmbeddedError, match="lurch doctor --mend"):
        Embedded(shut).start()
    assert [*mend(settings(shut))] == [
        f"the passwords of the database in {shut / 'pg'} were lost: new ones stand in {place}"
    ]
    after = read_passwords(shut)
    assert not {before.postgres, before.lurch_owner, before.lurch_app} & {
        after.postgres,
        after.lurch_owner,
        after.lurch_app,
    }
    assert place.stat().st_mode & 0o777 == 0o600
    assert rows(shut) == [(7,)]
    assert [*mend(settings(shut))] == []


@pytest.mark.extended
def test_the_command_mends_and_then_examines(shut):
    (shut / "secrets.json").unlink()
    done = CliRunner().invoke(cli, ["doctor", "--mend"], env={"LURCH_DATA_DIR": str(shut), "LURCH_PORT": "0"})
    assert "mended: the passwords of the database" in done.output
    assert "ok  secrets:" in done.output


def test_existing_passwords_stay_and_become_private(shut):
    place = shut / "secrets.json"
    before = place.read_bytes()
    place.chmod(0o644)
    assert [*mend(settings(shut))] == [f"others could read {place}: its owner alone may now"]
    assert (place.read_bytes(), place.stat().st_mode & 0o777) == (before, 0o600)


def test_nothing_is_mended_under_a_running_server():
    with embedded() as database:
        place = database.embedded.root / "secrets.json"
        before = place.read_bytes()
        place.unlink()
        with pytest.raises(EmbeddedError, match="stop the service first"):
            [*mend(settings(database.embedded.root))]
        place.write_bytes(before)
        with psycopg.connect(database.owner_url) as connection:
            assert connection.execute("select 1").fetchone() == (1,)


@pytest.mark.extended
def test_data_that_cannot_be_served_are_left_alone(shut):
    (shut / "secrets.json").unlink()
    (shut / "pg" / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedError, match="is of PostgreSQL 17"):
        [*mend(settings(shut))]
    assert not (shut / "secrets.json").exists()


MENDING = """
import sys
from service.run.mending import mend
from service.run.settings import Settings
print([*mend(Settings(data_dir=sys.argv[1]))])
"""


@pytest.mark.extended
def test_after_kill_9_no_server_is_open_and_a_repeat_mends(shut):
    (shut / "secrets.json").unlink()
    for moment in range(12):
        working = subprocess.Popen([sys.executable, "-c", MENDING, str(shut)], start_new_session=True)
        deadline = time.monotonic() + 0.15 * moment
        while time.monotonic() < deadline and working.poll() is None:
            assert not (shut / "run" / ".s.PGSQL.5432").exists()
        if working.poll() is None:
            os.killpg(working.pid, signal.SIGKILL)
        working.wait()
        assert not (shut / "run" / ".s.PGSQL.5432").exists()
        if (shut / "secrets.json").exists():
            break
    until(lambda: not holders(shut / "pg"))  # a single-user server ends with its input
    [*mend(settings(shut))]
    assert rows(shut) == [(7,)]
