"""Proxies: for whom a request speaks, as far as those are trusted who passed it on."""

import re
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

Headers: TypeAlias = list[tuple[bytes, bytes]]
Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
MAPPED: Final = 96  # bits before an address of IPv4 that is written as one of IPv6
_FORWARDED: Final = (b"x-forwarded-for", b"forwarded")  # the first that is there: both could be told apart by nobody
_FOR: Final = re.compile(r'(?:^|;)\s*for\s*=\s*("[^"]*"|[^;,"\s]+)', re.IGNORECASE)
_PORT: Final = re.compile(r"(?<=\]):[0-9]{1,5}\Z|\A([0-9.]+):[0-9]{1,5}\Z")


@lru_cache(16)
def networks(text: str | None) -> tuple[Network, ...]:
    """The networks of a setting, with commas between them. Raises ValueError."""
    return tuple(_plain(ip_network(each.strip())) for each in (text or "").split(",") if each.strip())


def _plain(network: Network) -> Network:
    """A network as the addresses of those in it are read: one of IPv4 that is written as IPv6 is one of IPv4."""
    mapped = network.network_address.ipv4_mapped if isinstance(network, IPv6Network) else None
    return (
        network if mapped is None or network.prefixlen < MAPPED else IPv4Network((mapped, network.prefixlen - MAPPED))
    )


def address_in(text: str) -> Address | None:
    """The address that some text is, with a port or without; None for anything else."""
    plain = _PORT.sub(r"\1", text.strip().strip('"'))
    if plain.startswith("[") and plain.endswith("]"):
        plain = plain[1:-1]
    try:
        found = ip_address(plain)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def sender(connected: str, headers: Headers, trusted: tuple[Network, ...]) -> str:
    """The address that counts: from the connected one leftwards the first that is no trusted proxy's. What is no
    address is passed over; where all are trusted, the last that was found."""
    found = address_in(connected)
    if found is None or not _within(found, trusted):
        return connected if found is None else str(found)
    for text in _named(headers):
        earlier = address_in(text)
        if earlier is None:
            continue
        found = earlier
        if not _within(found, trusted):
            break
    return str(found)


def is_trusted(connected: str, trusted: tuple[Network, ...]) -> bool:
    """Tells a trusted proxy by its address."""
    found = address_in(connected)
    return found is not None and _within(found, trusted)


def _within(address: Address, trusted: tuple[Network, ...]) -> bool:
    return any(address in network for network in trusted)


def _named(headers: Headers) -> Iterator[str]:
    """The addresses that the proxies name, the nearest first."""
    for name in _FORWARDED:
        lines = [value.decode("latin-1") for key, value in headers if key == name]
        if lines:
            parts = ",".join(lines).split(",")
            for part in reversed(parts):
                if name == b"forwarded":
                    match = _FOR.search(part)
                    yield match[1] if match else ""
                else:
                    yield part
            return


def is_forwarded(headers: Headers) -> bool:
    """Tells a request that says it was passed on."""
    return any(name in _FORWARDED for name, _ in headers)
