"""A copy before each migration, and the way back to it: all of it or none, and no fact lost that nobody named."""

import re
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.copies.reading import checked
from service.copies.taking import take
from service.run import migrate, rolling_back
from service.run.app import create_app
from service.run.before import FOLDER, copy_before
from service.run.restoring import restore
from service.run.settings import Settings
from service.store import copying
from tests.conftest import new_database
from tests.kit.service.asking import House
from tests.kit.service.more_databases import one_more
from tests.kit.service.schemas import upgrade_to
from tests.service.copies.test_copies import NINE, every_row

NOW = migrate.newest()  # before a later one is made up


@pytest.fixture(scope="module")
def server():
    with new_database() as found:
        yield found


@pytest.fixture(scope="module")
def played(server):
    """A club with a match: the path of that, and who asks for it."""
    with club_of(server) as house:
        path = house.match(target=None, deals=50)
        house.done(f"{path}/results", {"entry": NINE})
    return path, house


@pytest.fixture
def own(server, played):
    """The same in a database of its own."""
    with one_more(server, like=server.embedded.name) as found:
        yield found, *played


@contextmanager
def club_of(database):
    """A club, as long as its service runs."""
    with TestClient(create_app(database)) as client, House(client, database) as house:
        yield house


def lurch(database, tmp_path, *words):
    env = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
    return CliRunner().invoke(cli, list(words), env={**env, "LURCH_BACKUP_DIR": str(tmp_path / "copies")})


def said(done):
    """What a command said, without the frame around an error."""
    return " ".join(re.sub("[│╭╮╰╯─]", " ", done.output).split())


def copies(tmp_path, folder="before-migrations"):
    place = tmp_path / "copies" / folder
    return sorted(place.iterdir()) if place.exists() else []


def everything(database):
    """All rows of a copy, but what a restore ends and begins."""
    return {table: every_row(database, table) for table in set(copying.KEPT) - {"tokens", "webhooks", "choices"}}


def revision(database):
    with psycopg.connect(database.owner_url) as connection:
        return connection.execute("select version_num from alembic_version").fetchone()[0]


def record_more(database, house, path, times):
    """Some facts more, by the Lurch of before: the schema of the later one adds only a column."""
    with TestClient(create_app(database)) as client:
        house.client = client
        for _ in range(times):
            house.done(f"{path}/results", {"entry": NINE, "it_happened": True})


def test_a_copy_is_taken_before_a_migration_and_at_no_other_time(own, tmp_path, later):
    database = own[0]
    before = everything(database)
    later(False)
    assert lurch(database, tmp_path, "migrate").exit_code == 0
    assert copies(tmp_path) == []
    later(True)
    done = lurch(database, tmp_path, "migrate")
    assert done.exit_code == 0, done.output
    (place,) = copies(tmp_path)
    assert str(place) in said(done)
    assert checked(place).revision == NOW
    assert checked(place).rows["events"] == len(before["events"])
    assert lurch(database, tmp_path, "migrate").exit_code == 0
    assert copies(tmp_path) == [place]


def test_the_backup_before_a_migration_stays_despite_backups_from_the_future(own, tmp_path, later):
    database = own[0]
    folder = tmp_path / "copies" / FOLDER
    for year in (2096, 2097, 2098, 2099):
        take(database.owner_url, folder, "0.1.0", at=datetime(year, 1, 1, tzinfo=UTC))
    copy_before(Settings(backup_dir=str(tmp_path / "copies")), database.owner_url)
    assert len(list(folder.iterdir())) == 4
    assert sum(each.name < "lurch-2096" for each in folder.iterdir()) == 1


def test_an_empty_log_is_migrated_without_a_copy(server, tmp_path):
    with one_more(server) as empty:
        upgrade_to(empty.owner_url, "0011")
        assert lurch(empty, tmp_path, "migrate").exit_code == 0
        assert revision(empty) == NOW
    assert copies(tmp_path) == []


def test_a_migration_whose_copy_cannot_be_written_does_not_begin(own, tmp_path, later):
    (tmp_path / "copies").write_text("a file in the way")
    done = lurch(own[0], tmp_path, "migrate")
    assert done.exit_code == 2
    assert "before the migration, so it has not begun" in said(done)
    assert "set LURCH_BACKUP_DIR" in said(done)
    assert revision(own[0]) == NOW


def test_a_rollback_that_loses_nothing_asks_nothing(own, tmp_path, later):
    database, before = own[0], everything(own[0])
    lurch(database, tmp_path, "migrate")
    assert revision(database) == "9999"
    done = lurch(database, tmp_path, "rollback")
    assert done.exit_code == 0, done.output
    assert f"back at schema {NOW}" in said(done)
    assert "0 facts lost" in said(done)
    assert revision(database) == NOW
    assert everything(database) == before
    with psycopg.connect(database.url) as connection:
        assert connection.execute("select value from choices where name = 'era'").fetchone()
        assert connection.execute("select count(*) from tokens where revoked_at is null").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("update events set version = 1")
    later(False)
    assert lurch(database, tmp_path, "verify").exit_code == 0


def test_a_rollback_asks_for_the_number_of_lost_facts(own, server, tmp_path, later):
    database, path, house = own
    lurch(database, tmp_path, "migrate")
    record_more(database, house, path, 3)
    with psycopg.connect(database.owner_url) as connection:
        facts = connection.execute("select count(*) from events").fetchone()[0]
    lost = facts - checked(copies(tmp_path)[0]).rows["events"]
    assert lost >= 3
    for words in ((), ("--lose", str(lost + 1)), ("--lose", str(lost - 1))):
        done = lurch(database, tmp_path, "rollback", *words)
        assert done.exit_code == 2
        assert re.search(rf"^ +{lost}  match {path.split('/')[-1]}$", done.output, re.MULTILINE), done.output
        assert f"`lurch rollback --lose {lost}` goes on" in said(done)
        assert revision(database) == "9999"
    assert copies(tmp_path, "rolled-back") == []
    done = lurch(database, tmp_path, "rollback", "--lose", str(lost))
    assert done.exit_code == 0, done.output
    assert len(every_row(database, "events")) == facts - lost
    (archive,) = copies(tmp_path, "rolled-back")
    with one_more(server) as elsewhere:
        back = restore(archive, Settings(database_url=elsewhere.url, migrate_url=elsewhere.owner_url))
        assert back.events == facts


def test_a_number_of_what_is_not_lost_is_refused(own, tmp_path, later):
    lurch(own[0], tmp_path, "migrate")
    done = lurch(own[0], tmp_path, "rollback", "--lose", "5")
    assert done.exit_code == 2
    assert "no fact was recorded since, not 5" in said(done)
    assert revision(own[0]) == "9999"


def test_nothing_is_rolled_back_while_a_service_is_at_work(own, tmp_path, later):
    lurch(own[0], tmp_path, "migrate")
    with TestClient(create_app(own[0])):
        done = lurch(own[0], tmp_path, "rollback")
    assert done.exit_code == 2
    assert re.search(r"lurch_app \(\d+\): stop the service first", said(done)), said(done)
    assert revision(own[0]) == "9999"


def test_a_rollback_that_fails_in_its_middle_has_changed_nothing(own, tmp_path, later, monkeypatch):
    lurch(own[0], tmp_path, "migrate")
    before = everything(own[0])

    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(rolling_back.copying, "put_rows", broken)
    done = lurch(own[0], tmp_path, "rollback")
    assert done.exit_code == 2
    assert "Input/output error" in said(done)
    assert everything(own[0]) == before
    assert revision(own[0]) == "9999"


def test_a_copy_of_another_log_is_not_rolled_back_to(own, server, tmp_path, later):
    later(False)
    with one_more(server) as other:
        migrate.upgrade(other.owner_url, other.url)
        with club_of(other):
            take(other.owner_url, tmp_path / "copies" / "before-migrations", "0.1.0")
    later(True)
    lurch(own[0], tmp_path / "elsewhere", "migrate")
    done = lurch(own[0], tmp_path, "rollback")
    assert done.exit_code == 2
    assert "is of another log" in said(done)
    assert revision(own[0]) == "9999"


def test_where_nothing_was_migrated_there_is_nothing_to_roll_back_to(own, tmp_path):
    done = lurch(own[0], tmp_path, "rollback")
    assert done.exit_code == 2
    assert "there is no copy from before a migration" in said(done)


def test_an_older_lurch_does_not_roll_back_a_newer_database(own, tmp_path, later):
    lurch(own[0], tmp_path, "migrate")
    later(False)
    done = lurch(own[0], tmp_path, "rollback")
    assert done.exit_code == 2
    assert "a newer Lurch has used it" in said(done)


@pytest.mark.extended
def test_a_backup_of_every_earlier_schema_can_be_restored(server, tmp_path):
    names = sorted(each.name[1:5] for each in (migrate.FOLDER / "versions").glob("r0*.py"))
    with one_more(server) as old:
        for name in names:
            upgrade_to(old.owner_url, name)
            place, manifest = take(old.owner_url, tmp_path / name, "0.1.0")
            assert manifest.revision == name
            assert checked(place) == manifest
            if name == "0001":
                with psycopg.connect(old.owner_url) as connection:
                    connection.execute("insert into logs values ('00000000-0000-4000-8000-000000000001', 0)")
    for name in ("0002", "0009"):
        (place,) = Path(tmp_path / name).iterdir()
        with one_more(server) as fresh:
            assert restore(place, Settings(database_url=fresh.url, migrate_url=fresh.owner_url)).events == 0
            assert len(every_row(fresh, "logs")) == 2
