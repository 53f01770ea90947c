"""A restore into a database of somebody's that does not reach its end: nothing that can be served stays of it."""

import os
import signal
import subprocess
import sys

import psycopg
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.copies.frames import CopyError
from service.copies.taking import take
from service.run import restoring
from service.run.app import create_app
from service.run.settings import Settings
from service.store import copying
from tests.conftest import new_database
from tests.kit.faults.processes import ROOT
from tests.kit.service.asking import NOWHERE, House
from tests.kit.service.more_databases import one_more
from tests.service.copies.test_copies import NINE, edited, every_row

KILLED = """import os, signal, sys
from service.run import restoring
restoring._verified = lambda database: os.kill(os.getpid(), signal.SIGKILL)
from service.cli import cli
cli(["restore", *sys.argv[1:]])
"""
LIVE = {
    "tokens": "select count(*) from tokens where revoked_at is null",
    "webhooks": "select count(*) from webhooks where disabled_at is null",
    "sign-ins": "select count(*) from sign_ins",
    "links": "select count(*) from invitations",
    "codes": "select count(*) from table_doors",
}


@pytest.fixture(scope="module")
def server():
    with new_database() as found:
        yield found


@pytest.fixture(scope="module")
def played(server):
    """A club with a result and a webhook, and who asks for it."""
    with TestClient(create_app(server, Settings(webhook_private=True))) as client, House(client, server) as house:
        house.done(f"{house.match()}/results", {"entry": NINE})
        house.done(f"{house.path}/webhooks", {"url": NOWHERE}, "owner")
    return house


@pytest.fixture(scope="module")
def copied(server, played, tmp_path_factory):
    return take(server.owner_url, tmp_path_factory.mktemp("good"), "0.1.0")[0]


@pytest.fixture
def fresh(server):
    with one_more(server) as found:
        yield found


def environ(database):
    return {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}


def lurch(database, *words):
    done = CliRunner().invoke(cli, list(words), env=environ(database))
    return done.exit_code, " ".join(done.output.replace("│", "").split())


def restore(database, copy):
    return restoring.restore(copy, Settings(database_url=database.url, migrate_url=database.owner_url))


def tables(database):
    with psycopg.connect(database.owner_url) as connection:
        return copying.tables(connection)


def live(database):
    """Whatever lets somebody in or sends something out."""
    with psycopg.connect(database.owner_url) as connection:
        found = {what: connection.execute(asked).fetchone()[0] for what, asked in LIVE.items()}
    return {what: number for what, number in found.items() if number}


def choices(database):
    with psycopg.connect(database.owner_url) as connection:
        return dict(connection.execute("select name, value from choices").fetchall())


def killed(database, copy):
    """A restore that is killed when its rows are there, before they are verified."""
    command = [sys.executable, "-c", KILLED, str(copy)]
    ended = subprocess.run(command, cwd=ROOT, env={**os.environ, **environ(database)}, capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr


def test_a_backup_of_an_edited_log_is_refused_and_leaves_nothing(server, copied, fresh, tmp_path):
    with edited(server):
        bad, _ = take(server.owner_url, tmp_path, "0.1.0")
    with pytest.raises(CopyError, match="was changed"):
        restore(fresh, bad)
    assert tables(fresh) == set()
    restore(fresh, copied)
    assert every_row(fresh, "events") == every_row(server, "events")
    assert lurch(fresh, "verify")[0] == 0


def test_a_killed_restore_serves_nobody_until_the_next_one(server, played, copied, fresh):
    killed(fresh, copied)
    assert every_row(fresh, "events")
    assert live(fresh) == {}
    assert {"era", "restored"} <= choices(fresh).keys()
    with TestClient(create_app(fresh)) as client:
        assert client.get(played.path, headers=played.bearer("owner")).status_code == 401
    for words in (("migrate",), ("owner-link",), ("verify",), ("rollback",), ("backup",)):
        code, said = lurch(fresh, *words)
        assert code == 2, (words, said)
        assert "`lurch restore` once more" in said, (words, said)
    code, said = lurch(fresh, "doctor")
    assert code == 1
    assert "`lurch restore` once more" in said
    code, said = lurch(fresh, "restore", str(copied))
    assert code == 0, said
    assert every_row(fresh, "events") == every_row(server, "events")
    assert lurch(fresh, "verify")[0] == 0


@pytest.mark.extended
def test_a_killed_restore_is_not_cleared_if_other_tables_exist(copied, fresh):
    killed(fresh, copied)
    with psycopg.connect(fresh.owner_url) as connection:
        connection.execute("create table mine (id int)")
    before = every_row(fresh, "events")
    with pytest.raises(CopyError, match="has tables"):
        restore(fresh, copied)
    assert (every_row(fresh, "events"), every_row(fresh, "mine")) == (before, [])


def test_nobody_migrates_copies_or_restores_until_a_restore_has_verified(copied, fresh, tmp_path, monkeypatch):
    verified = restoring._verified

    async def watched(database):
        with pytest.raises(copying.UnderWayError, match="`lurch restore` since"):
            take(fresh.owner_url, tmp_path, "0.1.0")
        with pytest.raises(copying.UnderWayError, match="`lurch restore` since"):
            restore(fresh, copied)
        return await verified(database)

    monkeypatch.setattr(restoring, "_verified", watched)
    assert restore(fresh, copied).events


def test_a_connection_lost_during_verification_leaves_nothing_to_serve(copied, fresh, monkeypatch):
    def away(*_):
        raise psycopg.OperationalError("the server is away")

    with monkeypatch.context() as patched:
        patched.setattr(restoring, "_verified", away)
        patched.setattr(restoring, "drop_all", away, raising=False)
        with pytest.raises(psycopg.OperationalError):
            restore(fresh, copied)
    assert live(fresh) == {}
    assert lurch(fresh, "migrate")[0] == 2
    restore(fresh, copied)
    assert lurch(fresh, "verify")[0] == 0
