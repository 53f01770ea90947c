"""Replay: the table at any event, a timeline to step through, and links that open at one."""

from typing import Any
from uuid import UUID

from litestar import Request, Response, get
from litestar.params import FromPath

from domain.decider import Refusal
from projections.match import TIMELINE
from service.api.access import match_for, services_of
from service.api.events import Sight
from service.store import log
from service.web.access import caller_of
from service.web.matches import table_values
from service.web.reasons import reasons_of
from service.web.render import page, plain

AnyRequest = Request[Any, Any, Any]


def steps(moments: list[dict[str, Any]], at: int) -> dict[str, int | None]:
    """Where the four buttons lead: one fact or one trick, back or on."""
    last = moments[-1]["version"]
    starts = [m["version"] for before, m in zip([None, *moments], moments, strict=False) if _opens(before, m)]
    return {
        "first": 1 if at > 1 else None,
        "back": at - 1 if at > 1 else None,
        "on": at + 1 if at < last else None,
        "last": last if at < last else None,
        "trick_back": max((v for v in starts if v < at), default=None),
        "trick_on": min((v for v in starts if v > at), default=None),
    }


def _opens(before: dict[str, Any] | None, moment: dict[str, Any]) -> bool:
    """Whether a trick (or a deal) begins here."""
    if before is None or moment["deal"] != before["deal"]:
        return True
    return bool(moment["trick"]) and moment["trick"] != before["trick"]


@get("/matches/{match_id:uuid}/replay", include_in_schema=False)
async def replay_page(request: AnyRequest, match_id: FromPath[UUID]) -> Response[str]:
    """`?at=17` opens at version 17."""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match_id)
    wanted = request.query_params.get("at", str(loaded.head.version))
    if not (wanted.isascii() and wanted.isdecimal() and len(wanted) <= 9):
        raise Refusal("malformed", "a step of the replay is a number, like 17")
    at = min(max(int(wanted), 1), loaded.head.version)
    past = await services.streams.match_at(loaded, at)
    assert past is not None
    stored = await log.read_stream(services.pool, loaded.club, loaded.stream)
    moments = plain(TIMELINE.show(TIMELINE.over(each.event for each in stored)))
    sight = Sight(services, caller, loaded.club)
    events = [plain(await sight.view(each)) for each in stored]
    told = await reasons_of(services, caller, loaded)
    values = {**table_values(caller, loaded, club, past), "replaying": True}
    return page(
        "replay.html", caller, at=at, events=events, moments=moments, steps=steps(moments, at),
        now=events[at - 1], reasons={each.version: each.words for each in told}, **values,
    )  # fmt: skip
