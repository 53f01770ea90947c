"""Pages of a club: its matches, and a new one."""

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.club.state import same_name
from domain.games import all_games
from domain.log.decider import Refusal
from projections.lists import MatchRow
from service.desk.access import club_for
from service.desk.addresses import phones_reach
from service.desk.bodies import ClubView
from service.desk.clubs import club_view, matches_of, named
from service.desk.house import opens_matches
from service.desk.lists import soon
from service.desk.services import Services
from service.desk.tournament_bodies import TournamentListRow
from service.desk.tournament_reading import rows_of
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of, check_origin, go, renewed
from service.languages.spoken import translate
from service.store.callers import Caller, may_read
from service.store.loaded import LoadedClub
from service.web.evenings import Evening, evening_of
from service.web.first_steps import first_steps
from service.web.forms import form_of, line_of, text_of
from service.web.render import page

AT_HOME: Final = 16  # matches of a club on the first page


class ClubAtHome(msgspec.Struct, frozen=True):
    """A club on the first page, with its evening by the clocks of its zone."""

    club: ClubView
    evening: Evening
    zone: str
    behind: int
    opens: bool


@get("/", include_in_schema=False)
async def home(request: AnyRequest) -> Response[str]:
    """The clubs that one may see, each with its newest matches."""
    services, caller = services_of(request), await caller_of(request)
    clubs, until = [], soon()
    for club in await services.streams.clubs():
        if may_read(caller, club.club, club.state.public):
            found = await matches_of(services, caller, club, "", AT_HOME, until=until)
            evening = await evening_in(services, caller, club, found.rows, until)
            zone, behind = club.state.settings.zone, found.reached.behind
            clubs.append(ClubAtHome(club_view(club), evening, zone, behind, opens_matches(caller, club)))
    return renewed(request, caller, page("home.html", caller, clubs=clubs, titles=titles()))


@post("/clubs/new", include_in_schema=False)
async def found_club(request: AnyRequest) -> AnyResponse:
    """The owner founds a club and goes to it."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    if not caller.owns:
        raise Refusal("forbidden" if caller.known else "unauthorised", "only the owner of this service creates clubs")
    form = await form_of(request)
    name = line_of(form, "name")
    if any(same_name(club.state.name) == same_name(name) for club in await services.streams.clubs()):
        raise Refusal("malformed", f"there is a club called {name!r} already: choose another name")
    club = await services.recorder.found_club(name, bool(text_of(form, "public")), caller.by())
    return go(f"/clubs/{club}")


async def evening_in(
    services: Services, caller: Caller, club: LoadedClub, rows: list[MatchRow], until: float
) -> Evening:
    """A club's evening as a caller finds it: these matches and the newest tournaments."""
    matches = await named(services.streams, rows, club)
    cups = await newest(services, caller, club, until)
    return evening_of(matches, cups, club.state.settings.zone, datetime.now(UTC), caller.person_in(club.club))


async def newest(services: Services, caller: Caller, club: LoadedClub, until: float) -> list[TournamentListRow]:
    """The newest tournaments of a club that are not put away."""
    listed = await rows_of(services, caller, club, 3, "", until=until)
    return [row for row in listed.rows if row.status != "archived"]


def titles_in(club: LoadedClub) -> dict[str, str]:
    """Key -> title of every game, those that the club plays first."""
    own = {key: titles()[key] for key in club.state.settings.games if key in all_games()}
    return {**own, **titles()}


def titles() -> dict[str, str]:
    """Key -> title of every game."""
    return {key: game.title for key, game in all_games().items()}


@get("/clubs/{club_id:uuid}", include_in_schema=False, query=("cursor",))
async def club_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The club's matches with their status."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    after = request.query_params.get("cursor", "")
    try:
        cursor = str(UUID(after)) if after else ""
    except ValueError:
        raise Refusal("malformed", "no older matches stand at this address: go back to the club") from None
    until = soon()
    found = await matches_of(services, caller, club, cursor, 51, until=until)
    evening = await evening_in(services, caller, club, found.rows[:50], until)
    following = found.rows[49].id if len(found.rows) > 50 else None
    return page(
        "club.html",
        caller,
        club=club_view(club),
        evening=evening,
        zone=club.state.settings.zone,
        titles=titles(),
        next=following,
        behind=found.reached.behind,
        opens=opens_matches(caller, club),
        rooms=rooms_of(caller, club.club),
        steps=first_steps(caller, club, found.rows, phones_reach(request.app.state.settings)),
        asks_owner=caller.owns and caller.person_in(club.club) is None,
    )


def rooms_of(caller: Caller, club: str) -> list[tuple[str, str]]:
    """(path behind the club's, text) of each page of a club that the caller may open."""
    directs, administers = caller.directs(club), caller.administers(club)
    rooms = (
        ("tournaments", translate("Tournaments"), True),
        ("wall", translate("Wall"), True),
        ("members", translate("Members"), True),
        ("ratings", translate("Ratings"), True),
        ("season", translate("Season"), True),
        ("doors", translate("Tables"), directs),
        ("cases", translate("Cases"), directs or administers),
        ("pushes", translate("From elsewhere"), directs),
        ("invite", translate("Invite"), administers),
        ("settings", translate("Settings"), administers),
        ("roles", translate("Roles"), directs or administers),
    )
    return [(path, text) for path, text, may in rooms if may]
