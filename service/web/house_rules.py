"""The page of the house rules of one game: what holds, a form made of the game's own options, and the earlier ones."""

from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.club.settings import decides_the_table
from domain.game.protocol import AnyGame
from domain.game.race import Lurch
from domain.games import all_games
from domain.log.actor import SECRETARIES
from domain.log.decider import Refusal
from domain.log.event import Json, JsonObject
from domain.match.opening import find_game, race_in
from projections.games import OptionView, option_views
from service.desk.access import club_for, require
from service.desk.clubs import club_view
from service.desk.services import Services
from service.desk.settings import HouseRulesBody, RulesView, adopt_rules, rules_of
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, go
from service.languages.spoken import translate
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.forms import Form, form_of, number_of, options_of, race_of, text_of
from service.web.render import page
from service.web.words import label, unread

OF_THE_RACE: Final = ("target", "win_by", "deals", "cap", "best_of")


class RuleText(msgspec.Struct, frozen=True):
    """A rule of the house: the question, and the answer."""

    question: str
    answer: str


class Adopted(msgspec.Struct, frozen=True):
    """House rules in words, with the time from which they were in force."""

    version: int
    at: str
    rules: list[RuleText]
    in_force: bool


def in_words(game: AnyGame, rules: RulesView) -> list[RuleText]:
    """House rules in words: only what differs from the game's own."""
    views = {each.name: each for each in option_views(game)}
    found = [
        RuleText(translate(_question(views, name)), translate(_answer(views, name, value)))
        for name, value in rules.options.items()
    ]
    race = [name for name in (*OF_THE_RACE, "lurch") if name in rules.race]
    return [RuleText(translate(label(name)), _of_race(name, rules.race[name])) for name in race] + found


def _question(views: dict[str, OptionView], name: str) -> str:
    return views[name].description if name in views else label(name)


def _answer(views: dict[str, OptionView], name: str, value: Json) -> str:
    """An option's value in the words of its game."""
    view = views.get(name)
    return view.said[view.values.index(value)] if view is not None and value in view.values else str(value)


def _of_race(name: str, value: Json) -> str:
    """A member of the race in words."""
    if name == "lurch" and value is not None:
        lurch = msgspec.convert(value, Lurch)
        lines, worth = (" ".join(map(str, each)) for each in (lurch.lines, lurch.win_points))
        return translate("below {lines}; a win is worth {worth}").format(lines=lines, worth=worth)
    return translate("none") if value is None else str(value)


def own_options(game: AnyGame) -> list[OptionView]:
    """The options that a house can settle: not those that say who sits where."""
    views = option_views(game)
    return [each for each in views if not any(decides_the_table(game, each.name, value) for value in each.values)]


def form_now(rules: RulesView | None) -> Form:
    """The fields of the form for the rules that are in force."""
    if rules is None:
        return {}
    race = rules.race
    form = {name: str(race[name]) for name in OF_THE_RACE if race.get(name) is not None}
    if "lurch" in race:
        form |= _lurch_fields(race["lurch"])
    return form


def _lurch_fields(lurch: JsonObject | None) -> dict[str, str]:
    if lurch is None:
        return {"lurch": "none"}
    lines, worth = (" ".join(map(str, lurch[name])) for name in ("lines", "win_points"))
    return {"lurch": "lines", "lurch_lines": lines, "win_points": worth}


@get("/clubs/{club_id:uuid}/house-rules", include_in_schema=False, query=("game", "saved"))
async def house_rules_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """For secretaries and the owner."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    game = _game_in(request.query_params.get("game", ""))
    return await shown(services, caller, club, game, saved=request.query_params.get("saved") == "1")


def _game_in(key: str) -> AnyGame:
    """The game that an address names; the first one where it names none. Raises Refusal."""
    if key and key not in all_games():
        raise Refusal("not-found", f"there is no game {key[:40]!r}")
    return find_game(key or next(iter(all_games())))


async def shown(
    services: Services,
    caller: Caller,
    club: LoadedClub,
    game: AnyGame,
    form: Form | None = None,
    error: str = "",
    status: int = 200,
    saved: bool = False,
) -> Response[str]:
    """The page, first, after saving, or again with what was wrong."""
    found = await rules_of(services, club, game.key)
    current = next((each for each in found if each.in_force), None)
    return page(
        "house_rules.html",
        caller,
        status,
        club=club_view(club),
        version=club.head.version,
        game={"key": game.key, "title": game.title},
        usual=race_in(game, game.options(), {}, None),
        options=own_options(game),
        given={} if current is None else current.options,
        form=form_now(current) if form is None else form,
        adopted=[Adopted(each.version, each.adopted_at, in_words(game, each), each.in_force) for each in found],
        zone=club.state.settings.zone,
        error=error,
        saved=saved,
    )


@post("/clubs/{club_id:uuid}/house-rules", include_in_schema=False)
async def adopt(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Adopt what the form says, in the place of the earlier rules of that game."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    form = await form_of(request)
    game = _game_in(text_of(form, "game"))
    try:
        await adopt_rules(services, caller, club_id, body_of(form, game), await asked(request, caller))
    except Refusal as refusal:
        if refusal.slug in ("forbidden", "unauthorised", "not-found"):
            raise
        fresh = await club_for(services, caller, club_id)
        status = 409 if refusal.slug == "lost-race" else 400
        return await shown(services, caller, fresh, game, form, refusal.detail, status)
    return go(f"/clubs/{club.club}/house-rules?game={game.key}&saved=1")


def body_of(form: Form, game: AnyGame) -> HouseRulesBody:
    """The rules that the form says. Raises Refusal."""
    race = race_of(form, race_in(game, game.options(), {}, None))
    given = {"game": game.key, "options": options_of(form), "expected_version": number_of(form, "version"), **race}
    try:
        return msgspec.convert(given, HouseRulesBody)
    except msgspec.ValidationError as error:
        raise unread(error) from None
