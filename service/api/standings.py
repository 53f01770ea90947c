"""What a club's results add up to, over HTTP: ratings, seasons, the ladder."""

from typing import Annotated, TypeVar
from uuid import UUID

import msgspec
from litestar import Controller, Response, get
from litestar.params import FromPath, QueryParameter

from domain.decider import Refusal
from domain.match.opening import find_game
from domain.ratings import Kind
from domain.season import CONVENTION, Table
from domain.tournament.carried import starting_order
from domain.tournament.formats.ladder import Ladder
from domain.tournament.state import Tournament
from projections.ratings import HistoryView, RatingsView, history_view, ratings_view
from projections.season import LadderView, SeasonLabel, SeasonView, ladder_view, season_labels, season_view
from service.api.access import AnyRequest, caller_of, club_at, club_for, names_of, position_of, services_of
from service.api.clubs import AsOfClub
from service.api.matches import as_json
from service.books import Book
from service.lists import Reached
from service.services import Services
from service.streams import LoadedClub

View = TypeVar("View", RatingsView, HistoryView, SeasonView, LadderView)
GameKey = Annotated[
    str | None,
    QueryParameter(name="game", max_length=40, description="a game's key; else the one with the most results"),
]
KindName = Annotated[Kind, QueryParameter(name="kind", description="each player, or partners who stay together")]
SeasonName = Annotated[
    str | None, QueryParameter(name="season", max_length=40, description="a season's label; else the latest one")
]
Best = Annotated[
    int, QueryParameter(name="best", ge=0, le=400, description="how many results of each player count; 0: all")
]
Points = Annotated[
    str | None,
    QueryParameter(
        name="points", max_length=600, pattern=r"^[0-9]{1,4}(,[0-9]{1,4}){0,99}(?![\s\S])",
        description="points of the first place, the second …; else 25,18,15,12,10,8,6,4,2,1",
    ),
]  # fmt: skip


def table_of(points: str | None) -> Table:
    """The points by place. Raises Refusal for a place that is worth more than a better one."""
    if points is None:
        return CONVENTION
    table = tuple(int(each) for each in points.split(","))
    if list(table) != sorted(table, reverse=True):
        raise Refusal("malformed", "`points`: no place is worth more than a better one, as in 25,18,15")
    return table


def game_of(book: Book, game: str | None) -> tuple[str | None, str]:
    """The game that is meant, and its title; the most played one where none is named. Raises Refusal."""
    key = game or next(iter(book.games()), None)
    return key, find_game(key).title if key else ""


async def book_of(services: Services, club: LoadedClub, moment: str | None) -> tuple[Book, Reached, LoadedClub]:
    """The club's book, what it is of, and who was known then; now, or as of a position or time. Raises Refusal."""
    position = await position_of(services, club, moment)
    if position is not None:
        book, reached = await services.books.at(club.club, position)
        return book, reached, await club_at(services, club, position)
    book, reached = await services.books.of(club.club)
    return book, reached, await services.recorder.club(club.club)


def of(view: View, reached: Reached) -> View:
    """A view with what it is of."""
    return msgspec.structs.replace(view, position=reached.position, behind=reached.behind)


async def ratings_of(
    services: Services, club: LoadedClub, game: str | None, kind: Kind, moment: str | None = None
) -> RatingsView:
    """The table of a game. Raises Refusal."""
    book, reached, known = await book_of(services, club, moment)
    key, title = game_of(book, game)
    careers = await services.books.careers(book, key, kind) if key else {}
    return of(ratings_view(key, title, kind, careers, book.games(), names_of(known)), reached)


async def history_of(
    services: Services, club: LoadedClub, player: str, game: str | None, moment: str | None = None
) -> HistoryView:
    """One player's way in a game; without one, in the game that the player plays most. Raises Refusal."""
    book, reached, known = await book_of(services, club, moment)
    if player not in known.state.players:
        raise Refusal("not-found", "the club knows no such player" + (" as of then" if moment else ""))
    key, title = game_of(book, game or _most_played(book, player))
    careers = await services.books.careers(book, key, "players") if key else {}
    return of(history_view(player, key, title, careers, names_of(known)), reached)


def _most_played(book: Book, player: str) -> str | None:
    own = {
        game: sum(player in side for each in book.of_game(game) for side in each.sides) for game in book.games()
    }  # fmt: skip
    return max(own, key=lambda game: own[game], default=None)


async def season_of(
    services: Services, club: LoadedClub, season: str | None, best: int | None, points: str | None,
    moment: str | None = None,
) -> SeasonView:  # fmt: skip
    """The standings of a season, else of the latest. Raises Refusal for a label that no tournament bears."""
    table = table_of(points)
    book, reached, known = await book_of(services, club, moment)
    labels = [each.season for each in season_labels(book.accounts.values())]
    if season is not None and season not in labels:
        raise Refusal("not-found", "no tournament of this club counts for a season of that name")
    chosen = season or next(iter(labels), None)
    return of(season_view(chosen, book.accounts.values(), table, best, names_of(known)), reached)


async def ladder_of(
    services: Services, club: LoadedClub, game: str | None, order: UUID | None = None, moment: str | None = None
) -> LadderView:
    """The club's ladder of a game, or of that of the tournament whose entries begin on it. Raises Refusal."""
    book, reached, known = await book_of(services, club, moment)
    state = None
    if order is not None:
        state = await _announced(services, club, str(order), None if moment is None else reached.position)
        game = game_meant(state, game)
    key, title = game_of(book, game)
    ladder = book.ladder(key) if key else ()
    seeds = None
    if state is not None:
        seeds = starting_order(ladder, [(entry, state.entries[entry].players) for entry in state.active()])
    return of(ladder_view(key, title, ladder, names_of(known), seeds), reached)


async def _announced(services: Services, club: LoadedClub, tournament: str, position: int | None) -> Tournament:
    """A tournament of the club, now or as of a position. Raises Refusal."""
    loaded = await services.streams.tournament(tournament)
    if loaded is None or loaded.club != club.club:
        raise Refusal("not-found", "`tournament`: this club has no such tournament")
    if position is None:
        return loaded.tournament
    state = await services.streams.state_by(loaded, position)
    if not isinstance(state, Tournament) or not state.version:
        raise Refusal("not-found", "`tournament`: it had not been announced by then")
    return state


def game_meant(state: Tournament, game: str | None) -> str:
    """The game in which a tournament's entries begin on a ladder: that of its ladder, else of its first stage. Raises
    Refusal for one that is not played in it."""
    played = [stage.setup.game for stage in state.stages]
    ladders = [stage.setup.game for stage in state.stages if isinstance(stage.format, Ladder)]
    if game is not None and game not in played:
        titles = " and ".join(find_game(key).title for key in dict.fromkeys(played))
        raise Refusal("malformed", f"`game`: {state.name} is played in {titles}, not in {find_game(game).title}")
    return game or (ladders or played)[0]


class StandingsController(Controller):
    """What a club's results add up to."""

    path = "/clubs/{club_id:uuid}"
    tags = ["standings"]

    @get("/ratings", operation_id="readRatings", summary="The ratings of a game: players, or partners")
    async def ratings(
        self, request: AnyRequest, club_id: FromPath[UUID], game: GameKey = None, kind: KindName = "players",
        moment: AsOfClub = None,
    ) -> Response[RatingsView]:  # fmt: skip
        """Replayed from every match that was played to its end, in the order of the log."""
        services, caller = services_of(request), await caller_of(request)
        return as_json(await ratings_of(services, await club_for(services, caller, club_id), game, kind, moment))

    @get("/ratings/{player_id:uuid}", operation_id="readRating", summary="A player's rating, match by match")
    async def history(
        self, request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID], game: GameKey = None,
        moment: AsOfClub = None,
    ) -> Response[HistoryView]:  # fmt: skip
        """Each match with the rating before and after it."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(await history_of(services, club, str(player_id), game, moment))

    @get("/seasons", operation_id="listSeasons", summary="The seasons that tournaments count for")
    async def seasons(
        self, request: AnyRequest, club_id: FromPath[UUID], moment: AsOfClub = None
    ) -> Response[tuple[SeasonLabel, ...]]:
        """The latest first."""
        services, caller = services_of(request), await caller_of(request)
        book, _, _ = await book_of(services, await club_for(services, caller, club_id), moment)
        return as_json(season_labels(book.accounts.values()))

    @get("/seasons/standings", operation_id="readSeason", summary="The standings of a season, with their working")
    async def season(
        self, request: AnyRequest, club_id: FromPath[UUID], season: SeasonName = None, best: Best = 0,
        points: Points = None, moment: AsOfClub = None,
    ) -> Response[SeasonView]:  # fmt: skip
        """Points for the places of its finished tournaments; shared places share them."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(await season_of(services, club, season, best or None, points, moment))

    @get("/ladder", operation_id="readLadder", summary="The club's ladder of a game, carried from event to event")
    async def ladder(
        self, request: AnyRequest, club_id: FromPath[UUID], game: GameKey = None,
        tournament: Annotated[
            UUID | None, QueryParameter(name="tournament", description="whose entries are to begin in this order")
        ] = None,
        moment: AsOfClub = None,
    ) -> Response[LadderView]:  # fmt: skip
        """With `tournament` it is the ladder of that one's game, and `order` holds its entries as they begin: give them
        as seeds."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(await ladder_of(services, club, game, tournament, moment))
