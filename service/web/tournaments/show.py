"""For the projector of a tournament: one address that turns over by itself."""

from uuid import UUID

from litestar import Response, get
from litestar.params import FromPath

from projections.tournaments.view import rounds_on
from service.desk.coming_in import sign_in_of
from service.desk.who_is_in import TableView, tables_of_tournament
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of
from service.languages.spoken import translate
from service.store.callers import Caller, onlooker_of
from service.store.seats import on_wall
from service.web.doors.scanning import only_here, scanned_at, typed_at
from service.web.numbers import number_in
from service.web.qr import picture
from service.web.slides import SECONDS, Slide, code_slides, slides_of
from service.web.tournaments.frame import Frame, clock_of, frame_for, shown


@get("/tournaments/{tournament_id:uuid}/show", include_in_schema=False, query=("slide",), opt=ONE_TIME_SECRET)
async def show_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The next page for the room: what anybody may see, whoever has signed in on this device."""
    services, caller = services_of(request), await caller_of(request)
    frame = await frame_for(services, caller, tournament_id)
    frame = await frame_for(services, onlooker_of(caller, frame.loaded.club), tournament_id)
    tables = await coded(frame, caller)
    slides = [*code_slides(tables), *slides_of(frame)] or [Slide("nothing", translate("Not begun yet"))]
    at = (number_in(request, "slide", 10_000) or 1) - 1
    at %= len(slides)
    round_ = slides[at].round or next(reversed(rounds_on(frame.view)), None)
    until = None if frame.state.finished else await clock_of(frame, round_)
    following = (at + 1) % len(slides) + 1
    links = {each.match: scanned_at(request, each.secret) for each in tables or ()}
    return shown(
        frame,
        "show",
        "show",
        slide=slides[at],
        at=at + 1,
        of=len(slides),
        next=following,
        seconds=SECONDS,
        until=until,
        coded=tables is not None,
        switches=caller.directs(frame.loaded.club, frame.loaded.stream),
        qr={match: picture(link) for match, link in links.items() if link is not None},
        typed_at=typed_at(request),
        only_here=only_here(request),
    )


async def coded(frame: Frame, caller: Caller) -> list[TableView] | None:
    """The tables whose codes this wall shows; None unless a director has switched them on for this device."""
    own, services = sign_in_of(caller), frame.services
    if own is None or not caller.directs(frame.loaded.club, frame.loaded.stream) or frame.state.finished:
        return None
    if not await on_wall(services.pool, own, frame.loaded.stream, services.tables.now()):
        return None
    return await tables_of_tournament(services, frame.club, frame.loaded)
