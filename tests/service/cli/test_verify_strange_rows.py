"""Rows that no Lurch ever wrote, in a database whose rules were taken away: each is told, and none stops the look."""

import msgspec
import psycopg
import pytest
from litestar.testing import TestClient

from domain.log.event import chain_hash, leaf_hash, public_bytes
from service.desk import verifying
from service.run.app import create_app
from service.store.chains import snapshot
from tests.conftest import migrated, with_pool
from tests.kit.service.asking import House
from tests.kit.service.leaving import erase, registered
from tests.service.cli.test_verify import RESULT, superuser

NUMBERS = ("stream_id", "version", "position", "log", "schema", "recorded_at", "prev_hash", "hash")
RULES = (
    "alter table events drop constraint events_pkey cascade",
    "alter table private drop constraint private_pkey",
    "alter table events drop constraint events_club_id_log_position_key",
    "drop index events_command, events_streams",
    "alter table events drop constraint events_log_check, drop constraint events_position_check",
    *(f"alter table events alter {column} drop not null" for column in NUMBERS),
    "alter table private drop constraint private_salt_check, alter salt drop not null, alter data drop not null",
    "alter table logs drop constraint logs_position_check, drop constraint logs_pkey, alter position drop not null",
    "create cast (bytea as text) without function",
)
LAST = "stream_id = %(match)s and version = %(last)s"
BEFORE_OUR_ERA = "(to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00 BC')::timestamptz"
NO_SALT = "decode(repeat('00', 16), 'hex')"
OF_ERASURES = "where type = 'PersonErased'"
OF_AN_ERASURE = f"from events {OF_ERASURES}"
FORGED = {
    "no log": f"update events set log = null where {LAST}",
    "a last event of other words, without time and hashes": "update events set data = '{\"forged\":1}', "
    f"recorded_at = null, hash = null, prev_hash = null where {LAST}",
    "a last event of other words, without schema and hashes": "update events set data = '{\"forged\":1}', "
    f"schema = null, hash = null, prev_hash = null where {LAST}",
    "no time in a whole stream": "update events set recorded_at = null where stream_id = %(match)s",
    "a time before our era": f"update events set recorded_at = {BEFORE_OUR_ERA} where {LAST}",
    "a clock without end": f"update events set device_clock = 'infinity' where {LAST} and device_clock is null",
    "words that went into the salt": "update private set salt = salt || convert_to(data, 'UTF8'), data = ''",
    "an empty private part": "insert into private values (%(club)s, %(match)s, %(last)s, '', '')",
    "a private part of nothing": "insert into private values (%(club)s, %(match)s, %(last)s, null, null)",
    "a private part beside no event": f"insert into private values (%(club)s, %(match)s, 4000, {NO_SALT}, '{{}}')",
    "a club's stream without versions": "update events set data = 'forged', version = null where stream_id = %(club)s",
    "a third log and an unknown kind": "update events set log = 2, type = 'X' where stream_id = %(match)s",
    "no version": f"update events set version = null where {LAST}",
    "no position": f"update events set position = null where {LAST}",
    "a version very far away": f"update events set version = 2147483647 where {LAST}",
    "no hash before it": "update events set prev_hash = null where stream_id = %(match)s and version = 3",
    "a log that ends before its begin": "update logs set position = -5 where log = 1",
    "a log without an end": "update logs set position = null where log = 1",
    "a log twice": "insert into logs (club_id, log, position) select club_id, log, position from logs where log = 0",
    "kept words that are no JSON": "insert into private "
    f"select club_id, stream_id, version, {NO_SALT}, 'x' {OF_AN_ERASURE}",
    "kept words of another form": "insert into private "
    f"select club_id, stream_id, version, {NO_SALT}, '{{\"kept\":[1]}}' {OF_AN_ERASURE}",
    "remains that are no object": "insert into remains values (%(club)s, %(match)s, %(last)s, '[\"forged\"]')",
    "bytes that are no text": f"update events set device = '\\xff'::bytea::text where {LAST}",
    "an event that is no text": f"update events set data = '\\xff'::bytea::text where {LAST}",
    "an event that is no JSON": f"update events set data = '{{{{\"seat\":' where {LAST}",
    "an event of no words": f"update events set data = '' where {LAST}",
    "a private part that is no text": "update private set data = '\\xff'::bytea::text",
    "an erasure that is no text": f"update events set data = '\\xff'::bytea::text {OF_ERASURES}",
    "an erasure that is no JSON": f"update events set data = '{{{{' {OF_ERASURES}",
    "kept words that are no text": "insert into private "
    f"select club_id, stream_id, version, {NO_SALT}, '\\xff'::bytea::text {OF_AN_ERASURE}",
    "remains that are no text": "insert into remains values (%(club)s, %(match)s, %(last)s, '\\xff'::bytea::text)",
    "a stream without its first event": "update events set stream_id = null where "
    "stream_id = %(match)s and version = 1",
    "more behind a zero": f"update events set role = (role::bytea || '\\x0041')::text where {LAST}",
}
BESIDE_STREAMS = {  # what a sample does not look at
    "a private part beside no event",
    "a club's stream without versions",
    "a log that ends before its begin",
    "a log without an end",
    "a log twice",
    "remains that are no object",
    "remains that are no text",
    "a stream without its first event",
}
AGAIN = """insert into events (club_id, stream_id, version, log, position, type, schema, data, actor, role, seat,
    device, device_clock, recorded_at, command_id, command_index, fingerprint, cause, prev_hash, hash)
    select club_id, {stream}, version + {more}, log, position + {more}, type, schema, data, actor, role, seat, device,
    device_clock, recorded_at, {command}, command_index, fingerprint, cause, {previous}, {hash} from events where """


@pytest.fixture(scope="module")
def house():
    """Four matches and somebody who was erased; the last event of the log stands in the oldest match."""
    with migrated() as database, TestClient(create_app(database)) as client, House(client, database) as found:
        matches = [found.match(target=100_000) for _ in range(4)]
        for path in (*matches, *matches):
            found.done(f"{path}/results", RESULT)
        erase(found, registered(found, "Wanda Birch"))
        found.done(f"{matches[0]}/results", RESULT)
        found.stream = matches[-1].rpartition("/")[2]
        last = "select max(version) from events where stream_id = %s"
        found.last = found.log.execute(last, [found.stream]).fetchone()[0]
        with psycopg.connect(database.embedded.url("postgres"), autocommit=True) as hand:
            for rule in RULES:
                hand.execute(rule)
        yield found


def values(house):
    return {"club": house.id, "match": house.stream, "last": house.last}


def told(house, size=verifying.STRETCH):
    """The findings of verification in the database as it is."""
    return [each.text for each in with_pool(house.database, lambda pool: verifying.verify(pool, size=size)).wrong]


def told_of_all_in_a_sample(house):
    """The findings of a sample that happens to hold every stream."""
    return [each.text for each in with_pool(house.database, lambda pool: verifying.verify_some(pool, 1_000)).wrong]


def test_nothing_is_told_of_what_nobody_has_touched(house):
    assert told(house) == told_of_all_in_a_sample(house) == []


@pytest.mark.parametrize("forged", FORGED)
def test_a_row_that_no_lurch_wrote_is_told(house, forged):
    with superuser(house) as hand:
        try:
            assert hand.execute(FORGED[forged], values(house)).rowcount
            found = told(house)
            sample = told_of_all_in_a_sample(house)
            assert found
            assert bool(sample) is (forged not in BESIDE_STREAMS)
        finally:
            hand.execute("delete from remains where data not like '{%'")


def test_an_event_of_no_stream_hides_none(house):
    copy = AGAIN.format(stream="null", more=0, command="command_id", previous="prev_hash", hash="hash")
    with superuser(house) as hand:
        hand.execute(f"{copy} stream_id = %(match)s and version = 2", values(house))
        hand.execute("update events set data = 'forged' where stream_id = %(match)s", values(house))
        found = told(house, size=8)
    assert any("says not of which stream it is" in each for each in found)
    assert any("changed" in each and house.stream in each for each in found)


def test_an_event_at_the_place_of_another_is_told_although_its_chain_fits(house):
    async def last_row(pool):
        async with snapshot(pool) as seen:
            return (await seen.stream(house.id, house.stream, {}))[-1]

    last = with_pool(house.database, last_row)
    new = msgspec.structs.replace(last.public, version=last.public.version + 1, command_id="forged")
    digest = chain_hash(last.hash, leaf_hash(public_bytes(new), None, None))
    copy = AGAIN.format(stream="stream_id", more=1, command="'forged'", previous="hash", hash="%(hash)s")
    with superuser(house) as hand:
        hand.execute(f"{copy} {LAST}", {**values(house), "hash": digest})
        (found,) = told(house)
    assert "two events stand at position" in found
