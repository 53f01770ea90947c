"""Server-sent events for live pages: the newest version is sent after each change; a slow reader skips some."""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from typing import TypeAlias

import psycopg
from litestar import get
from litestar.response import Stream

from service.desk.services import Services
from service.http import frames
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest
from service.http.cookies import caller_of, credential_of
from service.http.senders import address
from service.http.streaming import FollowRequest, a_moment, ended, goes_on, streamed
from service.languages.spoken import current
from service.live.feed import GONE, Feed, Follower
from service.store.callers import Caller

Draw: TypeAlias = Callable[[], str]
Newest: TypeAlias = Callable[[Feed, Caller], Awaitable[tuple[Hashable, Draw]]]  # what is now, and how it is drawn


async def _still_known(request: AnyRequest) -> Stream | None:
    """A page that was made for somebody who is signed in says so. It would else go on as a guest's, or hear nothing,
    when the sign-in ended while it was not connected, as by a restore."""
    if "known" not in request.query_params or (await caller_of(request)).known:
        return None
    return ended(GONE["cookie"])


def stream_of_page(path: str) -> get:
    """The route of what a page follows: `short` as `followed` says, `known` where somebody was signed in."""
    return get(path, include_in_schema=False, query=("short", "known"), before_request=_still_known)


def followed(
    request: AnyRequest,
    services: Services,
    caller: Caller,
    club: str,
    topic: str | None,
    now: Newest,
    steward: bool = False,
    beside: str | None = None,
) -> AnyResponse:
    """Server-sent events for as long as the page is open, about a stream or all of a club; a reader that lags gets the
    latest only. What is now is named by a key: pages that come to the same one are drawn once. A page that asks for
    `short` streams says what it was told last, and is answered when there is something else, or after a while."""
    if "known" in request.query_params and not caller.known:  # it ended a moment ago
        return ended(GONE["cookie"])
    short, told = "short" in request.query_params, request.headers.get("last-event-id")

    async def tell(feed: Feed, follower: Follower) -> AsyncIterator[bytes]:
        sent_version: Hashable = None
        pings = 0
        while goes_on(services, follower):
            follower.flag.clear()
            if feed.position < 0:
                await follower.flag.wait()
                continue
            epoch = feed.epoch
            try:
                key, draw = await now(feed, follower.caller)
            except (psycopg.Error, OSError):  # the database is away: the page stays, and is told when it is back
                await a_moment(follower.flag)
                continue
            follower.seen = feed.position
            drawn = (topic, key, epoch, current())  # who reads speaks the language of the request
            if key != sent_version:
                frame = feed.remembered(drawn) or feed.remember(drawn, frames.message(draw()))
                sent_version, pings = key, follower.pings
                if not short:
                    yield frame
                elif told != _mark(frame):
                    yield frames.at(_mark(frame), frame)
                    return
            elif pings != follower.pings:
                pings = follower.pings
                yield frames.PULSE
                if short:
                    return
            await follower.flag.wait()

    shown = credential_of(request) if caller.known else None  # a cookie of long ago is no more than a guest's
    asked = FollowRequest(club, topic, caller, shown, address(request), steward, beside, short)
    return streamed(services, asked, tell)


async def told_as(services: Services, number: int) -> str:
    """The name of a number of events, for a page that reads itself anew when it is told another: after a restore the
    same number is one of another era."""
    era = await services.streams.era()
    return f"{number}-{era}" if era else str(number)


def _mark(frame: bytes) -> str:
    """A name of what was told: made of that alone, it tells nothing more, and is the same in every process."""
    return hashlib.sha256(frame).hexdigest()[:16]
