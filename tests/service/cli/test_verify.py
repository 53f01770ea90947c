"""`lurch verify` after a superuser has changed the log: its findings, by one process or several, row by row or joined.

The worlds: `house`, with both logs and all rules of the database, and `lawless`, whose database has lost its rules.
"""

import asyncio
import json
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest import mock

import msgspec
import psycopg
import pytest
from litestar.testing import TestClient

from bench import chain_by_chain
from domain.log.event import chain_hash, leaf_hash, public_bytes
from service.desk import side_by_side, verifying
from service.desk.recording import Recorder
from service.desk.side_by_side import WorkerError
from service.run.app import create_app
from service.store import chain_bytes
from service.store.chains import Snapshot, snapshot
from service.store.streams import Streams
from tests.conftest import new_database, with_pool
from tests.kit.service.asking import House
from tests.kit.service.leaving import erase, registered
from tests.kit.talks import talk, talks
from tests.service.api.test_tournaments import Evening, single
from tests.service.cli.test_cli import fails, lurch

ROOT = Path(__file__).parents[3]
RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}
TABLES = ("private", "events", "logs")  # in the order in which rows may be deleted
SIZE = 2  # events of a stretch


def breadth(values):
    """Leave all of these parameters to the second tier."""
    return [pytest.param(each, marks=pytest.mark.extended) for each in values]


@pytest.fixture(scope="module")
def house():
    """A club with a match of three deals, a tournament, short matches, two talks (closed log) and an erased person."""
    with (
        new_database() as database,
        talks(),
        TestClient(create_app(database)) as client,
        House(client, database) as found,
    ):
        match = found.match()
        for _ in range(3):
            found.done(f"{match}/results", RESULT)
        found.stream = match.rpartition("/")[2]
        found.cup = Evening(found, [single()], players=4)
        found.cup.act({"do": "pair_round"})
        found.get(found.cup.path)
        for _ in range(14):
            found.match_path = found.match(sides=[["Cleo"], ["Dag"]], target=100_000)
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


@contextmanager
def superuser(house):
    """Connect as the administrator, who is held back by no rule; afterwards restore everything of the club."""
    with psycopg.connect(house.database.embedded.url("postgres"), autocommit=True) as found:
        found.execute("set session_replication_role = replica")
        for table in ("events", "private"):
            found.execute(f"alter table {table} disable trigger all")
        for table in TABLES:
            found.execute(f"create temporary table kept_{table} as select * from {table} where club_id = '{house.id}'")
        try:
            yield found
        finally:
            for table in TABLES:
                found.execute(f"delete from {table} where club_id = '{house.id}'")
            for table in reversed(TABLES):
                found.execute(f"insert into {table} select * from kept_{table}")
            for table in ("events", "private"):
                found.execute(f"alter table {table} enable trigger all")
            for trigger in ("events_immutable", "events_untruncated"):
                found.execute(f"alter table events enable always trigger {trigger}")


def wrong(house):
    """Return the findings of the club as (what, kind of stream, first, last), and their texts."""
    found = with_pool(house.database, verifying.verify)
    own = [each for each in found.wrong if each.club == house.id]
    assert all(house.id in each.text for each in own)
    assert all(each.stream is None or each.kind == "club" or each.stream in each.text for each in own)
    return [(each.what, each.kind, each.first, each.last) for each in own], [each.text for each in own]


def done(house, *statements, **values):
    """Return the same after a superuser has executed these statements."""
    known = {"club": house.id, "match": house.stream, "cup": house.cup.id, "talk": house.talk}
    with superuser(house) as hand:
        for statement in statements:
            hand.execute(statement, known | values)
        return wrong(house)


def done_in_logs(house, *statements, **values):
    """Return the findings as (what, log, kind of stream, first, last) after these statements, and their texts."""
    known = {"club": house.id, "match": house.stream, "talk": house.talk}
    with superuser(house) as hand:
        for statement in statements:
            hand.execute(statement, known | values)
        found = with_pool(house.database, verifying.verify).wrong
    return [(each.what, each.log, each.kind, each.first, each.last) for each in found], [each.text for each in found]


def head(house):
    return house.position()


def test_both_logs_hold_untouched(house):
    found = with_pool(house.database, verifying.verify)
    assert found.wrong == ()
    assert found.events == house.position() + 8


def test_a_log_holds_while_others_append_to_it(house):
    match = house.match(sides=[["Eva"], ["Finn"]], target=100_000)
    before = head(house)

    def told(_):
        house.done(f"{match}/results", RESULT)

    found = with_pool(house.database, lambda pool: verifying.verify(pool, told))
    assert (found.events, found.wrong) == (before + 8, ())
    assert head(house) > before


def test_a_club_without_its_row_in_logs_is_still_verified(house):
    found, texts = done(house, "delete from logs where club_id = %(club)s")
    assert found == [("missing", "log", 0, 0), ("missing", "closed log", 0, 0)]
    found, texts = done(house, "delete from logs where club_id = %(club)s and log = 0")
    assert found == [("missing", "log", 0, 0)]
    assert "its row in `logs` is missing" in texts[0]
    found, _ = done(
        house,
        "delete from logs where club_id = %(club)s",
        "update events set data = data || ' ' where stream_id = %(match)s and version = 2",
    )
    assert ("changed", "match", 2, 2) in found


@pytest.mark.parametrize(
    "change",
    [
        "data = data || ' '",
        "data = 'no JSON'",
        "type = 'NeverHeardOf'",
        "schema = 7",
        "actor = 'me'",
        "role = 'owner'",
        "seat = 1",
        "device = 'x'",
        "recorded_at = recorded_at + interval '1 s'",
        "recorded_at = 'infinity'",
        "device_clock = '4000-01-01 BC'",
        "command_id = 'x'",
        "cause = 'x'",
        "hash = sha256('x')",
        "prev_hash = sha256('x')",
    ],
)
def test_any_change_of_a_row_is_named_with_its_version(house, change):
    found, texts = done(house, f"update events set {change} where stream_id = %(match)s and version = 4")
    assert found == [("changed", "match", 4, 4)]
    assert f"match {house.stream}, version 4 was changed" in texts[0]


def test_a_private_part_that_was_changed_or_put_in_is_a_change(house):
    found, _ = done(
        house, 'update private set data = \'{"name":"Mallory"}\' where stream_id = %(club)s and version = 2'
    )
    assert found == [("changed", "club", 2, 2)]
    found, _ = done(
        house,
        "insert into private values (%(club)s, %(match)s, 3, decode(repeat('00', 16), 'hex'), '{}')",
    )
    assert found == [("changed", "match", 3, 3)]


def test_streams_of_the_club_and_of_tournaments_are_named_as_such(house):
    change = "update events set data = data || ' ' where stream_id = %({})s and version = {}"
    found, texts = done(house, change.format("club", 1), change.format("cup", 1))
    assert sorted(found) == [("changed", "club", 1, 1), ("changed", "tournament", 1, 1)]
    assert any(f"tournament {house.cup.id}, version 1" in text for text in texts)
    assert any("its own events, version 1" in text for text in texts)


@pytest.mark.parametrize("private", ["", "delete from private where stream_id = %(match)s"])
def test_deleted_events_are_named_once(house, private):
    found, texts = done(house, "delete from events where stream_id = %(match)s and version in (3, 4)")
    assert found == [("missing", "match", 3, 4)]
    assert f"match {house.stream}, versions 3 to 4 are missing" in texts[0]


def test_a_deleted_end_or_a_whole_stream_is_missing_by_its_positions(house):
    row = "select position from events where stream_id = %s and version = 7"
    last = house.log.execute(row, [house.stream]).fetchone()[0]
    found, _ = done(house, "delete from events where stream_id = %(match)s and version = 7")
    assert found == [("missing", "log", last, last)]
    found, texts = done(house, "delete from events where stream_id = %(match)s")
    assert all(each[:2] == ("missing", "log") for each in found)
    assert sum(each[3] - each[2] + 1 for each in found) == 7
    assert "or a whole stream" in texts[0]
    top = head(house)
    found, _ = done(house, "delete from events where club_id = %(club)s and position > %(top)s - 2", top=top)
    assert found == [("missing", "log", top - 1, top)]
    found, _ = done(house, "delete from events where club_id = %(club)s")
    assert found == [("missing", "log", 1, top), ("missing", "closed log", 1, 8)]


def test_a_deleted_event_is_missing_though_the_rest_was_renumbered(house):
    found, _ = done(
        house,
        "delete from events where stream_id = %(match)s and version = 3",
        "update events set version = version + 1000 where stream_id = %(match)s and version > 3",
        "update events set version = version - 1001 where stream_id = %(match)s and version > 1000",
    )
    assert found == [("missing", "match", 3, 3)]


COPY = """insert into events select club_id, stream_id, {version}, {position}, type, schema, data, actor, role, seat,
    device, device_clock, recorded_at, 'forged', command_index, fingerprint, cause, {previous}, sha256('forged')
    from events where stream_id = %(match)s and version = 3"""


def test_an_event_behind_the_end_of_the_log_is_extra(house):
    top = head(house) + 1
    for previous in ("prev_hash", "(select hash from events where stream_id = %(match)s and version = 7)"):
        found, texts = done(house, COPY.format(version=8, position=top, previous=previous))
        assert found == [("extra", "match", 8, 8)]
        assert "version 8 is extra" in texts[0]


def test_an_inserted_event_is_extra_and_those_behind_it_not_moved(house):
    top = head(house) + 1
    found, _ = done(
        house,
        "update events set version = version + 1000 where stream_id = %(match)s and version > 3",
        "update events set version = version - 999 where stream_id = %(match)s and version > 1000",
        COPY.format(version=4, position=top, previous="prev_hash"),
        f"update logs set position = {top} where club_id = %(club)s and log = 0",
    )
    assert found == [("extra", "match", 4, 4)]


def test_events_that_changed_places_are_moved(house):
    found, texts = done(
        house,
        "update events set version = 1003 where stream_id = %(match)s and version = 3",
        "update events set version = 3 where stream_id = %(match)s and version = 5",
        "update events set version = 5 where stream_id = %(match)s and version = 1003",
    )
    assert found == [("moved", "match", 3, 3), ("moved", "match", 5, 5)]
    assert f"match {house.stream}, version 3 was moved: it stands as version 5" in texts[0]
    place = "update events set position = {} where stream_id = %(match)s and version = {}"
    one, other = (
        house.log.execute(
            "select position from events where stream_id = %s and version = %s", [house.stream, each]
        ).fetchone()[0]
        for each in (3, 6)
    )
    found, texts = done(house, place.format(1_000_000, 3), place.format(one, 6), place.format(other, 3))
    assert found == [("moved", "match", 3, 3), ("moved", "match", 6, 6)]
    assert "elsewhere in the log" in texts[0]


def test_an_event_moved_to_another_stream_is_missing_and_extra(house):
    found, _ = done(
        house, "update events set stream_id = %(cup)s, version = 900 where stream_id = %(match)s and version = 4"
    )
    assert sorted(found) == [("extra", "tournament", 900, 900), ("missing", "match", 4, 4)]


def test_a_log_row_with_a_wrong_end_is_found(house):
    top = head(house)
    found, _ = done(house, "update logs set position = position - 1 where club_id = %(club)s and log = 0")
    assert [each[0] for each in found] == ["extra"]
    found, _ = done(house, "update logs set position = position + 3 where club_id = %(club)s and log = 0")
    assert found == [("missing", "log", top + 1, top + 3)]


def test_what_only_a_tree_would_find_is_not_found(house):  # docs/chain.md lists these
    cut = (
        "delete from events where stream_id = %(match)s and version = 7",
        "delete from private where stream_id = %(match)s and version = 7",
        "update events set position = position + 999999 where club_id = %(club)s and log = 0 and position > %(at)s",
        "update events set position = position - 1000000 where club_id = %(club)s and position > 1000000",
        "update logs set position = position - 1 where club_id = %(club)s and log = 0",
    )
    row = "select position from events where stream_id = %s and version = 7"
    at = house.log.execute(row, [house.stream]).fetchone()[0]
    assert done(house, *cut, at=at) == ([], [])
    everything = [f"delete from {table} where club_id = %(club)s" for table in ("events", "private", "logs")]
    assert done(house, *everything) == ([], [])


def test_the_command_lists_everything_that_is_wrong(house):
    where = {"LURCH_DATABASE_URL": house.database.url}
    with superuser(house) as hand:
        hand.execute("update events set data = data || ' ' where stream_id = %s and version = 2", [house.stream])
        hand.execute("delete from events where stream_id = %s and version = 5", [house.stream])
        (code, plain, _), (_, listed, _) = lurch("verify", **where), lurch("verify", "--json", **where)
    assert code == 1
    own = [line for line in plain.splitlines() if house.id in line]
    assert [line.partition(f"{house.stream}, ")[2] for line in own] == [
        "version 2 was changed: it does not fit its chain",
        "version 5 is missing",
    ]
    found = json.loads(listed)
    assert found["holds"] is False
    assert found["first_wrong"] == found["wrong"][0]["text"]
    assert {each["what"] for each in found["wrong"] if each["club"] == house.id} == {"changed", "missing"}


# ------------------------------------------------------------------ the closed log


@pytest.mark.parametrize("change", ["data = data || ' '", "actor = 'me'", "hash = sha256('x')"])
def test_a_change_in_a_closed_stream_is_named_with_its_log(house, change):
    found, texts = done_in_logs(house, f"update events set {change} where stream_id = %(talk)s and version = 4")
    assert found == [("changed", "closed", "talk", 4, 4)]
    assert texts[0].startswith(f"club {house.id}: talk {house.talk}, version 4 was changed")


def test_changed_words_of_a_closed_stream_are_a_change(house):
    change = """update private set data = '{"words":"never said"}' where stream_id = %(talk)s and version = 2"""
    assert done_in_logs(house, change)[0] == [("changed", "closed", "talk", 2, 2)]
    assert done_in_logs(house, "delete from private where stream_id = %(talk)s and version = 2")[0] == [
        ("changed", "closed", "talk", 2, 2)
    ]


def test_missing_events_and_positions_are_those_of_the_closed_log(house):
    one = ("delete from private where stream_id = %(talk)s and version = 3",
           "delete from events where stream_id = %(talk)s and version = 3")  # fmt: skip
    assert done_in_logs(house, *one)[0] == [("missing", "closed", "talk", 3, 3)]
    whole = "delete from private where stream_id = %(talk)s", "delete from events where stream_id = %(talk)s"
    found, texts = done_in_logs(house, *whole)
    assert found == [("missing", "closed", "closed log", 1, 4)]
    assert "positions 1 to 4 of its closed log are missing" in texts[0]
    found, _ = done_in_logs(house, "update logs set position = position + 2 where log = 1")
    assert found == [("missing", "closed", "closed log", 9, 10)]
    found, _ = done_in_logs(house, "update logs set position = 7 where log = 1")
    assert found == [("extra", "closed", "talk", 4, 4)]


def test_a_closed_log_without_its_row_is_told(house):
    found, texts = done_in_logs(house, "delete from logs where club_id = %(club)s and log = 1")
    assert found == [("missing", "closed", "closed log", 0, 0)]
    assert "the row of its closed log" in texts[0]


def test_an_event_carried_into_the_open_log_is_moved(house):
    top = house.position() + 1
    carry = "update events set log = 0, position = %(top)s where stream_id = %(talk)s and version = 2"
    grow = "update logs set position = %(top)s where log = 0 and club_id = %(club)s"
    found, texts = done_in_logs(house, carry, grow, top=top)
    assert found == [("moved", "closed", "talk", 2, 2)]
    assert "version 2 was moved: into the open log, out of the closed one" in texts[0]
    broken = "update events set actor = 'me' where stream_id = %(talk)s and version = 2"
    assert done_in_logs(house, carry, grow, broken, top=top)[0] == [("changed", "closed", "talk", 2, 2)]


def test_a_whole_closed_stream_that_was_carried_over_is_moved(house):  # and both logs were numbered anew
    top = house.position()
    found, _ = done_in_logs(
        house,
        "update events set log = 0, position = version + %(top)s where stream_id = %(talk)s",
        "update events set position = position + 1000 where club_id = %(club)s and log = 1",
        "update events set position = position - 1004 where club_id = %(club)s and log = 1",
        "update logs set position = position + case log when 0 then 4 else -4 end where club_id = %(club)s",
        top=top,
    )
    assert found == [("moved", "closed", "talk", 1, 4)]


def test_an_event_of_a_match_hidden_in_the_closed_log_is_moved(house):
    hide = "update events set log = 1, position = 9 where stream_id = %(match)s and version = 2"
    found, texts = done_in_logs(house, hide, "update logs set position = 9 where log = 1")
    assert found == [("moved", "open", "match", 2, 2)]
    assert "into the closed log, out of the open one" in texts[0]


def test_the_command_says_which_log(house):
    where = {"LURCH_DATABASE_URL": house.database.url}
    with superuser(house) as hand:
        hand.execute("update events set data = data || ' ' where stream_id = %s and version = 2", [house.talk])
        code, listed, _ = lurch("verify", "--json", **where)
    assert code == 1
    (wrong,) = json.loads(listed)["wrong"]
    assert (wrong["log"], wrong["stream"], wrong["first"]) == ("closed", house.talk, 2)


# ------------------------------------------------------------------ several processes


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
STATEMENTS = (
    "update private set salt = decode(repeat('07', 16), 'hex')",
    "delete from private",
    "insert into private select club_id, stream_id, version, decode(repeat('00', 16), 'hex'), '{}' from events"
    " on conflict do nothing",
    "delete from events where version = 2",
    "update logs set position = position - 1",
)
MOVES = (
    "version = version + 5000",
    "position = position + 100000",
    "log = 1 - log, position = position + 100000",
    "stream_id = gen_random_uuid()",
)


@pytest.fixture
def elsewhere(monkeypatch):
    """The worker processes that were started."""
    started, start = [], asyncio.create_subprocess_exec

    async def noted(*arguments, **more):
        started.append(await start(*arguments, **more))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    return started


async def nobody(*_):
    """Verify nothing."""


def split(house, told=lambda _: None):
    """Verify with a worker process that does all of the work."""
    with mock.patch.object(side_by_side, "here", nobody):
        return with_pool(house.database, lambda pool: verifying.verify(pool, told, 2, SIZE))


def alike(house):
    """Verify by a worker, by one process and row by row; return what all three say alike."""
    found = split(house)
    assert found == with_pool(house.database, lambda pool: verifying.verify(pool, size=SIZE))
    assert found == with_pool(house.database, chain_by_chain.verify)
    return found


def one_of_each_stretch(house):
    """Return the stream and version of an event in each stretch, none of them the first of its stream."""

    async def act(pool):
        async with snapshot(pool) as seen:
            return await seen.stretches(SIZE, ())

    stretches = with_pool(house.database, act)
    assert len(stretches) > verifying.FEW_STRETCHES
    row = """select stream_id::text, version from events where club_id = %s and version > 1
        and stream_id between %s and %s order by version limit 1"""
    found = (house.log.execute(row, [each.club, each.first, each.last]).fetchone() for each in stretches)
    return [each for each in found if each]


def forged(house, change):
    """Change an event in each stretch; return these events and the findings."""
    picked = one_of_each_stretch(house)
    with superuser(house) as hand:
        for stream, version in picked:
            hand.execute(f"update events set {change} where stream_id = %s and version = %s", [stream, version])
        return picked, alike(house)


def test_a_worker_counts_every_event_of_an_untouched_log_once(house, elsewhere):
    steps = []
    found = split(house, steps.append)
    assert (found, sum(steps)) == (with_pool(house.database, chain_by_chain.verify), found.events)
    assert (found.wrong, len(elsewhere)) == ((), 1)
    assert len(steps) > verifying.FEW_STRETCHES


@pytest.mark.parametrize("change", ["data", "hash", *breadth(each for each in CHANGES if each not in ("data", "hash"))])
def test_a_worker_names_a_change_of_any_column_in_any_stretch(house, elsewhere, change):
    picked, found = forged(house, CHANGES[change])
    assert {(each.stream, each.first) for each in found.wrong if each.what == "changed"} >= set(picked)
    assert {each.log for each in found.wrong} == {"open", "closed"}
    assert len(elsewhere) == 1


@pytest.mark.parametrize("move", [MOVES[0], *breadth(MOVES[1:])])
def test_a_worker_names_moved_events_in_any_stretch(house, elsewhere, move):
    picked, found = forged(house, move)
    assert len(found.wrong) >= len(picked)
    assert {each.log for each in found.wrong} == {"open", "closed"}


@pytest.mark.parametrize(
    "statement",
    [
        "update private set data = '{}'",
        "delete from logs where log = 1",
        *breadth(STATEMENTS),
    ],
)
def test_a_worker_names_private_parts_gaps_and_ends(house, elsewhere, statement):
    with superuser(house) as hand:
        hand.execute(statement)
        assert alike(house).wrong


@pytest.mark.extended
def test_a_worker_names_an_erased_row_that_came_back(house, elsewhere):
    listed = house.log.execute("select data from events where type = 'PersonErased'").fetchone()[0]
    ((stream, version, _), *_) = json.loads(listed)["rows"]
    with superuser(house) as hand:
        put = "insert into private values (%s, %s, %s, decode(repeat('00', 16), 'hex'), '{}')"
        hand.execute(put, [house.id, stream, version])
        found = alike(house)
    assert [(each.what, each.first, each.last) for each in found.wrong] == [("changed", version, version)]


def test_a_worker_names_an_unfinished_erasure(house, elsewhere):
    with superuser(house) as hand:
        hand.execute("insert into private values (%s, %s, %s, %s, %s)", house.words)
        found = alike(house)
    assert [(each.what, each.first) for each in found.wrong] == [("unfinished", house.words[2])]


def last_of(house, stream):
    """Return the last event of a stream."""

    async def act(pool):
        async with snapshot(pool) as seen:
            return (await seen.stream(house.id, stream, {}))[-1]

    return with_pool(house.database, act)


def test_a_worker_names_events_that_changed_logs(house, elsewhere):
    there = last_of(house, house.talk).position
    with superuser(house) as hand:
        for log in (0, 1):
            away = "update events set log = %s, position = position + 1000 where log = %s and position = %s"
            hand.execute(away, [1 - log, log, there])
        hand.execute("update events set position = position - 1000 where position = %s + 1000", [there])
        found = alike(house)
    assert [each.what for each in found.wrong] == ["moved", "moved"]


@pytest.mark.parametrize("broken", ["version", *breadth(["link"])])
def test_a_worker_names_a_hash_of_another_version_or_link(house, elsewhere, broken):
    last = last_of(house, house.match_path.rpartition("/")[2])
    further = last.public.version + 2 * (broken == "version")
    previous = last.prev_hash if broken == "version" else b"\7" * 32
    made = chain_hash(
        previous, leaf_hash(public_bytes(msgspec.structs.replace(last.public, version=further)), None, None)
    )
    with superuser(house) as hand:
        change = "update events set version = %s, prev_hash = %s, hash = %s where stream_id = %s and version = %s"
        hand.execute(change, [further, previous, made, last.public.stream, last.public.version])
        assert alike(house).wrong


@pytest.mark.extended
def test_all_processes_see_one_snapshot_of_the_log(house, elsewhere):
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


@pytest.mark.extended
def test_an_error_of_the_database_in_a_worker_is_reported(house, elsewhere, monkeypatch):
    async def of_nobody(_):
        return "00000000-00000000-1"

    monkeypatch.setattr(Snapshot, "shared", of_nobody)
    with pytest.raises(WorkerError, match="snapshot"):
        split(house)


def test_a_stretch_that_no_process_verified_is_an_error(house, monkeypatch):
    monkeypatch.setattr(side_by_side, "there", nobody)
    with pytest.raises(WorkerError, match="nothing is known"):
        split(house)


@pytest.mark.extended
def test_a_cancelled_verification_ends_its_workers(house, elsewhere, monkeypatch, capfd):
    monkeypatch.setattr(side_by_side, "here", nobody)

    async def act(pool):
        task = asyncio.create_task(verifying.verify(pool, lambda _: task.cancel(), 2, SIZE))
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.wait_for(elsewhere[0].wait(), 60)

    assert with_pool(house.database, act) < 0
    assert capfd.readouterr().err == ""


@pytest.mark.extended
def test_a_worker_ends_when_its_parent_is_gone(house):
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


def test_the_command_says_in_one_line_that_a_worker_died(house, elsewhere, monkeypatch):
    where = {"LURCH_DATABASE_URL": house.database.url}
    monkeypatch.setattr(verifying, "verify", partial(verifying.verify, size=SIZE))
    code, out, _ = lurch("verify", "--processes", 3, **where)
    assert (code, out) == (0, f"{with_pool(house.database, chain_by_chain.verify).events} events, every chain holds\n")
    assert len(elsewhere) == 2
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert "verify again" in fails(2, "verify", "--processes", 2, **where)


# ------------------------------------------------------------------ a database without its rules


NUMBERS = ("stream_id", "version", "position", "log", "schema", "recorded_at", "prev_hash", "hash")
RULES = (
    "alter table events drop constraint events_pkey cascade",
    "alter table private drop constraint private_pkey",
    "alter table events drop constraint events_club_id_log_position_key",
    "drop index events_command, events_streams",
    "alter table events drop constraint events_hash_check, drop constraint events_prev_hash_check",
    "alter table events drop constraint events_log_check, drop constraint events_position_check",
    *(f"alter table events alter {column} drop not null" for column in (*NUMBERS, "role", "type")),
    "alter table private drop constraint private_salt_check, alter salt drop not null, alter data drop not null",
    "alter table logs drop constraint logs_position_check, drop constraint logs_pkey, alter position drop not null",
    "create cast (bytea as text) without function",
)
THIRD = "update events set {} where club_id <> stream_id and version = 3"
BOTH = "update events e set {} from events o where e.club_id <> e.stream_id and o.stream_id = e.stream_id and {}"
NEXT = "(e.version, o.version) in ((2, 3), (3, 2))"
JOINED = {
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
    "two texts in one event": THIRD.format("command_id = command_id || chr(31) || command_id"),
    "the sign of nobody": THIRD.format("actor = '-'"),
    "an empty name": THIRD.format("actor = ''"),
    "no type": THIRD.format("type = null"),
    "no schema": THIRD.format("schema = null"),
    "no schema anywhere": "update events set schema = null",
    "no role anywhere": "update events set role = null",
    "no hash": THIRD.format("hash = null"),
    "the end of all times": THIRD.format("recorded_at = '-infinity'"),
    "a time before our era": THIRD.format("recorded_at = '4000-01-01 BC'"),
    "a time of a thousand years": THIRD.format("recorded_at = '0999-01-01'"),
    "an event that stands twice": "insert into events select * from events where stream_id <> club_id and version = 2",
    "a first event that stands twice": "insert into events select * from events where version = 1",
    "an event less": "delete from events where club_id <> stream_id and version = 2",
    "private words that stand behind others": "insert into private select club_id, stream_id, version, salt, '{}'"
    " from private; update private set salt = salt where data <> '{}'",
    "private words that others stand behind": "insert into private select club_id, stream_id, version, salt, '{}'"
    " from private",
    "private words of another salt": "update private set salt = decode(repeat('07', 16), 'hex')",
}
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
def lawless():
    """A database without its rules: four matches and an erased person; the last event is in the oldest match."""
    with new_database() as database, TestClient(create_app(database)) as client, House(client, database) as found:
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


def said(house, joined, monkeypatch):
    """Return the findings, read so many events at a time; they equal those of one row at a time."""
    monkeypatch.setattr(chain_bytes, "JOINED", joined)
    found = with_pool(house.database, verifying.verify)
    assert found == with_pool(house.database, chain_by_chain.verify)
    return found.wrong


@pytest.mark.parametrize("joined", [1, 2, 3, 6000])
def test_an_untouched_log_holds_in_parts_of_any_size(lawless, joined, monkeypatch):
    assert said(lawless, joined, monkeypatch) == ()


@pytest.mark.parametrize("joined", [2, *breadth([1, 6000])])
@pytest.mark.parametrize("forged", JOINED)
def test_what_joining_could_hide_is_found_as_row_by_row(lawless, forged, joined, monkeypatch):
    with superuser(lawless) as hand:
        assert hand.execute(JOINED[forged]).rowcount
        assert said(lawless, joined, monkeypatch)


def test_texts_too_long_to_be_joined_are_read_row_by_row(lawless, monkeypatch):
    # PostgreSQL joins no more than a gigabyte; 1 MB an event is more than that in a long match
    too_long = "select repeat(string_agg(data, ''), 1000000000) from events where club_id = %(club)s"
    monkeypatch.setattr(chain_bytes, "PARTS", too_long)
    assert said(lawless, 6000, monkeypatch) == ()
    with superuser(lawless) as hand:
        assert hand.execute(JOINED["an empty name"]).rowcount
        assert said(lawless, 6000, monkeypatch)


def values(lawless):
    return {"club": lawless.id, "match": lawless.stream, "last": lawless.last}


def told(lawless, size=verifying.STRETCH):
    """Return the texts of all findings."""
    return [each.text for each in with_pool(lawless.database, lambda pool: verifying.verify(pool, size=size)).wrong]


def told_of_all_in_a_sample(lawless):
    """Return the texts of the findings of a sample that holds every stream."""
    return [each.text for each in with_pool(lawless.database, lambda pool: verifying.verify_some(pool, 1_000)).wrong]


def test_a_sample_of_an_untouched_log_holds(lawless):
    assert told(lawless) == told_of_all_in_a_sample(lawless) == []


@pytest.mark.parametrize("forged", FORGED)
def test_a_row_that_no_lurch_wrote_is_found(lawless, forged):
    with superuser(lawless) as hand:
        try:
            assert hand.execute(FORGED[forged], values(lawless)).rowcount
            found = told(lawless)
            sample = told_of_all_in_a_sample(lawless)
            assert found
            assert bool(sample) is (forged not in BESIDE_STREAMS)
        finally:
            hand.execute("delete from remains where data not like '{%'")


def test_an_event_of_no_stream_hides_none(lawless):
    copy = AGAIN.format(stream="null", more=0, command="command_id", previous="prev_hash", hash="hash")
    with superuser(lawless) as hand:
        hand.execute(f"{copy} stream_id = %(match)s and version = 2", values(lawless))
        hand.execute("update events set data = 'forged' where stream_id = %(match)s", values(lawless))
        found = told(lawless, size=8)
    assert any("says not of which stream it is" in each for each in found)
    assert any("changed" in each and lawless.stream in each for each in found)


def test_an_event_at_the_position_of_another_is_found(lawless):
    async def last_row(pool):
        async with snapshot(pool) as seen:
            return (await seen.stream(lawless.id, lawless.stream, {}))[-1]

    last = with_pool(lawless.database, last_row)
    new = msgspec.structs.replace(last.public, version=last.public.version + 1, command_id="forged")
    digest = chain_hash(last.hash, leaf_hash(public_bytes(new), None, None))
    copy = AGAIN.format(stream="stream_id", more=1, command="'forged'", previous="hash", hash="%(hash)s")
    with superuser(lawless) as hand:
        hand.execute(f"{copy} {LAST}", {**values(lawless), "hash": digest})
        (found,) = told(lawless)
    assert "two events stand at position" in found
