"""Limits on how many requests come from whom: of a valid credential by itself, of everything else by its address.

They hold before a route is looked for, a body read or a page drawn, so a refusal tells nothing about what is there; the
one question that is asked first is whether a credential is good, of all newcomers together and once in five seconds."""

import math
import time
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec
import psycopg
from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send
from psycopg_pool import PoolTimeout, TooManyRequests

from domain.log.decider import Refusal
from service.http.answers import AnyResponse
from service.http.buckets import Buckets, Clock, Rate
from service.http.caller import AnyRequest
from service.http.caller import credential_of as token_of
from service.http.cookies import credential_of as cookie_of
from service.http.senders import sender_of
from service.live.room import address_of
from service.store.credentials import Credential
from service.store.doorkeeper import Doorkeeper
from service.store.meters import REFUSED
from service.store.patience import within

LOOK_UP_SECONDS: Final = 1.5
READS: Final = ("GET", "HEAD", "OPTIONS")
TOO_FAST: Final = "more requests came than are taken: wait for as long as Retry-After says, then send this again"
Refuse: TypeAlias = Callable[[AnyRequest, Refusal], AnyResponse]
Free: TypeAlias = Callable[[str], bool]


class Rates(msgspec.Struct, frozen=True):
    """The rates that are let through: of each credential, and of all without one from one address."""

    writes: Rate = Rate(20, 600)  # a phone that was away sends five hundred taps
    reads: Rate = Rate(50, 300)
    strangers: Rate = Rate(100, 2_000)

    def among(self, processes: int) -> "Rates":
        """The share of each of so many processes that answer together."""
        return Rates(*(each.among(processes) for each in (self.writes, self.reads, self.strangers)))


RATES: Final = Rates()


class Limits:
    """The buckets of one process."""

    def __init__(self, rates: Rates | None = None, clock: Clock = time.monotonic) -> None:
        rates = rates or RATES
        self._writes, self._reads = Buckets(rates.writes, clock), Buckets(rates.reads, clock)
        self._strangers = Buckets(rates.strangers, clock)

    async def wait_for(self, scope: Scope, doors: Doorkeeper) -> float:
        """Seconds until a request would be taken; 0 where it is taken now."""
        request: AnyRequest = Request(scope)
        credential = await _valid(request, doors)
        if credential is None:
            return _told("address", self._strangers.take(address_of(sender_of(scope))))
        buckets = self._reads if request.method in READS else self._writes
        return _told("credential", buckets.take(credential))


def _told(of: str, wait: float) -> float:
    if wait:
        REFUSED.labels(of).inc()
    return wait


async def _valid(request: AnyRequest, doors: Doorkeeper) -> Credential | None:
    """The credential of a request, if it is good. While the database cannot be asked each counts as good: whatever
    asks who it is then is refused as well, and a hall is not made to wait for its neighbours."""
    for shown in (token_of(request), cookie_of(request)):
        if shown is None:
            continue
        try:
            known = doors.remembered(shown)
            if (await within(LOOK_UP_SECONDS, doors.held(shown)) if known is None else known.held) is not None:
                return shown
        except (psycopg.Error, PoolTimeout, TooManyRequests, OSError):
            return shown
    return None


def limited(app: ASGIApp, limits: Limits, free: Free, refuse: Refuse) -> ASGIApp:
    """The application behind limits; `free` are the paths that are not counted, `refuse` answers a refusal."""

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and not free(scope["path"]):
            wait = await limits.wait_for(scope, scope["app"].state.services.doors)
            if wait:
                request: AnyRequest = Request(scope, receive, send)
                answer = refuse(request, Refusal("too-many-requests", TOO_FAST, retry_after=math.ceil(wait)))
                await answer.to_asgi_response(None, request)(scope, receive, send)
                return
        await app(scope, receive, send)

    return call
