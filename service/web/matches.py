"""The live table: a page that follows its match by server-sent events."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

from litestar import Request, Response, get
from litestar.params import FromPath
from litestar.response import ServerSentEvent, ServerSentEventMessage

from domain.audit.findings import findings
from domain.cards import cards_in
from domain.match.state import Match
from service.api.access import match_for, opened_deals, services_of, shown
from service.api.events import PING
from service.auth import DIRECTORS, RECORDERS, Caller, of_club
from service.live.hub import FullError
from service.streams import Loaded, LoadedClub
from service.web.access import caller_of
from service.web.render import TEMPLATES, page, plain

AnyRequest = Request[Any, Any, Any]


def may_record(caller: Caller, loaded: Loaded) -> bool:
    """Whether the table shows the controls of the scorer."""
    reach = caller.match in (None, loaded.stream)
    return of_club(caller, loaded.club) and caller.role in RECORDERS and reach


def visible_findings(caller: Caller, loaded: Loaded) -> list[dict[str, Any]]:
    """Directors see findings when the deal is over; everybody else once they have been ruled on."""
    match = loaded.match
    over = opened_deals(match)
    ruled = {deal.number for deal in match.deals if deal.rulings}
    allowed = over if of_club(caller, loaded.club) and caller.role in DIRECTORS else over & ruled
    return [plain(finding) for finding in findings(match) if finding.deal in allowed]


def table_values(caller: Caller, loaded: Loaded, club: LoadedClub) -> dict[str, Any]:
    """What the table's template needs."""
    view = plain(shown(loaded, club, caller))
    rulings = [
        {"deal": deal.number, "code": ruling.code, "scores": ruling.scores, "at": ruling.at}
        for deal in loaded.match.deals
        for ruling in deal.rulings
    ]
    return {
        "match": view, "seats": sum(len(side["seats"]) for side in view["sides"]),
        "may_record": may_record(caller, loaded), "findings": visible_findings(caller, loaded), "rulings": rulings,
        "pack": pack_of(loaded.match), "club": {"id": club.club, "name": club.state.name},
    }  # fmt: skip


def pack_of(match: Match) -> list[str]:
    """The cards of the game, for the grid of buttons."""
    return [str(card) for card in cards_in(match.setup.game.pack(match.setup.options))]


@get("/matches/{match_id:uuid}", include_in_schema=False)
async def match_page(request: AnyRequest, match_id: FromPath[UUID]) -> Response[str]:
    """The live table."""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match_id)
    return page("match.html", caller, error="", **table_values(caller, loaded, club))


@get("/matches/{match_id:uuid}/live", include_in_schema=False)
async def live(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """The table's inside, again whenever the match has changed; a reader that lags gets the latest only."""
    services, caller = services_of(request), await caller_of(request)
    _, club = await match_for(services, caller, match_id)
    client = request.client.host if request.client else ""
    template = TEMPLATES.get_template("_table.html")

    async def follow() -> AsyncIterator[ServerSentEventMessage]:
        hub = services.hub
        version = 0
        try:
            with hub.follow(club.club, client) as flag:
                while not hub.closing.is_set():
                    flag.clear()
                    fresh, now = await match_for(services, caller, match_id)
                    if fresh.head.version != version:
                        version = fresh.head.version
                        yield ServerSentEventMessage(
                            data=template.render(caller=caller, **table_values(caller, fresh, now))
                        )
                    try:
                        await asyncio.wait_for(flag.wait(), PING)
                    except TimeoutError:
                        yield ServerSentEventMessage(comment="ping", data=None)
        except FullError:
            yield ServerSentEventMessage(comment="too many open streams", data=None, retry=10_000)

    return ServerSentEvent(follow(), headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
