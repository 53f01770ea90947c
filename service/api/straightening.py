"""Schemas that Litestar makes wrong, put straight: an answer that the service gives has to fit its own schema."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from litestar.openapi.spec import Reference, Schema
from litestar.openapi.spec.enums import OpenAPIType

AnySchema: TypeAlias = Schema | Reference | None


def straighten(schemas: Iterable[AnySchema]) -> None:
    """Put schemas straight, with all that are inside them."""
    for schema in schemas:
        if isinstance(schema, Schema):
            if schema.one_of:
                schema.one_of = list(_apart(schema.one_of))
            straighten(_inside(schema))


def _apart(choices: Iterable[Schema | Reference]) -> Iterator[Schema | Reference]:
    """Choices of which exactly one can fit: the `...` of a tuple is no choice, and a number may be a whole one."""
    given = list(choices)
    numbers = any(isinstance(each, Schema) and each.type == OpenAPIType.NUMBER for each in given)
    for each in given:
        whole = isinstance(each, Schema) and each.type == OpenAPIType.INTEGER
        if each != Schema() and not (numbers and whole):
            yield each


def _inside(schema: Schema) -> Iterator[AnySchema]:
    yield from (schema.properties or {}).values()
    yield from (*(schema.one_of or ()), *(schema.any_of or ()), *(schema.all_of or ()), *(schema.prefix_items or ()))
    for each in (schema.items, schema.additional_properties):
        if isinstance(each, Schema):
            yield each
