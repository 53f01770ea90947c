"""Malformed, incomplete and ambiguous HTTP requests, sent to the real server over a socket."""

import asyncio
import json
import logging
import socket
import threading
from contextlib import suppress

import pytest

from service.run import protocol
from service.run import server as serving
from service.run.app import create_app

HOST = b"Host: club.example\r\n"
END = b"Connection: close\r\n\r\n"


@pytest.fixture(scope="module")
def site(database):
    """The service on a port of its own."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    app = create_app(database)
    server = serving.Server(serving.configured(app), app)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture(scope="module")
def match(house):
    return house.match()


def heard(connection):
    """Everything until the server closes."""
    said = b""
    try:
        while part := connection.recv(65_536):
            said += part
    except ConnectionError:
        pass
    return said


def raw(site, *parts, shut=False):
    """Send bytes, hear everything until the server closes."""
    with socket.create_connection(("127.0.0.1", site), timeout=60) as connection:
        try:
            for part in parts:
                connection.sendall(part)
            if shut:
                connection.shutdown(socket.SHUT_WR)
        except ConnectionError:
            pass
        return heard(connection)


def status_of(said):
    assert said.startswith(b"HTTP/1.1 "), said[:200]
    return int(said[9:12])


def problem_of(said):
    """The problem of an answer, whoever gave it: the application or the server before it."""
    head, _, body = said.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head.lower(), said[:400]
    found = json.loads(body)
    assert found["status"] == status_of(said)
    assert len(found["detail"]) > 8
    return found["type"]


UPGRADE = b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: h2c\r\n"
NO_REQUEST = {
    "length and chunks": b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Content-Length: 4\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
    b"0\r\n\r\nGET /metrics HTTP/1.1\r\n" + HOST + b"\r\n",
    "two lengths": b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    "a negative length": b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Content-Length: -4\r\n\r\n",
    "a length beyond all": b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Content-Length: 99999999999999999999999\r\n\r\n",
    "a length with a sign": b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Content-Length: +4\r\n\r\nabcd",
    "a chunk of no size": b"POST /sign-in HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
    "chunks that are not last": b"POST /sign-in HTTP/1.1\r\n"
    + HOST
    + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "another protocol": b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a NUL in the method": b"G\x00T / HTTP/1.1\r\n" + HOST + b"\r\n",
    "a NUL in a header": b"GET / HTTP/1.1\r\n" + HOST + b"X-A: a\x00b\r\n\r\n",
    "a bare line feed in a header": b"GET / HTTP/1.1\r\n" + HOST + b"X-A: a\rX-B: b\r\n\r\n",
    "a blank in the path": b"GET /games/a b HTTP/1.1\r\n" + HOST + b"\r\n",
    "bytes in the path": b"GET /games/\xff\xfe HTTP/1.1\r\n" + HOST + b"\r\n",
    "an upgrade with a body": UPGRADE + b"Content-Length: 11\r\n\r\nlanguage=ro",
    "an upgrade with chunks": UPGRADE + b"Transfer-Encoding: chunked\r\n\r\nb\r\nlanguage=ro\r\n0\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\nAccept: */*\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n",
    "a host that is none": b"GET / HTTP/1.1\r\nHost: a b@c:99999/\xff\r\n" + END,
}


@pytest.fixture
def written(monkeypatch):
    """The lines that are written into any log."""
    found = []
    monkeypatch.setattr(logging.Logger, "callHandlers", lambda _, record: found.append(record.getMessage()))
    return found


def test_an_upgrade_that_is_not_given_is_answered_as_any_request(site, written):
    asked = b"GET /health/live HTTP/1.1\r\n" + HOST + b"Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"
    assert status_of(raw(site, asked)) == 200
    assert written == []


@pytest.mark.parametrize("what", NO_REQUEST)
def test_a_malformed_request_is_answered_400_closed_and_not_logged(site, written, what):
    said = raw(site, NO_REQUEST[what])
    assert (status_of(said), problem_of(said)) == (400, "/problems/malformed")
    assert said.count(b"HTTP/1.1 ") == 1
    assert written == []


def test_a_body_after_an_upgrade_is_not_another_request(site):
    further = b"GET /metrics HTTP/1.1\r\n" + HOST + END
    answered = b""
    with socket.create_connection(("127.0.0.1", site), timeout=60) as connection:
        connection.sendall(UPGRADE + b"Content-Length: %d\r\n\r\n" % len(further))
        with suppress(ConnectionError):
            answered = connection.recv(65_536)
            connection.sendall(further)
        assert (answered + heard(connection)).count(b"HTTP/1.1 ") == 1


def test_an_old_client_needs_no_host(site):
    assert status_of(raw(site, b"GET /health/live HTTP/1.0\r\n\r\n")) == 200


def test_a_form_without_a_host_is_from_nowhere(site):
    body = b"POST /sign-in HTTP/1.0\r\nOrigin: http://club.example\r\nContent-Length: 0\r\n\r\n"
    assert status_of(raw(site, body)) == 403


TOO_LONG = {
    "one header": b"X-A: " + b"a" * 40_000 + b"\r\n",
    "many headers": b"X-A: a\r\n" * 9000,
    "a key": b"Idempotency-Key: " + b"a" * 40_000 + b"\r\n",
}


@pytest.mark.parametrize("what", TOO_LONG)
def test_a_head_beyond_32_kb_is_431_and_nothing_is_recorded(site, house, match, what):
    before = house.position()
    head = (
        b"POST %b/deals HTTP/1.1\r\n" % match.encode()
        + HOST
        + b"Authorization: Bearer %b\r\n" % (house.tokens["scorer"].encode())
    )
    said = raw(site, head + TOO_LONG[what] + b"Content-Length: 2\r\n\r\n{}")
    assert (status_of(said), problem_of(said)) == (431, "/problems/too-large")
    assert said.count(b"HTTP/1.1 ") == 1
    assert house.position() == before


def test_a_long_address_is_431(site):
    said = raw(site, b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n")
    assert status_of(said) == 431


def test_a_header_that_does_not_end_is_431(site):
    said = raw(site, b"GET / HTTP/1.1\r\n" + HOST + b"X-A: ", *[b"a" * 65_536] * 16)
    assert not said or status_of(said) == 431  # the reset may overtake the answer


@pytest.mark.parametrize(("size", "status"), [(65_536, 400), (65_537, 413)])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_beyond_64_kb_is_413_with_and_without_a_length(site, house, match, size, status, chunked):
    before = house.position()
    head = (
        b"POST %b/facts HTTP/1.1\r\n" % match.encode()
        + HOST
        + b"Authorization: Bearer %b\r\n" % (house.tokens["scorer"].encode())
    )
    body = b" " * size
    if chunked:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (size, body)
        head += b"Transfer-Encoding: chunked\r\n"
    else:
        head += b"Content-Length: %d\r\n" % size
    assert status_of(raw(site, head + END + body)) == status
    assert house.position() == before


def test_a_compressed_body_is_not_unpacked(site, house, match):
    head = (
        b"POST %b/facts HTTP/1.1\r\n" % match.encode()
        + HOST
        + b"Authorization: Bearer %b\r\n" % (house.tokens["scorer"].encode())
    )
    said = raw(site, head + b"Content-Encoding: gzip\r\nContent-Length: 10\r\n" + END + b"\x1f\x8b\x08" + bytes(7))
    assert problem_of(said) == "/problems/malformed"


HALVES = {
    "silence": b"",
    "half a line": b"GET / HT",
    "half a head": b"GET / HTTP/1.1\r\n" + HOST + b"X-A: ",
    "half a body": b"POST %b HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\n{",
    "half a chunk": b"POST %b HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n64\r\n{",
    "a request and a half": b"GET /health/live HTTP/1.1\r\n" + HOST + b"\r\nGET / HTTP/1.1\r\n",
}


def begun_by_half(site, match):
    """Connections on which a request has begun that does not go on."""
    path = f"{match}/facts".encode()
    halves = [part.replace(b"%b", path) for part in HALVES.values()] * 10
    found = [socket.create_connection(("127.0.0.1", site), timeout=60) for _ in halves]
    for connection, half in zip(found, halves, strict=True):
        with suppress(ConnectionError):  # it may have been closed already
            connection.sendall(half)
    return found


def test_half_requests_delay_no_other_request(site, match, monkeypatch):
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 3600.0)
    open_ones = begun_by_half(site, match)
    assert status_of(raw(site, b"GET /health/live HTTP/1.1\r\n" + HOST + END)) == 200
    for connection in open_ones:
        connection.close()


def test_half_requests_are_closed_and_record_nothing(site, house, match, monkeypatch):
    before = house.position()
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.1)
    for connection in begun_by_half(site, match):
        heard(connection)
        connection.close()
    assert house.position() == before


def counted(site):
    """The counters of answers with a status of 500."""
    said = raw(site, b"GET /metrics HTTP/1.1\r\n" + HOST + END).decode()
    return [line for line in said.splitlines() if line.startswith("lurch_requests_total") and 'status="500"' in line]


def test_a_client_that_hangs_up_is_not_counted_as_a_500(site, house, match):
    head = b"POST %b/facts HTTP/1.1\r\n" % match.encode() + HOST + b"Content-Length: 100\r\n\r\n{"
    before = counted(site)
    for _ in range(3):
        assert b" 500 " not in raw(site, head, shut=True)[:20]
        with socket.create_connection(("127.0.0.1", site), timeout=60) as connection:
            connection.sendall(head)
    assert counted(site) == before


def test_every_answer_of_the_real_server_carries_the_headers(site):
    for path in (b"/health/live", b"/nothing", b"/static/app.css", b"/docs"):
        said = raw(site, b"GET %b HTTP/1.1\r\n" % path + HOST + END).lower()
        assert b"content-security-policy: default-src 'self'" in said
        assert b"x-content-type-options: nosniff" in said
        assert b"\r\nserver:" not in said


@pytest.mark.parametrize("header", [b"X-Forwarded-For: 192.0.2.1", b"Forwarded: for=192.0.2.1"])
def test_metrics_are_for_this_machine_and_not_for_whom_it_forwards(site, header):
    assert status_of(raw(site, b"GET /metrics HTTP/1.1\r\n" + HOST + END)) == 200
    assert status_of(raw(site, b"GET /metrics HTTP/1.1\r\n" + HOST + header + b"\r\n" + END)) == 404


@pytest.mark.parametrize(
    ("path", "behind"),
    [
        (b"/metrics", b"X-Forwarded-For: 192.0.2.1"),
        (b"/api/v1/me", b"Authorization: Bearer invented"),
        (b"/", HOST[:-2]),
    ],
)
def test_a_line_after_a_chunked_body_is_not_a_header(site, path, behind):
    chunks = b"Transfer-Encoding: chunked\r\n" + END + b"2\r\n{}\r\n0\r\n" + behind + b"\r\n\r\n"
    assert status_of(raw(site, b"GET %b HTTP/1.1\r\n" % path + HOST + chunks)) == 200


def test_metrics_can_be_read_by_prometheus(site):
    said = raw(site, b"GET /metrics HTTP/1.1\r\n" + HOST + END)
    (kind,) = [line for line in said.split(b"\r\n") if line.lower().startswith(b"content-type")]
    assert kind.count(b"charset") == 1, "a parameter that stands twice cannot be parsed"
