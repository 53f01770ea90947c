"""The page of a club's roles: who holds what, given and ended; a deputy is appointed from the director's board too."""

from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.log.actor import Role
from domain.log.decider import Refusal
from projections.lists import MATCHES, MatchRow
from service.desk.clubs import club_view, with_names
from service.desk.lists import soon
from service.desk.roles import ORDER, RoleRow, Scope, ends, given_by, grant, revoke, roles_seen, sees_all
from service.desk.services import Services
from service.desk.showing import names_of
from service.desk.tournament_reading import rows_of
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.languages.spoken import translate
from service.store.callers import Caller
from service.store.glance import Glance
from service.store.loaded import LoadedClub
from service.web.forms import Form, form_of, text_of
from service.web.render import page

TABLES: Final = 100  # open tables that are offered


class Place(msgspec.Struct, frozen=True):
    """A tournament or an open table that a role can be for."""

    id: str
    text: str


class ShownRole(msgspec.Struct, frozen=True):
    """A role in the list: what it is for in words with its address, and whether it can be ended."""

    row: RoleRow
    text: str
    path: str
    ends: bool


class Choice(msgspec.Struct, frozen=True):
    """A person to choose."""

    id: str
    name: str


@get("/clubs/{club_id:uuid}/roles", include_in_schema=False, query=("person",))
async def roles_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """Shows who holds what: members their own roles, and those who give roles all of them."""
    form = {"person": request.query_params.get("person", "")}
    return await _page(services_of(request), await caller_of(request), club_id, form)


async def _page(
    services: Services, caller: Caller, club_id: UUID, form: Form | None = None, error: str = "", status: int = 200
) -> Response[str]:
    """The page, first or again with what was wrong."""
    club, rows = await roles_seen(services, caller, club_id)
    cups, tables = await places_of(services, caller, club)
    places = {each.id: each.text for each in (*cups, *tables)}
    glance = Glance(services.streams)
    await glance.look_at(club.club, [row.tournament for row in rows if row.tournament is not None])
    return page(
        "roles.html",
        caller,
        status,
        club=club_view(club),
        error=error,
        form=form or {},
        roles=[await _shown(glance, caller, club, row, places) for row in rows],
        gives=given_by(caller, club.club),
        people=people_of(club),
        cups=cups,
        tables=tables,
        all=sees_all(caller, club.club),
        directs=caller.directs(club.club),
        administers=caller.administers(club.club),
    )


def people_of(club: LoadedClub) -> list[Choice]:
    """The people of a club by name; who was merged or erased cannot be chosen."""
    known = (each for each in club.state.players.values() if each.id not in club.state.merged)
    found = [Choice(each.id, each.name) for each in known if each.name]
    return sorted(found, key=lambda each: each.name.casefold())


async def places_of(services: Services, caller: Caller, club: LoadedClub) -> tuple[list[Place], list[Place]]:
    """The tournaments that are not over, and the tables that are open."""
    until = soon()
    listed = await rows_of(services, caller, club, TABLES, "", until=until)
    cups = [Place(row.id, row.name) for row in listed.rows if row.status in ("announced", "on")]
    names = names_of(club)
    found = await services.lists.rows(MATCHES, club.club, MatchRow, "", TABLES, newest=True, until=until)
    opened = [with_names(row, names) for row in found.rows if row.status == "open"]
    return cups, [Place(row.id, " – ".join(side.called for side in row.sides)) for row in opened]


async def _shown(streams: Glance, caller: Caller, club: LoadedClub, row: RoleRow, places: dict[str, str]) -> ShownRole:
    may = ends(caller, club, row)
    if row.match is not None:
        table = places.get(row.match) or translate("(over)")
        return ShownRole(row, translate("at the table {table}").format(table=table), f"/matches/{row.match}", may)
    if row.tournament is not None:
        cup = await streams.tournament(row.tournament)
        name = "" if cup is None else cup.tournament.name
        return ShownRole(row, translate("for {name}").format(name=name), f"/tournaments/{row.tournament}", may)
    return ShownRole(row, translate("for the whole club"), "", may)


@post("/clubs/{club_id:uuid}/roles", include_in_schema=False)
async def give_role(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Gives a role, and goes back to where it was given."""
    return await _taken(request, club_id, give=True)


@post("/clubs/{club_id:uuid}/roles/revoke", include_in_schema=False)
async def end_role(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Ends a role, and goes back to where it was ended."""
    return await _taken(request, club_id, give=False)


async def _taken(request: AnyRequest, club_id: UUID, give: bool) -> AnyResponse:
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    await roles_seen(services, caller, club_id)
    form = await form_of(request)
    try:
        scope, act = scope_of(form), grant if give else revoke
        await act(services, caller, club_id, person_in(form), _role(form), scope, await asked(request, caller))
    except Refusal as refusal:
        return await _page(services, caller, club_id, form, refusal.detail, KINDS[known_slug(refusal)].status)
    back = text_of(form, "board")
    return go(f"/tournaments/{uuid_of(back)}/director" if back else f"/clubs/{club_id}/roles")


def scope_of(form: Form) -> Scope:
    """The scope of a role: `tournament …` or `match …` in one field, or each in its own. Raises Refusal."""
    kind, _, chosen = text_of(form, "where").partition(" ")
    tournament = chosen if kind == "tournament" else text_of(form, "tournament")
    match = chosen if kind == "match" else text_of(form, "match")
    return Scope(uuid_of(tournament) if tournament else None, uuid_of(match) if match else None)


def person_in(form: Form, name: str = "person") -> str:
    """The id of the person who was chosen. Raises Refusal."""
    given = text_of(form, name)
    if not given:
        raise Refusal("malformed", "choose a person")
    return uuid_of(given)


def uuid_of(text: str) -> str:
    """An id that a form carried along. Raises Refusal."""
    try:
        return str(UUID(text))
    except ValueError:
        raise Refusal("malformed", "this form is broken: load the page anew") from None


def _role(form: Form) -> Role:
    for role in ORDER:
        if text_of(form, "role") == role:
            return role
    raise Refusal("malformed", "choose a role")
