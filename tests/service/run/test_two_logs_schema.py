"""The schema with two logs: a database with data comes to it and goes back, and a dump and restore keeps both logs."""

import subprocess

import alembic.command
import psycopg
import pytest
import sqlalchemy

from service.desk import verifying
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.run.binaries import environment, program
from service.run.database import Database
from service.run.migrate import config_of, upgrade
from service.store import log
from service.store.kinds import MATCH
from service.store.log_sql import CLOSED
from service.store.streams import Streams
from tests.conftest import embedded, with_pool
from tests.kit.service.schemas import upgrade_to
from tests.kit.talks import TALK, Say, talk, talks
from tests.recorded import rows
from tests.recorded.test_recorded_logs import LOGS
from tests.service.store.test_closed_log import BY

BEFORE, FOLDERS = "0009", ("2026-11", "2026-11-erasure")
EVENTS = """select club_id::text, stream_id::text, version, position, type, data, command_id, encode(hash, 'hex')
from events order by 1, 4"""
OF_CASES = ("events_cases_of_club", "events_cases_of_match", "events_cases_of_tournament", "events_disputes")
OF_STARTS = ("events_begun", "events_finished", "events_outcomes_disputed", "events_announced", "events_delayed")
OF_LISTS = ("events_doubts",)
INDEXES = "select indexname, indexdef from pg_indexes where tablename in ('events', 'logs') order by 1"
TRIGGERS = """select tgname, tgenabled::text from pg_trigger where tgrelid = 'events'::regclass and not tgisinternal
order by 1"""
GRANTS = """select table_name, privilege_type from information_schema.role_table_grants
where grantee = 'lurch_app' and table_name in ('events', 'logs', 'private') order by 1, 2"""


@pytest.fixture(autouse=True)
def made_up_kind():
    with talks():
        yield


def asked(url, *statements):
    """What a login is answered."""
    with psycopg.connect(url) as connection:
        return [connection.execute(each).fetchall() for each in statements]


@pytest.fixture(scope="module")
def database():
    """A database as the version before left it, with the logs of whole clubs."""
    with embedded() as found:
        upgrade_to(found.owner_url, BEFORE)
        with psycopg.connect(found.url) as connection:
            for folder in FOLDERS:
                for table, own in rows.load(LOGS / folder).items():
                    for row in own:
                        names = [name for name in row if name != "log"]
                        marks = ", ".join(["%s"] * len(names))
                        statement = f"insert into {table} ({', '.join(names)}) values ({marks})"
                        connection.execute(statement, [rows.read(name, row[name]) for name in names])
        yield found


def one_match(database):
    """A match of the recorded logs that is not void, with its club."""
    like = "select club_id::text, stream_id::text from events where version = 1 and type = 'MatchOpened' order by 1, 2"
    return asked(database.owner_url, like)[0][0]


def test_closed_logs_can_be_added_and_removed_while_they_are_empty(database):
    url, app = database.owner_url, database.url
    before = asked(url, EVENTS, INDEXES, TRIGGERS, GRANTS)
    heads = asked(url, "select club_id, position from logs order by 1")[0]
    size = "select pg_relation_filenode('events'::regclass)"
    node = asked(url, size)
    upgrade(url, app)
    assert asked(url, size) == node, "the table was written anew"
    assert asked(url, EVENTS, TRIGGERS, GRANTS) == [before[0], before[2], before[3]]
    assert asked(url, "select club_id, position from logs where log = 0 order by 1")[0] == heads
    closed = asked(url, "select club_id, position from logs where log = 1 order by 1")[0]
    assert closed == [(club, 0) for club, _ in heads]
    assert with_pool(database, verifying.verify).wrong == ()
    named = dict(asked(url, INDEXES)[0])
    assert named.keys() - dict(before[1]).keys() == {
        "events_club_id_log_position_key",
        *OF_CASES,
        *OF_STARTS,
        *OF_LISTS,
    }
    assert dict(before[1]).keys() - named.keys() == {"events_club_id_position_key"}
    alembic.command.downgrade(config_of(url), BEFORE)
    assert asked(url, EVENTS, INDEXES, TRIGGERS, GRANTS) == before
    assert asked(url, "select club_id, position from logs order by 1")[0] == heads
    upgrade(url, app)
    assert asked(url, INDEXES)[0] == sorted(named.items())


def test_events_in_a_closed_log_rule_out_a_downgrade(database):
    upgrade(database.owner_url, database.url)
    club, _ = one_match(database)

    async def act(pool):
        recorder = Recorder(Streams(pool))
        await talk(recorder, club, "one", "two")
        return await log.last_position(pool, club, CLOSED)

    assert with_pool(database, act) == 3
    with pytest.raises(sqlalchemy.exc.DBAPIError) as refused:
        alembic.command.downgrade(config_of(database.owner_url), BEFORE)
    assert "there are events in the closed log" in str(refused.value)
    assert "restore a backup from before the first case" in str(refused.value)
    assert asked(database.owner_url, "select version_num from alembic_version")[0] == [("0010",)]
    assert with_pool(database, verifying.verify).wrong == ()


@pytest.mark.parametrize("row", ["log = 2", "log = -1"])
def test_a_third_log_is_refused(database, row):
    upgrade(database.owner_url, database.url)
    with psycopg.connect(database.url) as connection, pytest.raises(psycopg.errors.CheckViolation):
        connection.execute(f"insert into logs (club_id, position, log) select club_id, 1, {row[6:]} from logs limit 1")
    columns = "club_id, stream_id, version, position, type, schema, data, role, recorded_at, command_id, command_index"
    copy = f"""insert into events ({columns}, fingerprint, prev_hash, hash, log)
        select {columns.replace("version", "version + 100000")}, fingerprint, prev_hash, hash, {row[6:]} from events
        limit 1"""
    with psycopg.connect(database.url) as connection, pytest.raises(psycopg.errors.CheckViolation):
        connection.execute(copy)


@pytest.mark.extended
def test_a_dump_and_restore_keeps_both_logs(database):
    upgrade(database.owner_url, database.url)
    club, match = one_match(database)
    stream = with_pool(database, lambda pool: talk(Recorder(Streams(pool)), club, "before the dump"))
    server = database.embedded
    superuser = server.url("postgres", "postgres")
    tool = [str(server.binaries / program("pg_dump")), "--format=custom", "--dbname", server.url("postgres")]
    dump = subprocess.run(tool, env=environment(), capture_output=True, check=True).stdout
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("create database restored owner lurch_owner")
    tool = [str(server.binaries / program("pg_restore")), "--exit-on-error", "--dbname"]
    subprocess.run([*tool, server.url("postgres", "restored")], env=environment(), input=dump, check=True)
    there = Database(server.url("lurch_app", "restored"), server.url("lurch_owner", "restored"))
    both = "select club_id, log, position from logs order by 1, 2", EVENTS
    assert asked(there.owner_url, *both) == asked(database.owner_url, *both)
    assert with_pool(there, verifying.verify).wrong == ()
    ends = asked(there.url, f"select log, position from logs where club_id = '{club}' order by 1")[0]

    async def act(pool):
        recorder = Recorder(Streams(pool))
        await recorder.on_stream(stream, TALK, Say("after the restore"), own_request(BY))
        opened = await recorder.streams.of_kind(match, MATCH)
        assert opened is not None
        await recorder.register(club, "Somebody new", own_request(BY), another=True)
        return await log.last_position(pool, club), await log.last_position(pool, club, CLOSED)

    assert with_pool(there, act) == tuple(position + 1 for _, position in ends)
    assert with_pool(there, verifying.verify).wrong == ()
