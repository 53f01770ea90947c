"""Counters for /metrics: requests by route, method and status, and how long they took."""

import time
from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send
from prometheus_client import Counter, Histogram

REQUESTS: Final = Counter("lurch_requests_total", "Requests answered", ["method", "route", "status"])
SECONDS: Final = Histogram("lurch_request_seconds", "Time to the first byte of an answer", ["route"])
GONE: Final = "499"


def counted(app: ASGIApp) -> ASGIApp:
    """Count each answer; the route is its template, so that ids make no new series."""

    async def measure(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        begun = time.perf_counter()
        gone = False

        async def heard() -> ReceiveMessage:
            nonlocal gone
            message = await receive()
            gone = gone or message["type"] == "http.disconnect"
            return message

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = scope.get("path_template", "")
                SECONDS.labels(route).observe(time.perf_counter() - begun)
                status = GONE if gone else str(message["status"])  # nobody hears an answer to one who has left
                REQUESTS.labels(scope["method"], route, status).inc()
            await send(message)

        await app(scope, heard, told)

    return measure
