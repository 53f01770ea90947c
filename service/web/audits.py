"""The audit of a match as a page for paper."""

from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath

from service.desk.auditing import audit_of
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of
from service.http.paper import paper, policy


@get("/matches/{match_id:uuid}/audit", include_in_schema=False, query=("as_of", "openings"))
async def audit_page(request: AnyRequest, match_id: FromPath[UUID]) -> Response[str]:
    """Shows what breaks a rule in the record, as far as the caller may know of it."""
    services, caller = services_of(request), await caller_of(request)
    asked = request.query_params
    sheet = await audit_of(services, caller, match_id, asked.get("as_of"), "openings" in asked)
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": policy()}
    return Response(paper([sheet]), media_type="text/html", headers=headers)
