"""The file of a case, for whoever may see it."""

from uuid import UUID

from litestar import MediaType, Response, get
from litestar.params import FromPath

from service.desk.cases.access import case_for
from service.desk.cases.filing import case_file as made
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of


@get("/cases/{case_id:uuid}/file", include_in_schema=False)
async def case_file(request: AnyRequest, case_id: FromPath[UUID]) -> Response[bytes]:
    """The case as whoever asks may see it now, sealed with that."""
    services, caller = services_of(request), await caller_of(request)
    seen = await case_for(services, caller, case_id)
    told = await made(services.streams, seen, services.recorder.clock())
    name = f'attachment; filename="case-{str(case_id)[:8]}.json"'
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return Response(told, media_type=MediaType.JSON, headers=headers)
