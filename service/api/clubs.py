"""Clubs over HTTP: which there are, their matches and players."""

from collections.abc import Sequence
from typing import Annotated, Protocol
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from domain.log.actor import DIRECTORS, SECRETARIES
from domain.log.decider import Refusal
from service.api.links import FIRST, gives
from service.api.openapi import A_MOMENT, AN_ID
from service.desk import bodies
from service.desk.access import club_for, require
from service.desk.as_of import club_at, position_of
from service.desk.clubs import club_view, matches_of, named, players_of
from service.desk.lists import Reached
from service.desk.members import found_rows
from service.http.answers import as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of
from service.store.callers import may_read

Limit = Annotated[int, QueryParameter(name="limit", ge=1, le=200)]
Cursor = Annotated[str | None, QueryParameter(name="cursor", max_length=80, schema_extra=AN_ID)]
AsOfClub = Annotated[
    str | None,
    QueryParameter(
        name="as_of",
        max_length=40,
        description="a position of the club's log, or a time in RFC 3339",
        schema_extra=A_MOMENT,
    ),
]

Like = Annotated[
    str | None,
    QueryParameter(
        name="like", max_length=80, description="a name, or a part of one: those whom it may mean, the nearest first"
    ),
]


def check_cursor(cursor: str | None) -> str:
    """A cursor is the id of the last row of the page before. Raises Refusal."""
    if cursor is None:
        return ""
    try:
        return str(UUID(cursor))
    except ValueError:
        raise Refusal("malformed", "`cursor` is what `next` of the page before said") from None


class HasId(Protocol):
    """A row of a list, which its id stands for in a cursor."""

    @property
    def id(self) -> str:
        """The id of the row."""


def page(rows: Sequence[HasId], limit: int, reached: Reached | None = None) -> bodies.Page:
    """Rows as a page; one more than asked for was read, to know whether there is a next."""
    more = len(rows) > limit
    kept = rows[:limit]
    following = kept[-1].id if more else None
    if reached is None:
        return bodies.Page(tuple(kept), following)
    return bodies.Page(tuple(kept), following, reached.position, reached.behind)


class ClubController(Controller):
    """The clubs."""

    path = "/clubs"
    tags = ["clubs"]

    @get(operation_id="listClubs", summary="The clubs that you may see", opt=gives(club_id=FIRST))
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

    @get(
        "/{club_id:uuid}/matches",
        operation_id="listMatches",
        summary="The club's matches, the newest first",
        opt=gives(match_id=FIRST),
    )
    async def matches(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        limit: Limit = 50,
        cursor: Cursor = None,
        moment: AsOfClub = None,
    ) -> Response[bodies.Page]:
        """As the log is now, or was. While others append faster than it can be read, `behind` says by how much."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        position = await position_of(services, club, moment)
        found = await matches_of(services, caller, club, check_cursor(cursor), limit + 1, position)
        shown = page(found.rows, limit, found.reached)
        rows = await named(services.streams, shown.items, club, moment)
        return as_json(msgspec.structs.replace(shown, items=tuple(rows)))

    @get(
        "/{club_id:uuid}/players",
        operation_id="listPlayers",
        summary="The people that the club knows",
        opt=gives(player_id=FIRST),
    )
    async def players(
        self,
        request: AnyRequest,
        club_id: FromPath[UUID],
        limit: Limit = 50,
        cursor: Cursor = None,
        moment: AsOfClub = None,
        like: Like = None,
    ) -> Response[bodies.Page]:
        """Members and visitors. With `like` those whom a name may mean, on one page; names that people had before find
        them for directors and secretaries only."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        position = await position_of(services, club, moment)
        if like is not None:
            if cursor is not None:
                raise Refusal("malformed", "`like` has one page: ask without `cursor`, or for more of a name")
            rows = found_rows(await club_at(services, club, position), like, caller, limit)
            return as_json(bodies.Page(tuple(rows), None))
        found = await players_of(services, club, check_cursor(cursor), limit + 1, position)
        return as_json(page(found.rows, limit, found.reached))

    @post(
        "/{club_id:uuid}/players",
        operation_id="registerPlayer",
        summary="Register a member, or a visitor",
        opt=gives(player_id="/id"),
    )
    async def register(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[bodies.PlayerBody]
    ) -> Response[dict[str, str]]:
        """The name stays outside the log's public part. Where somebody is called so already, `another` says that it is
        another person."""
        services, caller = services_of(request), await caller_of(request)
        club = await club_for(services, caller, club_id)
        require(caller, club.club, DIRECTORS | SECRETARIES)
        wanted = await asked(request, caller)
        player = await services.recorder.register(club.club, data.name, wanted, data.visitor, data.another)
        location = {"Location": f"/api/v1/clubs/{club.club}/players/{player}"}
        return as_json({"id": player, "name": data.name}, 201, location)
