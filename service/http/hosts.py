"""Names of hosts: requests for any other name are refused (DNS rebinding)."""

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final

from litestar.types import ASGIApp, Receive, Scope, Send

from domain.log.decider import Refusal

KNOWN: Final = 256  # names that were judged and are remembered
_PORT: Final = re.compile(r"(?<=\]):[0-9]*\Z|\A([^:]*):[0-9]*\Z")


def _plain(name: str) -> str:
    """A name without its port and brackets: a request and a setting may write both."""
    return _PORT.sub(r"\1", name.strip().lower()).strip("[]")


def only_hosts(names: str | None) -> Callable[[ASGIApp], ASGIApp]:
    """Refuse requests for any other host name (DNS rebinding), whatever the port; Litestar's own check compares the
    port as well. `names` are ours, with commas between them, `*.` before one."""
    allowed = [_plain(name) for name in (names or "*").split(",")]

    @lru_cache(KNOWN)
    def ours(host: bytes) -> bool:
        name = _plain(host.decode("latin-1"))
        return any(fnmatchcase(name, each) for each in allowed)

    def guarded(app: ASGIApp) -> ASGIApp:
        async def check(scope: Scope, receive: Receive, send: Send) -> None:
            if not ours(next((value for name, value in scope["headers"] if name == b"host"), b"")):
                raise Refusal("malformed", "this service does not answer to that name: see LURCH_ALLOWED_HOSTS")
            await app(scope, receive, send)

        return check

    return guarded
