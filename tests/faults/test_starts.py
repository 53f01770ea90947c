"""Starts after every kind of end: none needs a repair by hand."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from contextlib import contextmanager

import psycopg
import pytest

from service.run.binaries import EmbeddedError
from service.run.embedded import Embedded
from tests.kit.faults.processes import ROOT, data_directory, kill_all, postgres_of, postmasters_of, until

pytestmark = pytest.mark.extended

START = """
import sys
from pathlib import Path
from service.run.embedded import Embedded
Embedded(Path(sys.argv[1])).start()
print("started", flush=True)
sys.stdin.read()
"""
SERVE = """
import sys
from service.run.database import ready
from service.run.settings import Settings
with ready(Settings(data_dir=sys.argv[1]), serves=True):
    print("ready", flush=True)
    sys.stdin.read()
"""
COMMAND = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs the tests in the background has it ignored
import psycopg
from service.run.database import ready
from service.run.settings import Settings
with ready(Settings(data_dir=sys.argv[1])) as database:
    with psycopg.connect(database.url, autocommit=True) as connection:
        print("ready", flush=True)
        for _ in sys.stdin:
            print(connection.execute("select 1").fetchone()[0], flush=True)
"""
MOMENTS = [
    "secrets.json",
    "pg.new-*",
    "pg.new-*/global/pg_control",
    "pg",
    "pg/postmaster.pid",
    "run/.s.PGSQL.5432",
    "prepared",
]


@pytest.fixture
def data():
    with data_directory() as place:
        yield place


@pytest.fixture(scope="module")
def one_server():
    with data_directory() as place:
        embedded = Embedded(place)
        yield embedded
        embedded.stop()


@pytest.fixture
def server(one_server):
    """An embedded server that runs."""
    one_server.start()
    return one_server


def starting(data, program=START):
    return subprocess.Popen(
        [sys.executable, "-c", program, str(data)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def number_of(embedded, statement="select 1"):
    with psycopg.connect(embedded.url("lurch_app"), autocommit=True) as connection:
        return connection.execute(statement).fetchone()[0]


def kill_when_there(data, moment):
    """A start that is killed as soon as a file is there."""
    process = starting(data)
    until(lambda: any(data.glob(moment)) or process.poll() is not None, pause=0.0005)
    assert process.poll() is None, f"a start after one that was killed failed, before {moment} was there"
    process.kill()
    process.communicate()


def test_kill_9_during_the_first_start_needs_no_repair(data):
    for moment in MOMENTS:
        kill_when_there(data, moment)
    process = starting(data, SERVE)
    assert process.stdout.readline() == b"ready\n"
    assert number_of(Embedded(data), "select count(*) from logs") == 0
    process.communicate()
    assert postgres_of(data) == []


def test_a_full_disk_at_the_first_start_needs_no_repair(data):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))

    full = subprocess.run(
        [sys.executable, "-c", START, str(data)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=limit,
        check=False,
    )
    assert full.returncode != 0
    embedded = Embedded(data)
    embedded.start()
    try:
        assert number_of(embedded, "select 1") == 1
    finally:
        embedded.stop()


def test_a_stale_process_id_does_not_prevent_a_start(server):
    kill_all(postgres_of(server.data.parent))
    for place in (server.data / "postmaster.pid", server.folder.sockets / ".s.PGSQL.5432.lock"):
        lines = place.read_text().splitlines()
        place.write_text("\n".join([str(os.getppid()), *lines[1:]]) + "\n")
    server.start()
    assert number_of(server) == 1


def test_a_start_waits_for_the_last_process_of_an_old_server(server):
    postmaster, *children = postgres_of(server.data.parent)
    oldest = min(children, key=lambda each: each.create_time())  # one that stays
    oldest.suspend()
    postmaster.kill()

    async def start_meanwhile():
        start = asyncio.create_task(server.start_again())
        try:
            while len(postgres_of(server.data.parent)) > 1:
                await asyncio.sleep(0.01)
            done, _ = await asyncio.wait([start], timeout=0.3)
            assert not done
        finally:
            oldest.resume()
            await start

    asyncio.run(start_meanwhile())
    assert number_of(server) == 1


def test_a_second_start_attaches_and_its_stop_stops_nothing(server):
    second = Embedded(server.root)
    second.start()
    second.stop()
    assert number_of(server) == 1


def test_two_first_starts_at_once_make_one_server(data):
    both = [starting(data, SERVE), starting(data, SERVE)]
    try:
        assert [each.stdout.readline() for each in both] == [b"ready\n"] * 2
        assert len(postmasters_of(data)) == 1
    finally:
        for each in both:
            each.communicate()


def test_a_directory_behind_a_closed_door_is_used_as_it_is(data):
    if os.geteuid() != 0:
        pytest.skip("only root hands the server to another user")
    data.parent.chmod(0o700)
    server = Embedded(data)
    try:
        for _ in range(2):  # started, and started again after a crash
            server.start()
            with psycopg.connect(server.url("lurch_owner")) as connection:
                assert connection.execute("select current_user").fetchone() == ("lurch_owner",)
            assert data.parent.stat().st_mode & 0o777 == 0o700
            kill_all(postgres_of(data))
    finally:
        server.stop()
        data.parent.chmod(0o755)


def test_in_the_place_of_data_that_are_away_no_others_are_begun(data):
    """A disk was pulled out: while the server ran, with all or a part of the folder, and before a start."""
    server = Embedded(data)
    server.start()
    away = data.with_name("away")
    kill_all(postgres_of(data))
    data.rename(away)
    try:
        with pytest.raises(EmbeddedError, match=r"pg is gone, and a database was there: bring it back"):
            asyncio.run(server.start_again())
        assert not data.exists()
    finally:
        away.rename(data)
    server.stop()
    server.data.rename(away)
    for again in (server, Embedded(data)):
        with pytest.raises(EmbeddedError, match=r"To begin anew, delete .*prepared too"):
            again.start()
        assert not server.data.exists()
    away.rename(server.data)
    server.start()
    assert number_of(server) == 1
    server.stop()


@contextmanager
def command(data):
    """A command that is at work, until its input ends."""
    with starting(data, COMMAND) as process:
        try:
            assert process.stdout.readline() == b"ready\n"
            yield process
        finally:
            process.kill()


def asked(command):
    """The database's answer to a command that is at work."""
    command.stdin.write(b"ask\n")
    command.stdin.flush()
    return command.stdout.readline()


@pytest.fixture
def commands(data):
    """Two commands: the first has started the server, the second attached to it."""
    with command(data) as first, command(data) as second:
        yield first, second


def test_the_command_that_started_the_server_stops_it_after_the_others(data, commands):
    first, second = commands
    first.stdin.close()
    assert b"waits for another one" in first.stderr.readline()
    assert [asked(second) for _ in range(3)] == [b"1\n"] * 3
    assert first.poll() is None
    second.stdin.close()
    assert [each.wait(60) for each in (second, first)] == [0, 0]
    assert postgres_of(data) == []


def test_a_command_waiting_for_another_one_ends_by_ctrl_c(data, commands):
    first, _ = commands
    first.stdin.close()
    assert b"waits for another one" in first.stderr.readline()
    first.send_signal(signal.SIGINT)
    assert first.wait(60) != 0
    assert postgres_of(data) == []


def test_a_command_that_comes_while_the_server_is_stopped_starts_it_again(data):
    with command(data) as first:
        first.stdin.close()
        with command(data) as second:
            assert first.wait(60) == 0
            assert asked(second) == b"1\n"
            second.stdin.close()
            assert second.wait(60) == 0
    assert postgres_of(data) == []
