"""The address for phones: what is set, else what the machine has; no loopback for others, no guess of several."""

from types import SimpleNamespace

import psutil
import pytest

from service.desk.addresses import at_this_machine, overheard, own_addresses, phone_address, unreachable
from service.run.settings import Settings, SettingsError, load


def cards(monkeypatch, *addresses):
    found = {f"card{at}": [SimpleNamespace(address=each)] for at, each in enumerate(addresses)}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: found)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"host": "0.0.0.0", "address": "https://club.example/"}, "https://club.example"),
        ({"host": "127.0.0.1", "address": "http://192.0.2.7"}, "http://192.0.2.7"),
        ({"host": "192.0.2.9", "port": 81}, "http://192.0.2.9:81"),
        ({"host": "127.0.0.1"}, "http://127.0.0.1:8000"),
        ({"host": "::1"}, "http://[::1]:8000"),
        ({"host": "127.0.0.1", "secure_cookies": True}, None),
        ({"host": "0.0.0.0"}, "http://192.0.2.7:8000"),
        ({"host": "0.0.0.0", "address": "http://localhost:8000"}, "http://192.0.2.7:8000"),
    ],
)
def test_where_phones_reach_the_service(monkeypatch, given, said):
    cards(monkeypatch, "127.0.0.1", "192.0.2.7", "169.254.1.1", "fe80::1", "00:00:5e:00:53:01")
    assert phone_address(Settings(**given)) == said


def test_of_several_addresses_none_is_guessed(monkeypatch):
    cards(monkeypatch, "192.0.2.7", "198.51.100.7")
    everywhere = Settings(host="0.0.0.0")
    assert phone_address(everywhere) is None
    assert own_addresses(everywhere) == ("http://192.0.2.7:8000", "http://198.51.100.7:8000")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"host": "0.0.0.0", "address": "http://192.0.2.7:8000"}, "http://127.0.0.1:8000"),
        ({"host": "0.0.0.0", "address": "https://club.example/", "secure_cookies": True}, "https://club.example"),
        ({"address": "https://club.example", "trusted_proxies": "127.0.0.1"}, "https://club.example"),
        ({"cert": "x", "key": "y", "address": "https://club.example:8000"}, "https://club.example:8000"),
        ({"secure_cookies": True}, "http://127.0.0.1:8000"),
    ],
)
def test_behind_a_proxy_with_tls_the_owner_comes_in_through_it(given, said):
    assert at_this_machine(Settings(**given)) == said


def test_who_could_listen():
    told = [
        (overheard(Settings(**given)), unreachable(Settings(**given)))
        for given in ({}, {"host": "0.0.0.0"}, {"secure_cookies": True}, {"address": "http://192.0.2.7"})
    ]
    assert told == [(False, True), (True, False), (False, False), (True, False)]


@pytest.mark.parametrize(
    "wrong",
    [
        *("club.example", "ftp://club.example", "http://", "http://a b", "https://x.example/path"),
        *("https://x.example\n", "https://x.example:99999", "http://[::::]:80"),
    ],
)
def test_an_address_that_is_none_is_named(wrong):
    with pytest.raises(SettingsError, match="LURCH_ADDRESS"):
        load({"LURCH_ADDRESS": wrong})
