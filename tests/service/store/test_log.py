"""The log: immutable for each role, dense, chained, and one of two racers wins."""

import asyncio

import msgspec
import psycopg
import pytest

from domain.log.decider import Refusal
from domain.log.upcast import Upcasters
from domain.match import commands as c
from service.cli import clerk
from service.desk import verifying
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.run.database import Database
from service.run.pool import make_pool
from service.store import log
from service.store.roles import owns_log
from service.store.streams import Streams
from tests.conftest import with_pool

BY = clerk.CLERK


async def a_match(pool, club):
    recorder = Recorder(Streams(pool))
    command = c.OpenMatch(game="parity", options={}, race={}, sides=())
    done = await recorder.open_match(club, command, (("Annie",), ("Benny",)), own_request(BY))
    return recorder, done.loaded.stream


@pytest.mark.parametrize("who", ["url", "owner_url"])
@pytest.mark.parametrize("change", ["update events set role = 'x'", "delete from events", "truncate events cascade"])
def test_recorded_events_cannot_be_changed(database, club, who, change):
    with_pool(database, lambda pool: a_match(pool, club[0]))
    with (
        psycopg.connect(getattr(database, who)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(change)


def test_commands_that_lose_a_race_are_decided_again(database, club):
    async def race():
        async with make_pool(database.url, 4) as pool:
            _, stream = await a_match(pool, club[0])
            racers = [Recorder(Streams(pool)) for _ in range(4)]
            entry = c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]})
            await asyncio.gather(*(each.match(stream, entry, own_request(BY)) for each in racers))
            stored = await log.read_stream(pool, club[0], stream)
            return [each.event.version for each in stored], [each.event.type for each in stored]

    versions, kinds = asyncio.run(race())
    assert versions == list(range(1, 10))
    assert kinds == ["MatchOpened", *["DealStarted", "ResultEntered"] * 4]


def test_with_an_expected_version_the_loser_is_told(database, club):
    async def race():
        async with make_pool(database.url, 4) as pool:
            _, stream = await a_match(pool, club[0])
            entry = c.EnterResult(entry={"parity": "odd", "tricks": [9, 6]})
            asks = [own_request(BY) for _ in range(3)]
            asks = [msgspec.structs.replace(ask, expected=1) for ask in asks]
            racers = [Recorder(Streams(pool)).match(stream, entry, ask) for ask in asks]
            return await asyncio.gather(*racers, return_exceptions=True)

    ends = asyncio.run(race())
    refused = [end for end in ends if isinstance(end, Refusal)]
    assert [(each.slug, each.extra["current_version"]) for each in refused] == [("lost-race", 3)] * 2


def test_verify_names_the_first_event_that_was_edited(database, club):
    _, stream = with_pool(database, lambda pool: a_match(pool, club[0]))
    if database.embedded is None:
        pytest.skip("needs a superuser")

    def edit(now, was):
        with psycopg.connect(database.embedded.url("postgres")) as connection:
            connection.execute("alter table events disable trigger events_immutable")
            connection.execute(
                "update events set data = replace(data, %s, %s) where stream_id = %s", [was, now, stream]
            )
            connection.execute("alter table events enable always trigger events_immutable")

    def wrong():
        """What is wrong with this match; other tests leave logs behind that were edited."""
        found = with_pool(database, verifying.verify)
        return [each.text for each in found.wrong if stream in each.text]

    edit('"target":101', '"target":100')
    first = wrong()[0]
    edit('"target":100', '"target":101')
    assert f"match {stream}, version 1" in first
    assert wrong() == []


def test_a_role_that_owns_the_log_is_recognised(database):
    assert with_pool(Database(database.owner_url, database.owner_url), owns_log)
    assert with_pool(database, owns_log) == (database.url == database.owner_url)


def test_names_stay_out_of_the_log(database, club):
    with_pool(database, lambda pool: a_match(pool, club[0]))
    with psycopg.connect(database.url) as connection:
        rows = connection.execute("select data from events where club_id = %s", [club[0]]).fetchall()
    assert not any("Annie" in row[0] for row in rows)


def test_an_old_schema_is_lifted_on_reading():
    upcasters = Upcasters({("BidMade", 1): lambda data: {"do": "bid", "seat": data["who"], "bid": data["bid"]}})
    assert upcasters.lift("BidMade", 1, b'{"who": 1, "bid": 3}') == b'{"do":"bid","seat":1,"bid":3}'
    assert upcasters.lift("BidMade", 2, b"{}") == b"{}"
    with pytest.raises(ValueError, match="newest is 2"):
        upcasters.lift("BidMade", 3, b"{}")
