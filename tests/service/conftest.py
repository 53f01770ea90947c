"""A house to record in over HTTP, and the owner who looks at its pages."""

import pytest

from tests.kit.service.asking import House, sign_in
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


@pytest.fixture
def statements(monkeypatch):
    """The statements that are sent from now on."""
    return Statements(monkeypatch)
