"""Signing in by a one-time link, or by name and password. A link is redeemed by a button: mail scanners only look."""

from typing import Final

from litestar import Response, get, post

from domain.log.actor import SECRETARIES
from domain.log.decider import Refusal
from service.desk import own_devices
from service.desk.invitations import PLAIN, SignedIn, redeem
from service.desk.passwords import sign_in_by_password
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import (
    COOKIE,
    SECURE_COOKIE,
    caller_of,
    check_origin,
    go,
    in_the_open,
    secret_of,
    sign_in_cookie,
)
from service.http.senders import address
from service.languages.known import known
from service.live.room import address_of
from service.store import languages
from service.store.tokens import digest, role_of_link
from service.web.forms import Form, form_of, text_of
from service.web.render import page
from service.web.speaking import language_cookie, language_of

LONGEST: Final = 4000  # of what may be typed as a password: more than one may have, so that it is told apart


@get("/sign-in", include_in_schema=False, opt=ONE_TIME_SECRET, query=("link", "club"))
async def link_page(request: AnyRequest) -> Response[str]:
    """The page of a link: one button; without one, name and password."""
    link = request.query_params.get("link", "")[:200]
    return await _page(request, link, {"club": request.query_params.get("club", "")[:80]})


async def _page(
    request: AnyRequest, link: str, form: Form, error: str = "", status: int = 200, wait: int = 0
) -> Response[str]:
    heard = in_the_open(request)
    caller = await caller_of(request)
    shown = page("sign_in.html", caller, status, secret=bool(link), link=link, form=form, error=error, heard=heard)
    if wait:
        shown.headers["Retry-After"] = str(wait)
    return shown


@post("/sign-in", include_in_schema=False, opt=ONE_TIME_SECRET)
async def redeem_link(request: AnyRequest) -> AnyResponse:
    """Use the link up and sign this browser in."""
    check_origin(request)
    services = services_of(request)
    link = text_of(await form_of(request), "link").rpartition("#")[2].rpartition("?link=")[2]
    earlier, barred = secret_of(request), _barred(request)
    try:
        if barred and await role_of_link(services.pool, link) in SECRETARIES:
            raise Refusal("forbidden", PLAIN)
        cookie = await services.doors.redeem(link, earlier) if link else None
        if cookie is None:
            return await signed_in(request, await redeem(services, link, earlier, barred))
    except Refusal as refusal:
        return await _page(request, "", {}, refusal.detail, 403)
    response = go("/")
    response.set_cookie(sign_in_cookie(request, cookie))
    return response


@post("/sign-in/password", include_in_schema=False)
async def by_password(request: AnyRequest) -> AnyResponse:
    """Sign this browser in by name and password."""
    check_origin(request)
    form = await form_of(request)
    club, name, password = text_of(form, "club"), text_of(form, "name"), form.get("password", "")[:LONGEST]
    where = address_of(address(request))
    try:
        entered = await sign_in_by_password(
            services_of(request), club, name, password, where, secret_of(request), _barred(request)
        )
    except Refusal as refusal:
        wait = refusal.extra.get("retry_after", 0)
        return await _page(request, "", {"club": club, "name": name}, refusal.detail, 429 if wait else 403, wait)
    return await signed_in(request, entered)


def _barred(request: AnyRequest) -> bool:
    """Tells that high roles are not given to this request: others could listen to it."""
    return in_the_open(request) and not request.app.state.settings.plain_roles


async def signed_in(request: AnyRequest, entered: SignedIn) -> AnyResponse:
    """The club's page for a browser that a person has signed in on."""
    program = request.headers.get("user-agent", "")
    await own_devices.call(services_of(request), entered.club, entered.device, program)
    response = go(f"/clubs/{entered.club}")
    response.set_cookie(sign_in_cookie(request, entered.cookie))
    pool, here = services_of(request).pool, language_of(request)
    chosen = await languages.read(pool, entered.club, entered.person)
    if chosen is not None:  # a device may be shared: what its person chose comes before what was chosen on it
        response.set_cookie(language_cookie(request, chosen))
    elif here is not None:
        await languages.write(pool, digest(entered.cookie), [(entered.club, entered.person)], known(here))
    return response


@post("/sign-out", include_in_schema=False)
async def sign_out(request: AnyRequest) -> AnyResponse:
    """End this browser's sign-in."""
    check_origin(request)
    for name in (SECURE_COOKIE, COOKIE):
        secret = request.cookies.get(name)
        if secret:
            await services_of(request).doors.sign_out(secret)
    response = go("/")
    response.set_cookie(sign_in_cookie(request, ""))
    response.delete_cookie(COOKIE)
    return response
