"""The doctor: a sound service has nothing wrong, and whatever is wrong is told with what to do, in one line."""

import json
import os
import socket
import subprocess
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.copies.taking import take
from service.run import doctor
from service.run.app import create_app
from service.run.settings import Settings
from service.store import doctoring
from tests.conftest import embedded, migrated
from tests.kit.faults.processes import free_port as port
from tests.kit.service.asking import House
from tests.service.copies.test_copies import NINE
from tests.service.run.test_alive import serving


@pytest.fixture(scope="module")
def own():
    with migrated() as database:
        with TestClient(create_app(database)) as client, House(client, database) as house:
            house.done(f"{house.match(sides=(('Hedda Quist',), ('Iver',)))}/results", {"entry": NINE})
        yield database


def told(database, **more):
    """The findings on an embedded server, by what was looked at."""
    settings = Settings(data_dir=str(database.embedded.root), port=port())
    for name, value in more.items():
        settings = Settings(**{**{each: getattr(settings, each) for each in Settings.__struct_fields__}, name: value})
    return {each.what: each for each in doctor.examined(settings)}


def test_a_sound_service_lacks_only_backups(own):
    found = told(own)
    assert {name for name, each in found.items() if not each.well} == {"copies"}
    assert "set LURCH_BACKUP_DIR" in found["copies"].says
    assert found["log"].says.endswith("events of a sample verified")
    assert found.keys() == {
        *("versions", "disk", "port", "data", "secrets", "schema", "database", "roles", "clock", "log", "copies"),
    }


def test_backups_are_read_and_their_age_and_place_reported(own, tmp_path, monkeypatch):
    folder = tmp_path / "copies"
    assert "there is none in" in told(own, backup_dir=str(folder))["copies"].says
    place, _ = take(own.owner_url, folder, "0.1.0")
    assert "they lie on the disk that they are for" in told(own, backup_dir=str(folder))["copies"].says
    monkeypatch.setattr("service.copies.keeping.Keeping.beside_the_data", lambda self: False)
    assert told(own, backup_dir=str(folder))["copies"].well
    place.write_bytes(place.read_bytes()[:-9])
    assert "cannot be read back" in told(own, backup_dir=str(folder))["copies"].says
    place.unlink()
    to_come, _ = take(own.owner_url, folder, "0.1.0", at=datetime.now(UTC) + timedelta(days=400))
    assert f"{to_come} is of a time to come" in told(own, backup_dir=str(folder))["copies"].says
    to_come.unlink()
    take(own.owner_url, folder, "0.1.0", at=datetime.now(UTC) - timedelta(days=2))
    assert "see what failed on the owner's page" in told(own, backup_dir=str(folder))["copies"].says


def test_a_port_in_use_is_reported(own):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        taken = other.getsockname()[1]
        assert not told(own, port=taken)["port"].well


def test_a_running_lurch_is_recognised_at_its_port(own):
    with serving("lurch.our-club.org") as taken:
        found = told(own, port=int(taken), allowed_hosts="lurch.our-club.org, other.example")["port"]
        assert (found.well, found.says) == (True, f"a Lurch answers on {taken}")
        assert "the port is in use" in told(own, port=int(taken), allowed_hosts="other.example")["port"].says


def test_a_full_disk_is_reported(own, monkeypatch):
    monkeypatch.setattr(doctor, "ROOM", 2**62)
    found = told(own)["disk"]
    assert not found.well
    assert "MB are free" in found.says


def test_an_old_or_newer_schema_is_reported(own, monkeypatch):
    monkeypatch.setattr(doctor, "newest", lambda: "9999")
    assert "`lurch migrate`" in told(own)["schema"].says
    monkeypatch.setattr(doctor, "newest", lambda: "0001")
    assert "which a newer Lurch has made" in told(own)["schema"].says


def test_a_clock_behind_the_log_is_reported(own):
    settings = Settings(data_dir=str(own.embedded.root), port=port())
    with psycopg.connect(own.owner_url):
        found = {each.what: each for each in doctor.examined(settings, datetime.now(UTC) - timedelta(hours=1))}
    assert "set both by NTP" in found["clock"].says


def test_a_service_that_owns_its_tables_is_reported(own):
    found = {each.what: each for each in doctor.examined(Settings(database_url=own.owner_url, port=port()))}
    assert not found["roles"].well
    assert "give it a login of its own" in found["roles"].says
    assert found["log"].well


def test_a_changed_event_is_found_in_a_sample(own):
    with psycopg.connect(own.embedded.url("postgres"), autocommit=True) as connection:
        connection.execute("alter table events disable trigger events_immutable")
        connection.execute("update events set data = replace(data, '[9,6]', '[6,9]') where type = 'ResultEntered'")
        try:
            found = told(own)["log"]
        finally:
            connection.execute("update events set data = replace(data, '[6,9]', '[9,6]') where type = 'ResultEntered'")
            connection.execute("alter table events enable always trigger events_immutable")
    assert not found.well
    assert "was changed" in found.says


@pytest.mark.parametrize("put", ["'\\xff'::bytea::text", "'{\"entry\":'", "''"])
def test_an_event_that_is_not_json_is_reported_as_changed(own, put):
    with psycopg.connect(own.embedded.url("postgres"), autocommit=True) as connection:
        connection.execute("create cast (bytea as text) without function")
        connection.execute("alter table events disable trigger events_immutable")
        connection.execute("create temporary table kept as select * from events where type = 'ResultEntered'")
        connection.execute(f"update events set data = {put} where type = 'ResultEntered'")
        try:
            found = told(own)["log"]
        finally:
            connection.execute("update events e set data = k.data from kept k where e.hash = k.hash")
            connection.execute("alter table events enable always trigger events_immutable")
            connection.execute("drop cast (bytea as text)")
    assert not found.well
    assert "somebody has changed them" in found.says or "was changed" in found.says
    assert "`lurch verify` reads all of it" in found.says


@pytest.mark.parametrize(
    ("kept", "failed", "well", "says"),
    [
        (None, None, False, "has archived nothing yet"),
        (7, None, True, "last at 2026-11-07"),
        (7, 6, True, "last at 2026-11-07"),
        (7, 8, False, "0000A could not be archived at 2026-11-08"),
        (None, 8, False, "0000A could not be archived at 2026-11-08"),
    ],
)
def test_a_failing_or_empty_archive_is_reported(own, monkeypatch, kept, failed, well, says):
    at = [datetime(2026, 11, day, tzinfo=UTC) if day else None for day in (kept, failed)]
    monkeypatch.setattr("service.store.doctoring.archive", lambda url: doctoring.Archive(True, *at, "0000A"))
    found = {each.what: each for each in doctor.examined(Settings(database_url=own.owner_url, port=port()))}["archive"]
    assert found.well is well
    assert says in found.says


def test_a_server_without_an_archive_is_fine(own):
    found = {each.what: each for each in doctor.examined(Settings(database_url=own.owner_url, port=port()))}["archive"]
    assert found.well
    assert "archives nothing" in found.says


@pytest.fixture(scope="module")
def shut(tmp_path_factory):
    """A data directory whose server has ended, as pg_controldata sees it."""
    with embedded() as database:
        database.embedded.stop()
        yield database


def test_data_of_another_major_version_are_reported_and_not_started(shut):
    place = shut.embedded.data / "PG_VERSION"
    before = place.read_text()
    place.write_text("17\n")
    try:
        found = told(shut)
    finally:
        place.write_text(before)
    assert "is of PostgreSQL 17, and this Lurch brings 18" in found["data"].says
    assert found["database"].says == "was not asked: first mend what stands above"
    assert not shut.embedded.folder.socket.exists()


def test_a_directory_copied_from_a_running_server_is_reported_and_not_started(own, tmp_path):
    copied = tmp_path / "data"
    copied.mkdir()
    for name in ("secrets.json", "prepared"):
        (copied / name).write_bytes((own.embedded.root / name).read_bytes())
    (copied / "secrets.json").chmod(0o600)
    subprocess.run(["cp", "-r", str(own.embedded.data), str(copied / "pg")], check=True)
    lines = (copied / "pg" / "postmaster.pid").read_text().splitlines()
    (copied / "pg" / "postmaster.pid").write_text("\n".join([lines[0], str(own.embedded.data), *lines[2:]]))
    found = {each.what: each for each in doctor.examined(Settings(data_dir=str(copied), port=port()))}
    assert f"was copied from {own.embedded.data} while its server ran" in found["data"].says
    assert "`lurch restore`" in found["data"].says
    assert not (copied / "run").exists()


def test_an_incomplete_data_directory_is_reported(shut):
    control = shut.embedded.data / "global" / "pg_control"
    whole = control.read_bytes()
    control.unlink()
    try:
        assert "is no whole data directory" in told(shut)["data"].says
    finally:
        control.write_bytes(whole)
        os.chown(control, *(shut.embedded.runner.uid or -1, shut.embedded.runner.gid or -1))


def test_lost_or_readable_secrets_are_reported(shut):
    place = shut.embedded.root / "secrets.json"
    place.chmod(0o644)
    assert "chmod 600" in told(shut)["secrets"].says
    place.chmod(0o600)
    place.rename(place.with_name("away"))
    try:
        found = told(shut)
    finally:
        place.with_name("away").rename(place)
    assert "put it back from a copy" in found["secrets"].says
    assert "was not asked" in found["database"].says


def test_the_bundle_of_the_command_has_no_name_and_no_secret(own, tmp_path):
    bundle = tmp_path / "findings.json"
    env = {"LURCH_DATABASE_URL": own.url, "LURCH_MIGRATE_URL": own.owner_url, "LURCH_PORT": str(port())}
    done = CliRunner().invoke(cli, ["doctor", "--bundle", str(bundle)], env=env)
    assert done.exit_code == 1
    assert "!!  copies:" in done.output
    assert "ok  log:" in done.output
    text = bundle.read_text()
    assert "LURCH_DATABASE_URL" in json.loads(text)["set"]
    passwords = own.embedded.passwords
    for secret in ("Hedda", "Iver", passwords.lurch_app, passwords.lurch_owner, passwords.postgres):
        assert secret not in text


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("LURCH_DATABASE_URL", "postgresql//lurch:geheim@127.0.0.1:1/lurch"),
        ("LURCH_DATABASE_URL", "postgresql://lurch:ge heim@127.0.0.1:1/lurch"),
        ("LURCH_DATABASE_URL", "postgresql://lurch:geh%eim@127.0.0.1:1/lurch"),
        ("LURCH_DATABASE_URL", "postgresql://lurch:ge@heim@127.0.0.1:1/lurch"),
        ("LURCH_MIGRATE_URL", "postgresql://lurch:ge/heim@127.0.0.1:1/lurch"),
    ],
)
def test_a_malformed_url_is_named_without_its_password(tmp_path, url, name):
    bundle = tmp_path / "findings.json"
    env = {"LURCH_DATABASE_URL": "postgresql://lurch@127.0.0.1:1/lurch", name: url, "LURCH_PORT": str(port())}
    done = CliRunner().invoke(cli, ["doctor", "--bundle", str(bundle)], env=env)
    assert done.exit_code == 1
    assert f"{name} is no URL of a database" in done.output
    for text in (done.output, bundle.read_text()):
        assert not any(part in text for part in ("geh", "ge heim", "heim@"))
    refused = CliRunner().invoke(cli, ["backup", str(tmp_path)], env=env)
    assert refused.exit_code == 2
    assert "heim" not in refused.output


@pytest.mark.parametrize("home", ["/", "", "/root"])
def test_paths_in_the_bundle_contain_no_names_of_people(tmp_path, monkeypatch, home):
    monkeypatch.setenv("HOME", home)
    place = "/media/Hedda Quist/stick"
    bundle = tmp_path / "findings.json"
    env = {"LURCH_DATA_DIR": str(tmp_path / "half.made"), "LURCH_BACKUP_DIR": place, "LURCH_PORT": str(port())}
    (tmp_path / "half.made" / "pg").mkdir(parents=True)
    CliRunner().invoke(cli, ["doctor", "--bundle", str(bundle)], env=env)
    text = bundle.read_text()
    assert "Hedda" not in text
    assert "/media/~/stick yet" in text
    assert str(tmp_path / "half.made" / "pg") in text
