"""Starts over a server that lives: one that recovers is waited for, one that is deaf is ended, and not for ever."""

import subprocess
import threading
from contextlib import contextmanager, suppress

import psutil
import psycopg
import pytest

from service.run import embedded, holders, silence
from service.run.binaries import EmbeddedError
from service.run.embedded import Embedded
from tests.kit.faults.processes import data_directory, postgres_of, postmasters_of, until

DEAF = 1.0
STARTED = "starting PostgreSQL"
NO_RESPONSE = 2  # exit status of pg_isready


@pytest.fixture(scope="module")
def one_server():
    with data_directory() as place:
        server = Embedded(place)
        yield server
        server.stop()


@pytest.fixture
def server(one_server, monkeypatch):
    """A running embedded server that counts as unresponsive after a second and one question while it is suspended."""
    one_server.start()
    asked = Embedded._asked

    def asked_until_answered(server):
        """Ask again what only a busy machine can have left unanswered."""
        while (said := (yield from asked(server))) == NO_RESPONSE and server.folder.socket.exists() and can_answer():
            yield
        return said

    def can_answer():
        with suppress(psutil.NoSuchProcess):
            found = [process for process in postmasters_of(one_server.root) if process.name() == "postgres"]
            return any(process.info["status"] != psutil.STATUS_STOPPED for process in found)
        return False

    monkeypatch.setattr(Embedded, "_asked", asked_until_answered)
    monkeypatch.setattr(embedded, "DEAF_SECONDS", DEAF)
    monkeypatch.setattr(silence, "QUESTIONS", 1)
    (one_server.root / "ended").unlink(missing_ok=True)
    return one_server


def starts(server):
    return (server.root / "postgres.log").read_text().count(STARTED)


def answers(server):
    with psycopg.connect(server.url("lurch_app"), connect_timeout=60) as connection:
        return connection.execute("select 1").fetchone() == (1,)


def suspend_all(server):
    """Suspend every process of the server once its sessions have ended, which would end meanwhile."""
    until(lambda: not any("[local]" in words for words in called(server)))
    found = []
    for process in postgres_of(server.root):
        with suppress(psutil.NoSuchProcess):
            process.suspend()
            found.append(process)
    return found


def called(server):
    """Yield the command lines of the server's processes."""
    for each in postgres_of(server.root):
        with suppress(psutil.NoSuchProcess):
            yield " ".join(each.cmdline())


@contextmanager
def recovering(server):
    """Let the server recover for as long as a file exists; yields the file."""
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
        hold = server.root / "hold"
        command = f"while test -e {hold}; do sleep 0.05; done; false"
        connection.execute(f"alter system set restore_command = '{command}'")
    server.stop()
    (server.data / "recovery.signal").touch()
    hold.touch()
    try:
        yield hold
    finally:
        hold.unlink(missing_ok=True)


def released(hold, seconds):
    """A thread that ends the recovery after some seconds."""
    timer = threading.Timer(seconds, hold.unlink)
    timer.start()
    return timer


@pytest.mark.extended
def test_a_recovering_server_is_waited_for(server):
    before = starts(server)
    with recovering(server) as hold:
        timer = released(hold, 6 * DEAF)
        server.start()
        assert not hold.exists(), "it answered while it was still recovering"
        timer.join()
    assert answers(server)
    assert starts(server) == before + 1
    assert not (server.root / "ended").exists()


@pytest.mark.extended
def test_a_server_whose_recovery_was_killed_is_started_again(server):
    with recovering(server) as hold:
        timer = threading.Timer(2, kill_startup, [server, hold])
        timer.start()
        with pytest.raises(EmbeddedError, match="stopped at once"):
            server.start()
        timer.join()
    server.start()
    assert answers(server)


def kill_startup(server, hold):
    """SIGKILL to the process that recovers; what it has just forked looks like it for a moment."""
    try:
        until(lambda: startups(server))[0].kill()
    finally:
        hold.unlink()


def startups(server):
    """The processes that are called so, the oldest first."""
    found = []
    for each in postgres_of(server.root):
        with suppress(psutil.NoSuchProcess):
            found += [each] * ("startup" in " ".join(each.cmdline()))
    return sorted(found, key=lambda each: each.pid)


@pytest.mark.extended
def test_a_start_ends_an_unresponsive_server_and_starts_another(server):
    old = suspend_all(server)
    server.start()
    assert answers(server)
    assert not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in old)
    assert len(postmasters_of(server.root)) == 1


@pytest.mark.extended
def test_an_unresponsive_server_is_not_ended_a_fourth_time(server):
    for _ in range(holders.MOST):
        holders.note_end(server.root / "ended")
    last = suspend_all(server)
    with pytest.raises(EmbeddedError, match="3 times in 10 minutes already"):
        server.start()
    assert [process.status() for process in last] == [psutil.STATUS_STOPPED] * len(last)
    for process in last:
        process.resume()


def test_the_limit_of_server_ends_expires_after_ten_minutes(tmp_path):
    ledger, clock = tmp_path / "ended", iter([0, 1, 2, 599, 601, -5000, -5000, -5000, -4999]).__next__
    for _ in range(3):
        holders.note_end(ledger, clock)
    with pytest.raises(EmbeddedError):
        holders.note_end(ledger, clock)
    holders.note_end(ledger, clock)
    for _ in range(3):
        holders.note_end(ledger, clock)
    with pytest.raises(EmbeddedError):
        holders.note_end(ledger, clock)
    ledger.unlink()
    for _ in range(3):
        holders.note_end(ledger, lambda: 10.7)
    with pytest.raises(EmbeddedError):
        holders.note_end(ledger, lambda: 10.7)
    ledger.write_text("cut sho")
    holders.note_end(ledger, lambda: 0.0)


@pytest.mark.extended
def test_a_directory_that_is_reached_by_a_link_is_not_started_twice(server):
    link = server.root.parent / "link"
    link.symlink_to(server.root)
    old = suspend_all(server)
    assert {process.pid for process in holders.holders(link / "pg")} == {process.pid for process in old}
    other = Embedded(link)
    other.start()
    try:
        assert answers(server)
        assert len(postmasters_of(server.root)) == 1
    finally:
        other.stop()
        link.unlink()


@pytest.mark.extended
def test_what_is_no_server_is_not_ended_and_is_named(server, monkeypatch):
    monkeypatch.setattr(embedded, "END_SECONDS", DEAF)
    suspend_all(server)
    shell = subprocess.Popen(["sleep", "1000"], cwd=server.data)
    try:
        with pytest.raises(EmbeddedError, match=rf"held by .*process {shell.pid} \(sleep\)"):
            server.start()
        assert shell.poll() is None
    finally:
        shell.kill()
        shell.wait()
    server.start()
    assert answers(server)


@pytest.mark.extended
def test_whoever_works_on_the_data_without_a_server_is_left_alone(server, monkeypatch):
    server.stop()
    command = [str(server.binaries / "postgres"), "--single", "-D", str(server.data), "lurch"]
    repair = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, **server.runner.options)
    other = Embedded(server.root)
    try:
        until(lambda: postgres_of(server.root))
        with monkeypatch.context() as patch:
            patch.setattr(embedded, "START_SECONDS", DEAF)
            with pytest.raises(EmbeddedError, match=rf"held by process {repair.pid} \(postgres\)"):
                other.start()
        assert repair.poll() is None
    finally:
        repair.communicate()
    server.start()
    assert answers(server)


@pytest.mark.extended
def test_a_stop_of_a_server_that_hears_nothing_ends_it(server, monkeypatch):
    monkeypatch.setattr(embedded, "STOP_SECONDS", (0.1, 0.1))
    suspend_all(server)
    server.stop()
    assert postgres_of(server.root) == []
