"""Links of the OpenAPI document: from an answer that names something to every operation whose address needs it.

A handler says beside itself which parameters its answer holds, and where; the links follow from the addresses.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from litestar import Litestar
from litestar.openapi.spec import Link, OpenAPI, OpenAPIResponse, Operation, Parameter, Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.routes import HTTPRoute

Given: TypeAlias = Mapping[str, str]
GIVES: Final = "gives"
FIRST: Final = "/items/0/id"  # of a page: the row that is named first
METHODS: Final = ("get", "post", "put", "delete")


def gives(**given: str) -> dict[str, Given]:
    """The `opt` of a handler whose answer holds parameters of other addresses: a JSON pointer for each."""
    return {GIVES: given}


def parameters_of(path: str) -> frozenset[str]:
    """The parameters of an address."""
    return frozenset(re.findall(r"{(\w+)", path))


def words_of(operation: Operation) -> frozenset[str]:
    """Parameters of an address that no answer has to name: whoever asks chooses a word, such as that of a view."""
    return frozenset(
        str(each.name)
        for each in operation.parameters or ()
        if isinstance(each, Parameter) and isinstance(each.schema, Schema) and each.schema.type == OpenAPIType.STRING
        if not each.schema.format
    )


def operations_of(document: OpenAPI) -> Iterator[tuple[str, str, Operation]]:
    """Path, method and operation of everything that the document has."""
    for path, item in (document.paths or {}).items():
        for method in METHODS:
            operation: Operation | None = getattr(item, method)
            if operation is not None:
                yield path, method, operation


def link(app: Litestar, document: OpenAPI) -> None:
    """Write the links of every answer whose handler says what it gives."""
    said = {
        handler.operation_id: given
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler, _ in route.route_handler_map.values()
        if (given := handler.opt.get(GIVES))
    }
    everything = [(path, operation) for path, _, operation in operations_of(document)]
    for path, operation in everything:
        given = said.get(operation.operation_id)
        if given:
            for status, response in (operation.responses or {}).items():
                if status.startswith("2") and isinstance(response, OpenAPIResponse):
                    response.links = dict(_links(given, parameters_of(path), everything))


def _links(given: Given, asked: frozenset[str], everything: list[tuple[str, Operation]]) -> Iterator[tuple[str, Link]]:
    """A link for each operation that needs something of what is given, and nothing that neither answer nor request
    names."""
    for path, operation in everything:
        needed = parameters_of(path) - words_of(operation)
        if needed & given.keys() and needed <= given.keys() | asked:
            name = str(operation.operation_id)
            taken = {each: _expression(each, given) for each in sorted(needed)}
            yield name, Link(operation_id=name, parameters=taken)


def _expression(parameter: str, given: Given) -> str:
    """The place of a parameter's value: in the answer, or in the address that was asked."""
    return f"$response.body#{given[parameter]}" if parameter in given else f"$request.path.{parameter}"
