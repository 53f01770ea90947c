"""Room for event streams: how many may be open, in all and for each who opens them."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from typing import Final

from service.store.meters import STREAMS

MOST: Final = 2000
MOST_EACH: Final = 300
SITE_BITS: Final = 64  # of an IPv6 address: what one household or hall is given


class FullError(Exception):
    """Too many open event streams."""


class Room:
    """The open streams of this process, each with the flag that wakes it."""

    def __init__(self, most: int = MOST, most_each: int = MOST_EACH) -> None:
        self.most, self.most_each = most, most_each
        self._open: set[asyncio.Event] = set()
        self._each: dict[str, int] = defaultdict(int)

    def check(self, whose: str) -> None:
        """Raises FullError when there is no room for one more."""
        if len(self._open) >= self.most or self._each.get(whose, 0) >= self.most_each:
            raise FullError

    @contextmanager
    def enter(self, whose: str, of: str = "stream") -> Iterator[asyncio.Event]:
        """A stream's own flag, for as long as it is open; `of` what it is counted with. Raises FullError."""
        self.check(whose)
        flag = asyncio.Event()
        self._open.add(flag)
        self._each[whose] += 1
        STREAMS.labels(of).inc()
        try:
            yield flag
        finally:
            STREAMS.labels(of).dec()
            self._open.discard(flag)
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
