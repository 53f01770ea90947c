"""A real Postgres for the tests that want one, and the application over it."""

import asyncio
import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from litestar.testing import TestClient

from service import auth, clerk
from service.app import create_app
from service.database import Database, make_pool
from service.embedded import Embedded
from service.migrate import upgrade


@pytest.fixture(scope="session")
def database():
    """LURCH_TEST_DATABASE_URL (an owner's login), else an embedded server of our own."""
    url = os.environ.get("LURCH_TEST_DATABASE_URL")
    if url:
        upgrade(url, url)
        yield Database(url, url)
        return
    root = Path(tempfile.mkdtemp(prefix="lurch-test-"))
    root.chmod(0o755)
    server = Embedded(root / "data")
    server.start()
    owner, app = server.url("lurch_owner"), server.url("lurch_app")
    upgrade(owner, app)
    yield Database(app, owner, server)
    server.stop()
    shutil.rmtree(root)


def with_pool(database, act):
    """Run something on a pool of its own, in a thread of its own: a browser test has a loop already."""

    async def inside():
        async with make_pool(database.url, 2) as pool:
            return await act(pool)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(inside())).result()


@pytest.fixture
def club(database, request):
    """A fresh private club: its id, and a token for each role."""

    async def make(pool):
        name = request.node.nodeid[-60:] + os.urandom(4).hex()
        found = await clerk.club_named(pool, name)
        tokens = {role: await auth.create_token(pool, found, role, role) for role in auth.ROLES}
        return found, tokens

    return with_pool(database, make)


@pytest.fixture(scope="session")
def client(database):
    """The application, called in process."""
    with TestClient(create_app(database)) as running:
        yield running
