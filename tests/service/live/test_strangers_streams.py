"""A valid credential opens a stream although strangers have opened all that they may, from however many
addresses; room that would give them the last place too is found out."""

import asyncio

import pytest

from service.http.streaming import FollowRequest
from service.live.room import Opener, Places, Room
from tests.kit.service.asking import FORM
from tests.kit.service.spectators import hall, until
from tests.service.live.test_stream_ends import signed_in

PLACES = Places(in_all=12, each=3, strangers=6)
ADDRESSES = 7  # which ask for 3 each, more than there are in all
begin, whose = Room.__init__, FollowRequest.whose.fget


def is_told(stream):
    """Tells a stream on which something was sent that is not its end."""
    return b"data: " in stream.text and b"event: end" not in stream.text


async def let_in(streams):
    """Those of these streams that stay open; the others were told that there is no room, as answer or as last word."""
    await until(lambda: all(each.task.done() or is_told(each) for each in streams))
    refused = [each for each in streams if each.task.done()]
    assert all("too many open event streams" in each.text.decode() for each in refused)
    return [each for each in streams if not each.task.done()]


def evening(database, act):
    """A hall of few places, and what happens at a match of it."""

    async def inside():
        async with hall(database, places=PLACES) as found:
            return await act(found, await found.match())

    return asyncio.run(inside())


async def strangers_come_first(found, match):
    """Strangers of many addresses ask for all places; then somebody with a token, and somebody who has signed in, from
    one of those addresses. How many got a stream of each kind."""
    crowd = [found.stream(f"{match}/events", address=f"192.0.2.{each % ADDRESSES}") for each in range(3 * ADDRESSES)]
    strangers = await let_in(crowd)
    bearers = await let_in([found.stream(f"{match}/events", "scorer", "192.0.2.1")])
    readers = await let_in([found.page(f"{match}/live", "192.0.2.1", **await signed_in(found))])
    return len(strangers), len(bearers), len(readers)


def who_has_a_credential_is_let_in(database):
    assert evening(database, strangers_come_first)[1:] == (1, 1)


def test_strangers_cannot_keep_out_valid_credentials(database):
    who_has_a_credential_is_let_in(database)


def test_strangers_are_limited_to_their_share_of_places(database):
    async def act(found, match):
        path = f"{match}/events"
        crowd = await let_in([found.stream(path, address=f"192.0.2.{each % ADDRESSES}") for each in range(12)])
        await crowd[0].leave()
        return len(crowd), len(await let_in([found.stream(path, address=f"198.51.100.{each}") for each in range(2)]))

    assert evening(database, act) == (PLACES.strangers, 1)


def test_those_who_have_a_credential_may_take_every_place(database):
    async def act(found, match):
        path = f"{match}/events"
        roles = ("scorer", "director", "secretary", "spectator")
        known = await let_in([found.stream(path, role) for role in roles for _ in range(3)])
        return len(known), len(await let_in([found.stream(path, "owner"), found.stream(path)]))

    assert evening(database, act) == (PLACES.in_all, 0)


async def by_code(found, match):
    """The cookie of one more device that came in by a table's code as the one that keeps the score."""
    door = (await found.client.get(f"/api/v1{match}/door", headers=found.bearer("director"))).json()
    answer = await found.client.post("/t/in", data={"secret": door["secret"], "as": "score"}, headers=FORM)
    assert answer.status_code == 303, answer.text
    found.client.cookies.clear()
    return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


async def devices_of_two_tables(found, match):
    """Devices that come in by the code of one table, each for streams of its own; then one of another table."""
    devices = [await by_code(found, match) for _ in range(3)]
    of_one = await let_in([found.page(f"{match}/live", **each) for each in devices for _ in range(2)])
    other = await found.match()
    return len(of_one), len(await let_in([found.page(f"{other}/live", **await by_code(found, other))]))


def a_tables_code_opens_as_many_as_one_credential(database):
    assert evening(database, devices_of_two_tables) == (PLACES.each, 1)


def test_devices_of_one_table_code_share_the_places_of_one_credential(database):
    a_tables_code_opens_as_many_as_one_credential(database)


def test_a_device_whose_table_seat_ended_counts_as_a_stranger(database):
    async def act(found, match):
        devices = [await by_code(found, match) for _ in range(2)]
        async with found.services.pool.connection() as connection:
            await connection.execute("update table_seats set ended_at = now(), ended_why = 'over'")
        crowd = await let_in([found.page(f"{match}/live", f"192.0.2.{each}") for each in range(PLACES.strangers)])
        return len(crowd), len(await let_in([found.page(f"{match}/live", "198.51.100.1", **each) for each in devices]))

    assert evening(database, act) == (PLACES.strangers, 0)


def as_before(monkeypatch):
    """The seeded bug: only all streams together are counted, whoever has opened them."""
    monkeypatch.setattr(Room, "__init__", lambda room, given: begin(room, Places(given.in_all, given.each, 1_000)))


def as_strangers(monkeypatch):
    """The seeded bug: a good credential is counted by itself, and among the strangers all the same."""
    monkeypatch.setattr(FollowRequest, "whose", property(lambda asked: Opener(whose(asked).name, known=False)))


def each_device_by_itself(monkeypatch):
    """The seeded bug: of a table's code every sign-in has places of its own."""
    name = "{0.credential[0]} {0.credential[1]!r}".format
    monkeypatch.setattr(FollowRequest, "whose", property(lambda asked: Opener(name(asked), known=True)))


def test_the_seeded_bug_of_counting_each_device_is_found(database, monkeypatch):
    each_device_by_itself(monkeypatch)
    with pytest.raises(AssertionError):
        a_tables_code_opens_as_many_as_one_credential(database)


@pytest.mark.parametrize("bug", [as_before, pytest.param(as_strangers, marks=pytest.mark.extended)])
def test_seeded_bugs_that_let_strangers_take_every_place_are_found(database, monkeypatch, bug):
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        who_has_a_credential_is_let_in(database)
