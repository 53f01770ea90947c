"""Tokens over HTTP: a secretary makes, lists and revokes what programs of the club show."""

from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody

from domain.log.actor import SECRETARIES
from service.api import role_bodies as own
from service.api.links import FIRST, gives
from service.desk import bodies
from service.desk.access import club_for, require
from service.desk.roles import scope_in
from service.desk.tokens import listed, make, revoke
from service.http.answers import as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of
from service.http.compression import ONE_TIME_SECRET


class TokenController(Controller):
    """The tokens of a club."""

    path = "/clubs/{club_id:uuid}/tokens"
    tags = ["access"]

    @get(operation_id="listTokens", summary="The club's tokens, without themselves", opt=gives(token_id=FIRST))
    async def listed(self, request: AnyRequest, club_id: FromPath[UUID]) -> Response[bodies.Page]:
        """The oldest first; revoked ones too."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        require(caller, club.club, SECRETARIES)
        rows = await listed(services.recorder, club)
        return as_json(bodies.Page(tuple(own.token_view(row) for row in rows), None))

    @post(
        operation_id="createToken",
        summary="Make a token for a program",
        opt={**ONE_TIME_SECRET, **gives(token_id="/id")},  # noqa: S106  # where it stands
    )
    async def create(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[own.TokenBody]
    ) -> Response[own.CreatedToken]:
        """It is in this answer only, and never gives more than its maker holds when it is used. The same request again
        is refused."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        require(caller, club.club, SECRETARIES)
        wanted = data.wanted
        scope = await scope_in(services.streams, club.club, wanted.scope)
        asked_for = msgspec.structs.replace(wanted, scope=scope)
        made = await make(services.recorder, club.club, asked_for, await asked(request, caller), caller.id)
        location = {"Location": f"/api/v1/clubs/{club.club}/tokens"}
        return as_json(own.created_view(made.row, made.secret), 201, location)

    @post("/{token_id:uuid}/revoke", operation_id="revokeToken", summary="End a token, with those made with it")
    async def revoke(
        self, request: AnyRequest, club_id: FromPath[UUID], token_id: FromPath[UUID], data: JSONBody[own.TokenEndBody]
    ) -> Response[own.TokenView]:
        """Its event streams end, and webhooks that it made stop."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        require(caller, club.club, SECRETARIES)
        row = await revoke(services.recorder, club.club, str(token_id), await asked(request, caller))
        return as_json(own.token_view(row), 201)
