"""Verification divided among processes says what one process says that asks every question of every row."""

import asyncio
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from unittest import mock

import psycopg
import pytest
from litestar.testing import TestClient
from msgspec.structs import replace

from bench import chain_by_chain
from domain.log.event import chain_hash, leaf_hash, public_bytes
from service.desk import side_by_side, verifying
from service.desk.recording import Recorder
from service.desk.side_by_side import WorkerError
from service.run.app import create_app
from service.store.chains import Snapshot, snapshot
from service.store.streams import Streams
from tests.conftest import migrated, with_pool
from tests.kit.service.asking import House
from tests.kit.service.leaving import erase, registered
from tests.kit.talks import talk, talks
from tests.service.cli.test_cli import fails, lurch
from tests.service.cli.test_verify import RESULT, superuser

ROOT = Path(__file__).parents[3]
SIZE = 2  # events of a stretch
CHANGES = {
    "type": "type = 'NeverHeardOf'",
    "schema": "schema = 7",
    "data": "data = data || ' '",
    "actor": "actor = 'me'",
    "role": "role = role || 'x'",
    "seat": "seat = coalesce(seat, 0) + 1",
    "device": "device = 'x'",
    "device_clock": "device_clock = '4000-01-01 BC'",
    "recorded_at": "recorded_at = 'infinity'",
    "command_id": "command_id = command_id || 'x'",
    "cause": "cause = 'x'",
    "hash": "hash = sha256(hash)",
    "prev_hash": "prev_hash = sha256(prev_hash)",
}
MOVES = (
    "version = version + 5000",
    "position = position + 100000",
    "log = 1 - log, position = position + 100000",
    "stream_id = gen_random_uuid()",
)


@pytest.fixture(scope="module")
def house():
    """A club with matches, talks in its closed log and somebody who was erased, alone on a server of its own."""
    with (
        migrated() as database,
        talks(),
        TestClient(create_app(database)) as client,
        House(client, database) as found,
    ):
        for _ in range(20):
            found.match_path = found.match(target=100_000)
            found.done(f"{found.match_path}/results", RESULT)
        left = registered(found, "Wanda Birch")
        words = "select * from private where data like '%Wanda Birch%'"
        found.words = found.log.execute(words).fetchone()
        erase(found, left)

        async def act(pool):
            recorder = Recorder(Streams(pool))
            return [await talk(recorder, found.id, "one", "two", "three") for _ in range(2)]

        found.talk, _ = with_pool(database, act)
        yield found


@pytest.fixture
def elsewhere(monkeypatch):
    """The other processes that were started."""
    started, start = [], asyncio.create_subprocess_exec

    async def noted(*arguments, **more):
        started.append(await start(*arguments, **more))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    return started


async def nobody(*_):
    """Follows nothing."""


def split(house, told=lambda _: None):
    """What is told by a verification that is divided: the other process follows all of it."""
    with mock.patch.object(side_by_side, "here", nobody):
        return with_pool(house.database, lambda pool: verifying.verify(pool, told, 2, SIZE))


def alike(house):
    """What the divided verification tells, which is to the letter what is told by the others."""
    found = split(house)
    assert found == with_pool(house.database, lambda pool: verifying.verify(pool, size=SIZE))
    assert found == with_pool(house.database, chain_by_chain.verify)
    return found


def one_of_each_stretch(house):
    """An event of each stretch that is not the first of its stream, as stream and version."""

    async def act(pool):
        async with snapshot(pool) as seen:
            return await seen.stretches(SIZE, ())

    stretches = with_pool(house.database, act)
    assert len(stretches) > verifying.FEW_STRETCHES
    row = """select stream_id::text, version from events where club_id = %s and version > 1
        and stream_id between %s and %s order by version limit 1"""
    return [house.log.execute(row, [each.club, each.first, each.last]).fetchone() for each in stretches]


def forged(house, change):
    """The events that were changed, one of each stretch, and what is told of the log."""
    picked = one_of_each_stretch(house)
    with superuser(house) as hand:
        for stream, version in picked:
            hand.execute(f"update events set {change} where stream_id = %s and version = %s", [stream, version])
        return picked, alike(house)


def test_an_untouched_log_holds_and_every_event_is_counted_once(house, elsewhere):
    steps = []
    found = split(house, steps.append)
    assert (found, sum(steps)) == (with_pool(house.database, chain_by_chain.verify), found.events)
    assert (found.wrong, len(elsewhere)) == ((), 1)
    assert len(steps) > verifying.FEW_STRETCHES


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_any_column_in_any_stretch_is_named_as_by_one_process(house, elsewhere, change):
    picked, found = forged(house, CHANGES[change])
    assert {(each.stream, each.first) for each in found.wrong if each.what == "changed"} >= set(picked)
    assert {each.log for each in found.wrong} == {"open", "closed"}
    assert len(elsewhere) == 1


@pytest.mark.parametrize("move", MOVES)
def test_an_event_that_was_moved_in_any_stretch_is_named_as_by_one_process(house, elsewhere, move):
    picked, found = forged(house, move)
    assert len(found.wrong) >= len(picked)
    assert {each.log for each in found.wrong} == {"open", "closed"}


@pytest.mark.parametrize(
    "statement",
    [
        "update private set data = '{}'",
        "update private set salt = decode(repeat('07', 16), 'hex')",
        "delete from private",
        "insert into private select club_id, stream_id, version, decode(repeat('00', 16), 'hex'), '{}' from events"
        " on conflict do nothing",
        "delete from events where version = 2",
        "delete from logs where log = 1",
        "update logs set position = position - 1",
    ],
)
def test_private_parts_gaps_and_ends_are_told_as_by_one_process(house, elsewhere, statement):
    with superuser(house) as hand:
        hand.execute(statement)
        assert alike(house).wrong


def test_a_row_that_was_erased_and_is_there_again_is_told_as_by_one_process(house, elsewhere):
    listed = house.log.execute("select data from events where type = 'PersonErased'").fetchone()[0]
    ((stream, version, _), *_) = json.loads(listed)["rows"]
    with superuser(house) as hand:
        put = "insert into private values (%s, %s, %s, decode(repeat('00', 16), 'hex'), '{}')"
        hand.execute(put, [house.id, stream, version])
        found = alike(house)
    assert [(each.what, each.first, each.last) for each in found.wrong] == [("changed", version, version)]


def test_an_erasure_that_was_not_ended_is_told_as_by_one_process(house, elsewhere):
    with superuser(house) as hand:
        hand.execute("insert into private values (%s, %s, %s, %s, %s)", house.words)
        found = alike(house)
    assert [(each.what, each.first) for each in found.wrong] == [("unfinished", house.words[2])]


def last_of(house, stream):
    """The last event of a stream."""

    async def act(pool):
        async with snapshot(pool) as seen:
            return (await seen.stream(house.id, stream, {}))[-1]

    return with_pool(house.database, act)


def test_events_at_one_position_that_changed_logs_are_told_as_by_one_process(house, elsewhere):
    """Nothing but the log itself tells of it: both positions rise, and every hash holds."""
    there = last_of(house, house.talk).position
    with superuser(house) as hand:
        for log in (0, 1):
            away = "update events set log = %s, position = position + 1000 where log = %s and position = %s"
            hand.execute(away, [1 - log, log, there])
        hand.execute("update events set position = position - 1000 where position = %s + 1000", [there])
        found = alike(house)
    assert [each.what for each in found.wrong] == ["moved", "moved"]


@pytest.mark.parametrize("broken", ["version", "link"])
def test_a_hash_made_again_for_another_version_or_another_link_is_told_as_by_one_process(house, elsewhere, broken):
    last = last_of(house, house.match_path.rpartition("/")[2])
    further = last.public.version + 2 * (broken == "version")
    previous = last.prev_hash if broken == "version" else b"\7" * 32
    made = chain_hash(previous, leaf_hash(public_bytes(replace(last.public, version=further)), None, None))
    with superuser(house) as hand:
        change = "update events set version = %s, prev_hash = %s, hash = %s where stream_id = %s and version = %s"
        hand.execute(change, [further, previous, made, last.public.stream, last.public.version])
        assert alike(house).wrong


def test_all_processes_see_the_log_as_it_was_at_the_beginning(house, elsewhere):
    before = with_pool(house.database, verifying.verify).events
    found = split(house, lambda _: house.done(f"{house.match_path}/results", RESULT))
    assert (found.events, found.wrong) == (before, ())
    assert with_pool(house.database, verifying.verify).events > before


def test_a_process_that_is_killed_is_an_error_and_no_answer(house, elsewhere):
    with pytest.raises(WorkerError, match="ended before it had answered"):
        split(house, lambda _: elsewhere[0].kill())


def test_a_process_that_cannot_start_is_an_error(house, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(WorkerError, match="ended before it had answered"):
        split(house)


def test_what_the_database_refuses_a_process_is_told(house, elsewhere, monkeypatch):
    async def of_nobody(_):
        return "00000000-00000000-1"

    monkeypatch.setattr(Snapshot, "shared", of_nobody)
    with pytest.raises(WorkerError, match="snapshot"):
        split(house)


def test_a_stretch_that_nobody_followed_is_an_error(house, monkeypatch):
    monkeypatch.setattr(side_by_side, "there", nobody)
    with pytest.raises(WorkerError, match="nothing is known"):
        split(house)


def test_whoever_gives_up_ends_the_processes_too(house, elsewhere, monkeypatch, capfd):
    monkeypatch.setattr(side_by_side, "here", nobody)

    async def act(pool):
        task = asyncio.create_task(verifying.verify(pool, lambda _: task.cancel(), 2, SIZE))
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.wait_for(elsewhere[0].wait(), 60)

    assert with_pool(house.database, act) < 0
    assert capfd.readouterr().err == ""


def test_a_process_ends_when_whoever_asked_is_gone(house):
    held = psycopg.connect(house.database.url)
    with held, held.transaction():
        held.execute("set transaction isolation level repeatable read, read only")
        name = held.execute("select pg_export_snapshot()").fetchone()[0]
        asked = {"url": house.database.url, "snapshot": name, "known": {"homes": {}, "ends": {}}}
        command = [sys.executable, "-m", "service.desk.verify_worker"]
        with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"{}\n"
            process.stdin.close()
            assert process.wait(60) == 0


def test_a_small_log_is_verified_by_one_process(house, monkeypatch):
    monkeypatch.setattr(asyncio, "create_subprocess_exec", None)
    assert with_pool(house.database, lambda pool: verifying.verify(pool, processes=8)).wrong == ()


def test_the_command_divides_a_log_and_says_in_one_line_that_a_process_died(house, elsewhere, monkeypatch):
    where = {"LURCH_DATABASE_URL": house.database.url}
    monkeypatch.setattr(verifying, "verify", partial(verifying.verify, size=SIZE))
    code, out, _ = lurch("verify", "--processes", 3, **where)
    assert (code, out) == (0, f"{with_pool(house.database, chain_by_chain.verify).events} events, every chain holds\n")
    assert len(elsewhere) == 2
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert "verify again" in fails(2, "verify", "--processes", 2, **where)
