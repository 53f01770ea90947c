"""The page of the people who are close, for directors: neither of two rules on a match of the other."""

from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from domain.club.commands import EndFriends
from domain.log.decider import Refusal
from service.desk.clubs import club_view
from service.desk.requests import Request
from service.desk.roles import declare, end_friends, friends_seen, would_take
from service.desk.services import Services
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.store.callers import Caller
from service.web.forms import Form, form_of, number_of
from service.web.render import page
from service.web.roles import people_of, person_in


@get("/clubs/{club_id:uuid}/friends", include_in_schema=False)
async def friends_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """Shows who is close to whom."""
    return await _page(services_of(request), await caller_of(request), club_id)


async def _page(
    services: Services, caller: Caller, club_id: UUID, form: Form | None = None, error: str = "", status: int = 200
) -> Response[str]:
    """The page, first or again with what was wrong."""
    club, rows = await friends_seen(services, caller, club_id)
    return page(
        "friends.html",
        caller,
        status,
        club=club_view(club),
        error=error,
        form=form or {},
        pairs=[(row, would_take(caller, club, EndFriends(row.version))) for row in rows],
        people=people_of(club),
    )


@post("/clubs/{club_id:uuid}/friends", include_in_schema=False)
async def declare_friends(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Declares two people close."""
    services, caller, form, wanted = await _asked(request, club_id)
    try:
        one, other = person_in(form, "one"), person_in(form, "other")
        await declare(services, caller, club_id, one, other, wanted)
    except Refusal as refusal:
        return await _page(services, caller, club_id, form, refusal.detail, KINDS[known_slug(refusal)].status)
    return go(f"/clubs/{club_id}/friends")


@post("/clubs/{club_id:uuid}/friends/end", include_in_schema=False)
async def end_declared(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Takes a declaration back."""
    services, caller, form, wanted = await _asked(request, club_id)
    try:
        await end_friends(services, caller, club_id, number_of(form, "version") or 0, wanted)
    except Refusal as refusal:
        return await _page(services, caller, club_id, form, refusal.detail, KINDS[known_slug(refusal)].status)
    return go(f"/clubs/{club_id}/friends")


async def _asked(request: AnyRequest, club_id: UUID) -> tuple[Services, Caller, Form, Request]:
    """A form of somebody who may see the page. Raises Refusal."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    await friends_seen(services, caller, club_id)
    return services, caller, await form_of(request), await asked(request, caller)
