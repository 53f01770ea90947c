"""Statements under their names, for traces: the module of this room, with the constant or function of a statement."""

import importlib
import pkgutil
import sys
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, Self

import psycopg
from psycopg.rows import TupleRow

from service import VERSION, store

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

STORE: Final = f"{store.__name__}."


def tracer() -> "Tracer":
    """The tracer of the provider that was begun."""
    from opentelemetry.trace import get_tracer  # noqa: PLC0415  # an extra

    return get_tracer("lurch", VERSION)


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
