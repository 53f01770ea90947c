"""`lurch verify` walks the closed log too, and says which log is meant."""

import json

import pytest
from litestar.testing import TestClient

from service.desk import verifying
from service.desk.recording import Recorder
from service.run.app import create_app
from service.store.streams import Streams
from tests.conftest import migrated, with_pool
from tests.kit.service.asking import House
from tests.kit.talks import talk, talks
from tests.service.cli.test_cli import lurch
from tests.service.cli.test_verify import RESULT, superuser


@pytest.fixture(scope="module")
def house():
    """A club with a match and two talks, alone on a server of its own whose superuser we are."""
    with (
        migrated() as database,
        talks(),
        TestClient(create_app(database)) as client,
        House(client, database) as found,
    ):
        match = found.match()
        found.done(f"{match}/results", RESULT)
        found.stream = match.rpartition("/")[2]

        async def act(pool):
            recorder = Recorder(Streams(pool))
            return [await talk(recorder, found.id, "one", "two", "three") for _ in range(2)]

        found.talk, found.other = with_pool(database, act)
        yield found


def done(house, *statements, **values):
    """What is told after a superuser has done this: what, in which log, kind, first, last; and the texts."""
    with superuser(house) as hand:
        for statement in statements:
            hand.execute(statement, {"club": house.id, "match": house.stream, "talk": house.talk, **values})
        found = with_pool(house.database, verifying.verify).wrong
    return [(each.what, each.log, each.kind, each.first, each.last) for each in found], [each.text for each in found]


def test_both_logs_hold_untouched(house):
    found = with_pool(house.database, verifying.verify)
    assert found.wrong == ()
    assert found.events == house.position() + 8


@pytest.mark.parametrize("change", ["data = data || ' '", "actor = 'me'", "hash = sha256('x')"])
def test_a_change_in_a_closed_stream_is_named_with_its_kind_and_its_log(house, change):
    found, texts = done(house, f"update events set {change} where stream_id = %(talk)s and version = 4")
    assert found == [("changed", "closed", "talk", 4, 4)]
    assert texts[0].startswith(f"club {house.id}: talk {house.talk}, version 4 was changed")


def test_changed_words_of_a_closed_stream_are_a_change(house):
    change = """update private set data = '{"words":"never said"}' where stream_id = %(talk)s and version = 2"""
    assert done(house, change)[0] == [("changed", "closed", "talk", 2, 2)]
    assert done(house, "delete from private where stream_id = %(talk)s and version = 2")[0] == [
        ("changed", "closed", "talk", 2, 2)
    ]


def test_missing_events_and_positions_are_those_of_the_closed_log(house):
    one = ("delete from private where stream_id = %(talk)s and version = 3",
           "delete from events where stream_id = %(talk)s and version = 3")  # fmt: skip
    assert done(house, *one)[0] == [("missing", "closed", "talk", 3, 3)]
    whole = "delete from private where stream_id = %(talk)s", "delete from events where stream_id = %(talk)s"
    found, texts = done(house, *whole)
    assert found == [("missing", "closed", "closed log", 1, 4)]
    assert "positions 1 to 4 of its closed log are missing" in texts[0]
    found, _ = done(house, "update logs set position = position + 2 where log = 1")
    assert found == [("missing", "closed", "closed log", 9, 10)]
    found, _ = done(house, "update logs set position = 7 where log = 1")
    assert found == [("extra", "closed", "talk", 4, 4)]


def test_a_closed_log_without_its_row_is_told(house):
    found, texts = done(house, "delete from logs where club_id = %(club)s and log = 1")
    assert found == [("missing", "closed", "closed log", 0, 0)]
    assert "the row of its closed log" in texts[0]


def test_an_event_that_was_carried_into_the_open_log_is_moved_though_no_hash_tells(house):
    top = house.position() + 1
    carry = "update events set log = 0, position = %(top)s where stream_id = %(talk)s and version = 2"
    grow = "update logs set position = %(top)s where log = 0 and club_id = %(club)s"
    found, texts = done(house, carry, grow, top=top)
    assert found == [("moved", "closed", "talk", 2, 2)]
    assert "version 2 was moved: into the open log, out of the closed one" in texts[0]
    broken = "update events set actor = 'me' where stream_id = %(talk)s and version = 2"
    assert done(house, carry, grow, broken, top=top)[0] == [("changed", "closed", "talk", 2, 2)]


def test_a_whole_closed_stream_that_was_carried_over_is_moved(house):
    """Renumbered so that the positions of both logs are dense: what it is about says where it belongs."""
    top = house.position()
    found, _ = done(
        house,
        "update events set log = 0, position = version + %(top)s where stream_id = %(talk)s",
        "update events set position = position + 1000 where club_id = %(club)s and log = 1",
        "update events set position = position - 1004 where club_id = %(club)s and log = 1",
        "update logs set position = position + case log when 0 then 4 else -4 end where club_id = %(club)s",
        top=top,
    )
    assert found == [("moved", "closed", "talk", 1, 4)]


def test_an_event_of_a_match_that_was_hidden_in_the_closed_log_is_moved(house):
    hide = "update events set log = 1, position = 9 where stream_id = %(match)s and version = 2"
    found, texts = done(house, hide, "update logs set position = 9 where log = 1")
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
