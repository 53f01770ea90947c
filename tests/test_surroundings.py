"""The test suite on a machine without a browser, Docker or network: one line says what is left out, the rest runs."""

import os
import re
import runpy
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
from testcontainers.core.config import testcontainers_config

from tests import conftest
from tests.browser import conftest as conftest_of_browsers


class Engine(BaseHTTPRequestHandler):
    """A Docker engine without images that can't reach a registry."""

    def do_GET(self):
        path = self.path.partition("?")[0].rpartition("/")[2]
        if path == "_ping":
            self.answer(200, b"OK", "text/plain")
        elif path == "version":
            self.answer(200, b'{"ApiVersion": "1.47", "Version": "27.0"}')
        else:
            self.answer(404, b'{"message": "No such image"}')

    def do_HEAD(self):
        self.do_GET()

    def do_POST(self):
        self.answer(500, b'{"message": "Get \\"https://registry.example/v2/\\": no such host"}')

    def answer(self, status, body, kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Api-Version", "1.47")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        """Write nothing."""


class EngineWithPostgres(Engine):
    """An engine that has the image of the database and no other."""

    def do_GET(self):
        if f"/images/{conftest.IMAGE}/json" in self.path:
            self.answer(200, b'{"Id": "sha256:1"}')
        else:
            super().do_GET()


@contextmanager
def engine(kind=Engine):
    """Run the engine and yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"tcp://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Process:
    """The configuration of a worker of pytest-xdist or of its controller."""

    def __init__(self, **more):
        self.stash = pytest.Stash()
        self.__dict__ |= more


def test_one_line_says_that_docker_lacks_the_image_and_embedded_runs(monkeypatch):
    monkeypatch.delenv("LURCH_TEST_DATABASE_URL", raising=False)
    controller = Process()
    with engine() as address:
        monkeypatch.setenv("DOCKER_HOST", address)
        for _ in range(2):
            worker = Process(workeroutput={})
            taken = conftest.chosen(worker)
            conftest.pytest_testnodedown(SimpleNamespace(config=controller, workeroutput=worker.workeroutput))
    with taken as database:
        assert database.embedded is not None
    lines = []
    conftest.pytest_terminal_summary(SimpleNamespace(write_line=lines.append), controller)
    (line,) = lines
    assert line.startswith(f"Docker can't pull {conftest.IMAGE}; the tests use the embedded PostgreSQL")
    assert "no such host" in line


@pytest.mark.parametrize("disabled", [True, False])
def test_the_image_of_the_reaper_is_required_unless_it_is_disabled(monkeypatch, disabled):
    monkeypatch.setattr(type(testcontainers_config), "ryuk_disabled", disabled)
    with engine(EngineWithPostgres) as address:
        monkeypatch.setenv("DOCKER_HOST", address)
        why = conftest.missing_image()
    assert why is None if disabled else f"can't pull {testcontainers_config.ryuk_image}" in why


def test_without_docker_the_embedded_server_runs_and_no_line_is_printed(monkeypatch):
    monkeypatch.delenv("LURCH_TEST_DATABASE_URL", raising=False)
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:9")
    alone = Process()
    conftest.chosen(alone)
    lines = []
    conftest.pytest_terminal_summary(SimpleNamespace(write_line=lines.append), alone)
    assert lines == []


@pytest.mark.parametrize("given", [{"DOCKER_HOST": "tcp://127.0.0.1:9"}, {"PATH": "/nowhere"}])
def test_container_tests_without_an_engine_say_in_one_line_what_is_missing(given):
    done = subprocess.run(
        [sys.executable, "-m", "tests.containers.images"],
        cwd=Path(__file__).parents[1],
        env={**os.environ, **given},
        text=True,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert re.match("the containers are not tested: no (docker|Docker engine) ", line)


def test_container_tests_are_collected_only_on_request(monkeypatch):
    conftest_of_containers = str(Path(__file__).parent / "containers" / "conftest.py")
    monkeypatch.delenv("LURCH_CONTAINERS", raising=False)
    assert runpy.run_path(conftest_of_containers)["collect_ignore_glob"] == ["test_*.py"]
    monkeypatch.setenv("LURCH_CONTAINERS", "1")
    assert "collect_ignore_glob" not in runpy.run_path(conftest_of_containers)


def browser_test(marked):
    return SimpleNamespace(get_closest_marker=lambda name: marked if name == "browser" else None)


@pytest.fixture
def without_chromium(monkeypatch):
    """Hide the Chromium of this machine from the browser tests; return their hook."""
    monkeypatch.setattr(conftest_of_browsers, "CHROMIUM", None)
    return conftest_of_browsers.pytest_collection_modifyitems


def test_one_line_counts_the_browser_tests_left_out_without_chromium(monkeypatch, without_chromium):
    monkeypatch.delenv("CI", raising=False)
    deselected = []
    process = Process(hook=SimpleNamespace(pytest_deselected=lambda items: deselected.append(len(items))))
    items = [browser_test(True), browser_test(None), browser_test(True)]
    without_chromium(process, items)
    assert ([bool(item.get_closest_marker("browser")) for item in items], deselected) == ([False], [2])
    lines = []
    conftest.pytest_terminal_summary(SimpleNamespace(write_line=lines.append), process)
    assert lines == ["No Chromium on this machine: 2 browser tests were left out (apt install chromium)"]


def test_ci_without_chromium_is_an_error(monkeypatch, without_chromium):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.UsageError, match="no Chromium on this machine"):
        without_chromium(Process(), [browser_test(True)])
