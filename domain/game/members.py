"""Members of facts and options: the values that each can have, where they can be listed."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import inspect


def values(
    found: Any, most: int | None = None, also: Callable[[Any], Iterator[Any]] = lambda _: iter(())
) -> Iterator[Any]:
    """The values of a choice, a truth, a range (at `most` so many from its lowest) or of nothing; `also` lists those of
    other types."""
    match found:
        case inspect.Metadata(type=inner):
            yield from values(inner, most, also)
        case inspect.LiteralType(values=listed):
            yield from listed
        case inspect.BoolType():
            yield from (True, False)
        case inspect.NoneType():
            yield None
        case inspect.IntType(ge=low, le=high) if low is not None and high is not None:
            yield from range(low, high + 1 if most is None else min(high + 1, low + most))
        case inspect.UnionType(types=types):
            for each in types:
                yield from values(each, most, also)
        case _:
            yield from also(found)
