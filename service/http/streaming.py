"""Answers that go on: server-sent events for as long as a client listens, may listen, and the service runs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final

import msgspec
from litestar.response import Stream

from domain import codec
from domain.log.decider import Refusal
from service.desk.services import Services
from service.http import frames
from service.http.problems import of_refusal
from service.live.feed import AGAIN, STOPPING, Feed, Follower
from service.live.room import FullError, Opener, address_of
from service.store.callers import Caller
from service.store.credentials import Credential

HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
FULL: Final = Refusal("unavailable", "too many open event streams: close one and try again")
Told = Callable[[Feed, Follower], AsyncIterator[bytes]]


class FollowRequest(msgspec.Struct, frozen=True):
    """The request to follow a stream of a club, or with None all of it. `steward` where the followed stream waits for
    tournaments to be brought in step with their matches; `beside` is a further stream whose news concern it. A `short`
    one ends behind its first word: a proxy may hold back what has no end."""

    club: str
    topic: str | None
    caller: Caller
    credential: Credential | None
    address: str
    steward: bool = False
    beside: str | None = None
    short: bool = False

    @property
    def whose(self) -> Opener:
        """Whose streams these are: a credential's, else an address's. A hall is one address; a table's code makes any
        number of sign-ins one after the other, and their streams are the table's."""
        rights = self.caller.rights
        if self.credential is None or not rights:
            return Opener(f"address {address_of(self.address)}", known=False)
        if all(each.by_code for each in rights):
            return Opener(f"table {min(str(each.match) for each in rights)}", known=True)
        return Opener(f"{self.credential[0]} {self.credential[1].hex()}", known=True)


def check_room(services: Services, asked: FollowRequest) -> None:
    """Raises Refusal when too many streams are open."""
    try:
        services.hub.room.check(asked.whose)
    except FullError:
        raise FULL from None


def end(why: Refusal) -> bytes:
    """The last message of a stream: a problem like that of any answer, under a name of its own."""
    return frames.message(codec.encode_plain(of_refusal(why)).decode(), name=frames.END)


async def going_on(services: Services, asked: FollowRequest, tell: Told) -> AsyncIterator[bytes]:
    """The stream as bytes, its end and the reason included."""
    try:
        with services.hub.room.enter(asked.whose, "club" if asked.topic is None else "stream") as flag:
            follower = Follower(asked.caller, asked.credential, flag, asked.topic, asked.steward, asked.beside)
            with services.feeds.follow(asked.club, follower) as feed:
                yield frames.OPEN
                async for frame in tell(feed, follower):
                    yield frame
                if follower.over is not None or not asked.short:
                    yield end(follower.over or STOPPING)
    except FullError:
        yield frames.LATER + end(FULL)


def streamed(services: Services, asked: FollowRequest, tell: Told) -> Stream:
    """The answer."""
    return Stream(going_on(services, asked, tell), media_type="text/event-stream", headers=HEADERS)


def ended(why: Refusal) -> Stream:
    """A stream that is over before it began: a browser reads why in no other answer to who would follow."""
    return Stream(iter([frames.OPEN, end(why)]), media_type="text/event-stream", headers=HEADERS)


def goes_on(services: Services, follower: Follower) -> bool:
    """True while a stream has anything more to say."""
    return follower.over is None and not services.hub.closing.is_set()


async def a_moment(flag: asyncio.Event) -> None:
    """A pause before what failed is tried again, or until the stream is woken."""
    with suppress(TimeoutError):
        async with asyncio.timeout(AGAIN):
            await flag.wait()
