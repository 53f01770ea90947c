"""Who was erased since a copy is erased again after its restore: the list that lies beside copies says who, by ids."""

import json

import psycopg
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.copies import erased
from service.copies.taking import take_alone
from service.run.app import create_app
from service.run.settings import Settings
from tests.conftest import new_database
from tests.kit.faults.processes import until
from tests.kit.service.asking import House
from tests.kit.service.more_databases import one_more
from tests.service.cli.test_erase import SHEET
from tests.service.copies.test_copies import NINE


def lurch(database, *words):
    env = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
    return CliRunner().invoke(cli, list(words), env=env)


@pytest.fixture(scope="module")
def server():
    with new_database() as found:
        yield found


@pytest.fixture(scope="module")
def left(server, tmp_path_factory):
    """A copy in which two people stand, one in an open dispute, and the folder of copies after both were erased."""
    folder = tmp_path_factory.mktemp("copies")
    secret = folder.parent / "secret"
    secret.write_text("correct horse\n")  # then the server's changes are not received
    settings = Settings(backup_dir=str(folder), backup_passphrase_file=str(secret))
    with TestClient(create_app(server, settings)) as client, House(client, server) as house:
        path = house.match(sides=(("Annie Holm",), ("Benny",)), target=100)
        house.done(f"{path}/results", {"entry": NINE})
        house.done(f"{path}/disputes", {"deal": 1, "side": 1, "reason": "Annie Holm says eight"}, "director")
        until(lambda: house.log.execute("select 1 from events where type = 'CaseOpened'").fetchone())
        sheet = folder.parent / "sheet.ctn"
        sheet.write_text(SHEET, encoding="utf-8")
        assert lurch(server, "import", str(sheet), "--club", "House").exit_code == 0
        copy = take_alone(server.owner_url, folder.parent / "early", "0.1.0")[0]  # the service may back up too
        done = lurch(server, "erase", "Hedda Quist", "--texts", "--yes")
        assert done.exit_code == 0, done.output
        until((folder / erased.NAME).exists)
    return copy, folder / erased.NAME, house


def names(database):
    with psycopg.connect(database.owner_url) as connection:
        return " ".join(row[0] for row in connection.execute("select data from private").fetchall())


def test_an_erasure_is_listed_by_ids_next_to_the_backups(left):
    text = left[1].read_text()
    assert "Hedda" not in text
    (one,) = erased.read(left[1])
    assert one.reason == "asked"
    assert len(one.rows) >= 2


def test_a_restore_takes_the_erasures_of_later_again(server, left):
    copy, listed, _ = left
    with one_more(server) as fresh:
        done = lurch(fresh, "restore", "--erased", str(listed), str(copy))
        assert done.exit_code == 0, done.output
        assert "1 person erased again" in done.output
        assert "Hedda" not in names(fresh)
        assert "(name removed) was late" in names(fresh)
        assert "Annie Holm" in names(fresh)
        assert lurch(fresh, "verify").exit_code == 0
        again = lurch(fresh, "erased", str(listed))
        assert (again.exit_code, again.output.strip()) == (0, "0 people erased again, 1 had been or are not here")


def test_who_cannot_be_erased_yet_is_named_with_the_reason(server, left, tmp_path):
    copy, _, house = left
    with psycopg.connect(server.owner_url) as connection:
        row = connection.execute("select data from events where type = 'MatchOpened' order by position").fetchone()
    person = json.loads(row[0])["sides"][0][0]
    listed = tmp_path / erased.NAME
    one = {"club": house.id, "person": person, "reason": "law", "rows": []}
    listed.write_text(json.dumps({"lurch_erased": 1, "erasures": [one]}))
    with one_more(server) as fresh:
        assert lurch(fresh, "restore", str(copy)).exit_code == 0
        done = lurch(fresh, "erased", str(listed))
        assert done.exit_code == 1
        assert f"not erased: {person} of club {house.id}: " in done.output
        assert "close it, then erase" in " ".join(done.output.split())
        assert "`lurch erased FILE`" in done.output
        assert "Annie Holm" in names(fresh)


def test_the_list_never_forgets_what_an_earlier_log_does_not_know(server, left, tmp_path):
    copy, listed, _ = left
    kept = tmp_path / erased.NAME
    kept.write_bytes(listed.read_bytes())
    with one_more(server) as fresh:
        assert lurch(fresh, "restore", str(copy)).exit_code == 0
        erased.write_beside(tmp_path, erased.recorded(fresh.owner_url))
        assert erased.read(kept) == erased.read(listed)


def test_a_file_that_is_no_list_is_refused_before_anything_is_made(server, left, tmp_path):
    (tmp_path / "notes.txt").write_text("{}")
    with one_more(server) as fresh:
        done = lurch(fresh, "restore", "--erased", str(tmp_path / "notes.txt"), str(left[0]))
        assert done.exit_code == 2
        assert "is no list of erasures" in " ".join(done.output.replace("│", "").split())
        with psycopg.connect(fresh.owner_url) as connection:
            assert connection.execute("select to_regclass('events')").fetchone() == (None,)
