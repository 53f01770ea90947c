"""Tournaments over HTTP: announce, direct, read as of any moment."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from domain.tournament.doubts import Doubt
from domain.tournament.state import Tournament
from projections.event_view import event_view
from projections.merged import tournament_with
from projections.tournaments import view
from projections.tournaments.bracket import BracketView, bracket_view
from projections.tournaments.moves import ForeseenMoves, preview
from projections.tournaments.standings import (
    CrossRow,
    StandingsView,
    WhyView,
    crosstable_view,
    standings_view,
    why_view,
)
from service.api.clubs import AsOfClub, Cursor, Limit, check_cursor, page
from service.api.links import FIRST, gives
from service.api.matches import AsOf
from service.desk import bodies
from service.desk import tournament_bodies as own
from service.desk.access import check_known, club_for, require, tournament_for
from service.desk.as_of import position_of
from service.desk.lists import soon
from service.desk.naming import called
from service.desk.pacing import RoundPace, pace_of
from service.desk.requests import DoneTournament
from service.desk.services import Services
from service.desk.showing import names_of
from service.desk.tournament_reading import doubts_beside, rows_of, stage_of, state_of
from service.desk.tournaments import Desk
from service.http.answers import AnyResponse, as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of
from service.store.callers import Caller, may_read, of_club

StageNumber = Annotated[
    int, QueryParameter(name="stage", ge=0, le=8, description="counted from 1; 0, or nothing, is the one that is on")
]

RoundNumber = Annotated[
    int,
    QueryParameter(name="round", ge=0, le=4096, description="counted from 1; 0, or nothing, is the last one paired"),
]


async def directed(services: Services, caller: Caller, done: DoneTournament) -> AnyResponse:
    """The answer to a write; the matches of its pairings are there by then."""
    await services.steward.catch_up(done.loaded.club)
    club = await services.recorder.club(done.loaded.club)
    loaded = services.streams.kept(done.loaded.stream) or done.loaded
    notes = caller.directs(loaded.club, loaded.stream)
    devices = await services.recorder.devices.of(loaded.club)
    events = tuple(event_view(event, "all", None, notes=notes, devices=devices) for event in done.events)
    state = tournament_with(club.state.firsts(), loaded.tournament)
    beside = await doubts_beside(services, loaded, state)
    shown = view.tournament_view(loaded.stream, loaded.club, state, names_of(club), beside)
    headers = {"Location": f"/api/v1/tournaments/{loaded.stream}"}
    return as_json(own.Directed(done.last, events, shown), 201, headers)


class TournamentController(Controller):
    """One tournament."""

    path = "/tournaments/{tournament_id:uuid}"
    tags = ["tournaments"]

    @get(
        operation_id="readTournament",
        summary="The tournament: entries, stages, rounds, places",
        opt=gives(match_id="/rounds/0/pairings/0/match", entry="/entries/0/id"),
    )
    async def read(
        self, request: AnyRequest, tournament_id: FromPath[UUID], moment: AsOf = None
    ) -> Response[view.TournamentView]:
        """Now, or as of a version or time."""
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await tournament_for(services, caller, tournament_id)
        state = tournament_with(club.state.firsts(), await state_of(services, loaded, moment))
        beside = await doubts_beside(services, loaded, state, moment)
        return as_json(view.tournament_view(loaded.stream, loaded.club, state, names_of(club), beside))

    @get("/standings", operation_id="readStandings", summary="The standings, with the places still possible")
    async def standings(
        self, request: AnyRequest, tournament_id: FromPath[UUID], stage: StageNumber = 0, moment: AsOf = None
    ) -> Response[StandingsView]:
        """Of the stage that is on, or of another; as of any moment."""
        state, number, names, beside = await self._stage(request, tournament_id, stage, moment)
        return as_json(standings_view(state, number, names, beside))

    @get("/standings/{entry:uuid}", operation_id="readWhy", summary="Why an entry is where it is")
    async def why(
        self,
        request: AnyRequest,
        tournament_id: FromPath[UUID],
        entry: FromPath[UUID],
        stage: StageNumber = 0,
        moment: AsOf = None,
    ) -> Response[WhyView]:
        """Every tie-break with its working."""
        state, number, names, _ = await self._stage(request, tournament_id, stage, moment)
        if str(entry) not in state.stages[number].order:
            raise Refusal("not-found", "there is no such entry in this stage")
        return as_json(why_view(state, number, str(entry), names))

    @get("/crosstable", operation_id="readCrosstable", summary="Who met whom, round by round")
    async def crosstable(
        self, request: AnyRequest, tournament_id: FromPath[UUID], stage: StageNumber = 0, moment: AsOf = None
    ) -> Response[tuple[CrossRow, ...]]:
        """Empty for a bracket."""
        state, number, names, beside = await self._stage(request, tournament_id, stage, moment)
        return as_json(crosstable_view(state, number, names, beside))

    @get("/bracket", operation_id="readBracket", summary="The bracket as boxes, lines and rounds")
    async def bracket(
        self, request: AnyRequest, tournament_id: FromPath[UUID], stage: StageNumber = 0, moment: AsOf = None
    ) -> Response[BracketView]:
        """Enough to draw it."""
        state, number, names, beside = await self._stage(request, tournament_id, stage, moment)
        found = bracket_view(state, number, names, beside)
        if found is None:
            raise Refusal("not-found", "this stage has no bracket: see its standings and crosstable")
        return as_json(found)

    @get("/pace", operation_id="readPace", summary="The deals of a round that took too long")
    async def pace(
        self, request: AnyRequest, tournament_id: FromPath[UUID], stage: StageNumber = 0, round_: RoundNumber = 0
    ) -> Response[RoundPace]:
        """For directors. Nothing while the round is in time by its clock, or with fewer than eight tables of a game."""
        services, caller = services_of(request), await caller_of(request)
        loaded, _ = await tournament_for(services, caller, tournament_id)
        return as_json(await pace_of(services, caller, loaded, stage, round_))

    @post(
        "/actions",
        operation_id="directTournament",
        summary="Direct the tournament: actions in order, all or none",
        opt=gives(match_id="/tournament/rounds/0/pairings/0/match", entry="/tournament/entries/0/id"),
        responses={
            200: ResponseSpec(ForeseenMoves, generate_examples=False, description="With `preview`: what would move")
        },
    )
    async def actions(
        self, request: AnyRequest, tournament_id: FromPath[UUID], data: JSONBody[own.ActionsBody]
    ) -> Response[own.Directed]:
        """`do` names the action. With `preview` the answer is 200 and says what would move."""
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await tournament_for(services, caller, tournament_id)
        desk = Desk(services.recorder)
        wanted = await asked(request, caller, data.expected_version)
        before = await services.recorder.answered(loaded.club, wanted) if of_club(caller, loaded.club) else None
        if before is not None:
            return await directed(services, caller, before)
        check_known(caller)
        with called(view.calling(loaded.tournament, names_of(club))):
            if data.preview:
                after, events = await desk.tried(loaded, data.actions, wanted)
                names = view.calling(after, names_of(club))
                return as_json(preview(loaded.tournament, after, events, names))
            done = await desk.act(loaded, data.actions, data.reason, wanted)
        return await directed(services, caller, done)

    async def _stage(
        self, request: AnyRequest, tournament_id: UUID, stage: int, moment: str | None
    ) -> tuple[Tournament, int, dict[str, str], dict[str, Doubt]]:
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await tournament_for(services, caller, tournament_id)
        state = await state_of(services, loaded, moment)
        beside = await doubts_beside(services, loaded, state, moment)
        return state, stage_of(state, stage), view.calling(state, names_of(club)), beside


@get(
    "/tournaments",
    operation_id="listAllTournaments",
    summary="The tournaments that you may see",
    tags=["tournaments"],
    opt=gives(tournament_id=FIRST),
)
async def tournaments(request: AnyRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[bodies.Page]:
    """Of every club, the newest first."""
    services, caller = services_of(request), await caller_of(request)
    after = check_cursor(cursor)
    found: list[own.TournamentListRow] = []
    behind, until = 0, soon()
    for club in await services.streams.clubs():
        if may_read(caller, club.club, club.state.public):
            listed = await rows_of(services, caller, club, limit + 1, after, until=until)
            found += listed.rows
            behind += listed.reached.behind
    found.sort(key=lambda row: row.id, reverse=True)
    return as_json(msgspec.structs.replace(page(found[: limit + 1], limit), behind=behind))


@get(
    "/clubs/{club_id:uuid}/tournaments",
    operation_id="listTournaments",
    summary="The club's tournaments",
    tags=["tournaments"],
    opt=gives(tournament_id=FIRST),
)
async def club_tournaments(
    request: AnyRequest, club_id: FromPath[UUID], limit: Limit = 50, cursor: Cursor = None, moment: AsOfClub = None
) -> Response[bodies.Page]:
    """The newest first."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    position = await position_of(services, club, moment)
    found = await rows_of(services, caller, club, limit + 1, check_cursor(cursor), position)
    return as_json(page(found.rows, limit, found.reached))


@post(
    "/clubs/{club_id:uuid}/tournaments",
    operation_id="announceTournament",
    summary="Announce a tournament",
    tags=["tournaments"],
    opt=gives(tournament_id="/tournament/id", entry="/tournament/entries/0/id"),
)
async def announce(
    request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[own.AnnounceBody]
) -> Response[own.Directed]:
    """With its stages, and its entries if they are known."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    done = await Desk(services.recorder).announce(club.club, data, await asked(request, caller))
    return await directed(services, caller, done)
