"""Pages for the frame of another site: a live table and a bracket, as anybody may see them. They read no cookie, run no
script, and alone may be framed."""

from typing import Any, Final
from uuid import UUID

from litestar import MediaType, Response, get
from litestar.params import FromPath
from msgspec.structs import asdict

from domain.log.decider import Refusal
from domain.match.state import Match
from projections.tournaments.bracket import WIDTH, bracket_view
from service.desk.access import match_for
from service.desk.showing import moment_shown
from service.http.caller import AnyRequest, services_of
from service.store.callers import NOBODY
from service.web.labels import bracket_labelled
from service.web.matches import table_values
from service.web.render import TEMPLATES
from service.web.tournaments.frame import frame_for

SECONDS: Final = 10  # after which the frame asks again, for it runs no script that would hear of news
FRAMED: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors *",
    "Cache-Control": "no-cache",
}


def framed(name: str, **values: Any) -> Response[str]:
    """A page that any site may put into a frame."""
    text = TEMPLATES.get_template(name).render(caller=NOBODY, seconds=SECONDS, **values)
    return Response(text, media_type=MediaType.HTML, headers=FRAMED)


@get("/embed/matches/{match_id:uuid}", include_in_schema=False, query=("language",))
async def framed_table(request: AnyRequest, match_id: FromPath[UUID]) -> Response[str]:
    """A table as anybody may see it now. Raises Refusal, also for one of a club that not everybody may read."""
    services = services_of(request)
    loaded, club = await match_for(services, NOBODY, match_id)
    assert isinstance(loaded.state, Match)
    values = table_values(NOBODY, loaded, club, moment=await moment_shown(services, NOBODY, loaded))
    return framed("embed/table.html", **asdict(values))


@get("/embed/tournaments/{tournament_id:uuid}/bracket", include_in_schema=False, query=("language",))
async def framed_bracket(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The bracket of the stage that is on. Raises Refusal, also where there is none."""
    frame = await frame_for(services_of(request), NOBODY, tournament_id)
    at = frame.state.at
    found = bracket_labelled(bracket_view(frame.state, at, frame.names, frame.beside)) if at >= 0 else None
    if found is None:
        raise Refusal("not-found", "this stage has no bracket: see its standings and crosstable")
    crop = f"0 0 {found.width} {found.height}"
    return framed("embed/bracket.html", t=frame.view, bracket=found, crop=crop, width=WIDTH, me=None)
