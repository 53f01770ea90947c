"""A move: everything from an embedded server to another database and back, and nothing where it could be torn apart."""

import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.run.app import create_app
from service.run.database import Database
from service.run.settings import Settings
from service.store import copying
from tests.kit.service.asking import House, sign_in
from tests.kit.service.more_databases import one_more
from tests.kit.service.other_majors import server_of
from tests.service.copies.test_copies import NINE, every_row, started

ENDED = {"tokens", "choices"}


@pytest.fixture(scope="module")
def server(own_server):
    """A server with a club that has a result and a webhook; no service runs."""
    settings = Settings(webhook_private=True)
    with TestClient(create_app(own_server, settings)) as client, House(client, own_server) as house:
        house.done(f"{house.match()}/results", {"entry": NINE})
        house.webhook()
    return own_server


@pytest.fixture
def place():
    """A folder that the server's user reaches, whatever other runs of the tests do with theirs."""
    found = Path(tempfile.mkdtemp(prefix="lurch-move-test-"))
    found.chmod(0o755)
    yield found
    shutil.rmtree(found, ignore_errors=True)


def lurch(*words, **environ):
    return CliRunner().invoke(cli, list(words), env=environ)


def test_everything_goes_from_an_embedded_server_to_another_and_back(server, place):
    with one_more(server) as other:
        there = lurch("move", other.owner_url, LURCH_DATA_DIR=str(server.embedded.root))
        assert there.exit_code == 0, there.output
        assert "all verified" in there.output
        assert "set LURCH_DATABASE_URL to it" in there.output
        assert other.owner_url not in there.output, "a password is shown"
        done = lurch("move", str(place / "data"), LURCH_DATABASE_URL=other.owner_url)
        assert done.exit_code == 0, done.output
    with started(place / "data") as database:
        for table in sorted(set(copying.KEPT) - ENDED):
            assert every_row(database, table) == every_row(server, table), table
        with psycopg.connect(database.url) as connection:
            assert connection.execute("select count(*) from choices where name = 'restored'").fetchone() == (0,)


@pytest.mark.extended
@pytest.mark.parametrize("major", [15])
def test_everything_goes_to_another_major_version_and_back(server, place, major):
    with server_of(major) as owner_url:
        there = lurch("move", owner_url, LURCH_DATA_DIR=str(server.embedded.root))
        assert there.exit_code == 0, there.output
        assert "all verified" in there.output
        there = Database(owner_url, owner_url)
        with TestClient(create_app(there)) as client:
            assert "House" in client.get("/", headers=sign_in(client, there)).text
        done = lurch("move", str(place / "data"), LURCH_DATABASE_URL=owner_url)
        assert done.exit_code == 0, done.output
    with started(place / "data") as database:
        for table in sorted(set(copying.KEPT) - ENDED):
            assert every_row(database, table) == every_row(server, table), table


def test_a_move_needs_a_stopped_service_and_an_empty_target(server):
    environ = {"LURCH_DATA_DIR": str(server.embedded.root)}
    with one_more(server) as other:
        with TestClient(create_app(server)):
            refused = lurch("move", other.owner_url, **environ)
        assert refused.exit_code == 2
        assert "stop the service first" in " ".join(refused.output.replace("│", "").split())
        with psycopg.connect(other.owner_url) as connection:
            assert copying.tables(connection) == set()
            connection.execute("create table mine (id int)")
        refused = lurch("move", other.owner_url, **environ)
        assert refused.exit_code == 2
        assert "has tables" in refused.output


@pytest.mark.extended
def test_a_restored_service_still_waits_after_a_move_to_a_relative_directory(server, place, monkeypatch):
    waits = "insert into choices (name, value) values ('restored', '2026-11-23T04:00:00+00:00')"
    monkeypatch.chdir(place)
    with psycopg.connect(server.owner_url) as connection:
        connection.execute(waits)
    try:
        done = lurch("move", "postgres-18", LURCH_DATA_DIR=str(server.embedded.root))
    finally:
        with psycopg.connect(server.owner_url) as connection:
            connection.execute("delete from choices where name = 'restored'")
    assert done.exit_code == 0, done.output
    assert "set LURCH_DATA_DIR to it" in done.output
    with started(place / "postgres-18") as database, psycopg.connect(database.url) as connection:
        assert connection.execute("select count(*) from choices where name = 'restored'").fetchone() == (1,)


@pytest.mark.parametrize("target", ["", " "])
def test_a_target_that_is_empty_is_no_directory(tmp_path, target):
    done = lurch("move", target, LURCH_DATA_DIR=str(tmp_path / "data"))
    assert done.exit_code == 2
    assert "TARGET is empty" in done.output
    assert list(tmp_path.iterdir()) == []
