"""Tournaments over HTTP: announce, direct, read as of any moment."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from domain.actor import DIRECTORS
from domain.decider import Refusal
from domain.tournament.state import Tournament
from projections.event_view import event_view
from projections.tournaments import view
from projections.tournaments.bracket import BracketView, bracket_view
from projections.tournaments.lists import TOURNAMENTS, TournamentRow
from projections.tournaments.moves import preview
from projections.tournaments.standings import (
    CrossRow,
    StandingsView,
    WhyView,
    crosstable_view,
    standings_view,
    why_view,
)
from service.api import bodies
from service.api import tournament_bodies as own
from service.api.access import (
    AnyRequest,
    as_of,
    asked,
    caller_of,
    club_for,
    names_of,
    position_of,
    services_of,
    tournament_for,
)
from service.api.clubs import AsOfClub, Cursor, Limit, check_cursor, page
from service.api.matches import AsOf, as_json
from service.auth import Caller, check_known, may_read, of_club, require
from service.lists import Listed, Reached, soon
from service.recording import Done
from service.services import Services
from service.streams import Loaded, LoadedClub
from service.tournaments.desk import Desk
from service.tournaments.naming import called

StageNumber = Annotated[
    int, QueryParameter(name="stage", ge=0, le=8, description="counted from 1; 0, or nothing, is the one that is on")
]


async def directed(services: Services, caller: Caller, done: Done) -> Response[Any]:
    """What a write answers; the matches of its pairings are there when it does."""
    await services.steward.catch_up(done.loaded.club)
    club = await services.recorder.club(done.loaded.club)
    loaded = services.streams.kept(done.loaded.stream) or done.loaded
    notes = of_club(caller, loaded.club) and caller.role in DIRECTORS
    devices = await services.recorder.devices.of(loaded.club)
    events = tuple(event_view(event, "all", True, None, notes=notes, devices=devices) for event in done.events)
    shown = view.tournament_view(loaded.stream, loaded.club, loaded.tournament, names_of(club))
    headers = {"Location": f"/api/v1/tournaments/{loaded.stream}"}
    return as_json(own.Directed(done.last, events, shown), 201, headers)


async def state_of(services: Services, loaded: Loaded, moment: str | None) -> Tournament:
    """The tournament now, or as of a version or time. Raises Refusal."""
    if moment is None:
        return loaded.tournament
    state = await services.streams.state_at(loaded, as_of(moment))
    if not isinstance(state, Tournament) or not state.version:
        raise Refusal("not-found", "the tournament had not been announced by then")
    return state


def stage_of(state: Tournament, stage: int) -> int:
    """The stage that is meant, from 0. Raises Refusal for one that has not begun."""
    number = stage - 1 if stage else max(state.at, 0)
    if number >= len(state.stages) or not state.stages[number].begun:
        raise Refusal("not-found", "that stage has not begun: pair its first round")
    return number


class TournamentController(Controller):
    """One tournament."""

    path = "/tournaments/{tournament_id:uuid}"
    tags = ["tournaments"]

    @get(operation_id="readTournament", summary="The tournament: entries, stages, rounds, places")
    async def read(
        self, request: AnyRequest, tournament_id: FromPath[UUID], moment: AsOf = None
    ) -> Response[view.TournamentView]:
        """Now, or as of a version or time."""
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await tournament_for(services, caller, tournament_id)
        state = await state_of(services, loaded, moment)
        return as_json(view.tournament_view(loaded.stream, loaded.club, state, names_of(club)))

    @get("/standings", operation_id="readStandings", summary="The standings, with the places still possible")
    async def standings(
        self, request: AnyRequest, tournament_id: FromPath[UUID], stage: StageNumber = 0, moment: AsOf = None
    ) -> Response[StandingsView]:
        """Of the stage that is on, or of another; as of any moment."""
        state, number, names = await self._stage(request, tournament_id, stage, moment)
        return as_json(standings_view(state, number, names))

    @get("/standings/{entry:uuid}", operation_id="readWhy", summary="Why an entry is where it is")
    async def why(
        self, request: AnyRequest, tournament_id: FromPath[UUID], entry: FromPath[UUID], stage: StageNumber = 0,
        moment: AsOf = None,
    ) -> Response[WhyView]:  # fmt: skip
        """Every tie-break with its working."""
        state, number, names = await self._stage(request, tournament_id, stage, moment)
        if str(entry) not in state.stages[number].order:
            raise Refusal("not-found", "there is no such entry in this stage")
        return as_json(why_view(state, number, str(entry), names))

    @get("/crosstable", operation_id="readCrosstable", summary="Who met whom, round by round")
    async def crosstable(
        self, request: AnyRequest, tournament_id: FromPath[UUID], stage: StageNumber = 0, moment: AsOf = None
    ) -> Response[tuple[CrossRow, ...]]:
        """Empty for a bracket."""
        state, number, names = await self._stage(request, tournament_id, stage, moment)
        return as_json(crosstable_view(state, number, names))

    @get("/bracket", operation_id="readBracket", summary="The bracket as boxes, lines and rounds")
    async def bracket(
        self, request: AnyRequest, tournament_id: FromPath[UUID], stage: StageNumber = 0, moment: AsOf = None
    ) -> Response[BracketView]:
        """Enough to draw it."""
        state, number, names = await self._stage(request, tournament_id, stage, moment)
        found = bracket_view(state, number, names)
        if found is None:
            raise Refusal("not-found", "this stage has no bracket: see its standings and crosstable")
        return as_json(found)

    @post("/actions", operation_id="directTournament", summary="Direct the tournament: actions in order, all or none")
    async def actions(
        self, request: AnyRequest, tournament_id: FromPath[UUID], data: JSONBody[own.ActionsBody]
    ) -> Response[own.Directed]:
        """`do` names the action. With `preview` the answer is 200 and says what would move."""
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await tournament_for(services, caller, tournament_id)
        desk = Desk(services.recorder)
        wanted = await asked(request, caller, data.expected_version)
        before = await desk.answered(loaded.club, wanted) if of_club(caller, loaded.club) else None
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
    ) -> tuple[Tournament, int, dict[str, str]]:
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await tournament_for(services, caller, tournament_id)
        state = await state_of(services, loaded, moment)
        return state, stage_of(state, stage), view.calling(state, names_of(club))


@get(
    "/tournaments", operation_id="listAllTournaments", summary="The tournaments that you may see", tags=["tournaments"]
)
async def tournaments(request: AnyRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[bodies.Page]:
    """Of every club, the newest first."""
    services, caller = services_of(request), await caller_of(request)
    after = check_cursor(cursor)
    found: list[own.Row] = []
    behind, until = 0, soon()
    for club in await services.streams.clubs():
        if may_read(caller, club.club, club.state.public):
            listed = await rows_of(services, club, limit + 1, after, until=until)
            found += listed.rows
            behind += listed.reached.behind
    found.sort(key=lambda row: row.id, reverse=True)
    return as_json(msgspec.structs.replace(page(found[: limit + 1], limit), behind=behind))


async def rows_of(
    services: Services, club: LoadedClub, limit: int, after: str, position: int | None = None,
    until: float | None = None,
) -> Listed[own.Row]:  # fmt: skip
    """The rows of a club, the newest first, now or as of a position."""
    if position is None:
        found = await services.lists.rows(TOURNAMENTS, club.club, TournamentRow, after, limit, True, until)
    else:
        past = await services.lists.past(TOURNAMENTS, club.club, position, after, limit)
        found = Listed(past, Reached(position))
    return Listed([own.listed(row, club.club, names_of(club)) for row in found.rows], found.reached)


@get("/clubs/{club_id:uuid}/tournaments", operation_id="listTournaments", summary="The club's tournaments",
     tags=["tournaments"])  # fmt: skip
async def club_tournaments(
    request: AnyRequest, club_id: FromPath[UUID], limit: Limit = 50, cursor: Cursor = None, moment: AsOfClub = None
) -> Response[bodies.Page]:
    """The newest first."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    position = await position_of(services, club, moment)
    found = await rows_of(services, club, limit + 1, check_cursor(cursor), position)
    return as_json(page(found.rows, limit, found.reached))


@post("/clubs/{club_id:uuid}/tournaments", operation_id="announceTournament", summary="Announce a tournament",
      tags=["tournaments"])  # fmt: skip
async def announce(
    request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[own.AnnounceBody]
) -> Response[own.Directed]:
    """With its stages, and its entries if they are known."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    done = await Desk(services.recorder).announce(club.club, data, await asked(request, caller))
    return await directed(services, caller, done)
