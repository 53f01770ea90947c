"""The page of pushes, for directors: what was recorded elsewhere and came, forks that are kept, people of one name."""

from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from service.desk import pushed_here
from service.desk.clubs import club_view
from service.desk.pushed_here import fork_file, pushes_of
from service.desk.pushing import pushed_to
from service.desk.services import Services
from service.desk.showing import names_of
from service.http.answers import AnyResponse, as_file
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of, check_origin, go
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.forms import form_of, text_of
from service.web.render import page


@get("/clubs/{club_id:uuid}/pushes", include_in_schema=False)
async def pushes_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """Shows what came, and what could not."""
    services, caller = services_of(request), await caller_of(request)
    return await _page(services, caller, await pushed_to(services, caller, club_id))


async def _page(
    services: Services, caller: Caller, club: LoadedClub, error: str = "", status: int = 200
) -> Response[str]:
    return page(
        "pushes.html",
        caller,
        status,
        club=club_view(club),
        error=error,
        shown=await pushes_of(services, club),
        names=names_of(club),
        merges=caller.administers(club.club),
        zone=club.state.settings.zone,
    )


@post("/clubs/{club_id:uuid}/pushes", include_in_schema=False)
async def throw_away(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Throws the file of a fork away."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await pushed_to(services, caller, club_id)
    try:
        fork = str(UUID(text_of(await form_of(request), "fork")))
    except ValueError:
        return await _page(services, caller, club, "this page has no such button: look at it again", 400)
    await pushed_here.throw_away(services, caller, club, fork)
    return go(f"/clubs/{club_id}/pushes")


@get("/clubs/{club_id:uuid}/forks/{fork_id:uuid}", include_in_schema=False)
async def fork_page(request: AnyRequest, club_id: FromPath[UUID], fork_id: FromPath[UUID]) -> AnyResponse:
    """The file of a fork, as it was pushed. Raises Refusal."""
    services, caller = services_of(request), await caller_of(request)
    club = await pushed_to(services, caller, club_id)
    data = await fork_file(services, caller, club, str(fork_id))
    return as_file(data, "application/json", f"fork-{fork_id}.json")
