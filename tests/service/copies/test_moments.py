"""Point-in-time recovery of an embedded server: a base backup of each week, and each change as it was received."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.copies.changes import NAME, Base, Changes
from service.run import receiving
from service.run.app import create_app
from service.run.settings import Settings
from service.store import changes as store
from tests.kit.faults.processes import until
from tests.kit.service.asking import House


def superuser(server):
    return server.embedded.url("postgres", "postgres")


def received(folder):
    """The changes of the one server whose changes are received."""
    return Changes(max((folder / NAME).glob("*-*-*"), default=folder / NAME))


def facts(database):
    with psycopg.connect(database.owner_url) as connection:
        return sum(each.position for each in store.last_facts(connection))


def flushed(server):
    """Return True if the folder has received everything that the server has written."""
    with psycopg.connect(superuser(server)) as connection:
        asked = """select flush_lsn >= pg_current_wal_flush_lsn() from pg_stat_replication
            where application_name = 'pg_receivewal'"""
        return connection.execute(asked).fetchone() == (True,)


def time_of(server):
    """The server's clock, which is later than every commit before this call."""
    with psycopg.connect(superuser(server)) as connection:
        return connection.execute("select clock_timestamp()").fetchone()[0]


@pytest.fixture(scope="module")
def evening(own_server, tmp_path_factory):
    """A folder with a club's evening, a moment in it, and the number of events at that moment and at the end."""
    folder = tmp_path_factory.mktemp("stick")
    settings = Settings(backup_dir=str(folder))
    with TestClient(create_app(own_server, settings)) as client, House(client, own_server) as house:
        house.match()
        until(lambda: received(folder).bases())
        house.match()
        before, moment = facts(own_server), time_of(own_server)
        house.match()
        until(lambda: flushed(own_server))
        after = facts(own_server)
    return folder, moment, before, after


def brought_back(folder, moment, place):
    environment = {"LURCH_DATA_DIR": str(place), "LURCH_DATABASE_URL": ""}
    return CliRunner().invoke(cli, ["restore", str(folder), "--at", moment], env={**environment, "COLUMNS": "1000"})


def events_in(place):
    from service.run.embedded import Embedded

    server = Embedded(place)
    server.start()
    try:
        with psycopg.connect(server.url("lurch_owner")) as connection:
            return sum(each.position for each in store.last_facts(connection))
    finally:
        server.stop()


def test_a_moment_is_restored_and_the_lost_events_are_named(evening, tmp_path):
    folder, moment, before, after = evening
    tmp_path.chmod(0o755)
    done = brought_back(folder, moment.isoformat(), tmp_path / "data")
    assert done.exit_code == 0, done.output
    assert f"{before} events, all verified" in done.output
    assert "the first that did not is event 1 of" in done.output
    assert events_in(tmp_path / "data") == before < after


@pytest.mark.extended
def test_a_moment_in_the_future_restores_everything(evening, tmp_path):
    folder, _, _, after = evening
    done = brought_back(folder, "2099-01-01T00:00:00Z", tmp_path / "data")
    assert done.exit_code == 0, done.output
    assert f"{after} events, all verified" in done.output
    assert "nothing is lost" in done.output


def test_a_moment_from_before_the_first_base_is_refused(evening, tmp_path):
    done = brought_back(evening[0], "2020-01-01T00:00:00Z", tmp_path / "data")
    assert done.exit_code != 0
    assert "the first moment that can be brought back is" in done.output
    assert not (tmp_path / "data").exists()


def test_a_base_that_is_not_whole_is_never_started(evening, tmp_path):
    folder, moment, _, _ = evening
    (base,) = received(folder).bases()
    table = max((base.folder / "base").rglob("*"), key=lambda each: each.stat().st_size)
    whole = table.read_bytes()
    table.write_bytes(whole[:-1])
    try:
        done = brought_back(folder, moment.isoformat(), tmp_path / "data")
    finally:
        table.write_bytes(whole)
    assert done.exit_code != 0
    assert "no base can be used" in done.output
    assert not (tmp_path / "data").exists()


def test_a_folder_without_a_base_is_named(tmp_path):
    done = brought_back(tmp_path, "2026-11-23T20:00:00Z", tmp_path / "data")
    assert "name the folder that LURCH_BACKUP_DIR named" in done.output


def test_a_folder_is_asked_for_a_copy_or_a_moment(tmp_path):
    done = CliRunner().invoke(cli, ["restore", str(tmp_path)])
    assert "name one of its copies, or a moment with --at" in done.output


@pytest.mark.extended
def test_missed_changes_are_followed_by_a_new_base(own_server, tmp_path, monkeypatch):
    monkeypatch.setattr(receiving, "AGAIN_SECONDS", 0.1)
    settings = Settings(backup_dir=str(tmp_path))
    with TestClient(create_app(own_server, settings)):
        until(lambda: received(tmp_path).bases())
    first = received(tmp_path)
    store.let_go(superuser(own_server))
    with TestClient(create_app(own_server, settings)):
        until(lambda: received(tmp_path) != first and received(tmp_path).bases())
    with TestClient(create_app(own_server, settings)):
        until(lambda: flushed(own_server))
        assert received(tmp_path).folder.name.endswith("-2"), "what goes on begins nothing anew"
    with TestClient(create_app(own_server, Settings())):
        until(lambda: not store.is_held(superuser(own_server)))


@pytest.mark.extended
def test_a_service_that_ends_during_a_base_leaves_no_connection(own_server, tmp_path):
    with TestClient(create_app(own_server, Settings(backup_dir=str(tmp_path)))):
        until(lambda: list((tmp_path / NAME).glob("*/base.part")), pause=0.001)
    with psycopg.connect(superuser(own_server), autocommit=True) as connection:
        until(lambda: not connection.execute("select from pg_stat_replication").fetchall())


def test_old_bases_and_their_changes_go_and_what_stays_is_packed(tmp_path):
    changes, now = Changes(tmp_path), datetime(2026, 11, 23, 4, tzinfo=UTC)
    changes.files.mkdir()
    names = [f"00000001{0:08X}{each:08X}" for each in range(1, 6)]
    for name in names:
        (changes.files / name).write_bytes(name.encode())
    (changes.files / f"00000001{0:08X}{6:08X}.partial").write_bytes(b"begun")
    for week, first in enumerate((1, 3, 5)):
        changes.part.mkdir()
        label = f"START WAL LOCATION: 0/{first}000028 (file {names[first - 1]})\n"
        (changes.part / "backup_label").write_text(label)
        changes.take_in(now + timedelta(weeks=week))
    changes.tidy()
    assert [each.made for each in changes.bases()] == [now + timedelta(weeks=2), now + timedelta(weeks=1)]
    kept = sorted(each.name for each in changes.files.iterdir())
    assert kept == [f"{each}.gz" for each in names[2:]] + [f"00000001{0:08X}{6:08X}.partial"]
    laid = tmp_path / "laid"
    laid.mkdir()
    changes.put_into(laid, changes.bases()[0])
    assert {each.name: each.read_bytes() for each in laid.iterdir()} == {
        names[4]: names[4].encode(),
        f"00000001{0:08X}{6:08X}": b"begun",
    }


def test_a_clock_that_jumps_takes_and_deletes_nothing(tmp_path):
    changes, now = Changes(tmp_path), datetime(2026, 11, 23, 4, tzinfo=UTC)
    assert changes.is_due(now)
    Base(now, tmp_path / f"base-{now:%Y-%m-%d-%H%M%S}").folder.mkdir()
    assert not changes.is_due(now - timedelta(days=400))
    assert not changes.is_due(now + timedelta(days=6))
    assert changes.is_due(now + timedelta(days=7))
