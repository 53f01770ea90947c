"""Fixtures of the service: a club asked over HTTP, its signed-in owner, the OpenAPI document."""

import pytest

from tests.kit.service.asking import House, sign_in
from tests.kit.service.sound_bodies import Targets
from tests.kit.service.statements import Statements


@pytest.fixture(scope="module")
def house(client, database):
    """A private club with a token for each role."""
    with House(client, database) as found:
        yield found


@pytest.fixture(scope="module")
def owner(client, database):
    """The headers of a browser that the owner has signed in."""
    return sign_in(client, database)


@pytest.fixture(scope="module")
def document(client):
    """The OpenAPI document."""
    return client.get("/docs/openapi.json").json()


@pytest.fixture(scope="module")
def targets(house):
    """Matches, a tournament, a case and a player with ids for every address of the API."""
    return Targets(house)


@pytest.fixture
def statements(monkeypatch):
    """The statements that are sent from now on."""
    return Statements(monkeypatch)
