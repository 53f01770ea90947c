"""Clubs over HTTP: which there are, their matches and players."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from domain.actor import DIRECTORS
from domain.decider import Refusal
from projections.lists import MATCHES, PLAYERS, MatchRow, PlayerRow
from service.api import bodies
from service.api.access import AnyRequest, asked, caller_of, club_for, names_of, services_of
from service.api.matches import as_json
from service.auth import may_read, require
from service.streams import LoadedClub

Limit = Annotated[int, QueryParameter(name="limit", ge=1, le=200)]
Cursor = Annotated[str | None, QueryParameter(name="cursor", max_length=80)]


def club_view(club: LoadedClub) -> bodies.ClubView:
    """A club as it is listed."""
    return bodies.ClubView(club.club, club.state.name, club.state.public, len(club.state.players))


def check_cursor(cursor: str | None) -> str:
    """A cursor is the id of the last row of the page before. Raises Refusal."""
    if cursor is None:
        return ""
    try:
        return str(UUID(cursor))
    except ValueError:
        raise Refusal("malformed", "`cursor` is what `next` of the page before said") from None


def page(rows: list[Any], limit: int) -> bodies.Page:
    """Rows as a page; one more than asked for was read, to know whether there is a next."""
    more = len(rows) > limit
    kept = rows[:limit]
    return bodies.Page(tuple(kept), kept[-1].id if more else None)


def with_names(row: MatchRow, names: dict[str, str | None]) -> dict[str, Any]:
    """A row of the list, its sides with names."""
    plain: dict[str, Any] = msgspec.to_builtins(row)
    plain["sides"] = [{"names": [names.get(player) for player in side], "players": side} for side in row.sides]
    return plain


class ClubController(Controller):
    """The clubs."""

    path = "/clubs"
    tags = ["clubs"]

    @get(operation_id="listClubs", summary="The clubs that you may see")
    async def clubs(self, request: AnyRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[bodies.Page]:
        """Public ones, and the one of your token."""
        services, caller = services_of(request), await caller_of(request)
        after = check_cursor(cursor)
        found = [
            club_view(club)
            for club in await services.streams.clubs()
            if may_read(caller, club.club, club.state.public) and club.club > after
        ]
        return as_json(page(found[: limit + 1], limit))

    @get("/{club_id:uuid}", operation_id="readClub", summary="One club")
    async def club(self, request: AnyRequest, club_id: FromPath[UUID]) -> Response[bodies.ClubView]:
        """Its name, and how many people it knows."""
        services, caller = services_of(request), await caller_of(request)
        return as_json(club_view(await club_for(services, caller, club_id)))

    @get("/{club_id:uuid}/matches", operation_id="listMatches", summary="The club's matches, the newest first")
    async def matches(
        self, request: AnyRequest, club_id: FromPath[UUID], limit: Limit = 50, cursor: Cursor = None
    ) -> Response[bodies.Page]:
        """A kept view, up to date with the log as it is now."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        rows = await services.projector.rows(MATCHES, club.club, MatchRow, check_cursor(cursor), limit + 1, newest=True)
        found = page(rows, limit)
        names = names_of(club)
        return as_json(bodies.Page(tuple(with_names(row, names) for row in found.items), found.next))

    @get("/{club_id:uuid}/players", operation_id="listPlayers", summary="The people that the club knows")
    async def players(
        self, request: AnyRequest, club_id: FromPath[UUID], limit: Limit = 50, cursor: Cursor = None
    ) -> Response[bodies.Page]:
        """Members and visitors."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        rows = await services.projector.rows(PLAYERS, club.club, PlayerRow, check_cursor(cursor), limit + 1)
        return as_json(page(rows, limit))

    @post("/{club_id:uuid}/players", operation_id="registerPlayer", summary="Register a member")
    async def register(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[bodies.PlayerBody]
    ) -> Response[dict[str, str]]:
        """The name stays outside the log's public part."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        require(caller, club.club, DIRECTORS)
        player = await services.recorder.register(club.club, data.name, await asked(request, caller))
        location = {"Location": f"/api/v1/clubs/{club.club}/players"}
        return as_json({"id": player, "name": data.name}, 201, location)
