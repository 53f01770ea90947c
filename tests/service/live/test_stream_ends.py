"""An event stream ends with the token or sign-in that it was opened with, and says why."""

import asyncio

import pytest

from service.http.cookies import caller_of
from service.live import feed
from service.live.room import Opener, Places
from service.store import tokens
from service.web import following
from tests.kit.service.asking import FORM
from tests.kit.service.spectators import hall, until

STAGE = {"format": {"kind": "single"}, "game": "parity", "race": {"target": 15}}
TOURNAMENT = {"name": "Evening", "stages": [STAGE]}


async def revoked_quietly(found, token):
    """Revoked in the database, and no notice of it arrives."""
    async with found.services.pool.connection() as connection:
        await connection.execute("update tokens set revoked_at = now() where hash = %s", [tokens.digest(token)])


async def number_of(found, token):
    async with found.services.pool.connection() as connection:
        row = await (
            await connection.execute("select id::text from tokens where hash = %s", [tokens.digest(token)])
        ).fetchone()
    return row[0]


async def signed_in(found):
    """The cookie of an owner's browser, and a client that has it."""
    link = await tokens.make_link(found.services.pool)
    answer = await found.client.post("/sign-in", data={"link": link}, headers=FORM)
    cookie = answer.headers["set-cookie"].partition(";")[0]
    found.client.cookies.clear()
    return {"Cookie": cookie}


@pytest.mark.parametrize("public", [True, False])
def test_a_stream_ends_when_its_token_is_revoked_and_says_why(database, public):
    async def act():
        async with hall(database, public) as found:
            match = await found.match()
            tournament = await found.post(f"/clubs/{found.club}/tournaments", TOURNAMENT, "owner")
            paths = [
                f"{match}/events",
                f"/clubs/{found.club}/events",
                f"/tournaments/{tournament['tournament']['id']}/events",
            ]
            token = found.tokens["scorer"]
            scorers = [found.stream(path, token) for path in paths]
            others = [found.stream(path, "spectator") for path in paths]
            await until(lambda: all(each.ids() for each in found.there))
            assert await tokens.revoke_token(found.services.pool, await number_of(found, token))
            for each in scorers:
                problem = await until(each.over)
                assert (problem["type"], problem["status"]) == ("/problems/unauthorised", 401)
                assert "revoked" in problem["detail"]
            await found.play(match)
            await until(lambda: all(each.ids()[-1] > 2 for each in others[:2]))
            assert [each.over() for each in others] == [None] * 3
            refused = found.stream(paths[0], token)
            await until(refused.task.done)
            assert refused.status == 401

    asyncio.run(act())


def test_a_revoked_token_receives_nothing_more_even_without_a_notice(database):
    async def act():
        async with hall(database, False) as found:
            match = await found.match()
            scorer = found.stream(f"{match}/events", "scorer")
            other = found.stream(f"{match}/events", "spectator")
            await until(lambda: scorer.ids() and other.ids())
            await revoked_quietly(found, found.tokens["scorer"])
            await found.play(match)
            await until(lambda: scorer.over() and other.ids() == [1, 2, 3])
            assert scorer.ids() == [1]

    asyncio.run(act())


def test_an_idle_stream_ends_when_its_token_was_revoked_without_a_notice(database, monkeypatch):
    monkeypatch.setattr(feed, "BEAT", 0.05)

    async def act():
        async with hall(database, False) as found:
            match = await found.match()
            scorer = found.stream(f"{match}/events", "scorer")
            await until(scorer.ids)
            await revoked_quietly(found, found.tokens["scorer"])
            assert (await until(scorer.over))["status"] == 401

    asyncio.run(act())


def test_a_private_page_ends_with_the_sign_in_and_says_why(database):
    async def act():
        async with hall(database, False) as found:
            match = await found.match()
            tournament = await found.post(f"/clubs/{found.club}/tournaments", TOURNAMENT, "owner")
            mine, other = await signed_in(found), await signed_in(found)
            paths = [f"{match}/live", f"/tournaments/{tournament['tournament']['id']}/live"]
            pages = [found.page(path, **mine) for path in paths]
            others = [found.page(path, **other) for path in paths]
            await until(lambda: all(b"data: " in each.text for each in found.there))
            answer = await found.client.post("/sign-out", headers={**FORM, **mine})
            assert answer.status_code == 303
            for page in pages:
                problem = await until(page.over)
                assert problem["status"] == 401
                assert "signed out" in problem["detail"]
            await found.play(match)
            await until(lambda: b'<th scope="row">1</th>' in others[0].text)
            assert b'<th scope="row">1</th>' not in pages[0].text
            assert [each.over() for each in others] == [None, None]

    asyncio.run(act())


def test_a_guest_who_follows_a_public_club_is_asked_nothing(database):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            guest = found.stream(f"{match}/events")
            await until(guest.ids)
            assert await tokens.revoke_token(found.services.pool, await number_of(found, found.tokens["spectator"]))
            await found.play(match)
            await until(lambda: guest.ids() == [1, 2, 3])
            assert guest.over() is None

    asyncio.run(act())


def test_a_browser_whose_sign_in_ended_long_ago_follows_as_a_guest(database):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            old = await signed_in(found)
            await found.client.post("/sign-out", headers={**FORM, **old})
            page = found.page(f"{match}/live", **old)
            await until(lambda: b"data: " in page.text)
            await found.play(match)
            await page.told(b'<th scope="row">1</th>')
            assert page.over() is None

    asyncio.run(act())


def test_a_page_says_so_when_its_sign_in_ends_while_it_opens(database, monkeypatch):
    async def act():
        async with hall(database) as found:
            match, mine = await found.match(), await signed_in(found)

            async def at_the_last_moment(request):
                caller = await caller_of(request)
                await found.client.post("/sign-out", headers={**FORM, **mine})
                return caller

            monkeypatch.setattr(following, "caller_of", at_the_last_moment)
            page = found.page(f"{match}/live?known=1", **mine)
            assert (await until(page.over))["status"] == 401

    asyncio.run(act())


def test_streams_say_that_the_service_stops(database):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            streams = [found.stream(f"{match}/events"), found.page(f"{match}/live")]
            await until(lambda: all(b"data: " in each.text for each in streams))
            found.services.hub.closing.set()
            found.services.hub.wake_all()
            for each in streams:
                assert (await until(each.over))["type"] == "/problems/unavailable"

    asyncio.run(act())


def test_a_stream_shows_what_a_request_of_the_same_caller_shows(database):
    async def act():
        async with hall(database) as found:
            people = [
                (await found.post(f"/clubs/{found.club}/players", {"name": name}, "owner"))["id"]
                for name in ("Annie", "Benny", "Carla")
            ]
            body = {"game": "cross_game", "sides": [[{"id": people[0]}], [{"id": people[1]}]]}
            match = f"/matches/{(await found.post(f'/clubs/{found.club}/matches', body))['match']['id']}"
            pool = found.services.pool
            callers = [None, *found.tokens]
            for number, player in enumerate(people):
                for role in ("player", "scorer"):
                    name = f"{role} {number}"
                    found.tokens[name] = await tokens.create_token(pool, found.club, role, name, player=player)
                    callers.append(name)
            streams = {caller: found.stream(f"{match}/events", caller) for caller in callers}
            await until(lambda: all(each.ids() for each in streams.values()))
            await found.post(f"{match}/deals", {"dealer": 1}, "director")
            facts = [
                {"seat": 0, "do": "bid", "bid": 1},
                {"seat": 1, "do": "pass"},
                {"seat": 0, "do": "play", "card": "H9"},
                {"seat": 1, "do": "play", "card": "HA"},
                {"seat": 1, "do": "draw", "card": "SA"},
            ]
            version = (await found.post(f"{match}/facts", {"facts": facts}, "director"))["version"]
            await until(lambda: all(each.ids()[-1] == version for each in streams.values()))
            drawn = {}
            for caller, each in streams.items():
                headers = found.bearer(caller) if caller else {}
                lines = (await found.client.get(f"/api/v1{match}/events", headers=headers)).text.splitlines()
                told = [line[6:] for line in each.text.decode().splitlines() if line.startswith("data: ")]
                assert told == lines
                drawn[caller] = '"SA"' in lines[-1]
            assert {caller for caller, seen in drawn.items() if seen} == {
                "owner",
                "director",
                "scorer",
                "player 1",
                "scorer 1",
                "scorer 2",
            }

    asyncio.run(act())


def test_a_client_that_leaves_makes_room(database):
    async def act():
        async with hall(database, places=Places(12, 4, 6)) as found:
            match = await found.match()
            streams = [found.stream(f"{match}/events") for _ in range(4)]
            await until(lambda: all(each.ids() for each in streams))
            await streams[0].leave()
            found.services.hub.room.check(Opener("address 127.0.0.1", known=False))
            last = found.stream(f"{match}/events")
            await until(last.ids)
            assert last.status == 200

    asyncio.run(act())
