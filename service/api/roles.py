"""Roles over HTTP: who holds what in a club, given and ended; and the people who are close."""

from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody

from domain.club.state import Club
from service.api import role_bodies as own
from service.desk import bodies
from service.desk.requests import Done
from service.desk.roles import declare, end_friends, friends_seen, grant, revoke, roles_of, roles_seen
from service.http.answers import as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of


def roles_answer(done: Done[Club], person: UUID) -> Response[own.RolesAnswer]:
    """The answer to a write: the roles of the person that it was about."""
    state, loaded = done.loaded.state, done.loaded
    held = tuple(row for row in roles_of(loaded) if row.person == state.whom(str(person)))
    headers = {"Location": f"/api/v1/clubs/{loaded.club}/roles"}
    return as_json(own.RolesAnswer(done.last, held), 201, headers)


class RoleController(Controller):
    """The roles of a club."""

    path = "/clubs/{club_id:uuid}/roles"
    tags = ["access"]

    @get(operation_id="listRoles", summary="Who holds which role")
    async def listed(self, request: AnyRequest, club_id: FromPath[UUID]) -> Response[bodies.Page]:
        """All of them for directors, secretaries and the owner; the own ones for everybody else of the club."""
        _, rows = await roles_seen(services_of(request), await caller_of(request), club_id)
        return as_json(bodies.Page(rows, None))

    @post(operation_id="grantRole", summary="Give a person a role")
    async def grant(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[own.RoleBody]
    ) -> Response[own.RolesAnswer]:
        """A secretary gives every role but the owner's, a director deputies and scorers, a deputy scorers in the
        tournament. What is held already is not given twice."""
        services, caller = services_of(request), await caller_of(request)
        wanted = await asked(request, caller, data.expected_version)
        done = await grant(services, caller, club_id, str(data.person), data.role, data.scope, wanted)
        return roles_answer(done, data.person)

    @post("/revoke", operation_id="revokeRole", summary="End a role of a person")
    async def revoke(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[own.RoleBody]
    ) -> Response[own.RolesAnswer]:
        """From the next request on it counts no more. The last secretary is ended by the owner only."""
        services, caller = services_of(request), await caller_of(request)
        wanted = await asked(request, caller, data.expected_version)
        done = await revoke(services, caller, club_id, str(data.person), data.role, data.scope, wanted)
        return roles_answer(done, data.person)


class FriendsController(Controller):
    """The people of a club who are close."""

    path = "/clubs/{club_id:uuid}/friends"
    tags = ["access"]

    @get(operation_id="listFriends", summary="Who is close to whom")
    async def listed(self, request: AnyRequest, club_id: FromPath[UUID]) -> Response[bodies.Page]:
        """For directors only: neither of two who are close rules on a match of the other."""
        _, rows = await friends_seen(services_of(request), await caller_of(request), club_id)
        return as_json(bodies.Page(rows, None))

    @post(operation_id="declareFriends", summary="Declare two people close")
    async def declare(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[own.FriendsBody]
    ) -> Response[own.FriendsAnswer]:
        """Who they are stands outside the log's public part."""
        services, caller = services_of(request), await caller_of(request)
        wanted = await asked(request, caller, data.expected_version)
        done = await declare(services, caller, club_id, str(data.one), str(data.other), wanted)
        return await self._answer(request, club_id, done)

    @post("/end", operation_id="endFriends", summary="Take back that two people are close")
    async def end(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[own.FriendsEndBody]
    ) -> Response[own.FriendsAnswer]:
        """By another director than the two themselves."""
        services, caller = services_of(request), await caller_of(request)
        done = await end_friends(services, caller, club_id, data.version, await asked(request, caller))
        return await self._answer(request, club_id, done)

    async def _answer(self, request: AnyRequest, club_id: UUID, done: Done[Club]) -> Response[own.FriendsAnswer]:
        _, rows = await friends_seen(services_of(request), await caller_of(request), club_id)
        location = {"Location": f"/api/v1/clubs/{club_id}/friends"}
        return as_json(own.FriendsAnswer(done.last, rows), 201, location)
