"""Private rows: dropped only where an event lists them, whoever asks; and `lurch verify` tells each other loss."""

import hashlib

import psycopg
import pytest
from litestar.testing import TestClient

from domain.club.events import PersonErased
from service.run.app import create_app
from tests.conftest import new_database
from tests.kit.service.asking import House
from tests.kit.service.leaving import erase, put, registered, said, wrong


@pytest.fixture(scope="module")
def house():
    """A club with an erased and another person, alone in a database whose superuser we are."""
    with new_database() as database, TestClient(create_app(database)) as client, House(client, database) as found:
        found.left = registered(found, "Wanda Birch")
        found.here = registered(found, "Xaver")
        erase(found, found.left)
        yield found


def rows_of(house, person):
    """The versions of the club at which a person was registered."""
    like = f'%"{person}"%'
    found = house.log.execute(
        "select version from events where club_id = %s and type = 'PlayerRegistered' and data like %s", [house.id, like]
    )
    return found.fetchone()[0]


def refused(url, statement, *values):
    """A statement that the database has to refuse."""
    with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement, values)


def test_private_rows_without_an_erasure_cannot_be_changed_or_deleted(house):
    own = house.id, rows_of(house, house.here)
    for url in (house.database.url, house.database.owner_url):
        refused(url, "delete from private where stream_id = %s and version = %s", *own)
        refused(url, "update private set data = '{}' where stream_id = %s and version = %s", *own)
        refused(url, "truncate private cascade")
        with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("delete from private")
    with psycopg.connect(house.database.embedded.url("postgres")) as connection:
        connection.execute("set session_replication_role = replica")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("delete from private where stream_id = %s and version = %s", own)
    assert wrong(house) == []


def test_a_listing_with_another_hash_lets_nothing_be_dropped(house):
    version = rows_of(house, house.here)
    event = PersonErased(house.left, "mistake", 9, ((house.id, version, hashlib.sha256(b"x").hexdigest()),))
    put(house, said(event))
    refused(house.database.url, "delete from private where stream_id = %s and version = %s", house.id, version)
    assert wrong(house) == []


def attacked(house, *statements):
    """What is told after a superuser has switched the triggers off; afterwards all is as it was."""
    with psycopg.connect(house.database.embedded.url("postgres"), autocommit=True) as hand:
        hand.execute("alter table private disable trigger all")
        hand.execute("alter table events disable trigger all")
        hand.execute("create temporary table kept_events as select * from events")
        hand.execute("create temporary table kept_private as select * from private")
        try:
            for statement in statements:
                hand.execute(statement, {"club": house.id})
            return wrong(house)
        finally:
            hand.execute("delete from private")
            hand.execute("delete from events")
            hand.execute("insert into events select * from kept_events")
            hand.execute("insert into private select * from kept_private")
            hand.execute("alter table private enable trigger all")
            hand.execute("alter table events enable trigger all")
            for trigger in ("private_listed", "private_immutable", "private_untruncated"):
                hand.execute(f"alter table private enable always trigger {trigger}")
            for trigger in ("events_immutable", "events_untruncated"):
                hand.execute(f"alter table events enable always trigger {trigger}")


def test_a_private_row_that_goes_without_an_erasure_is_a_change(house):
    version = rows_of(house, house.here)
    found = attacked(house, f"delete from private where stream_id = %(club)s and version = {version}")
    assert found == [("changed", "club", version, version)]


def test_an_erased_row_restored_with_other_words_is_a_change(house):
    version = rows_of(house, house.left)
    statement = f"insert into private values (%(club)s, %(club)s, {version}, decode(repeat('00', 16), 'hex'), '{{}}')"
    assert attacked(house, statement) == [("changed", "club", version, version)]


def test_the_public_part_of_an_erased_row_is_still_checked(house):
    version = rows_of(house, house.left)
    change = f"update events set actor = 'me' where stream_id = %(club)s and version = {version}"
    assert attacked(house, change) == [("changed", "club", version, version)]


def test_a_forged_list_is_told_by_its_own_chain_and_covers_nothing(house):
    version = rows_of(house, house.here)
    rows = f'[["{house.id}", {version}, "{"0" * 64}"]]'
    forged = f"""update events set data = jsonb_set(data::jsonb, '{{rows}}', '{rows}')::text
        where stream_id = %(club)s and type = 'PersonErased'"""
    found = attacked(house, forged, f"delete from private where stream_id = %(club)s and version = {version}")
    assert any(what == "changed" and first <= version <= last for what, _, first, last in found)
    broken = "update events set data = '{\"rows\": 7}' where stream_id = %(club)s and type = 'PersonErased'"
    assert all(each[0] == "changed" for each in attacked(house, broken))


def test_words_put_in_the_place_of_erased_ones_are_told(house):
    version = rows_of(house, house.left)
    house.log.execute(
        "insert into remains values (%s, %s, %s, %s)", [house.id, house.id, version, '{"name":"Mallory"}']
    )
    try:
        assert wrong(house) == [("changed", "log", version, version)]
    finally:
        house.log.execute("delete from remains where club_id = %s", [house.id])
    assert wrong(house) == []
