"""Problems as pages: a browser is told in a page what a program is told in JSON."""

from collections.abc import Callable
from typing import Any, Final

from litestar import Request, Response

from service.auth import NOBODY
from service.problems import HANDLERS as AS_JSON
from service.web.render import page, plain

Handler = Callable[[Request[Any, Any, Any], Any], Response[Any]]


def wants_page(request: Request[Any, Any, Any]) -> bool:
    """Whether a person is looking: a page's address, and a browser that asks for HTML."""
    asked = request.headers.get("accept", "")
    return "text/html" in asked and not request.url.path.startswith("/api/")


def for_people(handler: Handler) -> Handler:
    """The same answer, as a page where a person is looking."""

    def handle(request: Request[Any, Any, Any], error: Any) -> Response[Any]:
        found = handler(request, error)
        if not wants_page(request):
            return found
        shown = page("error.html", NOBODY, found.status_code or 500, problem=plain(found.content))
        shown.headers.update({name: value for name, value in found.headers.items() if name != "content-type"})
        return shown

    return handle


HANDLERS: Final[dict[Any, Handler]] = {kind: for_people(handler) for kind, handler in AS_JSON.items()}
