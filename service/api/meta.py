"""The service on itself: the games, the caller, health, metrics."""

import asyncio
import hmac
from datetime import UTC, datetime
from typing import Final

import psycopg
from litestar import MediaType, Response, get
from litestar.status_codes import HTTP_200_OK, HTTP_503_SERVICE_UNAVAILABLE
from psycopg_pool import PoolTimeout, TooManyRequests

from domain.log.decider import Refusal
from domain.log.event import JsonObject
from projections.games import GameView, game_views
from service.api.links import gives
from service.desk import bodies
from service.http.answers import as_json
from service.http.caller import AnyRequest, caller_of, services_of
from service.http.measures import CONTENT_TYPE, measured
from service.http.senders import from_here
from service.store.patience import within
from service.store.restored import restored_at

READY_SECONDS: Final = 1.5
WAITS: Final = "webhooks and nightly copies are off until the owner says that the old machine is gone"


@get("/games", operation_id="listGames", summary="Every game with options, entry shape and facts", tags=["games"])
async def games() -> Response[list[GameView]]:
    """Enough to build a form from."""
    return as_json(game_views())


@get("/me", operation_id="readMe", summary="Who you are", tags=["access"], opt=gives(club_id="/club"))
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
    """The database answers and what the service was started for is there. One that was restored from a copy serves, and
    waits for the owner's word."""
    waiting = request.app.state.waiting_for
    if waiting:
        return as_json({"status": "starting", "reason": waiting}, HTTP_503_SERVICE_UNAVAILABLE)
    try:
        since = await within(READY_SECONDS, restored_at(services_of(request).pool))
    except (psycopg.Error, PoolTimeout, TooManyRequests, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        return as_json({"status": "unavailable", "reason": reason}, HTTP_503_SERVICE_UNAVAILABLE)
    status: JsonObject = {"status": "ready"} if since is None else {"status": "restored", "reason": WAITS}
    return as_json({**status, **await _copies(request)}, HTTP_200_OK)


async def _copies(request: AnyRequest) -> JsonObject:
    """Age of the last nightly copy, where copies are taken: null before the first, or where nobody can read them. That
    is told on the page of copies, and is no reason to send requests elsewhere."""
    copies = request.app.state.copies
    if copies is None:
        return {}
    try:
        last = await asyncio.to_thread(copies.kept.last)
    except OSError:
        last = None
    return {"last_copy_seconds": None if last is None else round((datetime.now(UTC) - last).total_seconds())}


@get("/metrics", include_in_schema=False, media_type=MediaType.TEXT)
async def metrics(request: AnyRequest) -> Response[bytes]:
    """For whom LURCH_METRICS says; by itself for the machine itself, or for an owner's token."""
    if not await _may_measure(request, request.app.state.settings.metrics):
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    await request.app.state.look.everywhere()
    return Response(await asyncio.to_thread(measured), media_type=CONTENT_TYPE)


async def _may_measure(request: AnyRequest, setting: str) -> bool:
    """`off`: nobody; `on`: everybody; `local`, or a secret for the program that reads them."""
    if setting in ("off", "on"):
        return setting == "on"
    sent = request.headers.get("authorization", "").partition(" ")[2].strip()
    if setting != "local" and hmac.compare_digest(sent.encode(), setting.encode()):
        return True
    return from_here(request) or (await caller_of(request)).role == "owner"
