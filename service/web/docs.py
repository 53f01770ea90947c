"""The page of the API, its script and style served by ourselves, nothing inline."""

import asyncio
from collections.abc import Callable

from litestar import Litestar, Router
from litestar.openapi.plugins import OpenAPIRenderPlugin

from domain.log.decider import Refusal
from domain.log.event import JsonObject
from service.http.caller import AnyRequest
from service.web.render import TEMPLATES


class SwaggerPage(OpenAPIRenderPlugin):
    """The docs page, its script and style served by ourselves, nothing inline."""

    def __init__(self) -> None:
        super().__init__(path="/")

    def render(self, request: AnyRequest, openapi_schema: JsonObject) -> bytes:
        """The page."""
        page: str = TEMPLATES.get_template("docs.html").render()
        return page.encode()


def docs_router(document: Callable[[Litestar], None]) -> Router:
    """The address of the docs; Litestar has a page of its own for missing ones, and we have problems. `document` writes
    the document: when it is first asked for, in a thread. It takes a third of a second, and no start waits for it."""
    writing: asyncio.Task[None] | None = None

    async def known(request: AnyRequest) -> None:
        nonlocal writing
        if "path" in request.path_params:
            raise Refusal("not-found", "there is nothing at this address: the API's pages are at /docs")
        if writing is None or (writing.done() and (writing.cancelled() or writing.exception())):
            writing = asyncio.create_task(asyncio.to_thread(document, request.app))
        await asyncio.shield(writing)

    return Router("/docs", route_handlers=[], include_in_schema=False, before_request=known)
