"""Sums of a club's results over HTTP: ratings, seasons, the ladder."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get
from litestar.params import FromPath, QueryParameter

from domain.standings.ratings import RatingKind
from projections.ratings import HistoryView, RatingsView
from projections.records import RecordView
from projections.season import LadderView, SeasonLabel, SeasonView
from projections.season_record import SeasonRecordView
from service.api.clubs import AsOfClub
from service.desk.access import club_for
from service.desk.standings import book_of, history_of, ladder_of, ratings_of, record_of, season_of, season_record_of
from service.http.answers import as_json
from service.http.caller import AnyRequest, caller_of, services_of

GameKey = Annotated[
    str | None,
    QueryParameter(name="game", max_length=40, description="a game's key; else the one with the most results"),
]
OneGame = Annotated[
    str | None, QueryParameter(name="game", max_length=40, description="a game's key: only its matches")
]
KindName = Annotated[RatingKind, QueryParameter(name="kind", description="each player, or partners who stay together")]
SeasonName = Annotated[
    str | None, QueryParameter(name="season", max_length=40, description="a season's label; else the latest one")
]
Best = Annotated[
    int, QueryParameter(name="best", ge=0, le=400, description="how many results of each player count; 0: all")
]
Points = Annotated[
    str | None,
    QueryParameter(
        name="points",
        max_length=600,
        pattern=r"^[0-9]{1,4}(,[0-9]{1,4}){0,99}(?![\s\S])",
        description="points of the first place, the second …; else 25,18,15,12,10,8,6,4,2,1",
    ),
]


class StandingsController(Controller):
    """The sums of a club's results."""

    path = "/clubs/{club_id:uuid}"
    tags = ["standings"]

    @get("/ratings", operation_id="readRatings", summary="The ratings of a game: players, or partners")
    async def ratings(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        game: GameKey = None,
        kind: KindName = "players",
        moment: AsOfClub = None,
    ) -> Response[RatingsView]:
        """Replayed from every match that was played to its end, in the order of the log."""
        services, caller = services_of(request), await caller_of(request)
        return as_json(await ratings_of(services, await club_for(services, caller, club_id), game, kind, moment))

    @get("/ratings/{player_id:uuid}", operation_id="readRating", summary="A player's rating, match by match")
    async def history(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        player_id: FromPath[UUID],
        game: GameKey = None,
        moment: AsOfClub = None,
    ) -> Response[HistoryView]:
        """Each match with the rating before and after it."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(await history_of(services, club, str(player_id), game, moment))

    @get(
        "/players/{player_id:uuid}/record",
        operation_id="readRecord",
        summary="What a person won and lost, by game and by opponent",
    )
    async def record(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        player_id: FromPath[UUID],
        game: OneGame = None,
        moment: AsOfClub = None,
    ) -> Response[RecordView]:
        """Of every match that ratings count, with the longest runs and the lurches."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(await record_of(services, club, str(player_id), game, moment))

    @get("/seasons", operation_id="listSeasons", summary="The seasons that tournaments count for")
    async def seasons(
        self, request: AnyRequest, club_id: FromPath[UUID], moment: AsOfClub = None
    ) -> Response[tuple[SeasonLabel, ...]]:
        """The latest first."""
        services, caller = services_of(request), await caller_of(request)
        book, _, _ = await book_of(services, await club_for(services, caller, club_id), moment)
        return as_json(await book.seasons())

    @get("/seasons/standings", operation_id="readSeason", summary="The standings of a season, with their working")
    async def season(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        season: SeasonName = None,
        best: Best = 0,
        points: Points = None,
        moment: AsOfClub = None,
    ) -> Response[SeasonView]:
        """Points for the places of its finished tournaments; shared places share them."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(await season_of(services, club, season, best or None, points, moment))

    @get(
        "/seasons/record",
        operation_id="readSeasonRecord",
        summary="The points after each tournament of a season, and everybody's record in its matches",
    )
    async def season_record(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        season: SeasonName = None,
        best: Best = 0,
        points: Points = None,
        moment: AsOfClub = None,
    ) -> Response[SeasonRecordView]:
        """The points are those that count in its standings."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(await season_record_of(services, club, season, best or None, points, moment))

    @get("/ladder", operation_id="readLadder", summary="The club's ladder of a game, carried from event to event")
    async def ladder(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        game: GameKey = None,
        tournament: Annotated[
            UUID | None, QueryParameter(name="tournament", description="whose entries are to begin in this order")
        ] = None,
        moment: AsOfClub = None,
    ) -> Response[LadderView]:
        """With `tournament` it is the ladder of that one's game, and `order` holds its entries as they begin: give them
        as seeds."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(await ladder_of(services, club, game, tournament, moment))
