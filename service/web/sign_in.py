"""Signing in with a one-time link. The link is redeemed by a button: mail scanners only look."""

from litestar import Response, get, post

from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import COOKIE, caller_of, check_origin, go, sign_in_cookie
from service.web.forms import form_of, text_of
from service.web.render import page


@get("/sign-in", include_in_schema=False, opt=ONE_TIME_SECRET, query=("link",))
async def link_page(request: AnyRequest) -> Response[str]:
    """The page of a link: one button."""
    link = request.query_params.get("link", "")[:200]
    return page("sign_in.html", await caller_of(request), secret=bool(link), link=link, error="")


@post("/sign-in", include_in_schema=False, opt=ONE_TIME_SECRET)
async def redeem(request: AnyRequest) -> AnyResponse:
    """Use the link up and sign this browser in."""
    check_origin(request)
    link = text_of(await form_of(request), "link")
    cookie = await services_of(request).doors.redeem(link, request.cookies.get(COOKIE)) if link else None
    if cookie is None:
        error = "This link was used already, or is older than 15 minutes. Ask for a new one."
        return page("sign_in.html", await caller_of(request), 403, link="", error=error)
    response = go("/")
    response.set_cookie(sign_in_cookie(request, cookie))
    return response


@post("/sign-out", include_in_schema=False)
async def sign_out(request: AnyRequest) -> AnyResponse:
    """End this browser's sign-in."""
    check_origin(request)
    secret = request.cookies.get(COOKIE)
    if secret:
        await services_of(request).doors.sign_out(secret)
    response = go("/")
    response.delete_cookie(COOKIE)
    return response
