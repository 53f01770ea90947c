"""The page of a club's tokens, for its secretary: made (and shown once), listed, revoked."""

from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.log.actor import SECRETARIES, Role
from domain.log.decider import Refusal
from service.desk.access import club_for, require
from service.desk.clubs import club_view
from service.desk.roles import scope_in
from service.desk.services import Services
from service.desk.showing import names_of
from service.desk.tokens import WantedToken, is_good, listed, make, revoke
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of, check_origin, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.store.tokens import ROLES
from service.web.forms import Form, form_of, line_of, text_of
from service.web.render import page
from service.web.roles import people_of, places_of, scope_of, uuid_of


async def _club(request: AnyRequest, club_id: UUID) -> tuple[Services, Caller, LoadedClub]:
    """A club for its secretary. Raises Refusal."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    return services, caller, club


@get("/clubs/{club_id:uuid}/tokens", include_in_schema=False)
async def tokens_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The tokens, and a form for a new one."""
    return await _page(*await _club(request, club_id))


async def _page(
    services: Services,
    caller: Caller,
    club: LoadedClub,
    form: Form | None = None,
    error: str = "",
    status: int = 200,
    secret: str = "",
) -> Response[str]:
    """The page: first, again with what was wrong, or with the secret of a token that was made."""
    cups, tables = await places_of(services, caller, club)
    rows = await listed(services.recorder, club)
    offered = [role for role in ROLES if role != "owner" or caller.owns]
    return page(
        "tokens.html",
        caller,
        status,
        bool(secret),
        club=club_view(club),
        error=error,
        form=form or {},
        token=secret,
        good=[row for row in rows if is_good(row, club)],
        ended=[row for row in rows if not is_good(row, club)],
        names=names_of(club),
        places={each.id: each.text for each in (*cups, *tables)},
        offered=offered,
        zone=club.state.settings.zone,
        people=people_of(club),
        cups=cups,
        tables=tables,
    )


@post("/clubs/{club_id:uuid}/tokens", include_in_schema=False, opt=ONE_TIME_SECRET)
async def make_token(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Makes a token, and shows it this once."""
    check_origin(request)
    services, caller, club = await _club(request, club_id)
    form = await form_of(request)
    try:
        wanted = _wanted(form)
        wanted = msgspec.structs.replace(wanted, scope=await scope_in(services.streams, club.club, wanted.scope))
        made = await make(services.recorder, club.club, wanted, await asked(request, caller), None)
    except Refusal as refusal:
        return await _page(services, caller, club, form, refusal.detail, KINDS[known_slug(refusal)].status)
    fresh = await services.recorder.club(club.club)
    return await _page(services, caller, fresh, secret=made.secret)


@post("/clubs/{club_id:uuid}/tokens/{token_id:uuid}/revoke", include_in_schema=False)
async def revoke_token(request: AnyRequest, club_id: FromPath[UUID], token_id: FromPath[UUID]) -> AnyResponse:
    """Ends a token."""
    check_origin(request)
    services, caller, club = await _club(request, club_id)
    await revoke(services.recorder, club.club, str(token_id), await asked(request, caller))
    return go(f"/clubs/{club.club}/tokens")


def _wanted(form: Form) -> WantedToken:
    """The token that the form asks for. Raises Refusal."""
    person = text_of(form, "person")
    role: Role | None = next((each for each in ROLES if each == text_of(form, "role")), None)
    if role is None:
        raise Refusal("malformed", "choose a role")
    return WantedToken(role, line_of(form, "name"), uuid_of(person) if person else None, scope_of(form))
