"""A full hall behind one address with an attacker in it: callers with a credential are never refused."""

import asyncio
import os
import random

import httpx
import pytest

from service.run.database import Database
from service.store import tokens
from tests.conftest import with_pool
from tests.kit.faults.hall import Attacker, ReadersPhone, ScorersPhone, Viewer, there
from tests.kit.faults.processes import data_directory, serving
from tests.kit.faults.scorers import Club
from tests.kit.service import doors

pytestmark = pytest.mark.extended

WHOLE = os.environ.get("LURCH_FAULTS") == "whole"  # `make faults`
SECONDS = 60.0 if WHOLE else 15.0
PACE = 5.0  # seconds between two requests of a phone: 30 a second of all
TABLES = 75  # with two phones each
GUESTS, KNOWN = 120, 80  # viewers without a credential, and with one
AWAY = 500 if WHOLE else 150  # taps that a phone kept while it was away
MOST_OF_AN_ADDRESS = 300  # open streams without a credential


@pytest.fixture(scope="module")
def service():
    """One that keeps its limits."""
    with data_directory() as data, serving(data, LURCH_LIMITS="1") as running:
        yield running


@pytest.fixture
def club(service):
    """A club that anybody may watch."""
    return Club(service.embedded().url("lurch_app"), public=True)


def given(club, count, role, **bound):
    """So many tokens of the club."""

    async def make(pool):
        return [await tokens.create_token(pool, club.id, role, f"phone {n}", **bound) for n in range(count)]

    return with_pool(Database(club.database_url, club.database_url), make)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def tables(service, club, count):
    """So many matches, each with a scorer's token and the cookie of a phone that came in by the table's code."""
    (director,) = given(club, 1, "director")
    with httpx.Client(base_url=service.url, timeout=60) as client:
        for number in range(count):
            match = club.open_match(service.url, (f"Annie{number}", f"Benny{number}"))
            (scorer,) = given(club, 1, "scorer", match=match)
            door = client.get(f"/api/v1/matches/{match}/door", headers=bearer(director)).json()
            phone = doors.Phone(client)
            phone.come_in(door, f"Benny{number}")
            yield match, scorer, {"Cookie": phone.headers["Cookie"]}


def places(club, matches):
    """The addresses that viewers follow: each table in turn, and some of them all of the club."""
    number = 0
    while True:
        for match in matches:
            number += 1
            yield f"clubs/{club.id}" if number % 20 == 0 else f"matches/{match}"


def viewers(service, club, matches):
    """The guests, and those who have a credential."""
    places_ = places(club, matches)
    headers = [{}] * GUESTS + [bearer(token) for token in given(club, KNOWN, "spectator")]
    found = [Viewer(service.url, f"/api/v1/{next(places_)}/events", each) for each in headers]
    return found[:GUESTS], found[GUESTS:]


async def until(happened, seconds=120.0):
    """Wait for something to be so."""
    async with asyncio.timeout(seconds):
        while not happened():
            await asyncio.sleep(0.05)


async def now_and_then(viewer):
    """It goes and comes again once, at some time of the evening."""
    await asyncio.sleep(random.uniform(0.1, 0.8) * SECONDS)
    await viewer.come_again()


def test_a_caller_with_a_credential_gets_a_stream_despite_an_attacker(service, club):
    match = club.open_match(service.url)
    path = f"/api/v1/matches/{match}/events"

    crowd = [Viewer(service.url, path) for _ in range(MOST_OF_AN_ADDRESS)]
    guests = [Viewer(service.url, path) for _ in range(5)]
    known = [Viewer(service.url, path, bearer(token)) for token in given(club, 150, "scorer")]

    async def late():
        async with there(*crowd, *guests, *known):
            for each in crowd:
                each.come()
            await until(lambda: all(each.ids() for each in crowd))
            for each in guests + known:
                each.come()
            await until(
                lambda: all(each.statuses for each in guests) and all(each.ids() or each.over for each in known)
            )
            assert {tuple(each.statuses) for each in guests} == {(503,)}, "whoever has none is counted with the address"
            assert {tuple(each.statuses) for each in known} == {(200,)}

    asyncio.run(late())


@pytest.mark.timeout(900)  # a minute, and what is prepared for it
def test_a_hall_with_an_attacker_in_it_is_served(service, club):
    *at_tables, (far, fars_token, _) = tables(service, club, TABLES + 1)
    scorers = [ScorersPhone(club, service.url, token, match) for match, token, _ in at_tables]
    readers = [ReadersPhone(service.url, cookie, match) for match, _, cookie in at_tables]
    away = ScorersPhone(club, service.url, fars_token, far)
    attacker = Attacker(service, far)
    guests, known = viewers(service, club, [*(match for match, _, _ in at_tables), far])
    watching = guests + known

    async def evening():
        async with there(*scorers, *readers, away, *watching):
            for each in watching:
                each.come()
            await until(lambda: all(each.ids() for each in watching))
            flood = asyncio.create_task(attacker.flood())
            await until(lambda: attacker.refused.is_set() or flood.done())
            async with asyncio.TaskGroup() as group:
                for phone in scorers + readers:
                    group.create_task(phone.play(SECONDS, PACE))
                for each in known:
                    group.create_task(now_and_then(each))
                group.create_task(away.send_kept(AWAY))
            assert not flood.done(), flood
            flood.cancel()
            await asyncio.gather(flood, return_exceptions=True)
            rows = club.rows()
            heads = {f"/api/v1/matches/{row.stream}/events": row.version for row in rows}
            heads[f"/api/v1/clubs/{club.id}/events"] = len(rows)
            await until(lambda: all(each.over or each.ids()[-1:] == [heads[each.path]] for each in watching))
            return heads

    heads = asyncio.run(evening())
    assert {status for phone in scorers for status in phone.answers} == {201}
    assert {status for phone in readers for status in phone.answers} == {200}
    assert away.answers == {201: AWAY}
    assert {tuple(each.statuses) for each in guests} == {(200,)}
    assert {tuple(each.statuses) for each in known} == {(200, 200)}
    assert attacker.statuses()[429] > 0
    assert [each for each in watching if each.ids() != list(range(1, heads[each.path] + 1))] == []
    assert club.acknowledged() == sum(phone.answers[201] for phone in [*scorers, away])
    club.check()
