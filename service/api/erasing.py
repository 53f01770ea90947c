"""People who leave, over HTTP: what erasing one would do, the erasure, and what a person takes along."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from domain.club.events import ErasureReason
from domain.log.actor import SECRETARIES
from service.api.openapi import also
from service.desk import bodies, erasing
from service.desk.access import club_for, require
from service.desk.exporting import Export, ctn_of, export_of
from service.desk.foreseeing import ForeseenErasure, foreseen
from service.desk.leaving import erase_person
from service.http.answers import AnyResponse, as_file, as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of

CTN = "text/plain; charset=utf-8"
Form = Annotated[Literal["json", "ctn"], QueryParameter(name="format", description="all of it, or the matches as CTN")]


class ErasureBody(bodies.Body, frozen=True):
    """Why somebody is erased, and the texts of others (ids of the preview) out of which the name is struck; with
    `whole_names` every text in which the whole name stands."""

    reason: ErasureReason
    texts: Annotated[list[Annotated[str, msgspec.Meta(max_length=60)]], msgspec.Meta(max_length=2000)] = []
    whole_names: bool = False


class Erased(msgspec.Struct, frozen=True):
    """The person, and how many private parts of the log were taken out."""

    person: str
    rows: int


class LeavingController(Controller):
    """One person who leaves."""

    path = "/clubs/{club_id:uuid}/players/{player_id:uuid}"
    tags = ["clubs"]

    @get("/erasure", operation_id="foreseeErasure", summary="What erasing a person would take out, and what stays")
    async def foresee(
        self, request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]
    ) -> Response[ForeseenErasure]:
        """For secretaries and the owner. `texts` are those of others in which the name stands."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        require(caller, club.club, SECRETARIES)
        return as_json(await foreseen(services.recorder, club.club, str(player_id)))

    @post("/erasure", operation_id="erasePerson", summary="Erase a person")
    async def erase(
        self, request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID], data: JSONBody[ErasureBody]
    ) -> Response[Erased]:
        """Names and words go, the random id stays. Again it is answered with 200, and nothing is taken. Refused while a
        dispute of the person is open."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        require(caller, club.club, SECRETARIES)
        ticked = [*data.texts, *(erasing.ALL if data.whole_names else ())]
        wanted = await asked(request, caller)
        gone = await erase_person(services, club.club, str(player_id), data.reason, ticked, wanted)
        return as_json(Erased(str(player_id), gone), 201 if gone else 200)

    @get(
        "/export",
        operation_id="exportPerson",
        summary="A person's own record, to take along",
        operation_class=also(CTN),
    )
    async def export(
        self, request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID], form: Form = "json"
    ) -> Response[Export]:
        """For the person at an own sign-in, secretaries and the owner: results with the names that the club shows, own
        words, and no words of others."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        if form == "ctn":
            found: AnyResponse = as_file(await ctn_of(services, caller, club, str(player_id)), CTN, "matches.ctn")
            return found
        return as_json(await export_of(services, caller, club, str(player_id)))
