"""A webhook leads to public addresses only: whatever it is written as, whatever its name says a moment later."""

import asyncio
import shutil
import socket
import ssl
import subprocess
from ipaddress import ip_address

import pytest

from service.webhooks.places import PlaceError, is_allowed, parsed_url
from service.webhooks.sending import Sender
from tests.kit.service.receivers import receiving

PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"]
OWN = [
    "127.0.0.1",
    "127.8.9.1",
    "10.0.0.1",
    "172.16.5.5",
    "192.168.1.20",
    "::1",
    "fd12::1",
    "100.64.0.9",
    "::ffff:127.0.0.1",
    "::ffff:192.168.1.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
]
NEVER = [
    "169.254.169.254",
    "169.254.1.1",
    "fe80::1",
    "fe80::1%2",
    "fd00:ec2::254",
    "100.100.100.200",
    "0.0.0.0",
    "::",
    "224.0.0.1",
    "ff02::1",
    "255.255.255.255",
    "240.0.0.1",
    "::7f00:1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::",
    "fec0::1",
    "feff::a",
    "fe80::5efe:7f00:1",
    "fd12::5efe:a00:1",
    "2606:4700::5efe:a00:1",
    "2606:4700::200:5efe:808:808",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
]


def check(url, private=False):
    asyncio.run(Sender(private).check(url))


def post(url, private=False):
    return asyncio.run(Sender(private).post(url, b"{}", {}))


def test_public_addresses_are_allowed():
    assert [each for each in PUBLIC if not is_allowed(ip_address(each), False)] == []


def test_private_addresses_are_allowed_only_by_setting():
    assert [each for each in OWN if is_allowed(ip_address(each), False)] == []
    assert [each for each in OWN if not is_allowed(ip_address(each), True)] == []


def test_special_addresses_are_never_allowed():
    assert [each for each in NEVER if is_allowed(ip_address(each), False) or is_allowed(ip_address(each), True)] == []


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::ffff:7f00:1]", "127.0.0.1."],
)
def test_this_machine_is_not_called_however_it_is_written(host):
    with receiving() as receiver:
        url = f"http://{host}:{receiver.port}/hook"
        with pytest.raises(PlaceError):
            check(url)
        found = post(url)
    assert receiver.got == []
    assert (found.status, found.good) == (None, False)
    assert "public address" in found.error or "no URL" in found.error


@pytest.mark.parametrize(
    "url",
    [
        "ftp://93.184.216.34/",
        "file:///etc/passwd",
        "gopher://93.184.216.34/",
        "//93.184.216.34/",
        "http://",
        "http:///x",
        "http://user:word@93.184.216.34/",
        "http://[::1/",
        "http://93.184.216.34:99999/",
        "unix:/tmp/socket",
        "",
    ],
)
def test_only_plain_urls_are_taken(url):
    with pytest.raises(PlaceError):
        parsed_url(url)
    assert post(url, True).status is None


class Names:
    """A name server whose answers change from one question to the next."""

    def __init__(self, monkeypatch, *answers):
        self.answers, self.asked = list(answers), []
        self.real = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self.look_up)

    def look_up(self, host, port, *more, **named):
        if not str(host).endswith(".example"):
            return self.real(host, port, *more, **named)
        self.asked.append(host)
        kinds = {True: socket.AF_INET6, False: socket.AF_INET}
        return [(kinds[":" in name], socket.SOCK_STREAM, 6, "", (name, port)) for name in self.answers.pop(0)]


def test_the_checked_address_is_the_one_called(monkeypatch):
    with receiving() as receiver:
        names = Names(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
        found = post(f"http://hook.example:{receiver.port}/hook", True)
    assert found.status == 204
    assert names.asked == ["hook.example"]
    assert receiver.got[0].headers["host"] == f"hook.example:{receiver.port}"


def test_the_name_is_looked_up_for_each_delivery(monkeypatch):
    Names(monkeypatch, ["93.184.216.34"], ["127.0.0.1"])
    url = "http://hook.example/hook"
    check(url)
    assert "public address" in post(url).error


@pytest.mark.parametrize("port", [22, 25, 81, 1024, 6379, 9200, 65535])
def test_a_public_address_is_called_at_the_ports_of_the_web_only(port):
    for name in ("93.184.216.34", "[2606:4700::1111]"):
        for good in ("", ":443", ":80", ":8443", ":8080"):
            check(f"https://{name}{good}/hook")
        with pytest.raises(PlaceError, match=f"not to {port} "):
            check(f"https://{name}:{port}/hook")


@pytest.mark.parametrize("port", [1, 22, 25, 81, 1023])
def test_private_addresses_may_use_unprivileged_ports(port):
    for good in ("", ":443", ":1024", ":9000", ":65535"):
        check(f"http://127.0.0.1{good}/hook", True)
    with pytest.raises(PlaceError, match="LURCH_WEBHOOK_PRIVATE"):
        check(f"http://127.0.0.1:{port}/hook", True)


def test_a_name_with_one_address_inside_is_refused_whole(monkeypatch):
    with receiving() as receiver:
        Names(monkeypatch, ["93.184.216.34", "127.0.0.1"])
        assert post(f"http://hook.example:{receiver.port}/").status is None
    assert receiver.got == []


def test_an_unknown_name_and_one_that_leads_inside_are_refused_alike(monkeypatch):
    Names(monkeypatch, [], ["10.0.0.1"])
    said = {post("http://hook.example/").error for _ in range(2)}
    assert len(said) == 1


def test_the_second_address_is_tried_when_the_first_does_not_answer(monkeypatch):
    with receiving() as receiver:
        Names(monkeypatch, ["::1", "127.0.0.1"])
        assert post(f"http://hook.example:{receiver.port}/hook", True).status == 204


def test_proxies_of_the_environment_are_not_asked(monkeypatch):
    with receiving() as receiver, receiving() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert post(receiver.url, True).status == 204
    assert proxy.got == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate of hook.example, signed by itself, with its key."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl on this machine")
    path = tmp_path_factory.mktemp("tls") / "hook.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=hook.example",
            "-addext",
            "subjectAltName=DNS:hook.example",
            "-keyout",
            path,
            "-out",
            path.with_suffix(".crt"),
        ],
        check=True,
        capture_output=True,
    )
    path.write_text(path.read_text() + path.with_suffix(".crt").read_text())
    return path


@pytest.mark.parametrize(
    ("host", "trusted", "status"),
    [
        ("hook.example", True, 204),
        ("hook.example", False, None),
        ("other.example", True, None),
    ],
)
def test_the_certificate_is_checked_for_the_name_though_an_address_is_called(
    monkeypatch, certificate, host, trusted, status
):
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate)
    trust = ssl.create_default_context(cafile=certificate if trusted else None)
    monkeypatch.setattr("service.webhooks.sending._trust", lambda: trust)
    with receiving(tls=served) as receiver:
        Names(monkeypatch, ["127.0.0.1"])
        found = post(f"https://{host}:{receiver.port}/hook", True)
    assert found.status == status
    assert len(receiver.got) == (status == 204)
    if status is None:
        assert "certificate" in found.error
