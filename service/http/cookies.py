"""Pages: who is looking (by cookie), and that a form was sent from our own pages."""

import hashlib
from typing import Final
from urllib.parse import urlsplit

from litestar import Response
from litestar.datastructures import Cookie

from domain.log.decider import Refusal
from service.http.caller import AnyRequest, services_of
from service.store.callers import NOBODY, SIGN_IN_DAYS, Caller, Credential, of_cookie

COOKIE: Final = "lurch_sign_in"
AS: Final = "x-as"  # who tapped, as `who_of` names people: what waited on a phone is recorded for nobody else


def credential_of(request: AnyRequest) -> Credential | None:
    """The cookie of a sign-in."""
    secret = request.cookies.get(COOKIE)
    return of_cookie(secret) if secret else None


async def caller_of(request: AnyRequest) -> Caller:
    """The signed-in person, or nobody; an ended sign-in is nobody."""
    credential = credential_of(request)
    if credential is None:
        return NOBODY
    return await services_of(request).doors.by(credential) or NOBODY


def whos_of(caller: Caller) -> dict[str, str]:
    """The names for scripts of who is signed in, by what they stand for: the person (""), each table whose code was
    shown here, or what the sign-in was made with. They are the same after another sign-in."""
    if not caller.rights:
        return {}
    found = {each.match or "": f"{each.match} {each.person}" for each in caller.rights if each.by_code}
    if caller.people or not found:
        found[""] = " ".join(caller.people) or f"{caller.role} {caller.name}"
    return {match: hashlib.sha256(who.encode()).hexdigest()[:16] for match, who in found.items()}


def who_of(caller: Caller, match: str = "") -> str:
    """The name for scripts of who is signed in, at a match: the person, else who came in by the table's code. Nobody
    has none."""
    found = whos_of(caller)
    return found.get("") or found.get(match, "")


def called(caller: Caller) -> str:
    """The name of the signed-in person on a page."""
    return caller.name if caller.name and caller.name != caller.role else f"the {caller.role}"


def check_same(request: AnyRequest, caller: Caller) -> None:
    """A tap that names who tapped comes from nobody else. Raises Refusal."""
    found = whos_of(caller).values()
    if request.headers.get(AS, "") in (found or ("",)) or AS not in request.headers:
        return
    if not found:
        raise Refusal("unauthorised", "you are not signed in on this phone any more")
    raise Refusal("other-sign-in", "somebody else is signed in on this phone now")


def check_origin(request: AnyRequest) -> None:
    """A write comes from our own pages: the browser says so itself. Raises Refusal."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site in ("same-origin", "none"):
            return
    else:
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc == request.headers.get("host"):
            return
    raise Refusal("forbidden", "this form was sent from another site")


def sign_in_cookie(request: AnyRequest, secret: str) -> Cookie:
    """The cookie of a sign-in: not for scripts, not for other sites."""
    return Cookie(
        key=COOKIE,
        value=secret,
        httponly=True,
        samesite="lax",
        path="/",
        max_age=SIGN_IN_DAYS * 86_400,
        secure=request.app.state.settings.secure_cookies,
    )


def go(path: str) -> Response[None]:
    """See other: after a form was taken, the page is read."""
    return Response(None, status_code=303, headers={"Location": path, "Cache-Control": "no-store"})
