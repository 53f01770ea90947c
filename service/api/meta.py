"""The service on itself: the games, the caller, health, metrics."""

from typing import Final

import psycopg
from litestar import MediaType, Response, get
from litestar.status_codes import HTTP_200_OK, HTTP_503_SERVICE_UNAVAILABLE
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from psycopg_pool import PoolTimeout, TooManyRequests

from domain.log.decider import Refusal
from domain.log.event import JsonObject
from projections.games import GameView, game_views
from service.desk import bodies
from service.http.answers import as_json
from service.http.caller import AnyRequest, caller_of, services_of
from service.store import finding
from service.store.patience import within

READY_SECONDS: Final = 1.5
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@get("/games", operation_id="listGames", summary="Every game with options, entry shape and facts", tags=["games"])
async def games() -> Response[list[GameView]]:
    """Enough to build a form from."""
    return as_json(game_views())


@get("/me", operation_id="readMe", summary="Who you are", tags=["access"])
async def me(request: AnyRequest) -> Response[bodies.Me]:
    """All roles that a token has by now: each with its club, the tournament or match that it is for, its person, and
    the strength of what it signs. None are left where its maker, or its person, no longer holds what it was made
    with. A browser's sign-in opens nothing here."""
    caller = await caller_of(request)
    roles = tuple(
        bodies.HeldRole(each.role, each.club, each.tournament, each.match, each.person, each.strength)
        for each in caller.rights
    )
    made = roles[0] if len(roles) == 1 else bodies.HeldRole(caller.role, None, None, None, None, "token")
    return as_json(bodies.Me(made.role, caller.known, caller.name, made.club, made.person, made.match, roles))


@get("/health/live", include_in_schema=False)
async def live() -> Response[dict[str, str]]:
    """The process answers."""
    return as_json({"status": "live"})


@get("/health/ready", include_in_schema=False)
async def ready(request: AnyRequest) -> Response[JsonObject]:
    """The database answers and what the service was started for is there."""
    waiting = request.app.state.waiting_for
    if waiting:
        return as_json({"status": "starting", "reason": waiting}, HTTP_503_SERVICE_UNAVAILABLE)
    try:
        await within(READY_SECONDS, finding.answers(services_of(request).pool))
    except (psycopg.Error, PoolTimeout, TooManyRequests, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        return as_json({"status": "unavailable", "reason": reason}, HTTP_503_SERVICE_UNAVAILABLE)
    return as_json({"status": "ready"}, HTTP_200_OK)


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(request: AnyRequest) -> Response[bytes]:
    """For the machine itself, or for an owner's token."""
    here = request.client is not None and request.client.host in LOOPBACK
    forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    if not here or forwarded:
        caller = await caller_of(request)
        if caller.role != "owner":
            raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    # a charset is added to every text: one that stands twice cannot be parsed
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST.partition("; charset")[0])
