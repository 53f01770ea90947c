"""The health check of an image asks the service that its settings mean, and no other."""

import os
import ssl
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from service.run.tls import make

ROOT = Path(__file__).parents[3]


class Service(BaseHTTPRequestHandler):
    """A service that answers to one name, and lives or not."""

    def do_GET(self):
        named = self.headers["Host"] == self.server.called and self.path == "/health/live"
        said = b'{"status":"live"}' if named else b"{}"
        self.send_response(self.server.status if named else 400)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        """Nothing is written."""


@contextmanager
def serving(called="127.0.0.1", status=200, pair=None):
    """Such a service on a port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.called, server.status = called, status
    if pair is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pair.cert, pair.key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield str(server.server_port)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def lives(port, **settings):
    """What the health check says, as the engine runs it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
    environment |= {"LURCH_PORT": port, "LURCH_HOST": "0.0.0.0", **settings}
    done = subprocess.run(
        [sys.executable, "-m", "service.run.alive"], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    return done.returncode == 0


@pytest.mark.parametrize(("status", "well"), [(200, True), (503, False)])
def test_a_service_lives_when_it_says_so(status, well):
    with serving(status=status) as port:
        assert lives(port) == well


def test_where_nobody_listens_nobody_lives():
    with serving() as port:
        pass
    assert not lives(port)


def test_a_service_that_answers_to_its_own_names_is_asked_by_one():
    with serving("lurch.our-club.org") as port:
        assert lives(port, LURCH_ALLOWED_HOSTS="lurch.our-club.org, other.example")
        assert not lives(port)


def test_a_service_with_a_certificate_is_asked_over_tls(tmp_path):
    pair = make(("lurch.our-club.org",), tmp_path).pair
    with serving(pair=pair) as port:
        assert lives(port, LURCH_CERT=str(pair.cert), LURCH_KEY=str(pair.key))
        assert not lives(port)
