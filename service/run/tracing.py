"""Traces for who looks for what is slow: each request by its route, and each statement in it by its name.

No text of a statement, no parameter, no query and no path leaves the service. Where traces go is said by the variables
of OpenTelemetry itself (OTEL_EXPORTER_OTLP_ENDPOINT and the like); who calls says nothing about them.
"""

from importlib.util import find_spec
from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service import VERSION
from service.run.settings import SettingsError
from service.store.traced import tracer

MISSING: Final = (
    "LURCH_TRACES needs OpenTelemetry, which is not installed: pip install --no-deps -r "
    "deploy/requirements-traces.lock in a checkout, by the pip of the Python that runs Lurch"
)
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
