"""Score sheets for paper: blank ones of a game, and those of a match, blank with its names or with what was played."""

import math
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from msgspec.structs import asdict

from domain import codec
from domain.cards.seats import NAMES
from domain.game.paper import PaperStretch
from domain.game.protocol import AnyGame, AnyOptions
from domain.game.race import Race, pinned
from domain.games import all_games
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from domain.match.sight import sight_of
from projections.games import option_views
from projections.score_sheet import SheetDeal, SheetStretch, SideScore, Turn, sheet_deals
from service.desk.access import actor_at, match_for
from service.desk.services import Services
from service.desk.showing import moment_shown
from service.desk.who_is_in import places_of
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of
from service.languages.spoken import N_, translate
from service.store import log
from service.store.loaded import LoadedClub, LoadedMatch
from service.web.matches import table_values
from service.web.moments import Teller
from service.web.reasons import reasons_of
from service.web.render import known_name, page
from service.web.shown_table import ShownTable
from service.web.times import local_text

# how much of a sheet of A4 is taken up, in millimetres: what look/paper.css lays out
LINE: Final = 188
NARROW: Final = 10.2
WIDE: Final = 17.2
NUMBER: Final = 6.4
HEAD: Final = 21
ROW: Final = 8.2
SQUARES: Final = 74
ROOM: Final = 222


class Way(msgspec.Struct, frozen=True):
    """A way to play a game that has a sheet of its own: its options, and what they are called."""

    number: int
    options: JsonObject
    said: str


class Tag(msgspec.Struct, frozen=True):
    """A tag of notation at the head of a sheet; an empty text is written by hand."""

    name: str
    text: str = ""
    person: bool = False


def ways_of(game: AnyGame) -> tuple[Way, ...]:
    """The ways to play a game that differ on paper, the usual one first."""
    found: dict[Any, tuple[JsonObject, str]] = {}
    for option in option_views(game):
        for value, said in zip(option.values, option.said, strict=True):
            given = {option.name: value} if value != option.default else {}
            options = codec.convert(given, game.options)
            found.setdefault((game.sides(options), game.paper(options)), (given, said))
    ways = list(found.values()) or [({}, "")]
    return tuple(Way(number, given, said) for number, (given, said) in enumerate(ways, start=1))


def blank_deal(game: AnyGame, options: AnyOptions, number: int) -> SheetDeal:
    """A deal with everything to be written by hand."""
    letters, frame = NAMES[game.seats(options)], game.frame
    rows: tuple[tuple[str, ...], ...] = ()
    if frame is not None and frame.filled:
        rows = tuple(("",) * len(frame.columns) for _ in frame.rows)
    stretches = tuple(_blank(each) for each in game.paper(options))
    scores = tuple(SideScore("".join(letters[seat] for seat in seats), None) for seats in game.sides(options))
    return SheetDeal(number, "", rows, stretches, scores)


def _blank(each: PaperStretch) -> SheetStretch:
    turns = [Turn(number, [""] * each.words) for number in range(1, each.turns + 1)]
    return SheetStretch(each.mark, [""] * each.calls, turns, (0,) * each.sums)


def high(game: AnyGame, options: AnyOptions) -> float:
    """The height of a deal on paper, in millimetres."""
    laid = game.frame is not None and game.frame.filled
    line, rows = LINE - (SQUARES if laid else 0), 0.0
    for each in game.paper(options):
        turn = NUMBER + each.words * (WIDE if each.wide else NARROW)
        a_line = max(1, line // turn)
        calls = math.ceil(each.calls * WIDE / LINE) if each.calls > 4 else 0  # a few stand beside the mark
        rows += math.ceil(each.turns / a_line) + calls + bool(each.mark) + bool(each.sums)
    return HEAD + ROW * rows


def deals_on_a_page(game: AnyGame, options: AnyOptions) -> int:
    """The blank deals that a sheet of A4 has room for."""
    return max(1, int(ROOM // high(game, options)))


def blank_deals(game: AnyGame, options: AnyOptions) -> list[SheetDeal]:
    """A page of blank deals."""
    return [blank_deal(game, options, number) for number in range(1, deals_on_a_page(game, options) + 1)]


def wide_of(game: AnyGame, options: AnyOptions) -> list[bool]:
    """Tells of each stretch, in order, whether it has wide words."""
    return [each.wide for each in game.paper(options)]


@get("/games/{key:str}/sheet", include_in_schema=False, query=("way",))
async def blank_sheet(request: AnyRequest, key: FromPath[str]) -> Response[str]:
    """A blank score sheet of a game, one page of A4."""
    game = all_games().get(key)
    if game is None:
        raise Refusal("not-found", f"there is no game {key[:40]!r}; there are {', '.join(all_games())}")
    ways = ways_of(game)
    asked = request.query_params.get("way", "1")
    way = next((each for each in ways if str(each.number) == asked), None)
    if way is None:
        raise Refusal("not-found", "this game has no such sheet: choose one of those above it")
    options = codec.convert(way.options, game.options)
    seats = NAMES[game.seats(options)]
    tags = [Tag(translate("Game"), game.title)]
    tags += [Tag(translate(name)) for name in (N_("Event"), N_("Date"), N_("Round"), N_("Table"))]
    tags += [*(Tag(letter, "", True) for letter in seats), *_goal(game.race_for(options)), Tag(translate("Scorer"))]
    return page(
        "paper/blank.html",
        await caller_of(request),
        game=game,
        way=way,
        ways=[msgspec.structs.replace(each, said=translate(each.said)) for each in ways],
        tags=tags,
        deals=blank_deals(game, options),
        wide=wide_of(game, options),
    )


def _goal(race: Race) -> list[Tag]:
    """The goal that a match is played to, as notation says it."""
    fixed = pinned(race)
    if fixed.deals is None:
        return [Tag(translate("Target"), str(fixed.target or ""))]
    return [Tag(translate("Deals"), str(fixed.deals))]


@get("/matches/{match_id:uuid}/sheet", include_in_schema=False, query=("blank",))
async def match_sheet(request: AnyRequest, match_id: FromPath[UUID]) -> Response[str]:
    """The score sheet of a match: its deals with cards, reasons and lines to sign; `?blank=1` has the names alone."""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match_id)
    moment = await moment_shown(services, caller, loaded)
    values = table_values(caller, loaded, club, moment=moment)
    match, blank = loaded.match, bool(request.query_params.get("blank"))
    sight = sight_of(match, actor_at(caller, loaded), moment)
    game, options = match.setup.game, match.setup.options
    reasons = (
        () if blank else await reasons_of(services, caller, loaded, Teller(match, values.match.sides, values.people))
    )
    return page(
        "paper/match.html",
        caller,
        tags=await _tags(services, loaded, club, values),
        sheet=blank_deals(game, options) if blank else sheet_deals(match, sight.viewer, sight.opened),
        wide=wide_of(game, options),
        blank=blank,
        frame=game.frame,
        reasons=reasons,
        **asdict(values),
    )


async def _tags(services: Services, loaded: LoadedMatch, club: LoadedClub, values: ShownTable) -> list[Tag]:
    """The head of a match's sheet; round and table where its tournament says so."""
    setup, zone = loaded.match.setup, club.state.settings.zone
    begun = await log.read_stream(services.pool, loaded.club, loaded.stream, 0, 1)
    place = (await places_of(services, club, [loaded])).get(loaded.stream)
    held = None if setup.tournament is None else await services.streams.tournament(setup.tournament)
    seated = {
        seat: known_name(name) for side in values.match.sides for seat, name in zip(side.seats, side.names, strict=True)
    }
    people = zip(NAMES[len(seated)], (seated[seat] for seat in sorted(seated)), strict=True)
    return [
        Tag(translate("Game"), setup.game.title),
        Tag(translate("Event"), "" if held is None else held.tournament.name),
        Tag(translate("Date"), local_text(begun[0].event.recorded_at.isoformat(), zone, "%Y-%m-%d")),
        Tag(translate("Round"), "" if place is None else place.round),
        Tag(translate("Table"), "" if place is None else str(place.table)),
        *(Tag(letter, name, True) for letter, name in people),
        *_goal(setup.race),
        Tag(translate("Scorer")),
    ]
