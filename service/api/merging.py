"""Merging two ids into one person over HTTP, and parting them."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from domain.club.commands import MergePlayers, PartPlayers
from service.desk import bodies
from service.desk.access import club_for
from service.desk.merging import MergePreview, merge, merge_preview, part, person_view
from service.http.answers import as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of

With = Annotated[UUID, QueryParameter(name="with", description="the id that would count for this player")]


class MergingController(Controller):
    """Two ids that are one person."""

    path = "/clubs/{club_id:uuid}/players/{player_id:uuid}"
    tags = ["clubs"]

    @get("/merge", operation_id="previewMerge", summary="What a merge would move")
    async def preview(
        self, request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID], other: With
    ) -> Response[MergePreview]:
        """Nothing is recorded; `refused` says why it could not be. For a secretary."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        command = MergePlayers(str(player_id), str(other))
        return as_json(await merge_preview(services, caller, club, command))

    @post("/merge", operation_id="mergePlayers", summary="Make two ids one person")
    async def merge(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        player_id: FromPath[UUID],
        data: JSONBody[bodies.MergeBody],
    ) -> Response[bodies.PersonAnswer]:
        """What `other` did counts for the player of the address; roles and sign-ins of `other` end. For a secretary."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        command = MergePlayers(str(player_id), str(data.other), data.knowingly)
        done = await merge(services, caller, club, command, await asked(request, caller))
        return as_json(person_view(done.loaded, command.player), 201)

    @post("/part", operation_id="partPlayers", summary="Part two ids that were merged")
    async def part(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        player_id: FromPath[UUID],
        data: JSONBody[bodies.PartBody],
    ) -> Response[bodies.PersonAnswer]:
        """Each has again what stands under its own id; roles and sign-ins do not come back. For a secretary."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        command = PartPlayers(str(player_id), str(data.other))
        done = await part(services, caller, club, command, await asked(request, caller))
        return as_json(person_view(done.loaded, command.player), 201)
