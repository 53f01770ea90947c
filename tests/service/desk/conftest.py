"""A process that serves, without a door, and a club in it for each test."""

import pytest
from anyio.from_thread import start_blocking_portal

from service.run.pool import make_pool
from tests.kit.service.desk_room import DeskRoom, Process


@pytest.fixture(scope="module")
def process(database):
    """The services of one process."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(make_pool(database.url, 4)) as pool:
        yield Process(portal, pool)


@pytest.fixture(scope="module")
def beside(process, database):
    """Another process over the same database."""
    with process.portal.wrap_async_context_manager(make_pool(database.url, 4)) as pool:
        yield Process(process.portal, pool)


@pytest.fixture
def room(process, database):
    """A private club of its own."""
    return DeskRoom(process, database.url)


@pytest.fixture
def open_room(process, database):
    """A public club of its own."""
    return DeskRoom(process, database.url, public=True)
