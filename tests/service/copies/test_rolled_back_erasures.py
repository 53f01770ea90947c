"""Erasures of after the copy that a rollback brings back: people are erased again, or named with what to do."""

import psycopg
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.copies import erased
from service.run import before, restoring
from service.run.app import create_app
from tests.conftest import new_database
from tests.kit.service.asking import House
from tests.kit.service.more_databases import one_more
from tests.service.cli.test_erase import SHEET


@pytest.fixture(scope="module")
def server():
    with new_database() as found:
        yield found


@pytest.fixture
def own(server, tmp_path, later):
    """Two who scored, in a service that was migrated; one was erased before the copy that this took, one after it."""
    later(False)
    with one_more(server, like="lurch") as found:
        with TestClient(create_app(found)) as client, House(client, found):
            pass
        for name in ("Hedda", "Gerda"):
            sheet = tmp_path / f"{name}.ctn"
            sheet.write_text(SHEET.replace("Hedda", name), encoding="utf-8")
            done(found, tmp_path, "import", str(sheet), "--club", "House")
        done(found, tmp_path, "erase", "Gerda Quist", "--texts", "--yes")
        later(True)
        done(found, tmp_path, "migrate")
        done(found, tmp_path, "erase", "Hedda Quist", "--texts", "--yes")
        yield found


def lurch(database, tmp_path, *words):
    env = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
    return CliRunner().invoke(cli, list(words), env={**env, "LURCH_BACKUP_DIR": str(tmp_path / "copies")})


def done(database, tmp_path, *words):
    ended = lurch(database, tmp_path, *words)
    assert ended.exit_code == 0, ended.output
    return ended.output


def rolled_back(database, tmp_path):
    """With whatever number it asks for."""
    asked = lurch(database, tmp_path, "rollback").output.split("--lose ")[1].split("`")[0]
    return lurch(database, tmp_path, "rollback", "--lose", asked)


def names(database):
    with psycopg.connect(database.owner_url) as connection:
        return " ".join(row[0] for row in connection.execute("select data from private").fetchall())


def test_a_rollback_takes_the_erasures_of_later_again(own, tmp_path, later):
    back = rolled_back(own, tmp_path)
    assert back.exit_code == 0, back.output
    assert "1 person erased again\n" in back.output
    assert "Hedda" not in names(own)
    assert "(name removed) was late" in names(own)
    later(False)
    assert "0 people erased again" in done(own, tmp_path, "erased", str(tmp_path / "copies/rolled-back/erased.json"))
    done(own, tmp_path, "verify")


@pytest.mark.extended
def test_a_rollback_without_later_erasures_mentions_none(own, tmp_path, later):
    rolled_back(own, tmp_path)
    (taken,) = (tmp_path / "copies" / before.FOLDER).glob("*.lurch")
    taken.rename(taken.with_name("lurch-2026-01-01-040000.lurch"))  # the next one may have the name of the same second
    done(own, tmp_path, "migrate")
    back = done(own, tmp_path, "rollback")
    assert "erased" not in back
    assert "Hedda" not in names(own)


@pytest.mark.extended
def test_a_person_whose_erasure_fails_after_a_rollback_is_named(own, tmp_path, later, monkeypatch):
    async def strange(*_):
        raise psycopg.errors.UndefinedTable('relation "remains" does not exist')

    with monkeypatch.context() as patched:
        patched.setattr(restoring, "erase_again", strange)
        back = rolled_back(own, tmp_path)
    listed = tmp_path / "copies/rolled-back/erased.json"
    assert back.exit_code == 1, back.output
    said = " ".join(back.output.split())
    assert "0 people erased again" in said
    assert said.count("not erased: ") == 1, "who was erased before the copy is no concern of this"
    assert f"`lurch erased {listed}`" in said
    assert "Hedda" in names(own)
    assert len(erased.read(listed)) == 2
    later(False)
    assert "1 person erased again, 1 had been" in done(own, tmp_path, "erased", str(listed))
    assert "Hedda" not in names(own)
