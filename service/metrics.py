"""Counters for /metrics: requests by route, method and status, and how long they took."""

import time
from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import Counter, Gauge, Histogram

REQUESTS: Final = Counter("lurch_requests_total", "Requests answered", ["method", "route", "status"])
SECONDS: Final = Histogram("lurch_request_seconds", "Time to the first byte of an answer", ["route"])
STREAMS: Final = Gauge("lurch_event_streams", "Open event streams")


def counted(app: ASGIApp) -> ASGIApp:
    """Count each answer; the route is its template, so that ids make no new series."""

    async def measure(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        begun = time.perf_counter()

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = scope.get("path_template", "")
                SECONDS.labels(route).observe(time.perf_counter() - begun)
                REQUESTS.labels(scope["method"], route, str(message["status"])).inc()
            await send(message)

        await app(scope, receive, told)

    return measure
