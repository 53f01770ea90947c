"""The people of a club over HTTP: one person, changes of him, tables of people."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from domain.club.commands import ChangeMembership, ClubCommand, DescribePlayer, RenamePlayer
from domain.exchange.members import write_members
from domain.log.actor import DIRECTORS, SECRETARIES
from service.api.openapi import taking
from service.api.tournament_files import TABLE_LIMIT, body_of
from service.desk import bodies
from service.desk.access import club_for, require
from service.desk.members import PersonView, PlannedLine, change, person_of, person_view, previewed, take_table
from service.http.answers import CSV, MARK, as_file, as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of

Preview = Annotated[bool, QueryParameter(name="preview", description="only say what the table would do")]


class TakenPeople(msgspec.Struct, frozen=True):
    """The answer to a table: what each line does (a repeat under the same key does nothing), how many events were
    recorded, and the version of the club."""

    version: int
    recorded: int
    lines: tuple[PlannedLine, ...]


class MemberController(Controller):
    """The people of one club."""

    path = "/clubs/{club_id:uuid}"
    tags = ["clubs"]

    @get("/players/{player_id:uuid}", operation_id="readPlayer", summary="One person of a club")
    async def person(
        self, request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]
    ) -> Response[PersonView]:
        """Earlier names and roles for directors and secretaries, note, ids and rating for secretaries only; what you
        may not see is null and named in `hidden`."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(person_view(club, person_of(club, str(player_id)), caller))

    @post("/players/{player_id:uuid}/name", operation_id="renamePlayer", summary="A person is called something else")
    async def rename(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        player_id: FromPath[UUID],
        data: JSONBody[bodies.NameBody],
    ) -> Response[PersonView]:
        """The earlier name stays findable, the id does not change. Where somebody else is called so already, `another`
        says that this is another person."""
        command = RenamePlayer(str(player_id), data.name, data.another, data.expected_version)
        return await _changed(request, club_id, command, DIRECTORS | SECRETARIES)

    @post("/players/{player_id:uuid}/membership", operation_id="changeMembership", summary="Visitor or member")
    async def membership(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        player_id: FromPath[UUID],
        data: JSONBody[bodies.MembershipBody],
    ) -> Response[PersonView]:
        """A visitor becomes a member, or a member a visitor."""
        command = ChangeMembership(str(player_id), data.visitor, data.expected_version)
        return await _changed(request, club_id, command, SECRETARIES)

    @post("/players/{player_id:uuid}/description", operation_id="describePlayer", summary="What is kept of a person")
    async def describe(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        player_id: FromPath[UUID],
        data: JSONBody[bodies.DescriptionBody],
    ) -> Response[PersonView]:
        """It takes the place of all that was kept; nothing of it stands in the log's public part."""
        command = DescribePlayer(str(player_id), data.note, data.ids, data.rating, data.expected_version)
        return await _changed(request, club_id, command, SECRETARIES)

    @get("/players.csv", operation_id="readPlayersTable", summary="The people of a club as CSV", media_type=CSV)
    async def table(self, request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
        """Columns: id, name, visitor, rating, ids."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        require(caller, club.club, SECRETARIES)
        return as_file(MARK + write_members(club.state), CSV, "members.csv")

    @post(
        "/players.csv",
        operation_id="takePlayersTable",
        summary="Take everybody of a CSV table, all or none",
        request_max_body_size=TABLE_LIMIT,
        operation_class=taking("text/csv", TABLE_LIMIT),
    )
    async def take(
        self, request: AnyRequest, club_id: FromPath[UUID], preview: Preview = False
    ) -> Response[TakenPeople]:
        """A line finds its person by the id in this club, then by the id of another body, then by name; else it brings
        in a new one. Every line that is wrong is named, and nobody is taken then. With `preview` nothing is recorded,
        and the answer is 200."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        require(caller, club.club, SECRETARIES)
        data = await body_of(request, TABLE_LIMIT)
        wanted = await asked(request, caller)
        before = await services.recorder.answered(club.club, wanted)
        lines = () if before is not None else tuple(await previewed(services.recorder, club.club, data))
        if preview:
            return as_json(TakenPeople(club.head.version, 0, lines))
        done = before or await take_table(services.recorder, club.club, data, wanted)
        return as_json(TakenPeople(done.last, len(done.events), lines), 201)


async def _changed(
    request: AnyRequest, club_id: UUID, command: ClubCommand, allowed: frozenset[str]
) -> Response[PersonView]:
    """A command on one person, and the person after it."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, allowed)
    done = await change(services.recorder, club.club, command, await asked(request, caller))
    view = person_view(done.loaded, person_of(done.loaded, str(request.path_params["player_id"])), caller)
    return as_json(view, 201, {"Location": f"/api/v1/clubs/{club.club}/players/{view.id}"})
