"""One service for all tests of a worker: whatever one of them did to it, the next finds it ready, without repair."""

import logging

import pytest

from tests.kit.faults.processes import Serving, data_directory
from tests.kit.faults.scorers import Club

logging.getLogger("httpx").setLevel(logging.WARNING)  # a line for each of thousands of requests


@pytest.fixture(scope="session")
def one_service():
    with data_directory() as data:
        service = Serving(data)
        yield service
        service.end()


@pytest.fixture
def service(one_service):
    """A service that runs and is ready; started if the last test has killed or stopped it."""
    if not one_service.runs():
        one_service.start()
    return one_service.ready()


@pytest.fixture
def club_there(service):
    """A club of this test's own on that service."""
    return Club(service.embedded().url("lurch_app"))
