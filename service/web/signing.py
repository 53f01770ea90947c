"""Signatures on the table's page: a side's consent that a director who belongs to it decides, and names put right."""

from uuid import UUID

from litestar import post
from litestar.params import FromPath

from domain.log.decider import Refusal
from domain.match import commands as c
from service.desk.access import match_to_write
from service.desk.table_names import right_names
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, check_same, go
from service.web.forms import form_of, number_of, text_of
from service.web.recording import write
from service.web.taps import refused


@post("/matches/{match_id:uuid}/consents", include_in_schema=False)
async def agree(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """A side agrees that somebody who belongs to the table directs there once, on the own phone or by PIN."""
    return await write(
        request,
        match_id,
        lambda form: c.AgreeOwnTable(ruler=text_of(form, "ruler"), deal=number_of(form, "deal")),
    )


@post("/matches/{match_id:uuid}/names", include_in_schema=False)
async def names(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """A wrong name was tapped behind the table's code."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    check_same(request, caller)
    await match_to_write(services, caller, match_id)
    form = await form_of(request)
    try:
        await right_names(services, caller, match_id, text_of(form, "player"), await asked(request, caller))
    except Refusal as refusal:
        return await refused(request, caller, match_id, refusal, form)
    return go(f"/matches/{match_id}")
