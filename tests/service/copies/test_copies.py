"""A backup and its restore: everything recorded comes back and verifies, and a faulty backup restores nothing."""

import os
import shutil
import stat
import threading
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.copies import reading
from service.copies.frames import CopyError
from service.copies.taking import take
from service.run import migrate
from service.run.app import create_app
from service.run.database import Database
from service.run.embedded import Embedded
from service.run.restoring import restore
from service.run.settings import Settings
from service.store import copying
from tests.conftest import new_database
from tests.kit.faults.processes import until
from tests.kit.service.asking import House
from tests.kit.service.more_databases import one_more

NINE = {"parity": "odd", "tricks": [9, 6]}


@pytest.fixture(scope="module")
def source():
    """A club with a result, a dispute, a case and a webhook; its service runs."""
    with new_database() as database:
        settings = Settings(webhook_private=True)
        with TestClient(create_app(database, settings)) as client, House(client, database) as house:
            path = house.match(sides=(("Annie",), ("Benny",)), target=100)
            house.done(f"{path}/results", {"entry": NINE})
            house.done(f"{path}/disputes", {"deal": 1, "side": 1, "reason": "it was eight"}, "director")
            house.done(f"{house.path}/webhooks", {"url": "http://[::1]:65535/hook"}, "owner")
            house.path_of_match = path
            until(lambda: house.log.execute("select 1 from events where type = 'CaseOpened'").fetchone())
            yield house


@contextmanager
def place_for_data(tmp_path_factory):
    """The path of a data directory that does not exist yet, in a folder that `nobody` can enter."""
    place = Path(tmp_path_factory.mktemp("restored"))
    for each in (place, *place.parents[:2]):
        each.chmod(0o755)
    yield place / "data"
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def empty(tmp_path_factory):
    with place_for_data(tmp_path_factory) as data:
        yield data


@pytest.fixture(scope="module")
def copied(source, tmp_path_factory):
    return take(source.database.owner_url, tmp_path_factory.mktemp("copies"), "0.1.0")


@contextmanager
def started(place):
    """Start the server of a data directory."""
    server = Embedded(place)
    server.start()
    try:
        yield Database(server.url("lurch_app"), server.url("lurch_owner"), server)
    finally:
        server.stop()


@contextmanager
def edited(database):
    """Change a result in the log against its rules, and change it back afterwards."""
    with psycopg.connect(database.embedded.url("postgres"), autocommit=True) as connection:
        edit = "update events set data = replace(data, '[9,6]', '[6,9]') where type = 'ResultEntered'"
        back = "update events set data = replace(data, '[6,9]', '[9,6]') where type = 'ResultEntered'"
        connection.execute("alter table events disable trigger events_immutable")
        connection.execute(edit)
        try:
            yield
        finally:
            connection.execute(back)
            connection.execute("alter table events enable always trigger events_immutable")


def every_row(database, table):
    with psycopg.connect(database.owner_url) as connection:
        return sorted(map(repr, connection.execute(f"select * from {table}").fetchall()))  # ours


def test_every_table_is_in_a_copy_or_says_why_not(source):
    with psycopg.connect(source.database.owner_url) as connection:
        there = copying.tables(connection)
    assert there == set(copying.KEPT) | set(copying.LEFT_OUT)
    assert not set(copying.KEPT) & set(copying.LEFT_OUT)


def test_a_copy_is_one_file_for_its_owner_alone(copied):
    place, manifest = copied
    assert [each.name for each in place.parent.iterdir()] == [place.name]
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert reading.checked(place) == manifest
    assert manifest.rows["events"] == 8
    assert manifest.clubs == 1


@pytest.fixture(scope="module")
def restored(source, tmp_path_factory):
    """The database that `lurch backup` and `lurch restore` put into a data directory, and what both commands said."""
    with place_for_data(tmp_path_factory) as data:
        backup = lurch(source.database, "backup", str(data.parent / "copies"))
        (file,) = (data.parent / "copies").iterdir()
        restored = CliRunner().invoke(cli, ["restore", str(file)], env={"LURCH_DATA_DIR": str(data)})
        assert (backup.exit_code, restored.exit_code) == (0, 0), backup.output + restored.output
        with started(data) as database:
            yield database, file, backup.output, restored.output


def test_the_commands_say_what_a_backup_holds_and_what_to_do_next(restored):
    database, file, backup, output = restored
    assert f"{file}: 1 club, " in backup
    assert "whoever has this file has the keys" in backup
    assert "all verified" in output
    assert "`lurch owner-link` signs you in" in output
    again = CliRunner().invoke(cli, ["restore", str(file)], env={"LURCH_DATA_DIR": str(database.embedded.root)})
    assert again.exit_code == 2
    assert "holds something" in again.output
    assert "Traceback" not in again.output


def test_every_table_comes_back_and_all_credentials_have_ended(source, restored):
    database, file, _, _ = restored
    for table in sorted(set(copying.KEPT) - {"tokens", "webhooks", "choices"}):
        assert every_row(database, table) == every_row(source.database, table), table
    with TestClient(create_app(database)) as client:
        refused = client.get(source.path, headers=source.bearer("owner"))
        assert refused.status_code == 401
    with psycopg.connect(database.owner_url) as connection:
        assert connection.execute("select count(*) from tokens where revoked_at is null").fetchone() == (0,)
        assert connection.execute("select disabled_because from webhooks").fetchall() == [("restored from a copy",)]
        assert connection.execute("select count(*) from sign_ins").fetchone() == (0,)
    verified = lurch(database, "verify")
    assert verified.exit_code == 0, verified.output
    assert len(every_row(database, "events")) == reading.checked(file).rows["events"]
    assert sorted(each.name for each in database.embedded.root.parent.iterdir()) == ["copies", "data"]


def test_a_restored_service_records_on_where_the_backup_ended(source, restored):
    with TestClient(create_app(restored[0])) as client:
        token = lurch(restored[0], "token", "create", "--role", "director", "--name", "new", "--club", "House")
        headers = {"Authorization": f"Bearer {token.output.strip()}"}
        before = client.get(source.path_of_match, headers=headers).json()["version"]
        body = {"version": before, "how": "upheld", "reason": "looked"}
        answer = client.post(f"{source.path_of_match}/settlements", json=body, headers=headers)
        assert (answer.status_code, answer.json()["version"]) == (201, before + 1)


def test_a_backup_is_restored_into_an_empty_database_only(source, copied):
    with one_more(source.database) as database:
        settings = Settings(database_url=database.url, migrate_url=database.owner_url)
        restored = restore(copied[0], settings)
        assert restored.manifest == copied[1]
        assert every_row(database, "events") == every_row(source.database, "events")
        with pytest.raises(CopyError, match="has tables"):
            restore(copied[0], settings)


def test_a_directory_that_holds_something_is_left_as_it_is(copied, empty):
    empty.mkdir()
    (empty / "notes.txt").write_text("mine")
    with pytest.raises(CopyError, match="holds something"):
        restore(copied[0], Settings(data_dir=str(empty)))
    assert [each.name for each in empty.parent.rglob("*")] == ["data", "notes.txt"]


def test_a_copy_that_is_cut_or_changed_makes_nothing(copied, empty):
    data = copied[0].read_bytes()
    broken = empty.parent / "broken.lurch"
    for number in range(50):
        place = number * len(data) // 50
        broken.write_bytes(data[:place] if number % 2 else data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        with pytest.raises(CopyError):
            restore(broken, Settings(data_dir=str(empty)))
    assert [each.name for each in empty.parent.iterdir()] == ["broken.lurch"]


def test_a_copy_of_a_newer_schema_says_which_lurch_reads_it(copied, empty, monkeypatch):
    monkeypatch.setattr("service.run.restoring.newest", lambda: "0001")
    with pytest.raises(CopyError, match="use the Lurch that made it"):
        restore(copied[0], Settings(data_dir=str(empty)))
    assert list(empty.parent.iterdir()) == []


@pytest.mark.extended  # test_cut_off.py does the same with a database
def test_a_backup_of_an_edited_log_makes_no_data_directory(source, tmp_path, empty):
    with edited(source.database):
        place, _ = take(source.database.owner_url, tmp_path, "0.1.0")
    with pytest.raises(CopyError, match="was changed"):
        restore(place, Settings(data_dir=str(empty)))
    assert list(empty.parent.iterdir()) == []


def test_a_full_disk_leaves_no_half_copy(source, tmp_path, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        take(source.database.owner_url, tmp_path, "0.1.0")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_during_a_migration_is_refused_with_its_name(source, tmp_path):
    with (
        copying.alone(source.database.owner_url, "migrate"),
        pytest.raises(copying.UnderWayError, match=r"`lurch migrate` since \d\d:\d\d:\d\d UTC is at work"),
    ):
        take(source.database.owner_url, tmp_path, "0.1.0")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_begins_as_soon_as_the_one_before_has_ended(source):
    for _ in range(100):
        with copying.alone(source.database.owner_url, "backup"):
            pass


def test_a_migration_waits_until_another_one_has_ended(source, monkeypatch):
    monkeypatch.setattr(migrate, "newest", lambda: "a later one")  # or there would be nothing to migrate
    tries, pause = [], copying.time.sleep
    monkeypatch.setattr(copying.time, "sleep", lambda seconds: tries.append(seconds) or pause(seconds))
    waiting = threading.Thread(target=migrate.upgrade, args=(source.database.owner_url,))
    with copying.alone(source.database.owner_url, "migrate"):
        waiting.start()
        until(lambda: len(tries) > 2)
        assert waiting.is_alive()
    waiting.join(90)
    assert not waiting.is_alive()


def test_a_backup_taken_while_results_are_recorded_is_of_one_moment(source, tmp_path):
    path, stop = source.match(target=None, deals=500), threading.Event()

    def record():
        while not stop.is_set():
            source.done(f"{path}/results", {"entry": NINE, "it_happened": True})

    writer = threading.Thread(target=record)
    writer.start()
    try:
        places = [take(source.database.owner_url, tmp_path / str(number), "0.1.0")[0] for number in range(3)]
    finally:
        stop.set()
        writer.join()
    with one_more(source.database) as database:
        settings = Settings(database_url=database.url, migrate_url=database.owner_url)
        assert restore(places[-1], settings).events == reading.checked(places[-1]).rows["events"]


def lurch(database, *words, text="", **more):
    env = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url, **more}
    return CliRunner().invoke(cli, list(words), input=text, env=env)


def test_an_encrypted_backup_is_read_with_its_passphrase_only(source, tmp_path):
    secret = tmp_path / "passphrase"
    secret.write_text("correct horse\n")
    copies = tmp_path / "copies"
    done = lurch(source.database, "backup", "--encrypt", str(copies), text="correct horse\ncorrect horse\n")
    assert done.exit_code == 0, done.output
    (place,) = copies.iterdir()
    assert b"ResultEntered" not in place.read_bytes()
    with one_more(source.database) as database:
        wrong = lurch(database, "restore", str(place), text="another\n")
        assert wrong.exit_code == 2
        assert "passphrase does not open" in wrong.output
        done = lurch(database, "restore", str(place), LURCH_BACKUP_PASSPHRASE_FILE=str(secret))
        assert done.exit_code == 0, done.output
