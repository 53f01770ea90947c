"""One POST to a receiver: to a checked address, once, with bounds on time and on the length of errors."""

import asyncio
import ssl
import time
from functools import cache
from typing import Final

import httpx
import msgspec

from service.webhooks.places import PlaceError, addresses, parsed_url

TOTAL_SECONDS: Final = 15.0
CONNECT_SECONDS: Final = 5.0
LONGEST: Final = 200


class ReceiverAnswer(msgspec.Struct, frozen=True):
    """The answer of a receiver: its status, or the error without one."""

    status: int | None = None
    error: str | None = None
    retry_after: str | None = None
    milliseconds: int = 0

    @property
    def good(self) -> bool:
        """True for a delivery that has arrived."""
        return self.status is not None and 200 <= self.status < 300


@cache
def _trust() -> ssl.SSLContext:
    """The trusted authorities, read from the disk once."""
    return httpx.create_ssl_context(trust_env=False)


class Sender:
    """Sends to public addresses; with `private` also to those of a club's own network."""

    def __init__(self, private: bool = False, seconds: float = TOTAL_SECONDS) -> None:
        self.private = private
        self.seconds = seconds

    async def check(self, url: str) -> None:
        """Look the addresses of a URL up. Raises PlaceError for one that deliveries may not go to."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await addresses(parsed_url(url), self.private)
        except TimeoutError:
            raise PlaceError("the host's name could not be looked up in time: try again") from None

    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> ReceiverAnswer:
        """Send a delivery and read the status of the answer, nothing more."""
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(self.seconds):
                found = await self._post(parsed_url(url), body, headers)
        except (TimeoutError, httpx.TimeoutException):
            found = ReceiverAnswer(error=f"no answer within {self.seconds:.0f} seconds")
        except (httpx.HTTPError, httpx.InvalidURL, PlaceError, OSError, ValueError) as error:
            found = ReceiverAnswer(error=(str(error) or type(error).__name__)[:LONGEST])
        spent = int((time.perf_counter() - begun) * 1000)
        return msgspec.structs.replace(found, milliseconds=spent)

    async def _post(self, url: httpx.URL, body: bytes, headers: dict[str, str]) -> ReceiverAnswer:
        """Post to the first address that takes a connection."""
        places = await addresses(url, self.private)
        for place in places[:-1]:
            try:
                return await self._post_to(place, url, body, headers)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await self._post_to(places[-1], url, body, headers)

    async def _post_to(self, place: str, url: httpx.URL, body: bytes, headers: dict[str, str]) -> ReceiverAnswer:
        """Post to one address; the name goes into the headers and the TLS handshake only. Each request has a client of
        its own, since a kept connection was checked for another name."""
        sent = {
            "Host": url.netloc.decode("ascii"),
            "User-Agent": "Lurch",
            "Content-Type": "application/json",
            **headers,
        }
        timeout = httpx.Timeout(self.seconds, connect=CONNECT_SECONDS)
        async with (
            httpx.AsyncClient(verify=_trust(), trust_env=False, follow_redirects=False, timeout=timeout) as client,
            client.stream(
                "POST",
                url.copy_with(host=place),
                content=body,
                headers=sent,
                extensions={"sni_hostname": url.raw_host.decode("ascii")},
            ) as answer,
        ):
            return ReceiverAnswer(answer.status_code, _said(answer.status_code), answer.headers.get("retry-after"))


def _said(status: int) -> str | None:
    """The error of a status; None for success."""
    if 200 <= status < 300:
        return None
    return f"answered {status}" + (", a redirect, which is not followed" if 300 <= status < 400 else "")
