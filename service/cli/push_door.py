"""The door of a club's server as a command goes through it: a token, requests over HTTP, every failure in words."""

import asyncio
import ssl
from collections.abc import Mapping
from types import TracebackType
from typing import Final, TypeAlias, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec

from domain import codec
from domain.log.event import Json
from service.cli.terminal import Unable

SECONDS: Final = 60.0  # a large tournament is one statement there
TRIES: Final = 5
LONGEST_WAIT: Final = 60
Answer = TypeVar("Answer")
Body: TypeAlias = bytes | Mapping[str, Json]
_WORDS: Final = {
    10: "has expired",
    9: "is not valid yet, or the clock here is wrong",
    18: "vouches for itself alone",
    19: "comes from an authority that is not known here",
    20: "comes from an authority that is not known here",
    62: "is for another name",
    64: "is for another address",
}


class Problem(msgspec.Struct, frozen=True):
    """A refusal as every Lurch writes it."""

    type: str
    title: str
    detail: str


class DoorRefusal(Exception):
    """A refusal of the server: the kind of problem and its words."""

    def __init__(self, slug: str, detail: str) -> None:
        super().__init__(detail)
        self.slug, self.detail = slug, detail


class ServerDoor:
    """A server that is asked with one token. Unable says in one line what is wrong with the way there."""

    def __init__(self, url: str, token: str, authority: str | None = None) -> None:
        self.url = checked_url(url)
        self.host = urlsplit(self.url).hostname or ""
        self._client = httpx.AsyncClient(
            verify=_trust(authority),
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(SECONDS, connect=10),
        )
        self._token = token

    async def __aenter__(self) -> "ServerDoor":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def get(self, path: str, kind: type[Answer]) -> Answer:
        """The answer of an address, which is of that kind. Raises DoorRefusal, Unable."""
        return self._read(await self._ask("GET", path, b""), kind)

    async def post(self, path: str, body: Body) -> None:
        """Send something to be recorded. Raises DoorRefusal, Unable."""
        await self.asked(path, body, dict)

    async def asked(self, path: str, body: Body, kind: type[Answer]) -> Answer:
        """The answer to what is sent, which is of that kind. Raises DoorRefusal, Unable."""
        content = body if isinstance(body, bytes) else codec.encode_plain(body)
        return self._read(await self._ask("POST", path, content), kind)

    def _read(self, content: bytes, kind: type[Answer]) -> Answer:
        """The answer, read. Raises Unable for what is none of that kind."""
        try:
            return msgspec.json.decode(content, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self.strange() from None

    def strange(self, status: int = 200) -> Unable:
        """The words for an answer that no Lurch gives."""
        return Unable(f"what answers at {self.url} is no Lurch, or one of another version (status {status})")

    def _of_a_proxy(self, status: int, sent: int) -> Unable:
        """The words for a failure that no Lurch wrote: a proxy before it did, or whatever else answers there."""
        if status == 413:
            return Unable(
                f"a proxy before {self.url} takes no {sent:,} bytes at once: set its limit to 32 MB, and give the "
                "command again"
            )
        if status == 429:
            return Unable(f"a proxy before {self.url} lets in no more for now (status 429): {_AGAIN}")
        if status in (502, 503, 504):
            return Unable(f"a proxy at {self.url} has nobody behind it that answers (status {status}): {_AGAIN}")
        return self.strange(status)

    async def _ask(self, method: str, path: str, content: bytes) -> bytes:
        for attempt in range(TRIES):
            answer = await self._once(method, path, content)
            if answer.status_code not in (429, 503) or attempt + 1 == TRIES:
                break
            wait = answer.headers.get("retry-after", "1")
            await asyncio.sleep(min(int(wait), LONGEST_WAIT) if wait.isdecimal() else 1)
        if answer.is_redirect:
            place = _place(answer.headers.get("location", ""), path)
            raise Unable(f"{self.url} leads to {place}: give that address")
        if answer.is_success:
            return answer.content
        try:
            found = msgspec.json.decode(answer.content, type=Problem)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._of_a_proxy(answer.status_code, len(content)) from None
        if not found.type.startswith("/problems/"):
            raise self.strange(answer.status_code)
        raise DoorRefusal(found.type.removeprefix("/problems/"), shown(found.detail))

    async def _once(self, method: str, path: str, content: bytes) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            return await self._client.request(method, f"{self.url}{path}", content=content or None, headers=headers)
        except httpx.TimeoutException:
            raise Unable(f"{self.url} does not answer in time: {_AGAIN}") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Unable(self._told(error)) from None

    def _told(self, error: Exception) -> str:
        """The fault of the way to the server, in words."""
        found: BaseException | None = error
        while found is not None and not isinstance(found, ssl.SSLError):
            found = found.__cause__ or found.__context__
        if isinstance(found, ssl.SSLCertVerificationError):
            why = _WORDS.get(found.verify_code, f"is not trusted here ({found.verify_message})")
            return (
                f"the certificate of {self.host} {why}: nothing was sent. If the club made it with `lurch tls make`, "
                "give its authority.pem with --authority"
            )
        if isinstance(found, ssl.SSLError):
            return f"{self.url} speaks no TLS that is understood here: is the address http://, or the port another one?"
        if isinstance(error, httpx.ConnectError | httpx.InvalidURL):
            return f"nobody answers at {self.url}: is the address right, and the server on?"
        return f"the connection to {self.url} ended: {_AGAIN}"


_AGAIN: Final = "what was taken stays, so give the command again"


def _place(location: str, path: str) -> str:
    """The address of a server that is elsewhere, without the path behind it that was asked for."""
    return shown(location.removesuffix(path))[:200] or "elsewhere"


def shown(text: str) -> str:
    """A text of the server as a terminal may show it: without letters that would steer that, and not without end."""
    return "".join(each for each in text if each.isprintable())[:1000]


def is_open(url: str) -> bool:
    """Tells an address on the way to which others could listen: without TLS, and not on this machine."""
    found = urlsplit(url)
    return found.scheme == "http" and found.hostname not in ("localhost", "127.0.0.1", "::1")


def checked_url(url: str) -> str:
    """The address of a server, without a slash at its end. Raises Unable."""
    try:
        found = urlsplit(url)
        plain = url.isprintable() and " " not in url
        sound = plain and found.scheme in ("http", "https") and bool(found.hostname) and found.port != 0
    except ValueError:
        sound = False
    if not sound or found.username or found.query or found.fragment:
        raise Unable("the address of the server is like https://lurch.our-club.org")
    return url.rstrip("/")


def _trust(authority: str | None) -> ssl.SSLContext:
    """The authorities that are believed: those of the machine, and the club's own. Raises Unable."""
    context = httpx.create_ssl_context(trust_env=False)
    if authority is not None:
        try:
            context.load_verify_locations(authority)
        except (OSError, ssl.SSLError) as error:
            raise Unable(f"{authority} is no authority that can be read: {error}") from None
    return context
