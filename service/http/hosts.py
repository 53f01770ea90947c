"""Names of hosts: requests for any other name are refused (DNS rebinding)."""

import re
from collections.abc import Callable
from fnmatch import fnmatchcase

from litestar.datastructures import Headers
from litestar.types import ASGIApp, Receive, Scope, Send

from domain.log.decider import Refusal


def only_hosts(names: str | None) -> Callable[[ASGIApp], ASGIApp]:
    """Refuse requests for any other host name (DNS rebinding), whatever the port; Litestar's own check compares the
    port as well. `names` are ours, with commas between them, `*.` before one."""
    allowed = [name.strip().lower() for name in (names or "*").split(",")]

    def guarded(app: ASGIApp) -> ASGIApp:
        async def check(scope: Scope, receive: Receive, send: Send) -> None:
            host = Headers.from_scope(scope).get("host", "").lower()
            name = re.sub(r":[0-9]*\Z", "", host).strip("[]")
            if not any(fnmatchcase(name, each) for each in allowed):
                raise Refusal("malformed", "this service does not answer to that name: see LURCH_ALLOWED_HOSTS")
            await app(scope, receive, send)

        return check

    return guarded
