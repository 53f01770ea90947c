"""Query parameters: an address refuses those that it does not know, or what is ignored is believed to have worked."""

from fnmatch import fnmatchcase
from typing import Any, Final

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.routes import HTTPRoute

from domain.decider import Refusal

ANY: Final = "*"  # of a page whose parameters are the fields of a form that depends on the game
TRACKERS: Final = ("utm_*", "fbclid", "gclid", "msclkid", "mc_cid", "mc_eid")  # what other sites hang on links to pages
MOST: Final = 5
Known = dict[tuple[str, str], frozenset[str]]


def known_queries(app: Litestar) -> Known:
    """By path and method the parameters of each route: those of the handler's signature, and those that a page reads by
    itself and names as `query`."""
    return {
        (route.path_format, method): frozenset(
            (*(each.field_alias for each in model.expected_query_params), *handler.opt.get("query", ()))
        )
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, model) in route.route_handler_map.items()
    }


def only_known(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse parameters that the address does not know, naming them. Raises Refusal."""
    if not connection.scope["query_string"]:
        return
    queries: Known = connection.app.state.queries
    path: str = connection.scope["path_template"]
    known = queries.get((path, connection.scope.get("method", "GET")), frozenset())
    ignored = () if path.startswith("/api/") else TRACKERS
    strange = [name for name in connection.query_params if name not in known and not _any(name, ignored)]
    if strange and ANY not in known:
        taken = f"it takes {listed(sorted(known))}" if known else "it takes none"
        named = listed([each[:40] for each in strange[:MOST]])
        raise Refusal(
            "malformed", f"{named}: this address knows no such parameter, {taken}",
            errors=[(each[:40], "no parameter of this address") for each in strange[:MOST]],
        )  # fmt: skip


def _any(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def listed(names: list[str]) -> str:
    """Names as they are quoted: `a`, `b`."""
    return ", ".join(f"`{name}`" for name in names)
