"""Pages of a club: its matches, and a new one."""

from typing import Any, Final
from uuid import UUID

from litestar import Request, Response, get, post
from litestar.params import FromPath

from domain import codec
from domain.actor import RECORDERS
from domain.club.state import same_name
from domain.decider import Refusal
from domain.games import all_games
from domain.match import commands as c
from domain.match.opening import find_game, read_options
from projections.games import game_view, game_views, option_views, variants
from projections.lists import MATCHES, MatchRow
from service.api.access import asked, club_for, names_of, services_of
from service.api.clubs import club_view, with_names
from service.api.tournaments import rows_of
from service.auth import may_read, require
from service.lists import soon
from service.services import Services
from service.streams import LoadedClub
from service.web.access import caller_of, check_origin, go
from service.web.forms import line_of, open_match_of, text_of
from service.web.render import page, plain

AnyRequest = Request[Any, Any, Any]
ENDINGS: Final = ("deals", "cap", "best_of", "lurch", "lurch_lines", "win_points")


@get("/", include_in_schema=False)
async def home(request: AnyRequest) -> Response[str]:
    """The clubs that one may see, each with its newest matches."""
    services, caller = services_of(request), await caller_of(request)
    clubs, until = [], soon()
    for club in await services.streams.clubs():
        if may_read(caller, club.club, club.state.public):
            found = await services.lists.rows(MATCHES, club.club, MatchRow, "", 5, newest=True, until=until)
            names = names_of(club)
            matches = [with_names(row, names) for row in found.rows]
            cups = await newest(services, club, until)
            behind = found.reached.behind
            clubs.append({"club": plain(club_view(club)), "matches": matches, "tournaments": cups, "behind": behind})
    return page("home.html", caller, clubs=clubs, titles=titles())


@post("/clubs/new", include_in_schema=False)
async def found_club(request: AnyRequest) -> Response[Any]:
    """The owner founds a club and goes to it."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    if not caller.known or caller.role != "owner" or caller.club is not None:
        raise Refusal("forbidden" if caller.known else "unauthorised", "only the owner of this service creates clubs")
    form = dict(await request.form())
    name = line_of(form, "name")
    if any(same_name(club.state.name) == same_name(name) for club in await services.streams.clubs()):
        raise Refusal("malformed", f"there is a club called {name!r} already: choose another name")
    club = await services.recorder.found_club(name, bool(text_of(form, "public")), caller.by())
    return go(f"/clubs/{club}")


async def newest(services: Services, club: LoadedClub, until: float) -> list[dict[str, Any]]:
    """The newest tournaments of a club that are not put away."""
    listed = await rows_of(services, club, 3, "", until=until)
    found: list[dict[str, Any]] = plain([row for row in listed.rows if row.status != "archived"])
    return found


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
    found = await services.lists.rows(MATCHES, club.club, MatchRow, cursor, 51, newest=True, until=until)
    names = names_of(club)
    shown = [with_names(row, names) for row in found.rows[:50]]
    following = found.rows[49].id if len(found.rows) > 50 else None
    return page(
        "club.html", caller, club=plain(club_view(club)), matches=shown, titles=titles(), next=following,
        tournaments=await newest(services, club, until), behind=found.reached.behind,
    )  # fmt: skip


def forms() -> list[dict[str, Any]]:
    """Every game with the tables it can be played at, for the new-match form."""
    found = []
    for view in game_views():
        game = find_game(view.key)
        tables: dict[Any, dict[str, Any]] = {}  # options may change the entry and leave the table as it is
        for given in variants(game):
            options = codec.convert(given, game.options)
            sides = game.sides(options)
            tables.setdefault(sides, {"given": given, "sides": sides, "seats": game.seats(options)})
        found.append({"game": plain(view), "tables": list(tables.values())})
    return found


@get("/clubs/{club_id:uuid}/new", include_in_schema=False, query=("game", "variant"))
async def new_match_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """Choose the game, then names and target."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, RECORDERS)
    return new_form(caller, club, request.query_params.get("game", ""), request.query_params.get("variant", ""))


def new_form(
    caller: Any,
    club: Any,
    key: str,
    variant: str,
    form: dict[str, Any] | None = None,
    error: str = "",
    status: int = 200,
) -> Response[str]:
    """The form, first or again with what was wrong."""
    values = {"club": plain(club_view(club)), "forms": forms(), "form": form or {}, "error": error}
    chosen = None
    if key:
        game = find_game(key)
        options = read_options(game, {"variant": variant} if variant else {})
        chosen = {
            "game": plain(game_view(game)), "sides": game.sides(options), "seats": game.seats(options),
            "variant": variant,
            "options": [plain(option) for option in option_views(game) if option.name != "variant"],
        }  # fmt: skip
    names = sorted(player.name for player in club.state.players.values() if player.name)
    values["ended"] = any(values["form"].get(name) for name in ENDINGS)
    return page("new_match.html", caller, status, chosen=chosen, known=names, **values)


@post("/clubs/{club_id:uuid}/new", include_in_schema=False)
async def new_match(request: AnyRequest, club_id: FromPath[UUID]) -> Response[Any]:
    """Open the match and go to its table."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, RECORDERS)
    form = dict(await request.form())
    key, variant = text_of(form, "game"), text_of(form, "variant")
    try:
        game = find_game(key)
        body = open_match_of(form, game.sides(read_options(game, {"variant": variant} if variant else {})))
        command = c.OpenMatch(
            game=body.game, options=body.options, race=body.race(), sides=(), recording="record", depth=body.depth
        )
        people = tuple(tuple(side) for side in body.sides)
        done = await services.recorder.open_match(club.club, command, people, await asked(request, caller))
    except Refusal as refusal:
        return new_form(caller, club, key if key in all_games() else "", variant, form, refusal.detail, 400)
    return go(f"/matches/{done.loaded.stream}")
