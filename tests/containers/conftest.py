"""Collected where LURCH_CONTAINERS is set, as by `make test-containers`: an engine is nobody's by chance."""

import os

import pytest

from tests.containers.stack import arranged

if not os.environ.get("LURCH_CONTAINERS"):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def stack(tmp_path_factory):
    """Everything of deploy/compose.yaml but Grafana, ready behind its proxy, and gone at the end."""
    with arranged(tmp_path_factory.mktemp("stack")) as found:
        found.start()
        yield found


@pytest.fixture(autouse=True)
def trusted(stack, monkeypatch):
    """Whoever asks in these tests trusts the authority of the proxy and no other."""
    monkeypatch.setenv("SSL_CERT_FILE", str(stack.authority))
