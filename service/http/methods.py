"""Methods of an address: OPTIONS lists all of them, also where each has a handler of its own."""

from litestar.datastructures import MutableScopeHeaders
from litestar.routes import HTTPRoute
from litestar.types import Message, Scope


async def all_methods(message: Message, scope: Scope) -> None:
    """The Allow header of OPTIONS, of the whole route: Litestar keeps that of the handlers registered first."""
    if message["type"] == "http.response.start" and scope.get("method") == "OPTIONS" and message["status"] == 204:
        for route in scope["app"].routes:
            if isinstance(route, HTTPRoute) and route.path_format == scope["path_template"]:
                MutableScopeHeaders.from_message(message)["Allow"] = ", ".join(sorted(route.methods))
