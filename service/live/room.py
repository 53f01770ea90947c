"""Room for event streams: how many may be open, in all, for each who opens them, and for all strangers together."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from typing import Final

import msgspec

from service.store.meters import STREAMS

SITE_BITS: Final = 64  # of an IPv6 address: what one household or hall is given


class FullError(Exception):
    """Too many open event streams."""


class Places(msgspec.Struct, frozen=True):
    """The number of streams that may be open: in all, of each who opens them, and of all together who have shown no
    valid credential. Strangers come from as many addresses as they like, so half is kept from them."""

    in_all: int = 2000
    each: int = 300
    strangers: int = 1000

    def among(self, processes: int) -> "Places":
        """The share of each of so many processes that answer together, rounded up."""
        return Places(*(-(-most // processes) for most in (self.in_all, self.each, self.strangers)))


PLACES: Final = Places()


class Opener(msgspec.Struct, frozen=True):
    """The opener of a stream: the name it is counted under, and whether that is the name of a valid credential."""

    name: str
    known: bool


class Room:
    """The open streams of this process, each with the flag that wakes it."""

    def __init__(self, places: Places = PLACES) -> None:
        self.places = places
        self._open: set[asyncio.Event] = set()
        self._each: dict[Opener, int] = defaultdict(int)
        self._strangers = 0

    def check(self, whose: Opener) -> None:
        """Raises FullError when there is no room for one more."""
        if len(self._open) >= self.places.in_all or self._each.get(whose, 0) >= self.places.each:
            raise FullError
        if not whose.known and self._strangers >= self.places.strangers:
            raise FullError

    @contextmanager
    def enter(self, whose: Opener, of: str = "stream") -> Iterator[asyncio.Event]:
        """A stream's own flag, for as long as it is open; `of` what it is counted with. Raises FullError."""
        self.check(whose)
        flag = asyncio.Event()
        self._open.add(flag)
        self._each[whose] += 1
        self._strangers += not whose.known
        STREAMS.labels(of).inc()
        try:
            yield flag
        finally:
            STREAMS.labels(of).dec()
            self._open.discard(flag)
            self._strangers -= not whose.known
            self._each[whose] -= 1
            if not self._each[whose]:
                del self._each[whose]

    def wake(self) -> None:
        """Every stream looks up: the service is about to stop."""
        for flag in self._open:
            flag.set()


def address_of(host: str) -> str:
    """The name that an address counts under: itself, or the network of a site."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    return str(ip_network((address, SITE_BITS), strict=False))
