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
from service.api.access import (
    AnyRequest,
    asked,
    caller_of,
    club_at,
    club_for,
    names_of,
    position_of,
    services_of,
)
from service.api.matches import as_json
from service.auth import may_read, require
from service.lists import Listed, Reached
from service.services import Services
from service.streams import LoadedClub

Limit = Annotated[int, QueryParameter(name="limit", ge=1, le=200)]
Cursor = Annotated[str | None, QueryParameter(name="cursor", max_length=80)]
AsOfClub = Annotated[
    str | None,
    QueryParameter(name="as_of", max_length=40, description="a position of the club's log, or a time in RFC 3339"),
]


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


def page(rows: list[Any], limit: int, reached: Reached | None = None) -> bodies.Page:
    """Rows as a page; one more than asked for was read, to know whether there is a next."""
    more = len(rows) > limit
    kept = rows[:limit]
    following = kept[-1].id if more else None
    if reached is None:
        return bodies.Page(tuple(kept), following)
    return bodies.Page(tuple(kept), following, reached.position, reached.behind)


async def matches_of(
    services: Services, club: str, after: str, limit: int, position: int | None = None
) -> Listed[MatchRow]:
    """The newest matches of a club, now or as of a position."""
    if position is None:
        return await services.lists.rows(MATCHES, club, MatchRow, after, limit, newest=True)
    return Listed(await services.lists.past(MATCHES, club, position, after, limit), Reached(position))


async def players_of(
    services: Services, club: LoadedClub, after: str, limit: int, position: int | None
) -> Listed[PlayerRow]:
    """The people of a club, now or as of a position."""
    if position is None:
        return await services.lists.rows(PLAYERS, club.club, PlayerRow, after, limit)
    known = (await club_at(services, club, position)).state.players
    rows = [PlayerRow(each.id, each.name, each.visitor) for each in known.values() if each.id > after]
    return Listed(sorted(rows, key=lambda row: row.id)[:limit], Reached(position))


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
    async def club(
        self, request: AnyRequest, club_id: FromPath[UUID], moment: AsOfClub = None
    ) -> Response[bodies.ClubView]:
        """Its name, and how many people it knows."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        return as_json(club_view(await club_at(services, club, await position_of(services, club, moment))))

    @get("/{club_id:uuid}/matches", operation_id="listMatches", summary="The club's matches, the newest first")
    async def matches(
        self, request: AnyRequest, club_id: FromPath[UUID], limit: Limit = 50, cursor: Cursor = None,
        moment: AsOfClub = None,
    ) -> Response[bodies.Page]:  # fmt: skip
        """As the log is now, or was. While others append faster than it can be read, `behind` says by how much."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        position = await position_of(services, club, moment)
        found = await matches_of(services, club.club, check_cursor(cursor), limit + 1, position)
        names = names_of(club)
        shown = page(found.rows, limit, found.reached)
        return as_json(msgspec.structs.replace(shown, items=tuple(with_names(row, names) for row in shown.items)))

    @get("/{club_id:uuid}/players", operation_id="listPlayers", summary="The people that the club knows")
    async def players(
        self, request: AnyRequest, club_id: FromPath[UUID], limit: Limit = 50, cursor: Cursor = None,
        moment: AsOfClub = None,
    ) -> Response[bodies.Page]:  # fmt: skip
        """Members and visitors."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        position = await position_of(services, club, moment)
        found = await players_of(services, club, check_cursor(cursor), limit + 1, position)
        return as_json(page(found.rows, limit, found.reached))

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
