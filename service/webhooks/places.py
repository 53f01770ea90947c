"""Checks of the addresses that webhooks lead to: made after the name was looked up, on the very address to be called.

Without them the owner of a club could make the service call the machines beside it.
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias

import httpx

Address: TypeAlias = IPv4Address | IPv6Address
NAT64: Final = ip_network("64:ff9b::/96")
SHARED: Final = ip_network("100.64.0.0/10")  # behind a provider's or a private network's translation
METADATA: Final = frozenset(ip_address(each) for each in ("169.254.169.254", "100.100.100.200", "fd00:ec2::254"))
MOST: Final = 4
PORTS: Final = {"http": 80, "https": 443}
WEB_PORTS: Final = (443, 80, 8443, 8080)
OWN_PORTS: Final = 1024  # and above: what a club's own machines may serve without being root
ISATAP: Final = frozenset({0x0000_5EFE, 0x0200_5EFE})


class PlaceError(Exception):
    """A webhook leads to a forbidden place; the message gives the reason in a sentence."""


def parsed_url(url: str) -> httpx.URL:
    """Parse the URL of a webhook. Raises PlaceError."""
    try:
        found = httpx.URL(url)
    except httpx.InvalidURL:
        raise PlaceError("this is no URL: it looks like https://club.example/hook") from None
    if found.scheme not in PORTS or not found.host:
        raise PlaceError("the URL begins with https:// or http:// and names a host")
    if found.port is not None and not 1 <= found.port <= 65535:
        raise PlaceError("a port is a number from 1 to 65535")
    if found.userinfo:
        raise PlaceError("the URL holds a name or password: deliveries are signed instead")
    return found


def final_address(address: Address) -> Address:
    """The address that a packet to this one reaches in the end: IPv4 inside IPv6 is unwrapped."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _tunnels(address: Address) -> bool:
    """Tell an address whose packets travel on inside others, to an IPv4 address that nobody has checked."""
    if isinstance(address, IPv4Address):
        return False
    return (int(address) >> 32) & 0xFFFF_FFFF in ISATAP or address.teredo is not None


def is_allowed(address: Address, private: bool) -> bool:
    """Tell a public address, with `private` also one of a club's network; never one where clouds keep their keys."""
    found = final_address(address)
    if _tunnels(found) or (isinstance(found, IPv6Address) and found.is_site_local):
        return False
    if found in METADATA or found.is_link_local or found.is_multicast or found.is_unspecified:
        return False
    if found.is_reserved and not found.is_loopback:  # ::1 lies in a range that is reserved as a whole
        return False
    if private and (found.is_private or found in SHARED):
        return True
    return found.is_global


async def addresses(url: httpx.URL, private: bool) -> list[str]:
    """The addresses of the URL's host, each of which may be called at its port. Raises PlaceError; nothing in it tells
    a name that is unknown from one that leads inside."""
    port = url.port or PORTS[url.scheme]
    refusal = PlaceError(f"{url.host!r} does not lead to a public address (LURCH_WEBHOOK_PRIVATE=1 allows others)")
    try:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(url.raw_host.decode("ascii").strip("[]"), port, type=socket.SOCK_STREAM)
    except (OSError, ValueError):
        raise refusal from None
    names = list(dict.fromkeys(str(each[4][0]) for each in found))
    if not names or not all(is_allowed(ip_address(name), private) for name in names):
        raise refusal
    if port not in WEB_PORTS and not (private and port >= OWN_PORTS):
        raise PlaceError(
            f"a webhook leads to port {', '.join(map(str, WEB_PORTS))}, not to {port}"
            f" (LURCH_WEBHOOK_PRIVATE=1 allows those from {OWN_PORTS} on)"
        )
    return names[:MOST]
