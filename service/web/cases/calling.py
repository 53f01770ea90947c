"""Calling the director from a table: a reason in two taps, and a case from a finding in one."""

from typing import Final
from uuid import UUID

import msgspec
from litestar import post
from litestar.params import FromPath

from domain.log.decider import Refusal
from service.desk.access import match_to_write
from service.desk.cases import calling
from service.desk.cases.access import case_for
from service.desk.cases.bodies import CallBody
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, check_same, go
from service.web.cases.reasons import REASONS
from service.web.cases.whatif import words_of
from service.web.forms import Form, form_of, number_of, text_of
from service.web.taps import refused
from service.web.words import unread

LONGEST: Final = 4000


@post("/matches/{match_id:uuid}/call", include_in_schema=False)
async def call(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The director is called; whoever may read the case is led to it, everybody else back to the table."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    check_same(request, caller)
    await match_to_write(services, caller, match_id)
    form = await form_of(request)
    try:
        loaded = await calling.call(services, caller, match_id, _body(form), await asked(request, caller))
    except Refusal as refusal:
        return await refused(request, caller, match_id, refusal, form)
    except (msgspec.MsgspecError, ValueError) as error:
        return await refused(request, caller, match_id, unread(error), form)
    try:
        await case_for(services, caller, UUID(loaded.stream))
    except Refusal:
        return go(f"/matches/{match_id}?called=1")
    return go(f"/cases/{loaded.stream}")


def _body(form: Form) -> CallBody:
    """The call that a form means. Raises Refusal."""
    chosen = text_of(form, "reason")
    said = next(((text, matter) for text, matter in REASONS if text == chosen), None)
    more = words_of(form, "words", LONGEST)
    if text_of(form, "matter") == "finding":
        at, code = number_of(form, "at"), text_of(form, "code") or None
        return CallBody(matter="finding", deal=number_of(form, "deal"), at=[at] if at else [], code=code)
    if text_of(form, "matter") == "slow":
        return CallBody(matter="slow", deal=number_of(form, "deal"), code="SLO", reason=more or None)
    if said is None:
        raise Refusal("malformed", "choose why the director is called")
    text, matter = said
    words = f"{text}: {more}" if more else f"{text}."
    return msgspec.convert({"matter": matter, "reason": words}, CallBody)
