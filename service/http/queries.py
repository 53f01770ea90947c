"""Query parameters: an address refuses those that it does not know, or what is ignored is believed to have worked."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final, TypeAlias

from litestar import Litestar, Request
from litestar.enums import ScopeType
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from domain.log.decider import Refusal

ANY: Final = "*"  # of a page whose parameters are the fields of a form that depends on the game
TRACKERS: Final = ("utm_*", "fbclid", "gclid", "msclkid", "mc_cid", "mc_eid")  # what other sites hang on links to pages
MOST: Final = 5
Known: TypeAlias = dict[tuple[str, str], frozenset[str]]


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


def only_known(app: ASGIApp) -> ASGIApp:
    """Refuse parameters that the address does not know, naming them."""

    async def check(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and scope["query_string"]:
            path, queries = scope["path_template"], scope["litestar_app"].state.queries
            refuse_strange(
                Request(scope).query_params, path.startswith("/api/"), queries.get((path, scope["method"]), frozenset())
            )
        await app(scope, receive, send)

    return check


def refuse_strange(given: Iterable[str], program: bool, known: frozenset[str]) -> None:
    """Raises Refusal for parameters that are not known; a program means each, a page's link may bear others' marks."""
    strange = [name for name in given if name not in known and (program or not _mark(name))]
    if strange and ANY not in known:
        taken = f"it takes {quoted(sorted(known))}" if known else "it takes none"
        named = [name[:40] for name in strange[:MOST]]
        raise Refusal(
            "malformed",
            f"{quoted(named)}: this address knows no such parameter, {taken}",
            errors=[(name, "no parameter of this address") for name in named],
        )


def _mark(name: str) -> bool:
    return any(fnmatchcase(name, each) for each in TRACKERS)


def quoted(names: Iterable[str]) -> str:
    """Names as a refusal quotes them."""
    return ", ".join(f"`{name}`" for name in names)
