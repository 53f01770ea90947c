"""After a restore the old machine may still be at work: what both would do waits until the owner says it is gone."""

import psycopg
import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from service.cli import cli
from service.copies.taking import take
from service.run.app import create_app
from service.run.restoring import restore
from service.run.settings import Settings
from service.store import restored
from tests.conftest import new_database
from tests.kit.faults.processes import until
from tests.kit.service.asking import NOWHERE, House
from tests.kit.service.more_databases import one_more


@pytest.fixture(scope="module")
def server():
    with new_database() as found:
        yield found


@pytest.fixture(scope="module")
def copied(server, tmp_path_factory):
    """A copy of a club with a webhook, and of one that had ended by itself."""
    with TestClient(create_app(server, Settings(webhook_private=True))) as client, House(client, server) as house:
        house.match()
        for _ in range(2):
            house.done(f"{house.path}/webhooks", {"url": NOWHERE}, "owner")
        house.log.execute("update webhooks set maker = null")  # made on a page, by the owner
        house.log.execute(
            """update webhooks set disabled_at = now(), disabled_because = 'gone (410)'
            where id = (select min(id::text)::uuid from webhooks)"""
        )
        return take(server.owner_url, tmp_path_factory.mktemp("copies"), "0.1.0")[0]


def put_back(database, copied, **more):
    return restore(copied, Settings(database_url=database.url, migrate_url=database.owner_url), **more)


@pytest.fixture(scope="module")
def waiting(server, copied):
    """A restored database, to be the pattern of others."""
    with one_more(server) as found:
        put_back(found, copied)
        yield found.url.rpartition("/")[2].partition("?")[0]


@pytest.fixture
def own(server, waiting):
    with one_more(server, like=waiting) as found:
        yield found


def hooks(database):
    with psycopg.connect(database.url) as connection:
        return sorted(
            each or "on" for (each,) in connection.execute("select disabled_because from webhooks").fetchall()
        )


def lurch(database, *words):
    env = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
    return CliRunner().invoke(cli, list(words), env=env)


def test_a_restored_service_neither_sends_nor_backs_up_until_released(own, tmp_path, monkeypatch):
    asked = []  # whether the service still waits, each time that a backup is due

    async def restored_at(pool):
        asked.append(await restored.restored_at(pool))
        return asked[-1]

    monkeypatch.setattr("service.run.nights.LOOK_SECONDS", 0.1)
    monkeypatch.setattr("service.run.safekeeping.restored_at", restored_at)
    folder = tmp_path / "copies"
    with TestClient(create_app(own, Settings(backup_dir=str(folder)))) as client:
        health = client.get("/health/ready")
        assert (health.status_code, health.json()["status"]) == (200, "restored")
        assert "until the owner says that the old machine is gone" in health.json()["reason"]
        assert hooks(own) == ["gone (410)", "restored from a copy"]
        until(lambda: len(asked) > 2)
        assert not folder.exists()
        done = lurch(own, "old-machine-is-gone")
        assert done.output.strip() == "nightly copies go on, and so does 1 webhook"
        until(lambda: list(folder.glob("*.lurch")))
        assert client.get("/health/ready").json()["status"] == "ready"
        assert hooks(own) == ["gone (410)", "on"]
    assert "nothing waited for this" in lurch(own, "old-machine-is-gone").output


def test_no_webhook_is_enabled_before_the_release(own):
    with TestClient(create_app(own)) as client, psycopg.connect(own.url, autocommit=True) as rows:
        club = rows.execute("select club_id::text from logs").fetchone()[0]
        rows.execute("update tokens set revoked_at = null")
        found = rows.execute("select id::text from webhooks").fetchone()[0]
        token = lurch(own, "token", "create", "--role", "owner", "--name", "o", "--club", "House").output.strip()
        path, sent = f"/api/v1/clubs/{club}/webhooks/{found}/enable", {"Authorization": f"Bearer {token}"}
        refused = client.post(path, json={}, headers=sent)
        assert refused.status_code == 409
        assert "first its owner says" in refused.json()["detail"]
        lurch(own, "old-machine-is-gone")
        assert client.post(path, json={}, headers=sent).status_code in (200, 201)


def test_a_restore_may_say_at_once_that_the_old_machine_is_gone(server, copied, tmp_path):
    with one_more(server) as fresh:
        put_back(fresh, copied, gone=True)
        assert hooks(fresh) == ["gone (410)", "on"]
        with TestClient(create_app(fresh)) as client:
            assert client.get("/health/ready").json() == {"status": "ready"}


def test_a_restore_can_release_a_backup_of_a_waiting_service(server, own, tmp_path):
    place, _ = take(own.owner_url, tmp_path, "0.1.0")
    with one_more(server) as fresh:
        done = lurch(fresh, "restore", "--old-machine-is-gone", str(place))
        assert done.exit_code == 0, done.output
        assert "until you say" not in done.output
        assert hooks(fresh) == ["gone (410)", "on"]
        assert "nothing waited" in lurch(fresh, "old-machine-is-gone").output
