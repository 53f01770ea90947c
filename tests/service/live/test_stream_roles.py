"""An event stream goes on as whoever follows it is by now: a role that ended is asked at the next notice."""

import asyncio
from datetime import UTC, datetime, timedelta

from service.store import tokens
from tests.kit.service.spectators import hall, until


async def signed_in(found, person):
    """The cookie of a device on which a person has signed in."""
    secret, at = tokens.new_secret(), datetime.now(UTC)
    async with found.services.pool.connection() as connection:
        await connection.execute(
            "insert into sign_ins (hash, role, name, one_time, created_at, expires_at)"
            " values (%s, 'spectator', 'phone', false, %s, %s)",
            [tokens.digest(secret), at, at + timedelta(days=1)],
        )
        await connection.execute(
            "insert into sign_in_people (hash, club_id, player, created_at) values (%s, %s, %s, %s)",
            [tokens.digest(secret), found.club, person, at],
        )
    return {"Cookie": f"lurch_sign_in={secret}"}


def test_a_page_loses_its_controls_with_the_role(database):
    async def act():
        async with hall(database, False) as found:
            match = await found.match()
            nora = (await found.post(f"/clubs/{found.club}/players", {"name": "Nora"}, "owner"))["id"]
            role = {"person": nora, "role": "scorer"}
            await found.post(f"/clubs/{found.club}/roles", role, "owner")
            page = found.page(f"{match}/live", **await signed_in(found, nora))
            await page.told(b"Enter result")
            before = len(page.text)
            await found.post(f"/clubs/{found.club}/roles/revoke", role, "owner")
            await until(lambda: len(page.text) > before)
            assert b"Enter result" not in page.text[before:]
            assert page.over() is None

    asyncio.run(act())


def test_private_notes_stop_when_the_role_ends(database):
    async def act():
        async with hall(database) as found:
            match = await found.match()
            nora = (await found.post(f"/clubs/{found.club}/players", {"name": "Nora"}, "owner"))["id"]
            role = {"person": nora, "role": "director"}
            await found.post(f"/clubs/{found.club}/roles", role, "owner")
            body = {"role": "director", "name": "hers", "person": nora}
            token = (await found.post(f"/clubs/{found.club}/tokens", body, "owner"))["token"]
            stream = found.stream(f"{match}/events", token)
            await found.play(match)
            await found.post(f"{match}/undo", {"reason": "first words"})
            await stream.told(b"first words")
            await found.post(f"/clubs/{found.club}/roles/revoke", role, "owner")
            await found.play(match)
            await found.post(f"{match}/undo", {"reason": "second words"})
            last = await found.play(match, 1)
            await until(lambda: stream.ids()[-1:] == [last])
            assert b"second words" not in stream.text

    asyncio.run(act())


def test_a_private_stream_ends_with_the_role_behind_its_token(database):
    async def act():
        async with hall(database, False) as found:
            match = await found.match()
            nora = (await found.post(f"/clubs/{found.club}/players", {"name": "Nora"}, "owner"))["id"]
            role = {"person": nora, "role": "scorer"}
            await found.post(f"/clubs/{found.club}/roles", role, "owner")
            body = {"role": "scorer", "name": "hers", "person": nora}
            token = (await found.post(f"/clubs/{found.club}/tokens", body, "owner"))["token"]
            stream = found.stream(f"{match}/events", token)
            await until(stream.ids)
            await found.post(f"/clubs/{found.club}/roles/revoke", role, "owner")
            await found.play(match)
            assert (await until(stream.over))["status"] == 404
            assert stream.ids() == [1]

    asyncio.run(act())
