"""Traces for who looks for what is slow: each request by its route, and each statement in it by its name.

A name is a module of `service/store` with the constant or function of a statement. No text of a statement, no
parameter, no query and no path leaves the service. Where traces go is said by the variables of OpenTelemetry itself
(OTEL_EXPORTER_OTLP_ENDPOINT and the like); who calls says nothing about them.
"""

import importlib
import pkgutil
import sys
from functools import cache
from importlib.util import find_spec
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, Self

import psycopg
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from psycopg.rows import TupleRow

from service import VERSION, store
from service.run.settings import SettingsError

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

MISSING: Final = (
    "LURCH_TRACES needs OpenTelemetry, which is not installed: pip install 'lurch[traces]', "
    "or in a checkout pip install -r deploy/requirements-traces.lock"
)
STORE: Final = f"{store.__name__}."
ERRORS: Final = 500


def begin() -> None:
    """Send traces from now on. Raises SettingsError where OpenTelemetry is not installed."""
    check()
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415  # an extra
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415  # an extra
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415  # an extra
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415  # an extra
    from opentelemetry.trace import set_tracer_provider  # noqa: PLC0415  # an extra

    provider = TracerProvider(resource=Resource.create({"service.name": "lurch", "service.version": VERSION}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    set_tracer_provider(provider)


def check() -> None:
    """Raises SettingsError where OpenTelemetry is not installed."""
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.exporter") is None:
        raise SettingsError(MISSING)


def tracer() -> "Tracer":
    """The tracer of the provider that was begun."""
    from opentelemetry.trace import get_tracer  # noqa: PLC0415  # an extra

    return get_tracer("lurch", VERSION)


def traced(app: ASGIApp) -> ASGIApp:
    """The application with a span for each request; a caller's own trace is not gone on with, for anybody may call."""
    from opentelemetry.context import Context  # noqa: PLC0415  # an extra
    from opentelemetry.trace import SpanKind, StatusCode  # noqa: PLC0415  # an extra

    spans = tracer()

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        # what is told of an error may be what somebody typed
        with spans.start_as_current_span(
            scope["method"], Context(), SpanKind.SERVER, record_exception=False, set_status_on_exception=False
        ) as span:

            async def told(message: Message) -> None:
                if message["type"] == "http.response.start":
                    route = scope.get("path_template", "")
                    span.update_name(f"{scope['method']} {route}")
                    span.set_attribute("http.request.method", scope["method"])
                    span.set_attribute("http.route", route)
                    span.set_attribute("http.response.status_code", message["status"])
                    if message["status"] >= ERRORS:
                        span.set_status(StatusCode.ERROR)
                await send(message)

            await app(scope, receive, told)

    return call


class TracedCursor(psycopg.AsyncCursor[TupleRow]):
    """A cursor with a span for each statement of a request that is traced."""

    async def execute(self, query: Any, *more: Any, **named: Any) -> Self:
        """The same, timed under the statement's name."""
        from opentelemetry.trace import get_current_span  # noqa: PLC0415  # an extra

        if not get_current_span().is_recording():
            return await super().execute(query, *more, **named)
        name = names().get(query) if isinstance(query, str) else None
        with tracer().start_as_current_span(
            name or _asker(sys._getframe(1)), record_exception=False, set_status_on_exception=False
        ) as span:
            span.set_attribute("db.system.name", "postgresql")
            return await super().execute(query, *more, **named)


@cache
def names() -> dict[str, str]:
    """The names of the statements that are constants, by their texts."""
    found: dict[str, str] = {}
    for each in pkgutil.iter_modules(store.__path__):
        for name, value in vars(importlib.import_module(f"{STORE}{each.name}")).items():
            if isinstance(value, str) and name.lstrip("_").isupper():
                found.setdefault(value, f"{each.name}.{name.lstrip('_').lower()}")
    return found


def _asker(frame: FrameType | None) -> str:
    """The function of the store that asks; a statement of psycopg itself has none."""
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(STORE):
            return f"{module.removeprefix(STORE)}.{frame.f_code.co_name.lstrip('_')}"
        frame = frame.f_back
    return "statement"
