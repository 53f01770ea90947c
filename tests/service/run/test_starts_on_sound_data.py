"""A server is started on data that it can serve: others are refused in the doctor's words, and stay as they were."""

import os
import shutil
import subprocess

import psycopg
import pytest
from click.testing import CliRunner

from service.cli import cli
from service.run import doctor
from service.run.binaries import EmbeddedError
from service.run.embedded import Embedded
from service.run.settings import Settings
from tests.conftest import embedded, folder
from tests.kit.faults.processes import kill_all, postgres_of
from tests.service.run.test_mending import rows


@pytest.fixture(scope="module")
def own():
    """A server that runs, with one row in it."""
    with embedded() as database:
        with psycopg.connect(database.owner_url) as connection:
            connection.execute("create table kept as select 7 as number")
        yield database.embedded


@pytest.fixture(scope="module")
def shut():
    """Another server, which has stopped in order."""
    with embedded() as database:
        database.embedded.stop()
        yield database.embedded


@pytest.fixture
def elsewhere():
    place = folder()
    yield place
    kill_all(postgres_of(place / "data"))
    shutil.rmtree(place)


def copied(own, elsewhere):
    """A copy of the data directory of a server that runs, which names the place where that ran."""
    (elsewhere / "data").mkdir()
    for name in ("secrets.json", "prepared", "pg"):
        subprocess.run(["cp", "-a", str(own.root / name), str(elsewhere / "data")], check=True)
    note = elsewhere / "data" / "pg" / "postmaster.pid"
    lines = note.read_text().splitlines()
    lines[1] = str(own.data)  # as root behind a closed door it names none
    note.write_text("\n".join(lines) + "\n")
    return elsewhere / "data"


def refused(root):
    """The answer of a start, and of one for a single statement; nothing is started or deleted, and the doctor says the
    same."""
    before = everything(root / "pg")
    server = Embedded(root)
    with pytest.raises(EmbeddedError) as error:
        server.start()
    assert server.child is None
    with pytest.raises(EmbeddedError) as alone:
        server.alone("select 1")
    assert str(alone.value) == str(error.value)
    assert everything(root / "pg") == before
    found = {each.what: each for each in doctor.examined(Settings(data_dir=str(root), port=0))}
    assert found["data"].says == str(error.value)
    return str(error.value)


def everything(data):
    return {each: each.read_bytes() if each.is_file() else None for each in data.rglob("*")}


def put(place, content, server):
    """Write a file as the server's user has it."""
    place.write_bytes(content)
    os.chown(place, *(server.runner.uid or -1, server.runner.gid or -1))


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("PG_VERSION", b"17\n", "is of PostgreSQL 17, and this Lurch brings 18: take `lurch backup` with the Lurch"),
        pytest.param("PG_VERSION", b"", "is no whole data directory", marks=pytest.mark.extended),
        ("PG_VERSION", None, "is no whole data directory: bring back a file of `lurch backup`"),
        ("global/pg_control", None, "is no whole data directory: bring back a file of `lurch backup`"),
        pytest.param("global/pg_control", b"\x08" * 200, "is no whole data directory", marks=pytest.mark.extended),
        pytest.param("global/pg_control", bytes(8192), "is no whole data directory", marks=pytest.mark.extended),
    ],
)
def test_data_of_another_version_or_incomplete_data_are_not_started(shut, name, content, says):
    place = shut.data / name
    whole = place.read_bytes()
    if content is None:
        place.unlink()
    else:
        place.write_bytes(content)
    try:
        assert says in refused(shut.root)
    finally:
        put(place, whole, shut)


@pytest.mark.parametrize(
    "name", ["pg_xact", *(pytest.param(each, marks=pytest.mark.extended) for each in ("pg_wal", "base"))]
)
def test_a_directory_that_lacks_a_part_is_not_started(shut, elsewhere, name):
    (shut.data / name).rename(elsewhere / name)
    try:
        assert "is no whole data directory" in refused(shut.root)
    finally:
        (elsewhere / name).rename(shut.data / name)


def test_a_directory_copied_from_a_running_server_is_not_started(own, elsewhere):
    root = copied(own, elsewhere)
    for _ in range(2):  # the first start has left what the second one, and the doctor, go by
        says = refused(root)
        assert f"{root / 'pg'} was copied from {own.data} while its server ran" in says
        assert "`lurch restore`" in says


@pytest.mark.extended
def test_a_command_refuses_a_copied_directory_in_one_line(own, elsewhere):
    root = copied(own, elsewhere)
    done = CliRunner().invoke(cli, ["owner-link"], env={"LURCH_DATA_DIR": str(root), "COLUMNS": "1000"})
    assert done.exit_code == 2
    assert f"was copied from {own.data} while its server ran" in done.output
    assert "Traceback" not in done.output


def test_data_of_a_killed_server_start_again(own):
    kill_all(postgres_of(own.root))
    assert (own.data / "postmaster.pid").exists()
    assert rows(own.root) == [(7,)]
    own.start()


@pytest.mark.extended
def test_data_of_a_killed_server_start_again_through_a_link(own, elsewhere):
    kill_all(postgres_of(own.root))
    (elsewhere / "link").symlink_to(own.root)
    assert rows(elsewhere / "link") == [(7,)]
    own.start()


@pytest.mark.extended
def test_a_directory_moved_after_a_crash_starts(own, elsewhere):
    kill_all(postgres_of(own.root))
    own.root.rename(elsewhere / "data")
    try:
        assert {each.what: each for each in doctor.examined(Settings(data_dir=str(elsewhere / "data")))}["data"].well
        assert rows(elsewhere / "data") == [(7,)]
    finally:
        (elsewhere / "data").rename(own.root)
    own.start()
