"""A webhook does not outlive the token that it was made with; another one of a director takes it over."""

import pytest

from service.store import tokens
from tests.conftest import with_pool
from tests.kit.faults.processes import until
from tests.kit.service.asking import House
from tests.kit.service.receivers import receiving
from tests.kit.service.webhook_scene import Scene


@pytest.fixture
def receiver():
    with receiving() as found:
        yield found


def number_of(database, token):
    """The id of a token."""

    async def act(pool):
        async with pool.connection() as connection:
            cursor = await connection.execute("select id::text from tokens where hash = %s", [tokens.digest(token)])
            return (await cursor.fetchone())[0]

    return with_pool(database, act)


def revoke(database, number):
    assert with_pool(database, lambda pool: tokens.revoke_token(pool, number))


def test_nothing_is_sent_after_the_token_that_made_a_webhook_was_revoked(database, club, receiver):
    maker = number_of(database, club[1]["director"])
    scene = Scene(database, club[0], receiver.url, maker=maker)
    scene.record(1)
    assert scene.deliver()
    sent = list(receiver.positions)
    scene.record(1)
    revoke(database, maker)
    assert not scene.deliver()
    assert receiver.positions == sent
    assert scene.hook.disabled_at is not None
    assert "revoked" in scene.hook.disabled_because


def test_a_webhook_without_a_token_goes_on(database, club, receiver):
    scene = Scene(database, club[0], receiver.url)
    scene.record(1)
    assert scene.deliver()
    assert receiver.positions == scene.positions()


def test_a_webhook_names_who_made_it_and_then_who_enabled_it(client, database, receiver):
    with House(client, database) as house:
        webhooks = f"{house.path}/webhooks"
        first, second = house.token("owner"), house.token("director")
        hook = house.done(webhooks, {"url": receiver.url}, first)["id"]
        revoke(database, number_of(database, first))
        house.match()

        def disabled():
            found = house.get(f"{webhooks}/{hook}", second).json()
            return found["disabled_because"]

        assert "revoked" in until(disabled)
        assert receiver.got == []
        house.done(f"{webhooks}/{hook}/enable", {}, second)
        until(lambda: receiver.got)
        revoke(database, number_of(database, second))
        house.match()
        third = house.token("director")
        assert "revoked" in until(lambda: house.get(f"{webhooks}/{hook}", third).json()["disabled_because"])
