"""The socket that the service listens on."""

import socket

import pytest

from service.run.serve import announce, own_hosts
from service.run.server import bind
from service.run.settings import Settings, SettingsError, load


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_socket_is_marked_as_tcp(host):
    listener = bind(host, 0)
    with listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_port_in_use_is_named():
    with (
        bind("127.0.0.1", 0) as first,
        pytest.raises(OSError, match=f"cannot serve on 127.0.0.1:{first.getsockname()[1]}"),
    ):
        bind("127.0.0.1", first.getsockname()[1])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2", "LOCALHOST", "lurch.localhost"])
def test_a_loopback_server_answers_to_its_own_names_only(host):
    names = own_hosts(Settings(host=host)).allowed_hosts
    assert names is not None
    assert {"127.0.0.1", "localhost", "::1", host} == set(names.split(","))


def test_the_public_address_is_an_own_name_behind_a_local_proxy():
    names = own_hosts(Settings(address="https://lurch.our-club.org", secure_cookies=True)).allowed_hosts
    assert names is not None
    assert {"127.0.0.1", "localhost", "::1", "lurch.our-club.org"} == set(names.split(","))


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.20", "fd00::1"])  # nobody listens here
def test_a_network_server_answers_to_any_name_until_some_are_set(host):
    assert own_hosts(Settings(host=host)).allowed_hosts is None
    assert own_hosts(Settings(host=host, allowed_hosts="club.example")).allowed_hosts == "club.example"


def test_a_name_that_no_browser_sends_is_refused_at_the_start():
    assert load({"LURCH_ALLOWED_HOSTS": "xn--mller-kva.example, *.a_b.example"}).allowed_hosts
    with pytest.raises(SettingsError, match="LURCH_ALLOWED_HOSTS"):
        load({"LURCH_ALLOWED_HOSTS": "m\u00fcller.example"})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"host": "192.0.2.9"}, True),
        ({"host": "192.0.2.9", "plain_roles": True}, False),
        ({"host": "192.0.2.9", "address": "https://club.example"}, False),
        ({"host": "0.0.0.0"}, False),
        ({}, False),
    ],
)
def test_a_refused_owner_link_is_explained_at_the_start(database, capsys, given, told):
    announce(database.url, Settings(**given))
    assert ("LURCH_HOST=0.0.0.0" in capsys.readouterr().err) is told
