"""The director's tables: who is in at each, with codes; the sheet that is printed; the wall."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup
from msgspec.structs import asdict

from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from service.desk.access import club_for, require
from service.desk.clubs import club_view
from service.desk.coming_in import sign_in_of
from service.desk.lists import soon
from service.desk.services import Services
from service.desk.tournament_bodies import TournamentListRow
from service.desk.tournament_reading import rows_of
from service.desk.who_is_in import TableView, tables_of_club, tables_of_tournament
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of, check_origin, go
from service.languages.spoken import N_, translated
from service.store import seats as rows
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.clubs import titles_in
from service.web.doors.scanning import only_here, scanned_at, typed_at
from service.web.forms import form_of, text_of
from service.web.qr import picture
from service.web.render import page
from service.web.tournaments.frame import Frame, frame_of, shown

CUPS: Final = 20
EVENING: Final = timedelta(hours=12)  # after which a wall shows no codes any more
ACTS: Final = {
    "DealStarted": N_("a deal begun"),
    "ResultEntered": N_("a result"),
    "ResultConfirmed": N_("a confirmation"),
    "ResultDisputed": N_("a dispute"),
    "FactUndone": N_("one step back"),
    "EntryCorrected": N_("a correction"),
    "FactInserted": N_("a correction"),
    "FactWithdrawn": N_("a card taken back"),
    "CorrectionProposed": N_("a proposed correction"),
    "CorrectionAnswered": N_("an answer to a proposal"),
    "DealVoided": N_("a deal declared void"),
    "RecordingPaused": N_("a pause"),
}


class ShownCodes(msgspec.Struct, frozen=True):
    """Tables with codes as their pages have them: pictures by match, where a code is typed, whether only this machine
    reaches it, wrong codes of the last minute and hour, and the words for a last action."""

    tables: Sequence[TableView]
    qr: Mapping[str, Markup]
    typed_at: str
    only_here: bool
    guessed: tuple[int, int]
    acts: Mapping[str, str]


async def _values(request: AnyRequest, services: Services, tables: Sequence[TableView]) -> ShownCodes:
    """Gathers the values of a page with codes."""
    links = {each.match: scanned_at(request, each.secret) for each in tables}
    minute, hour = await services.tables.guesses.lately(services.tables.now())
    return ShownCodes(
        tables=tables,
        qr={match: picture(link) for match, link in links.items() if link is not None},
        typed_at=typed_at(request),
        only_here=only_here(request),
        guessed=(minute, hour),
        acts=translated(ACTS),
    )


async def _of_club(request: AnyRequest, club_id: UUID, template: str) -> Response[str]:
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    tables, more = await tables_of_club(services, club, _cursor(request))
    values = await _values(request, services, tables)
    zone, cups = club.state.settings.zone, await _cups_on(services, caller, club)
    return page(
        template,
        caller,
        club=club_view(club),
        zone=zone,
        cups=cups,
        back="club",
        more=more,
        titles=titles_in(club),
        **asdict(values),
    )


async def _cups_on(services: Services, caller: Caller, club: LoadedClub) -> list[TournamentListRow]:
    """The tournaments that are on: each shows its own tables, those too at which nothing was dealt yet."""
    listed = await rows_of(services, caller, club, CUPS, "", until=soon())
    return [row for row in listed.rows if row.status == "on"]


def _cursor(request: AnyRequest) -> str:
    """The match behind which older ones begin. Raises Refusal."""
    after = request.query_params.get("cursor", "")
    try:
        return str(UUID(after)) if after else ""
    except ValueError:
        raise Refusal("malformed", "no older tables stand at this address: go back to the club") from None


async def _directed(request: AnyRequest, tournament_id: UUID) -> Frame:
    """A tournament for who directs it. Raises Refusal."""
    frame = await frame_of(request, tournament_id)
    require(frame.caller, frame.loaded.club, DIRECTORS, frame.loaded.stream)
    return frame


async def tables_in(frame: Frame) -> list[TableView]:
    """The tables of the rounds that are on."""
    return await tables_of_tournament(frame.services, frame.club, frame.loaded)


@get("/clubs/{club_id:uuid}/doors", include_in_schema=False, opt=ONE_TIME_SECRET, query=("cursor",))
async def club_tables(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """Shows who is in at every open match of a club."""
    return await _of_club(request, club_id, "doors/club.html")


@get("/clubs/{club_id:uuid}/doors/sheet", include_in_schema=False, opt=ONE_TIME_SECRET, query=("cursor",))
async def club_sheet(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The codes of every open match of a club, to be printed."""
    return await _of_club(request, club_id, "doors/sheet.html")


@get("/tournaments/{tournament_id:uuid}/doors", include_in_schema=False, opt=ONE_TIME_SECRET)
async def tournament_tables(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """Shows who is in at every table of a tournament's rounds that are on."""
    frame = await _directed(request, tournament_id)
    values = await _values(request, frame.services, await tables_in(frame))
    return shown(frame, "doors", "doors", back="tournament", **asdict(values))


@get("/tournaments/{tournament_id:uuid}/doors/sheet", include_in_schema=False, opt=ONE_TIME_SECRET)
async def tournament_sheet(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The codes of all tables of the rounds that are on, to be printed."""
    frame = await _directed(request, tournament_id)
    values = await _values(request, frame.services, await tables_in(frame))
    title = {"id": frame.loaded.stream, "name": frame.view.name}
    return page(
        "doors/sheet.html", frame.caller, club=club_view(frame.club), cup=title, back="tournament", **asdict(values)
    )


@get("/tournaments/{tournament_id:uuid}/slips", include_in_schema=False, opt=ONE_TIME_SECRET)
async def tournament_slips(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """A slip for each match of the rounds that are on, to be printed and cut: who meets whom, the table's code, the
    result and who signs it."""
    frame = await _directed(request, tournament_id)
    values = await _values(request, frame.services, await tables_in(frame))
    first = {
        each.match: side.name
        for round_ in frame.view.rounds
        for each in round_.pairings
        for side in each.sides
        if side.deals_first
    }
    title = {"id": frame.loaded.stream, "name": frame.view.name}
    return page("paper/slips.html", frame.caller, club=club_view(frame.club), cup=title, first=first, **asdict(values))


@post("/tournaments/{tournament_id:uuid}/show/codes", include_in_schema=False)
async def switch_wall(request: AnyRequest, tournament_id: FromPath[UUID]) -> AnyResponse:
    """The director switches the codes on, or off, for the wall whose device he has signed in."""
    check_origin(request)
    frame = await _directed(request, tournament_id)
    own = sign_in_of(frame.caller)
    if own is None:
        raise Refusal("forbidden", "codes are switched on at the wall itself: sign its browser in")
    services = frame.services
    on = bool(text_of(await form_of(request), "on"))
    until = services.tables.now() + EVENING if on else None
    await rows.show_on_wall(services.pool, own, frame.loaded.stream, until)
    return go(f"{frame.path}/show")
