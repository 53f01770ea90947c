"""Table doors over HTTP: a director reads the codes and who is in, lets in, throws out, and changes a code."""

from typing import Annotated, TypeAlias
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody

from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from service.api.clubs import Cursor, check_cursor
from service.desk.access import club_for, match_for, require, tournament_for
from service.desk.bodies import Body, Page
from service.desk.coming_in import answer, change_code, check_directs, throw_out
from service.desk.services import Services
from service.desk.who_is_in import TableView, tables_of, tables_of_club, tables_of_tournament
from service.http.answers import as_json
from service.http.caller import AnyRequest, caller_of, services_of
from service.http.compression import ONE_TIME_SECRET
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedMatch

_FORM = r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\s\S])"
Id: TypeAlias = Annotated[str, msgspec.Meta(min_length=36, max_length=36, pattern=_FORM)]


class LetInBody(Body, frozen=True, kw_only=True):
    """The device that asks, and whether it is let in."""

    ask: Id
    yes: bool = True


class ThrowOutBody(Body, frozen=True, kw_only=True):
    """The seat that ends."""

    seat: Id


class ChangeCodeBody(Body, frozen=True, kw_only=True):
    """A new code needs nothing said."""


async def _directed(request: AnyRequest, match: UUID) -> tuple[Services, Caller, LoadedMatch, LoadedClub]:
    """A match for who directs it. Raises Refusal."""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match)
    check_directs(caller, loaded)
    return services, caller, loaded, club


async def _door(services: Services, loaded: LoadedMatch, club: LoadedClub, status: int = 200) -> Response[TableView]:
    """The door of a match as an answer. Raises Refusal for one that is over."""
    found = await tables_of(services, club, [loaded.stream])
    if not found:
        raise Refusal("not-found", "this match is over, and its table has no code any more")
    return as_json(found[0], status)


@get(
    "/clubs/{club_id:uuid}/doors",
    operation_id="listDoors",
    summary="The tables of a club's open matches, with codes and who is in",
    tags=["doors"],
    opt=ONE_TIME_SECRET,
)
async def club_doors(request: AnyRequest, club_id: FromPath[UUID], cursor: Cursor = None) -> Response[Page]:
    """The newest first, 16 at a time. A QR code holds the service's address, `/t#` and the `secret`."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    tables, more = await tables_of_club(services, club, check_cursor(cursor))
    return as_json(Page(tuple(tables), more))


@get(
    "/tournaments/{tournament_id:uuid}/doors",
    operation_id="listTournamentDoors",
    summary="The tables of the rounds that are on, with codes and who is in",
    tags=["doors"],
    opt=ONE_TIME_SECRET,
)
async def tournament_doors(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[Page]:
    """In the order of the tables."""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await tournament_for(services, caller, tournament_id)
    require(caller, loaded.club, DIRECTORS, loaded.stream)
    return as_json(Page(tuple(await tables_of_tournament(services, club, loaded)), None))


class DoorController(Controller):
    """The door of one table."""

    path = "/matches/{match_id:uuid}/door"
    tags = ["doors"]

    @get(operation_id="readDoor", summary="A table's codes, who is in, and who asks to come in", opt=ONE_TIME_SECRET)
    async def read(self, request: AnyRequest, match_id: FromPath[UUID]) -> Response[TableView]:
        """The codes are good until the match is over, or nothing was recorded for two hours."""
        services, _, loaded, club = await _directed(request, match_id)
        return await _door(services, loaded, club)

    @post(
        "/code", operation_id="changeCode", summary="A new code: who is in by the old one is out", opt=ONE_TIME_SECRET
    )
    async def change(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[ChangeCodeBody]
    ) -> Response[TableView]:
        """The old QR code opens nothing any more."""
        services, caller, loaded, club = await _directed(request, match_id)
        await change_code(services, caller, loaded)
        return await _door(services, loaded, club, 201)

    @post("/let-in", operation_id="letIn", summary="Answer a device that asks to come in", opt=ONE_TIME_SECRET)
    async def let_in(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[LetInBody]
    ) -> Response[TableView]:
        """The device that had the name is out."""
        services, caller, loaded, club = await _directed(request, match_id)
        await answer(services, caller, loaded, data.ask, data.yes)
        return await _door(services, loaded, club, 201)

    @post("/throw-out", operation_id="throwOut", summary="End a device's seat", opt=ONE_TIME_SECRET)
    async def out(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[ThrowOutBody]
    ) -> Response[TableView]:
        """It may come in again by the code: change that, too, where it must not."""
        services, caller, loaded, club = await _directed(request, match_id)
        await throw_out(services, caller, loaded, data.seat)
        return await _door(services, loaded, club, 201)
