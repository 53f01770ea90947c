"""Columns that the database joins say what every row says alone, where its own rules were taken away too."""

import psycopg
import pytest
from litestar.testing import TestClient

from bench import chain_by_chain
from service.desk import verifying
from service.run.app import create_app
from service.store import chain_bytes
from tests.conftest import migrated, with_pool
from tests.kit.service.asking import House
from tests.service.cli.test_verify import RESULT, superuser

RULES = (
    "alter table events drop constraint events_pkey cascade",
    "alter table private drop constraint private_pkey",
    "alter table events drop constraint events_club_id_log_position_key",
    "drop index events_command, events_streams",
    "alter table events drop constraint events_hash_check, drop constraint events_prev_hash_check",
    "alter table events alter role drop not null, alter type drop not null, alter schema drop not null",
    "alter table events alter recorded_at drop not null, alter hash drop not null",
)
LAST = "update events set {} where club_id <> stream_id and version = 3"
BOTH = "update events e set {} from events o where e.club_id <> e.stream_id and o.stream_id = e.stream_id and {}"
NEXT = "(e.version, o.version) in ((2, 3), (3, 2))"
FORGED = {
    "a byte of a hash that stands in the next one": BOTH.format(
        "hash = case e.version when 2 then e.hash || substr(o.hash, 1, 1) else substr(e.hash, 2) end", NEXT
    ),
    "a byte of a hash that stands in the one before": BOTH.format(
        "prev_hash = case e.version when 2 then substr(e.prev_hash, 1, 31) else"
        " substr(o.prev_hash, 32) || e.prev_hash end",
        NEXT,
    ),
    "two roles in one event and none in the next": BOTH.format(
        "role = case e.version when 2 then e.role || chr(31) || o.role end", NEXT
    ),
    "two texts in one event": LAST.format("command_id = command_id || chr(31) || command_id"),
    "the sign of nobody": LAST.format("actor = '-'"),
    "an empty name": LAST.format("actor = ''"),
    "no type": LAST.format("type = null"),
    "no schema": LAST.format("schema = null"),
    "no schema anywhere": "update events set schema = null",
    "no role anywhere": "update events set role = null",
    "no hash": LAST.format("hash = null"),
    "the end of all times": LAST.format("recorded_at = '-infinity'"),
    "a time before our era": LAST.format("recorded_at = '4000-01-01 BC'"),
    "a time of a thousand years": LAST.format("recorded_at = '0999-01-01'"),
    "an event that stands twice": "insert into events select * from events where stream_id <> club_id and version = 2",
    "a first event that stands twice": "insert into events select * from events where version = 1",
    "an event less": "delete from events where club_id <> stream_id and version = 2",
    "private words that stand behind others": "insert into private select club_id, stream_id, version, salt, '{}'"
    " from private; update private set salt = salt where data <> '{}'",
    "private words that others stand behind": "insert into private select club_id, stream_id, version, salt, '{}'"
    " from private",
    "private words of another salt": "update private set salt = decode(repeat('07', 16), 'hex')",
}


@pytest.fixture(scope="module")
def house():
    """A club with matches on a server of its own, which lets a superuser write what no rule would allow."""
    with migrated() as database, TestClient(create_app(database)) as client, House(client, database) as found:
        for _ in range(3):
            match = found.match(target=100_000)
            for _ in range(3):
                found.done(f"{match}/results", RESULT)
        with psycopg.connect(database.embedded.url("postgres"), autocommit=True) as hand:
            for rule in RULES:
                hand.execute(rule)
        yield found


def told(house, joined, monkeypatch):
    """The faults told of the log, read so many events at a time; they are those told row by row."""
    monkeypatch.setattr(chain_bytes, "JOINED", joined)
    found = with_pool(house.database, verifying.verify)
    assert found == with_pool(house.database, chain_by_chain.verify)
    return found.wrong


@pytest.mark.parametrize("joined", [1, 2, 3, 6000])
def test_a_log_that_is_read_in_parts_of_any_size_holds(house, joined, monkeypatch):
    assert told(house, joined, monkeypatch) == ()


@pytest.mark.parametrize("joined", [1, 2, 6000])
@pytest.mark.parametrize("forged", FORGED)
def test_what_joining_could_hide_is_told_as_row_by_row(house, forged, joined, monkeypatch):
    with superuser(house) as hand:
        assert hand.execute(FORGED[forged]).rowcount
        assert told(house, joined, monkeypatch)


def test_texts_that_are_too_long_to_be_joined_are_read_row_by_row(house, monkeypatch):
    """PostgreSQL joins no more than a gigabyte; 1 MB an event is more than that in a long match."""
    too_long = "select repeat(string_agg(data, ''), 1000000000) from events where club_id = %(club)s"
    monkeypatch.setattr(chain_bytes, "PARTS", too_long)
    assert told(house, 6000, monkeypatch) == ()
    with superuser(house) as hand:
        assert hand.execute(FORGED["an empty name"]).rowcount
        assert told(house, 6000, monkeypatch)
