"""Caches and browsers: they may keep a file under the stamp of its content for ever, a public page until it changes."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from litestar import Response
from litestar.datastructures import Headers
from litestar.datastructures.headers import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from domain.log.decider import Refusal
from service.http.caller import AnyRequest

STATIC: Final = Path(__file__).parent / "static"
FILES: Final = frozenset(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())
OF_A_BODY: Final = (b"content-length", b"content-encoding", b"content-type")
FOR_EVER: Final = "public, max-age=31536000, immutable"
NOWHERE: Final = {"Cache-Control": "no-store"}  # what depends on who asks, or holds a secret
ASKED_AGAIN: Final = {"Cache-Control": "no-cache", "Vary": "Cookie"}  # kept, and asked for again with its ETag


@cache
def stamp(name: str) -> str:
    """A file's stamp, which changes with its content."""
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:10]


def static_url(name: str) -> str:
    """A static file's address, with its stamp, so that it can be kept for ever."""
    return f"/static/{name}?v={stamp(name)}"


def known_file(request: AnyRequest) -> None:
    """Only what we ship: the file system is never asked about a name that a client made up."""
    if _file(request.scope["path"]) is None:
        raise Refusal("not-found", "there is no such file")


def is_file(path: str) -> bool:
    """Tells the address of a file that is shipped."""
    return _file(path) is not None


def _file(path: str) -> str | None:
    name = path.removeprefix("/static/")
    return name if path.startswith("/static/") and name in FILES else None


async def for_ever(message: Message, scope: Scope) -> None:
    """A file may be kept for ever under its own stamp; under another or none it is asked for again."""
    if message["type"] != "http.response.start" or (name := _file(scope["path"])) is None:
        return
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("v")
    kept = message["status"] == 200 and asked == [stamp(name)]
    MutableScopeHeaders.from_message(message)["Cache-Control"] = FOR_EVER if kept else "no-cache"


def tagged(response: Response[str]) -> Response[str]:
    """A page that everybody is shown alike; the tag is weak, since the same page is sent compressed or not."""
    digest = hashlib.sha256(response.content.encode()).hexdigest()[:20]
    response.headers.update(ASKED_AGAIN)
    response.headers["ETag"] = f'W/"{digest}"'
    return response


def unchanged(app: ASGIApp) -> ASGIApp:
    """304 where the client has the page with this tag already."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        reads = scope["type"] == ScopeType.HTTP and scope["method"] in ("GET", "HEAD")
        known = Headers.from_scope(scope).get("if-none-match", "") if reads else ""
        if not known:
            await app(scope, receive, send)
            return
        tags = {each.strip().removeprefix("W/") for each in known.split(",")}
        same = False

        async def told(message: Message) -> None:
            nonlocal same
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(message)
                same = message["status"] == 200 and headers.get("etag", "").removeprefix("W/") in tags
                if same:
                    message["status"] = 304
                    headers.headers[:] = [each for each in headers.headers if each[0] not in OF_A_BODY]
            elif same and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        await app(scope, receive, told)

    return guarded
