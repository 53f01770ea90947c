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


def test_a_table_loses_its_controls_with_the_role_of_who_follows_it(database):
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


def test_notes_are_told_for_as_long_as_the_role_lasts(database):
    """A token of a director who is a person, at the events of the club."""

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


def test_a_stream_of_a_private_club_ends_with_the_role_that_its_token_was_made_by(database):
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
