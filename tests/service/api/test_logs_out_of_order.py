"""A log that was changed by hand, or takes nothing new, as who asks meets it: no mistake of his, and what to do is
said."""

from contextlib import contextmanager

import psycopg
import pytest
from click.testing import CliRunner
from psycopg import errors

from service.cli import cli
from service.desk.recording import Recorder
from tests.kit.service.asking import House, drawn

RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}
ON_PURPOSE = {"unknown member": '{"oops": 1}', "no JSON": "{", "nested": "[" * 5000, "unknown type": None}


@pytest.fixture
def house(client, database):
    with House(client, database, public=True) as found:
        yield found


@contextmanager
def edited(database, stream, version, text):
    """The database's own administrator changes an event, and puts it back: others verify this database."""
    here = "where stream_id = %s and version = %s"
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        kind, was = owner.execute(f"select type, data from events {here}", [stream, version]).fetchone()
        owner.execute("alter table events disable trigger user")
        try:
            owner.execute(
                f"update events set type = %s, data = %s {here}",
                [kind if text else "FromTheFuture", text or was, stream, version],
            )
            yield
        finally:
            owner.execute(f"update events set type = %s, data = %s {here}", [kind, was, stream, version])
            owner.execute("alter table events enable trigger user")


@pytest.mark.parametrize("edit", ON_PURPOSE)
def test_an_event_that_no_lurch_wrote_is_told_as_what_it_is(house, database, edit):
    path = house.match()
    house.done(f"{path}/results", RESULT)
    stream = path.rpartition("/")[2]
    streams = house.client.app.state.services.streams
    with edited(database, stream, 2, ON_PURPOSE[edit]):
        streams.__init__(streams.pool)  # as after a restart
        for each in (path, f"{path}/events", path.replace("/api/v1", "")):
            answer = house.get(each)
            assert answer.status_code == 500, each
            assert "cannot be read" in drawn(answer.text), each
            assert "lurch verify" in drawn(answer.text), each
        assert stream not in house.get(path).json()["detail"], "of what a list or a case meets nobody learns an id"
        assert house.get(f"{house.path}/matches").status_code == 200
    streams.__init__(streams.pool)
    assert house.get(path).status_code == 200


def test_a_command_tells_it_in_one_line(house, database, monkeypatch):
    monkeypatch.setenv("LURCH_DATABASE_URL", database.url)
    path = house.match()
    with edited(database, path.rpartition("/")[2], 1, "{"):
        done = CliRunner().invoke(cli, ["export", path.rpartition("/")[2]])
    told = " ".join(done.output.replace("│", " ").split())
    assert done.exit_code == 2
    assert "cannot be read" in told
    assert "lurch verify" in told
    assert done.exc_info[0] is SystemExit


@pytest.mark.parametrize("error", [errors.DiskFull, errors.ReadOnlySqlTransaction])
def test_a_database_that_takes_nothing_new_is_told_as_that(house, monkeypatch, error):
    async def full(*_, **__):
        raise error("no room")

    path = house.match()
    monkeypatch.setattr(Recorder, "match", full)
    answer = house.post(f"{path}/results", RESULT)
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/unavailable")
    assert "disk is full, or it can only be read. Tell whoever runs Lurch" in answer.json()["detail"]
