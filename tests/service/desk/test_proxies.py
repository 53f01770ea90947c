"""The address of a request: never what an untrusted one says, the rightmost untrusted one that trusted proxies say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.desk.proxies import address_in, is_trusted, networks, sender
from service.live.room import address_of
from service.run.settings import SettingsError, load

NEAR = networks("10.0.0.0/8, 127.0.0.1/32, fd00::/8")


def xff(*lines):
    return [(b"x-forwarded-for", line.encode()) for line in lines]


@pytest.mark.parametrize(
    ("connected", "headers", "counts"),
    [
        ("198.51.100.9", xff("192.0.2.1"), "198.51.100.9"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", xff("192.0.2.1"), "192.0.2.1"),
        ("10.0.0.1", xff("203.0.113.66, 192.0.2.1"), "192.0.2.1"),
        ("10.0.0.1", xff("203.0.113.66, 192.0.2.1, 10.0.0.2"), "192.0.2.1"),
        ("10.0.0.1", xff("203.0.113.66", "192.0.2.1", "10.0.0.2"), "192.0.2.1"),
        ("10.0.0.1", xff("192.0.2.1, rubbish, , 10.0.0.300"), "192.0.2.1"),
        ("10.0.0.1", xff("rubbish"), "10.0.0.1"),
        ("10.0.0.1", xff("10.0.0.3, 10.0.0.2"), "10.0.0.3"),
        ("10.0.0.1", xff("192.0.2.1:4711"), "192.0.2.1"),
        ("10.0.0.1", xff("[2001:db8::7]:4711"), "2001:db8::7"),
        ("::ffff:10.0.0.1", xff("::ffff:192.0.2.1"), "192.0.2.1"),
        ("fd00::1", [(b"forwarded", b'for=203.0.113.66, For="[2001:db8::7]:80";proto=https')], "2001:db8::7"),
        ("fd00::1", [(b"forwarded", b"proto=https;for=192.0.2.1, for=unknown, for=_hidden")], "192.0.2.1"),
        ("10.0.0.1", [(b"forwarded", b"for=203.0.113.66"), *xff("192.0.2.1")], "192.0.2.1"),
        ("", xff("192.0.2.1"), ""),
        ("testclient", xff("192.0.2.1"), "testclient"),
    ],
)
def test_the_rightmost_untrusted_address_counts(connected, headers, counts):
    assert sender(connected, headers, NEAR) == counts


@given(st.lists(st.text(max_size=30), max_size=5))
def test_without_trusted_proxies_no_header_counts(lines):
    headers = [(b"x-forwarded-for", line.encode("utf-8")) for line in lines]
    assert sender("10.0.0.1", headers, networks(None)) == "10.0.0.1"


@given(st.lists(st.sampled_from(["192.0.2.1", "10.9.9.9", "rubbish", "203.0.113.5", ""]), max_size=6))
def test_nothing_left_of_the_client_changes_who_it_is(planted):
    told = xff(", ".join([*planted, "198.51.100.9"]))
    assert sender("10.0.0.1", told, NEAR) == "198.51.100.9"


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_none(text):
    found = address_in(text)
    assert found is None or address_in(str(found)) == found


def test_ipv6_addresses_count_by_site_and_ipv4_addresses_singly():
    def counted(text):
        return address_of(sender(text, [], ()))

    assert counted("2001:db8:1:2::3") == counted("2001:db8:1:2:ffff::4") != counted("2001:db8:1:3::3")
    assert counted("::ffff:192.0.2.1") == "192.0.2.1" != counted("::ffff:192.0.2.2"), "one socket for both kinds"


def test_an_ipv4_proxy_is_trusted_in_every_notation_of_its_network():
    for text in ("10.0.0.0/8", "::ffff:10.0.0.0/104", "::/0, 0.0.0.0/0"):
        assert is_trusted("10.1.2.3", networks(text))
        assert is_trusted("::ffff:10.1.2.3", networks(text))
    assert not is_trusted("11.1.2.3", networks("::ffff:10.0.0.0/104"))


def test_a_setting_that_is_no_network_is_told():
    assert load({"LURCH_TRUSTED_PROXIES": "10.0.0.0/8, ::1"}).trusted_proxies == "10.0.0.0/8, ::1"
    for wrong in ("10.0.0.1/8", "proxy", "10.0.0.0/33"):
        with pytest.raises(SettingsError, match="LURCH_TRUSTED_PROXIES"):
            load({"LURCH_TRUSTED_PROXIES": wrong})
