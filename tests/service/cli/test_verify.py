"""`lurch verify` says what a superuser did to the log: what was changed, is missing, is extra, was moved, and where."""

import json
from contextlib import contextmanager

import psycopg
import pytest
from litestar.testing import TestClient

from service.desk import verifying
from service.run.app import create_app
from service.run.migrate import upgrade
from tests.conftest import embedded, with_pool
from tests.kit.service.asking import House
from tests.service.api.test_tournaments import Evening, single
from tests.service.cli.test_cli import lurch

RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}
TABLES = ("private", "events", "logs")  # in the order in which rows may be deleted


@contextmanager
def at_home(database):
    """A house over a server."""
    upgrade(database.owner_url, database.url)
    with TestClient(create_app(database)) as client, House(client, database) as found:
        yield found


@pytest.fixture(scope="module")
def house():
    """A club with a match and a tournament, alone on a server of its own whose superuser we are."""
    with embedded() as database, at_home(database) as found:
        match = found.match()
        for _ in range(3):
            found.done(f"{match}/results", RESULT)
        found.stream = match.rpartition("/")[2]
        found.cup = Evening(found, [single()], players=4)
        found.cup.act({"do": "pair_round"})
        found.get(found.cup.path)
        other = found.match(sides=[["Cleo"], ["Dag"]])
        found.done(f"{other}/results", RESULT)
        yield found


@contextmanager
def superuser(house):
    """The administrator of the database; afterwards everything of the club is as it was."""
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
    """What is wrong in the club: what, kind of stream, first, last."""
    found = with_pool(house.database, verifying.verify)
    own = [each for each in found.wrong if each.club == house.id]
    assert all(house.id in each.text for each in own)
    assert all(each.stream is None or each.kind == "club" or each.stream in each.text for each in own)
    return [(each.what, each.kind, each.first, each.last) for each in own], [each.text for each in own]


def done(house, *statements, **values):
    """What is told after a superuser has done this."""
    with superuser(house) as hand:
        for statement in statements:
            hand.execute(statement, {"club": house.id, "match": house.stream, "cup": house.cup.id, **values})
        return wrong(house)


def head(house):
    return house.position()


def test_an_untouched_log_holds(house):
    assert wrong(house) == ([], [])


def test_a_log_holds_while_others_append_to_it(house):
    match = house.match(sides=[["Eva"], ["Finn"]], target=100_000)
    before = head(house)

    def told(_):
        house.done(f"{match}/results", RESULT)

    found = with_pool(house.database, lambda pool: verifying.verify(pool, told))
    assert (found.events, found.wrong) == (before, ())
    assert head(house) > before


def test_a_club_whose_row_in_logs_was_deleted_is_walked_all_the_same(house):
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
def test_any_change_of_a_row_is_named_with_its_version_and_nothing_stops_the_walk(house, change):
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
def test_deleted_events_are_missing_once_though_their_positions_are_gone_too(house, private):
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
    assert found == [("missing", "log", 1, top)]


def test_events_that_were_deleted_and_the_rest_renumbered_are_missing(house):
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


def test_an_event_that_was_put_in_is_extra_and_what_was_behind_it_is_not_moved(house):
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


def test_an_event_in_another_stream_is_missing_in_its_own_and_extra_there(house):
    found, _ = done(
        house, "update events set stream_id = %(cup)s, version = 900 where stream_id = %(match)s and version = 4"
    )
    assert sorted(found) == [("extra", "tournament", 900, 900), ("missing", "match", 4, 4)]


def test_a_log_whose_row_says_less_than_there_is_has_events_behind_its_end(house):
    top = head(house)
    found, _ = done(house, "update logs set position = position - 1 where club_id = %(club)s and log = 0")
    assert [each[0] for each in found] == ["extra"]
    found, _ = done(house, "update logs set position = position + 3 where club_id = %(club)s and log = 0")
    assert found == [("missing", "log", top + 1, top + 3)]


def test_what_only_a_tree_would_find_is_not_found(house):
    """docs/chain.md lists these."""
    cut = (
        "delete from events where stream_id = %(match)s and version = 7",
        "delete from private where stream_id = %(match)s and version = 7",
        "update events set position = position - 1 + 1000000 where club_id = %(club)s and position > %(at)s",
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
