"""Claims: of several processes each due webhook is one's, the longest waiting first, club by club."""

import asyncio
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from service.run.pool import make_pool
from service.store import webhooks as rows
from service.store.ids import new_id
from tests.kit.service.asking import House

NOW = datetime(2101, 1, 1, tzinfo=UTC)  # no courier with a real clock finds anything due
CLUBS, EACH = 4, 5


@pytest.fixture
def due(client, database):
    """Twenty webhooks of four clubs, due one second after the other, and nothing else that is due."""
    found = []
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("update webhooks set disabled_at = now() where disabled_at is null")
        for club in range(CLUBS):
            with House(client, database) as house:
                for each in range(EACH):
                    name, at = new_id(), NOW - timedelta(days=1, seconds=club + each * CLUBS)
                    connection.execute(
                        "insert into webhooks (club_id, id, url, secret, created_at, position, next_try_at)"
                        " values (%s, %s, 'http://[::1]:65535/', 's', %s, 0, %s)",
                        [house.id, name, at, at],
                    )
                    found.append((at, name))
        yield [name for _, name in sorted(found)]
        connection.execute("delete from webhooks where id = any(%s::uuid[])", [[name for _, name in found]])


def claimed(database, times, most, at=NOW):
    async def together():
        async with make_pool(database.url, 8) as pool:
            return await asyncio.gather(*(rows.claim(pool, at, most) for _ in range(times)))

    return [[hook.id for hook in each] for each in asyncio.run(together())]


def test_the_longest_waiting_come_first_whatever_their_clubs(database, due):
    assert claimed(database, 1, 7) == [due[:7]]
    assert claimed(database, 1, 7) == [due[7:14]]


def test_concurrent_claims_never_share_a_webhook(database, due):
    taken = [name for each in claimed(database, 6, 20) for name in each]
    assert sorted(taken) == sorted(due)
    assert claimed(database, 3, 20) == [[], [], []], "until the claims end"
    assert claimed(database, 1, 20, NOW + rows.CLAIM) == [due]


def test_who_was_too_late_for_the_first_ones_gets_others(database, due):
    found = claimed(database, 3, 4)
    assert all(len(each) > 0 for each in found)
    assert len({name for each in found for name in each}) == sum(map(len, found)), "and nobody else's"


def test_a_webhook_delivered_meanwhile_is_not_claimed(database, due, monkeypatch):
    read = rows._due

    async def slowly(pool, at, most):
        found = await read(pool, at, most)
        async with pool.connection() as connection:
            await connection.execute("update webhooks set position = 1000000 where id = %s", [due[0]])
            await connection.execute("update webhooks set next_try_at = %s where id = %s", [NOW + rows.CLAIM, due[1]])
            await connection.execute("update webhooks set disabled_at = now() where id = %s", [due[2]])
        return found

    monkeypatch.setattr(rows, "_due", slowly)
    assert claimed(database, 1, 20) == [due[3:]]
