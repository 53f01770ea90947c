"""Coming in at a table: a code is scanned or typed, then a name is tapped."""

import secrets
from typing import Final

from litestar import Response, get, post

from domain.log.decider import Refusal
from service.desk.clubs import club_view
from service.desk.coming_in import Visit, come_in, no_door, sign_in_of, visited
from service.desk.services import Services
from service.desk.showing import names_of
from service.desk.who_is_in import GONE, place_of
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of, check_origin, go, sign_in_cookie
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.http.senders import address
from service.live.room import address_of
from service.store import seats as rows
from service.store.callers import Caller
from service.store.guesses import TypingWaits
from service.web.forms import form_of, text_of
from service.web.render import page

SCORE: Final = "score"
WAITS: Final = (
    "Too many wrong codes were typed. Typing waits for {} seconds, for right codes too. Scanning the table’s QR code "
    "works all the time, or ask the director."
)


@get("/t", include_in_schema=False)
async def code_page(request: AnyRequest) -> Response[str]:
    """The page where a table's code is typed; its script sends from here what a QR code holds."""
    return page("doors/code.html", await caller_of(request), error="")


@post("/t", include_in_schema=False, opt=ONE_TIME_SECRET)
async def show_table(request: AnyRequest) -> AnyResponse:
    """The table behind a code: whose phone is this?"""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    form = await form_of(request)
    scanned = text_of(form, "secret")
    try:
        if scanned:
            door = await services.tables.by_secret(scanned)
        else:
            door = await services.tables.by_code(text_of(form, "code"), address_of(address(request)))
        visit = await visited(services, door)
    except TypingWaits as waits:
        answer = page("doors/code.html", caller, 429, secret=True, error=WAITS.format(waits.seconds))
        answer.headers["Retry-After"] = str(waits.seconds)
        return answer
    except Refusal as refusal:
        status = KINDS[known_slug(refusal)].status
        return page("doors/code.html", caller, status, secret=True, error=refusal.detail)
    return await _choosing(services, caller, visit)


async def _choosing(
    services: Services, caller: Caller, visit: Visit, status: int = 200, error: str = ""
) -> Response[str]:
    """The table with its names, each one tap."""
    shown = (await services.tables.codes([visit.loaded])).get(visit.loaded.stream)
    if shown is None:
        raise no_door()
    at, names = services.tables.now(), names_of(visit.club)
    seated = await rows.at_tables(services.pool, [visit.loaded.stream], at)
    own = sign_in_of(caller)
    taken = {each.player: each for each in seated if each.player is not None and each.hash != own}
    minutes = {player: int((at - each.since).total_seconds()) // 60 for player, each in taken.items()}
    return page(
        "doors/table.html",
        caller,
        status,
        secret=True,
        error=error,
        scanned=shown.secret,
        club=club_view(visit.club),
        match=visit.loaded.stream,
        place=await place_of(services, visit.club, visit.loaded),
        sides=[
            [(player, names.get(player) or GONE) for player in side if player in visit.players]
            for side in visit.loaded.match.setup.sides
        ],
        taken=minutes,
    )


@post("/t/in", include_in_schema=False, opt=ONE_TIME_SECRET)
async def enter(request: AnyRequest) -> AnyResponse:
    """A name was tapped: this device is in, or it waits for whoever has that name."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    form = await form_of(request)
    try:
        visit = await visited(services, await services.tables.by_secret(text_of(form, "secret")))
    except Refusal as refusal:
        return page("doors/code.html", caller, 404, secret=True, error=refusal.detail)
    name = text_of(form, "as")
    fresh = None if sign_in_of(caller) is not None else secrets.token_urlsafe(32)
    try:
        asked = await come_in(services, visit, caller, None if name == SCORE else name, fresh)
    except Refusal as refusal:
        status = KINDS[known_slug(refusal)].status
        return await _choosing(services, caller, visit, status, refusal.detail)
    match = visit.loaded
    answer = go(f"/matches/{match.stream}{'/waiting' if asked else '/last' if match.match.deals else ''}")
    if fresh is not None:
        answer.set_cookie(sign_in_cookie(request, fresh))
    return answer
