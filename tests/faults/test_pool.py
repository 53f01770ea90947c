"""A request that gets no connection is answered 503, and the pool recovers when connections are returned."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import httpx
import psycopg
import pytest
from psycopg_pool import TooManyRequests

from service.http import patience as http_patience
from service.run import pool as pools
from service.run.app import create_app
from service.run.database import Database
from service.run.pool import make_pool
from service.store import patience
from tests.kit.faults.relay import relayed


@pytest.fixture
def short_wait(monkeypatch):
    """Give up on a connection after half a second."""
    monkeypatch.setattr(pools, "POOL_SECONDS", 0.5)


@asynccontextmanager
async def application(database, club):
    """The application in this event loop, and a client of it."""
    app = create_app(database)
    headers = {"Authorization": f"Bearer {club[1]['scorer']}"}
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", headers=headers) as client,
    ):
        yield app.state.services.pool, client


async def take(pool):
    """Take a connection and give it back. Requests of the service itself may fill the queue first."""
    with suppress(TooManyRequests):
        async with pool.connection(600):
            pass


def test_a_full_pool_is_503_at_once_and_recovers(database, club, monkeypatch):
    async def act():
        async with application(database, club) as (pool, client):
            path = f"/api/v1/clubs/{club[0]}/matches"
            assert (await client.get(path)).status_code == 200
            async with AsyncExitStack() as held:
                for _ in range(pool.max_size):
                    await held.enter_async_context(pool.connection(600))
                # requests for one club would share what they read: who fills the queue waits for himself
                waiting = [asyncio.create_task(take(pool)) for _ in range(pool.max_waiting)]
                while pool.get_stats().get("requests_waiting", 0) < pool.max_waiting:
                    await asyncio.sleep(0.001)
                monkeypatch.setattr(pool, "timeout", 600)  # a request that waits runs into the limit of the test
                refused = await client.get(path)
                assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
                assert refused.json()["type"] == "/problems/unavailable"
                assert (await client.get("/health/live")).status_code == 200
                ready = await client.get("/health/ready")
                assert (ready.status_code, bool(ready.json()["reason"])) == (503, True)
            await asyncio.gather(*waiting)
            assert (await client.get(path)).status_code == 200

    asyncio.run(act())


@pytest.mark.extended
@pytest.mark.usefixtures("short_wait")
def test_a_request_without_a_free_connection_is_answered_503(database, club):
    async def act():
        async with application(database, club) as (pool, client):
            async with AsyncExitStack() as held:
                for _ in range(pool.max_size):
                    await held.enter_async_context(pool.connection(600))
                answer = await client.get(f"/api/v1/clubs/{club[0]}/matches")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
            assert (await client.get(f"/api/v1/clubs/{club[0]}/matches")).status_code == 200

    asyncio.run(act())


@pytest.mark.extended
def test_a_statement_that_waits_for_a_lock_is_answered_503(database, club):
    async def act():
        async with application(database, club) as (_, client):
            body = {"game": "parity", "sides": [["Annie"], ["Benny"]]}
            path = f"/api/v1/clubs/{club[0]}/matches"
            owner = await psycopg.AsyncConnection.connect(database.owner_url)
            async with owner:
                await owner.execute("lock table logs in access exclusive mode")
                answer = await client.post(path, json=body, headers={"Idempotency-Key": "locked"})
                assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
            again = await client.post(path, json=body, headers={"Idempotency-Key": "locked"})
            assert again.status_code == 201
            assert len((await client.get(path)).json()["items"]) == 1

    asyncio.run(act())


@pytest.mark.extended
@pytest.mark.usefixtures("short_wait")
def test_a_server_that_accepts_connections_and_stays_silent_is_abandoned(database, club):
    """As behind a network that swallows everything: who connected then must not be waited for when it is back."""

    async def act():
        with relayed(database.url) as (relay, url):
            relay.mute = True
            async with application(Database(url, database.owner_url), club) as (_, client):
                path = f"/api/v1/clubs/{club[0]}/matches"
                for _ in range(2):
                    assert (await client.get(path)).status_code == 503
                relay.mute = False
                async with asyncio.timeout(60):  # a wait for who connected then takes more than two minutes
                    while (await client.get(path)).status_code != 200:
                        pass

    asyncio.run(act())


def test_a_silent_connection_is_replaced(database):
    async def act():
        async with make_pool(database.url, 1) as pool:
            usual = patience.SILENCE.set(0.5)
            with pytest.raises(patience.SilentError):
                async with pool.connection(60) as connection:
                    await connection.execute("select pg_sleep(60)")
            assert connection.closed
            patience.SILENCE.reset(usual)
            async with pool.connection(60) as connection:
                assert await (await connection.execute("select 1")).fetchone() == (1,)

    asyncio.run(act())


def test_a_request_that_is_slow_while_the_database_serves_is_waited_for(database, club, monkeypatch):
    monkeypatch.setattr(http_patience, "ASK_AFTER", 0.05)
    monkeypatch.setattr(patience, "CONNECT_SECONDS", 60)  # on a busy machine it serves, if late
    monkeypatch.setattr(http_patience, "REQUEST_SILENCE", 60.0)
    monkeypatch.setattr(pools, "TIME_LIMITS", dict.fromkeys(pools.TIME_LIMITS, "60s"))

    async def act():
        async with application(database, club) as (_, client):
            asked = []
            serves = patience.DatabaseProbe.serves

            async def counted(asker):
                asked.append(await serves(asker))
                return asked[-1]

            monkeypatch.setattr(patience.DatabaseProbe, "serves", counted)
            async with await psycopg.AsyncConnection.connect(database.owner_url) as owner:
                await owner.execute("lock table logs in access exclusive mode")
                path = f"/api/v1/clubs/{club[0]}/matches"
                body = {"game": "parity", "sides": [["Annie"], ["Benny"]]}
                slow = asyncio.create_task(client.post(path, json=body))
                while True not in asked:
                    assert not slow.done(), slow.result().text
                    await asyncio.sleep(0.01)
            assert (await slow).status_code == 201

    asyncio.run(act())
