"""Pages of the people of a club: the list, one person, a table taken or given."""

from collections import Counter
from collections.abc import Callable
from typing import Final
from uuid import UUID

from litestar import Response, get, post
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.params import FromPath

from domain.club.commands import ChangeMembership, ClubCommand, DescribePlayer, RegisterMember, RenamePlayer, TakePeople
from domain.club.names import Called
from domain.club.state import Player
from domain.exchange.members import COLUMNS, MOST, ids_of_text, write_members
from domain.log.actor import DIRECTORS, SECRETARIES
from domain.log.decider import Refusal
from service.desk.access import club_for, require
from service.desk.clubs import club_view
from service.desk.members import (
    PlannedLine,
    change,
    found_people,
    knows_earlier,
    person_of,
    person_view,
    previewed,
    record_of,
    take_table,
    takes,
)
from service.desk.services import Services
from service.http.answers import CSV, MARK, AnyResponse, as_file
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.languages.spoken import translated
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.clubs import titles
from service.web.forms import Form, form_of, number_of, text_of
from service.web.newcomers import ALIKE, NEW, ask, meant_by, questions
from service.web.render import page

ROWS: Final = 100
TABLE_LIMIT: Final = 262_144
LONGEST_SEARCH: Final = 80
MOST_PAGES: Final = 10_000
ANSWER: Final = " Then send it again with `another` as true"  # for programs: a page has a button


@get("/clubs/{club_id:uuid}/members", include_in_schema=False, query=("like", "page", "added", "imported"))
async def members_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """Everybody whom the club knows, or whom a text finds."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    return _list(caller, club, dict(request.query_params))


def _list(caller: Caller, club: LoadedClub, query: Form, error: str = "", status: int = 200) -> Response[str]:
    """The list, first or again with what was wrong."""
    like = text_of(query, "like")[:LONGEST_SEARCH]
    asked_for = number_of(query, "page")
    at = 1 if asked_for is None else asked_for
    if not 1 <= at <= MOST_PAGES:
        raise Refusal("malformed", "there is no such page of this list")
    found = found_people(club, like, caller)
    added = club.state.players.get(text_of(query, "added"))
    return page(
        "members/list.html",
        caller,
        status,
        club=club_view(club),
        like=like,
        rows=found[(at - 1) * ROWS : at * ROWS],
        at=at,
        more=len(found) > at * ROWS,
        found=len(found),
        visitors=sum(each.visitor for each in found),
        typed=text_of(query, "name"),
        imported="imported" in query,
        added=added if added is not None and added.name else None,
        adds=takes(club, RegisterMember("", "A", another=True), caller),
        keeps=takes(club, TakePeople((), ()), caller),
        error=error,
    )


@post("/clubs/{club_id:uuid}/members", include_in_schema=False)
async def add_member(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """A visitor or a member is added; a name that is near to somebody's is asked about."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS | SECRETARIES)
    form = await form_of(request)
    try:
        name, meant = text_of(form, "name"), meant_by(form)
        if open_ := questions(club, [name], caller, meant, adding=True):
            return ask(request.url.path, caller, club, form, meant, open_)
        known = next(iter(each for each in meant.values() if each != NEW), None)
        if known is not None:
            return go(f"/clubs/{club.club}/members/{known}")
        visitor = text_of(form, "visitor") != "no"
        wanted = await asked(request, caller)
        player = await services.recorder.register(club.club, name, wanted, visitor, another=bool(meant))
    except Refusal as refusal:
        return _list(caller, club, form, refusal.detail, KINDS[known_slug(refusal)].status)
    return go(f"/clubs/{club.club}/members?added={player}")


@get("/clubs/{club_id:uuid}/members/near", include_in_schema=False, query=("name", "fill"))
async def near_names(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """A part of a page while a name is typed: whom it may mean."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    query = dict(request.query_params)
    name = text_of(query, "name")[:LONGEST_SEARCH]
    near = Called(club.state, knows_earlier(caller, club.club)).near(name) if len(name) > 1 else ()
    return page(
        "members/_near.html",
        caller,
        club=club_view(club),
        near=near,
        alike=translated(ALIKE),
        fill=bool(query.get("fill")),
    )


@get("/clubs/{club_id:uuid}/members/{player_id:uuid}", include_in_schema=False)
async def person_page(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> Response[str]:
    """One person."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    return await _person(services, caller, club, person_of(club, str(player_id)))


async def _person(
    services: Services,
    caller: Caller,
    club: LoadedClub,
    player: Player,
    form: Form | None = None,
    refusal: Refusal | None = None,
) -> Response[str]:
    """The page of a person, first or again with what was wrong."""
    view, form = person_view(club, player, caller), form or {}
    record = await record_of(services, caller, club, player)
    asks = refusal is not None and refusal.slug == "confirm-needed"
    return page(
        "members/person.html",
        caller,
        200 if refusal is None else KINDS[known_slug(refusal)].status,
        club=club_view(club),
        person=view,
        record=record,
        ids=_ids_text(view.ids or {}),
        tournaments={each.id: each.name for each in record.tournaments},
        renames=takes(club, RenamePlayer(player.id, "A", another=True), caller),
        keeps=takes(club, DescribePlayer(player.id), caller),
        enters=caller.directs(club.club) or caller.administers(club.club),
        own=caller.person_in(club.club) == player.id,
        zone=club.state.settings.zone,
        form=form,
        error="" if refusal is None else refusal.detail.removesuffix(ANSWER) if asks else refusal.detail,
        question={"name": form.get("name", ""), "version": form.get("version", ""), "another": "yes"} if asks else None,
        titles=titles(),
    )


def _ids_text(ids: dict[str, str]) -> str:
    """The ids of other bodies on one line, as a form takes them."""
    return "; ".join(f"{body}={id}" for body, id in ids.items())


@post("/clubs/{club_id:uuid}/members/{player_id:uuid}/name", include_in_schema=False)
async def rename(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> AnyResponse:
    """A person is called something else."""
    return await _changed(request, club_id, player_id, DIRECTORS | SECRETARIES, _new_name)


@post("/clubs/{club_id:uuid}/members/{player_id:uuid}/membership", include_in_schema=False)
async def membership(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> AnyResponse:
    """A visitor becomes a member, or a member a visitor."""
    return await _changed(request, club_id, player_id, SECRETARIES, _new_standing)


@post("/clubs/{club_id:uuid}/members/{player_id:uuid}/description", include_in_schema=False)
async def describe(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> AnyResponse:
    """Changes the description that is kept beside the name."""
    return await _changed(request, club_id, player_id, SECRETARIES, _description)


async def _changed(
    request: AnyRequest,
    club_id: UUID,
    player_id: UUID,
    allowed: frozenset[str],
    command_of: Callable[[str, Form], ClubCommand],
) -> AnyResponse:
    """A form about one person is taken, and the person shown; or shown again with what was wrong."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, allowed)
    player, form = person_of(club, str(player_id)), await form_of(request)
    try:
        await change(services.recorder, club.club, command_of(player.id, form), await asked(request, caller))
    except Refusal as refusal:
        now = await services.recorder.club(club.club)
        return await _person(services, caller, now, person_of(now, player.id), form, refusal)
    return go(f"/clubs/{club.club}/members/{player.id}")


def _new_name(player: str, form: Form) -> ClubCommand:
    return RenamePlayer(player, text_of(form, "name"), bool(form.get("another")), number_of(form, "version"))


def _new_standing(player: str, form: Form) -> ClubCommand:
    return ChangeMembership(player, text_of(form, "visitor") == "yes", number_of(form, "version"))


def _description(player: str, form: Form) -> ClubCommand:
    ids = ids_of_text(text_of(form, "ids"))
    return DescribePlayer(player, form.get("note", ""), ids, number_of(form, "rating"), number_of(form, "version"))


@get("/clubs/{club_id:uuid}/members.csv", include_in_schema=False)
async def table(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Everybody as a table."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    return as_file(MARK + write_members(club.state), CSV, "members.csv")


@get("/clubs/{club_id:uuid}/members/import", include_in_schema=False)
async def import_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The form for a table."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    return _import(caller, club)


def _import(
    caller: Caller,
    club: LoadedClub,
    text: str = "",
    lines: list[PlannedLine] | None = None,
    refusal: Refusal | None = None,
) -> Response[str]:
    """The form, what the table would do, or the places that are wrong."""
    return page(
        "members/import.html",
        caller,
        200 if refusal is None else KINDS[known_slug(refusal)].status,
        club=club_view(club),
        text=text,
        lines=lines,
        columns=COLUMNS,
        most=MOST,
        alike=translated(ALIKE),
        counts=Counter(each.do for each in lines or ()),
        error="" if refusal is None else refusal.detail,
        places=() if refusal is None else refusal.extra.get("errors", ()),
    )


@post("/clubs/{club_id:uuid}/members/import", include_in_schema=False, request_max_body_size=2 * TABLE_LIMIT)
async def take(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """A table is shown with what it would do; sent from there it is taken, all or none."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    wanted = await asked(request, caller)  # reads the body whole, before the form takes it apart
    fields, text = await request.form(), ""
    try:
        text = await _table_of(fields)
        data = text.encode()
        if len(data) > TABLE_LIMIT:
            raise Refusal("too-large", f"the table is larger than {TABLE_LIMIT:,} bytes: take it in two parts")
        if not fields.get("sure"):
            return _import(caller, club, text, await previewed(services.recorder, club.club, data))
        await take_table(services.recorder, club.club, data, wanted)
    except Refusal as refusal:
        return _import(caller, club, text, None, refusal)
    return go(f"/clubs/{club.club}/members?imported=yes")


async def _table_of(fields: FormMultiDict) -> str:
    """The table that was chosen as a file, else the one that was written. Raises Refusal for what is no text."""
    file, text = fields.get("file"), fields.get("text")
    if isinstance(file, UploadFile) and file.filename:
        try:
            return (await file.read()).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Refusal("malformed", "this file is not UTF-8: save the table as CSV in UTF-8") from None
    return text if isinstance(text, str) else ""
