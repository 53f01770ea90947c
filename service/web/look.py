"""The house's style sheets as one: on a slow line each further file costs a way there and back."""

import hashlib
from functools import cache
from typing import Final

from litestar import Response, get

from service.http.caller import AnyRequest
from service.web.kept import FOR_EVER, STATIC

# in the order in which they rest on each other
SHEETS: Final = ("app", *(f"look/{each}" for each in ("parts", "cards", "table", "boards", "club", "hall", "print")))


@cache
def looks() -> str:
    """All of it."""
    return "".join((STATIC / f"{each}.css").read_text(encoding="utf-8") for each in SHEETS)


def look_url() -> str:
    """The address of the one sheet, with a stamp that changes with its content."""
    return f"/look.css?v={_stamp()}"


@cache
def _stamp() -> str:
    return hashlib.sha256(looks().encode()).hexdigest()[:10]


@get("/look.css", include_in_schema=False, media_type="text/css", query=("v",), sync_to_thread=False)
def look_sheet(request: AnyRequest) -> Response[str]:
    """The style sheet of every page; under its own stamp it may be kept for ever."""
    kept = FOR_EVER if request.query_params.get("v") == _stamp() else "no-cache"
    return Response(looks(), media_type="text/css", headers={"Cache-Control": kept})
