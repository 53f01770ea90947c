"""A club that is closed to guests is closed at once: streams end at the notice, pages are not there, caches too."""

import asyncio

import pytest

from service.live import feed
from tests.kit.service.spectators import hall, until

HTML = {"Accept": "text/html"}
CUP = {"name": "Cup", "stages": [{"format": {"kind": "single"}, "game": "parity"}]}


@pytest.fixture
def no_beat(monkeypatch):
    """Nobody is asked again but at a notice."""
    monkeypatch.setattr(feed, "BEAT", 600.0)


def closed(found):
    return found.post(f"/clubs/{found.club}/settings", {"public": False}, "secretary")


def test_streams_of_guests_end_when_a_club_becomes_private(database, no_beat):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            cup = (await found.post(f"/clubs/{found.club}/tournaments", CUP))["tournament"]["id"]
            paths = [f"{match}/events", f"/clubs/{found.club}/events", f"/tournaments/{cup}/events"]
            guests = [found.stream(path) for path in paths]
            pages = [found.page(f"{match}/live"), found.page(f"/tournaments/{cup}/live")]
            member = found.stream(f"/clubs/{found.club}/events", "spectator")
            await until(lambda: all(each.ids() for each in (*guests, member)) and all(each.pieces for each in pages))
            told = await closed(found)
            assert told["changed"] == {"public": {"was": True, "now": False}}
            for each in (*guests, *pages):
                problem = await until(each.over)
                assert (problem["type"], problem["status"]) == ("/problems/not-found", 404)
            await found.play(match)
            await until(lambda: b"ResultEntered" in member.text)
            assert member.over() is None
            assert not any(b"ResultEntered" in each.text for each in guests), "nothing is told after the end"

    asyncio.run(act())


def test_streams_in_another_process_end_too(database, no_beat):
    async def act():
        async with hall(database) as found, hall(database) as other:
            match = await found.match()
            guest = other.stream(f"{match}/events")
            await until(guest.ids)
            await closed(found)
            assert (await until(guest.over))["status"] == 404
            assert (await other.client.get(match, headers=HTML)).status_code == 404

    asyncio.run(act())


def test_cached_pages_of_guests_are_revalidated_and_refused(database):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            for path in (match, f"/clubs/{found.club}", f"{match}/replay"):
                first = await found.client.get(path, headers=HTML)
                assert (first.status_code, first.headers["cache-control"]) == (200, "no-cache")
                known = {**HTML, "If-None-Match": first.headers["etag"]}
                assert (await found.client.get(path, headers=known)).status_code == 304
                await closed(found)
                gone = await found.client.get(path, headers=known)
                assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")
                assert (await found.client.get(f"/api/v1{path.removesuffix('/replay')}")).status_code == 404
                await found.post(f"/clubs/{found.club}/settings", {"public": True}, "secretary")
                assert (await found.client.get(path, headers=known)).status_code == 304
            await closed(found)
            assert found.club not in (await found.client.get("/", headers=HTML)).text

    asyncio.run(act())
