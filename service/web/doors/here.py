"""Seats at one table: for those who are in, for its players and for the director; and the phone that waits."""

from uuid import UUID

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from markupsafe import Markup
from msgspec.structs import asdict

from domain.log.decider import Refusal
from service.desk.access import at_table, belongs, check_known, match_for
from service.desk.clubs import club_view
from service.desk.coming_in import answer, change_code, come_in, may_answer, sign_in_of, throw_out, visited
from service.desk.services import Services
from service.desk.showing import names_of
from service.desk.sight import ClubSight
from service.desk.tables import is_over
from service.desk.who_is_in import GONE, TableView, named_sides, place_of, tables_of
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of, check_origin, go
from service.languages.spoken import N_, translate
from service.store import log
from service.store import seats as rows
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedMatch
from service.web.doors.scanning import only_here, scanned_at, typed_at
from service.web.forms import form_of, text_of
from service.web.kept import NOWHERE
from service.web.matches import table_values
from service.web.moments import Teller
from service.web.qr import picture
from service.web.render import TEMPLATES, page, plain

ENDED = {
    "replaced": N_("Another phone has this place now."),
    "moved": N_("This phone has another place at the table now."),
    "thrown out": N_("The director has ended this phone’s place at the table."),
    "code changed": N_("The table has a new code: scan it again."),
    "over": N_("The match is over, or nothing was recorded for two hours."),
}


class ShownSeats(msgspec.Struct, frozen=True):
    """A table as its page has it: who is in, which questions the caller may answer, and the code for those who are in
    or direct."""

    table: TableView | None
    match: str
    may: set[str]
    directs: bool
    coded: bool
    qr: Markup | None
    typed_at: str
    only_here: bool


class EndedSeat(msgspec.Struct, frozen=True):
    """The reason that a device is not in any more, and the name that it had."""

    why: str
    was: str | None


async def _seen(services: Services, caller: Caller, match: UUID) -> tuple[LoadedMatch, LoadedClub]:
    """A match for whoever is in at its table, plays there or directs. Raises Refusal."""
    loaded, club = await match_for(services, caller, match)
    if not belongs(caller, loaded):
        check_known(caller)
        raise Refusal("forbidden", "this is for those who are in at the table, its players and the director")
    return loaded, club


async def _values(request: AnyRequest, caller: Caller, loaded: LoadedMatch, club: LoadedClub) -> ShownSeats:
    """Gathers what is shown of a table: who is in, who asks, and for those who are in or direct the code."""
    services = services_of(request)
    own = sign_in_of(caller)
    if own is not None:
        await rows.heard(services.pool, own, loaded.stream, services.tables.now())
    if is_over(loaded.match):
        await services.tables.close(loaded)
    found = await tables_of(services, club, [loaded.stream])
    asks = await rows.asking(services.pool, [loaded.stream], services.tables.now())
    may = {each.id for each in asks if may_answer(caller, loaded, each)}
    directs = caller.directs(loaded.club, loaded.match.setup.tournament)
    shown = found[0] if found else None
    coded = shown is not None and (directs or at_table(caller, loaded.stream))
    scanned = scanned_at(request, shown.secret) if shown is not None and coded else None
    return ShownSeats(
        table=shown,
        match=loaded.stream,
        may=may,
        directs=directs,
        coded=coded,
        qr=None if scanned is None else picture(scanned),
        typed_at=typed_at(request),
        only_here=only_here(request),
    )


@get("/matches/{match_id:uuid}/seats", include_in_schema=False, opt=ONE_TIME_SECRET)
async def seats_page(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """Shows who is in at this table."""
    services, caller = services_of(request), await caller_of(request)
    ended = await _ended(services, caller, match_id)
    if ended is not None:
        return page("doors/ended.html", caller, 403, **asdict(ended))
    loaded, club = await _seen(services, caller, match_id)
    values = await _values(request, caller, loaded, club)
    place, sides = await place_of(services, club, loaded), named_sides(loaded, names_of(club))
    return page("doors/seats.html", caller, club=club_view(club), place=place, sides=sides, **asdict(values))


@get("/matches/{match_id:uuid}/seats/now", include_in_schema=False, opt=ONE_TIME_SECRET)
async def seats_now(request: AnyRequest, match_id: FromPath[UUID]) -> Response[str]:
    """The same as a part of the match's page, which asks again every few seconds: so a phone is heard."""
    services, caller = services_of(request), await caller_of(request)
    ended = await _ended(services, caller, match_id)
    if ended is not None:
        text, status = TEMPLATES.get_template("doors/_ended.html").render(**asdict(ended)), 403
    else:
        loaded, club = await _seen(services, caller, match_id)
        values = await _values(request, caller, loaded, club)
        text, status = TEMPLATES.get_template("doors/_seats.html").render(caller=caller, **asdict(values)), 200
    return Response(text, status_code=status, media_type=MediaType.HTML, headers={**NOWHERE, "X-Table": "1"})


async def _ended(services: Services, caller: Caller, match: UUID) -> EndedSeat | None:
    """The reason that a device is not in any more; None for one that is in, or never was."""
    own = sign_in_of(caller)
    found = (
        None if own is None or at_table(caller, str(match)) else await rows.why_ended(services.pool, own, str(match))
    )
    if found is None:
        return None
    loaded = await services.streams.match(str(match))
    if loaded is None or caller.directs(loaded.club, loaded.match.setup.tournament):
        return None
    name = None if found[0] is None else names_of(await services.recorder.club(loaded.club)).get(found[0]) or GONE
    return EndedSeat(translate(ENDED[found[1]]), name)


@get("/matches/{match_id:uuid}/last", include_in_schema=False)
async def last_page(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The last thing that was recorded, for a phone that has just come in: is that right?"""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match_id)
    stored = await log.read_stream(services.pool, loaded.club, loaded.stream, loaded.head.version - 1)
    view = plain(await ClubSight(services, caller, loaded.club).view(stored[-1]))
    values = table_values(caller, loaded, club)
    said = Teller(loaded.match, values.match.sides, values.people, [view]).say(view)
    return page("doors/last.html", caller, last=said, match=values.match, club=club_view(club))


@get("/matches/{match_id:uuid}/waiting", include_in_schema=False)
async def waiting_page(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """A phone that tapped a name which another one has: it is in as soon as somebody agrees, or the other one is not
    heard any more."""
    services, caller = services_of(request), await caller_of(request)
    own, match = sign_in_of(caller), str(match_id)
    if own is None:
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    at = services.tables.now()
    asks = [each for each in await rows.asking(services.pool, [match], at) if each.hash == own]
    if not asks:
        if at_table(caller, match):
            return go(f"/matches/{match}/last")
        return page("doors/not_let_in.html", caller, 403, error="")
    visit = await visited(services, await services.tables.door_of(match))
    holder = await come_in(services, visit, caller, asks[0].player, None)
    if holder is None:
        return go(f"/matches/{match}/last")
    name = names_of(visit.club).get(asks[0].player) or GONE
    ago = int((at - holder.heard).total_seconds())
    minutes = int((at - holder.since).total_seconds()) // 60
    waits = page("doors/waiting.html", caller, called_name=name, ago=ago, minutes=minutes, match=match)
    waits.headers["Refresh"] = "3"
    return waits


@post("/matches/{match_id:uuid}/seats", include_in_schema=False)
async def act(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """Let a phone in or not; the director throws one out, or gives the table a new code."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    loaded, _ = await _seen(services, caller, match_id)
    form = await form_of(request)
    match text_of(form, "do"):
        case "let-in" | "refuse" as said:
            await answer(services, caller, loaded, text_of(form, "ask"), said == "let-in")
        case "throw-out":
            await throw_out(services, caller, loaded, text_of(form, "seat"))
        case "change":
            await change_code(services, caller, loaded)
        case _:
            raise Refusal("malformed", "there is nothing of that name to be done at a table: load the page anew")
    if await _ended(services, await caller_of(request), match_id) is not None:
        return go(f"/matches/{match_id}/seats")  # it let another phone in, in its own place
    return go(_back(text_of(form, "back"), loaded))


def _back(where: str, loaded: LoadedMatch) -> str:
    """The page that a form was sent from."""
    tournament = loaded.match.setup.tournament
    pages = {"match": f"/matches/{loaded.stream}", "club": f"/clubs/{loaded.club}/doors"}
    if tournament is not None:
        pages["tournament"] = f"/tournaments/{tournament}/doors"
    return pages.get(where, f"/matches/{loaded.stream}/seats")
