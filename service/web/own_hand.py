"""A player's own hand on a shared device, after the PIN: one answer, which is kept nowhere."""

from uuid import UUID

from litestar import post
from litestar.params import FromPath

from domain.log.decider import Refusal
from service.desk.access import match_to_write
from service.desk.own_hand import own_hand
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of, check_origin, check_same
from service.web.forms import form_of, text_of
from service.web.render import page
from service.web.taps import refused


@post("/matches/{match_id:uuid}/my-hand", include_in_schema=False, status_code=200, opt=ONE_TIME_SECRET)
async def my_hand(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The hand of whoever typed a PIN; what is refused is said at the table."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    check_same(request, caller)
    await match_to_write(services, caller, match_id)  # a form that cannot be read is no news for a stranger
    form = await form_of(request)
    try:
        hand = await own_hand(services, caller, match_id, text_of(form, "person"), text_of(form, "pin"))
    except Refusal as refusal:
        return await refused(request, caller, match_id, refusal, form)
    return page("own_hand.html", caller, secret=True, match=str(match_id), hand=hand)
