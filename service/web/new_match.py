"""The page that opens a match: a game and its table, then names and target."""

from collections.abc import Sequence
from typing import Final, TypeAlias
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain import codec
from domain.game.race import Race
from domain.games import all_games
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from domain.match import commands as c
from domain.match.opening import find_game, options_in, race_in, read_options
from projections.games import GameView, OptionView, game_view, game_views, option_views, variants
from projections.lists import MATCHES, MatchRow
from service.desk.access import check_known, club_for
from service.desk.clubs import club_view
from service.desk.house import opens_matches, rules_for
from service.desk.lists import soon
from service.desk.services import Services
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, go
from service.languages.spoken import N_, translate, translated
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.forms import Form, form_of, open_match_of, text_of
from service.web.newcomers import ask, meant_by, questions, seated
from service.web.render import page
from service.web.words import DELAYS, SIGNALS

Sides: TypeAlias = tuple[tuple[int, ...], ...]
LATELY: Final = 40  # matches that are looked through for who played lately
CHIPS: Final = 8  # names that are offered for a tap
PLACES: Final = {
    2: (N_("on one side"), N_("opposite")),
    4: (N_("north"), N_("east"), N_("south"), N_("west")),
}  # by the number of seats
ENDINGS: Final = ("deals", "cap", "best_of", "lurch", "lurch_lines", "win_points")


class GameTable(msgspec.Struct, frozen=True):
    """A table that a game can be played at; `given` are the options that call for it."""

    given: dict[str, str | int | bool]
    sides: Sides
    seats: int


class GameTables(msgspec.Struct, frozen=True):
    """A game with the tables that it can be played at."""

    game: GameView
    tables: tuple[GameTable, ...]


class Chosen(msgspec.Struct, frozen=True):
    """The game that was chosen for a new match: its race and the options that are given where nothing else is said, by
    the `house` rules if there are any."""

    game: GameView
    sides: Sides
    seats: int
    variant: str
    options: list[OptionView]
    usual: Race
    given: JsonObject
    house: bool


def check_opens(caller: Caller, club: LoadedClub) -> None:
    """Raises Refusal for who opens no matches here."""
    check_known(caller)
    if not opens_matches(caller, club):
        raise Refusal("forbidden", f"as {caller.role} you open no matches in this club: ask a director")


def forms() -> list[GameTables]:
    """Every game with the tables it can be played at, for the new-match form."""
    found = []
    for view in game_views():
        game = find_game(view.key)
        tables: dict[Sides, GameTable] = {}  # options may change the entry and leave the table as it is
        for given in variants(game):
            options = codec.convert(given, game.options)
            sides = game.sides(options)
            tables.setdefault(sides, GameTable(given, sides, game.seats(options)))
        found.append(GameTables(view, tuple(tables.values())))
    return found


@get("/clubs/{club_id:uuid}/new", include_in_schema=False, query=("game", "variant"))
async def new_match_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """Choose the game, then names and target."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    check_opens(caller, club)
    key, variant = request.query_params.get("game", ""), request.query_params.get("variant", "")
    return new_form(caller, club, key, variant, await lately(services, caller, club) if key else ())


async def lately(services: Services, caller: Caller, club: LoadedClub) -> tuple[str, ...]:
    """The names of who played last in a club, the newest match first; of a player first the own name, then those of the
    last opponents and partners."""
    own, state = caller.person_in(club.club), club.state
    found = await services.lists.rows(MATCHES, club.club, MatchRow, "", LATELY, newest=True, until=soon())
    firsts = state.firsts()
    matches = [[firsts.get(each, each) for side in row.sides for each in side] for row in found.rows]
    met = [each for people in matches if own is None or own in people for each in people]
    people = dict.fromkeys([own, *met] if own else met)
    names = [state.players[each].name for each in people if each in state.players]
    return tuple(filter(None, names))[:CHIPS]


def offered_games(club: LoadedClub) -> tuple[list[GameTables], list[GameTables]]:
    """The games that the club plays, the usual one first, and the others; every game where it has not said."""
    own = club.state.settings.games
    found = {each.game.key: each for each in forms()}
    offered = [found.pop(key) for key in own if key in found]
    return (offered, list(found.values())) if offered else (list(found.values()), [])


def chosen_game(club: LoadedClub, key: str, variant: str) -> Chosen:
    """A game at a table, with what the house rules say of it. Raises Refusal."""
    game, house = find_game(key), rules_for(club.state, key)
    given = options_in(game, {"variant": variant} if variant else {}, house)
    options = read_options(game, given)
    own = [option for option in option_views(game) if option.name != "variant"]
    usual = race_in(game, options, {}, house)
    return Chosen(
        game_view(game), game.sides(options), game.seats(options), variant, own, usual, given, house is not None
    )


def new_form(
    caller: Caller,
    club: LoadedClub,
    key: str,
    variant: str,
    recent: Sequence[str] = (),
    form: Form | None = None,
    error: str = "",
    status: int = 200,
) -> Response[str]:
    """The form, first or again with the error."""
    form, chosen = form or {}, None
    if key:
        chosen = chosen_game(club, key, variant)
    names = sorted(player.name for player in club.state.players.values() if player.name)
    offered, others = offered_games(club)
    return page(
        "new_match.html",
        caller,
        status,
        club=club_view(club),
        forms=offered,
        others=others,
        form=form,
        error=error,
        chosen=chosen,
        known=names,
        recent=recent,
        places={seats: tuple(map(translate, words)) for seats, words in PLACES.items()},
        ended=any(form.get(name) for name in ENDINGS),
        signals=translated(SIGNALS),
        usual_signals=club.state.settings.signals,
        delays=translated(DELAYS),
        usual_delay=club.state.settings.delay,
    )


@post("/clubs/{club_id:uuid}/new", include_in_schema=False)
async def new_match(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Open the match and go to its table."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    check_opens(caller, club)
    form = await form_of(request)
    key, variant = text_of(form, "game"), text_of(form, "variant")
    try:
        chosen = chosen_game(club, key, variant)
        body = open_match_of(form, chosen.sides, chosen.usual)
        command = c.OpenMatch(
            game=body.game,
            options=body.options,
            race=body.race(),
            sides=(),
            recording="record",
            depth=body.depth,
            signals=body.signals,
            delay=body.delay,
        )
        meant = meant_by(form)
        names = [name for side in body.sides for name in side if isinstance(name, str)]
        if open_ := questions(club, names, caller, meant):
            return ask(request.url.path, caller, club, form, meant, open_)
        people = tuple(tuple(seated(each, meant) for each in side) for side in body.sides)
        done = await services.recorder.open_match(club.club, command, people, await asked(request, caller))
    except Refusal as refusal:
        shown = key if key in all_games() else ""
        recent = await lately(services, caller, club) if shown else ()
        return new_form(caller, club, shown, variant, recent, form, refusal.detail, 400)
    return go(f"/matches/{done.loaded.stream}")
