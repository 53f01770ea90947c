"""Traces: requests by their routes and statements by their names, and nothing of what was asked or is hidden."""

import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from domain import codec
from domain.games import find
from service.store.tokens import make_link
from tests.conftest import with_pool
from tests.kit.match.tables import random_deal
from tests.kit.service.process import serving

CARD = re.compile(r"\b[CDHS][2-9TJQKA]\b")
PIN = "246813"
UNTRACED = """
import sys
sys.modules["opentelemetry"] = None
sys.argv = ["lurch", "serve", *sys.argv[1:]]
from service.cli import main
main()
"""


class Collector(ThreadingHTTPServer):
    """What OpenTelemetry calls a collector: keeps every span that it is sent."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Taking)
        self.bodies = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def spans(self):
        found = []
        for body in self.bodies:
            for of_service in ExportTraceServiceRequest.FromString(body).resource_spans:
                found += [span for scope in of_service.scope_spans for span in scope.spans]
        return found


class Taking(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def collecting():
    with Collector() as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        yield collector
        collector.shutdown()


@pytest.fixture(scope="module")
def traced(house, database, tmp_path_factory):
    """The collector of a service that answered some requests, and the secrets in those requests."""
    secret = with_pool(database, make_link)
    with collecting() as collector:
        settings = {"LURCH_TRACES": "1", "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        with serving(database, tmp_path_factory.mktemp("traced"), **settings) as served:
            asked(house, served.url, secret)
            served.stop()
        assert "Traceback" not in served.said()
        yield collector, [secret, PIN, *house.tokens.values()]


def asked(house, url, secret):
    """A deal with hidden hands, a PIN, a search, a link, and a match that is not there."""
    with httpx.Client(base_url=url, headers=house.bearer("director"), timeout=60) as director:
        match = house.match("cross_game")
        deal = codec.plain(random_deal("cross_game", find("cross_game").options(), 7))
        assert director.post(f"{match}/deals", json={"deal": deal}).status_code == 201
        director.post(f"{match}/confirmations", json={"deal": 1, "side": 0, "pin": PIN})
        assert director.get(f"{house.path}/players", params={"like": "Annie"}).status_code == 200
        assert director.get(f"/sign-in?link={secret}").status_code == 200
        assert director.get(f"/api/v1/matches/{house.id}").status_code == 404


def test_a_request_is_a_span_with_its_route_and_statements(traced):
    collector, _ = traced
    spans = collector.spans()
    (dealt,) = [each for each in spans if each.name == "POST /api/v1/matches/{match_id}/deals"]
    facts = {each.key: each.value for each in dealt.attributes}
    assert facts["http.route"].string_value == "/api/v1/matches/{match_id}/deals"
    assert facts["http.response.status_code"].int_value == 201
    within = {each.name for each in spans if each.parent_span_id == dealt.span_id}
    assert {name.partition(".")[0] for name in within} >= {"appending", "devices"}
    assert all(re.fullmatch(r"[a-z_]+\.[a-z_]+|statement", name) for name in within)


def told(span):
    """The text of a span without its ids and times: random bytes may spell any card, and nanoseconds any PIN."""
    own = type(span)()
    own.CopyFrom(span)
    for each in ("trace_id", "span_id", "parent_span_id", "start_time_unix_nano", "end_time_unix_nano"):
        own.ClearField(each)
    for each in own.events:
        each.ClearField("time_unix_nano")
    return str(own)


def test_spans_contain_no_values_and_no_hidden_cards(traced):
    collector, secrets = traced
    text = "\n".join(map(told, collector.spans()))
    assert len(collector.spans()) > 20
    assert CARD.findall(text) == []
    assert [secret for secret in secrets if secret in text] == []
    for word in ("Annie", "select ", "insert ", "where ", "like="):
        assert word not in text


@pytest.mark.extended
def test_a_start_without_opentelemetry_says_what_to_install(tmp_path):
    for more in ([], ["--workers", "2"]):
        done = subprocess.run(
            [sys.executable, "-c", UNTRACED, *more],
            env={"PATH": "/usr/bin:/bin", "LURCH_TRACES": "1", "LURCH_DATA_DIR": str(tmp_path / "data")},
            text=True,
            capture_output=True,
            check=False,
            timeout=150,
        )
        assert done.returncode == 2, done.stderr
        (line,) = done.stderr.splitlines()
        assert "pip install --no-deps -r deploy/requirements-traces.lock" in line
        assert "lurch[" not in line, "the index has a package of this name, and it is somebody else's"
        assert not (tmp_path / "data").exists()
