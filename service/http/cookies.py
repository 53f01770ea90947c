"""Pages: who is looking (by cookie), and that a form was sent from our own pages."""

import hashlib
from typing import Final

from litestar import Response
from litestar.datastructures import Cookie

from domain.log.decider import Refusal
from service.desk.addresses import parts_of, unreachable
from service.http.caller import AnyRequest, services_of
from service.http.code import check_code
from service.http.senders import by_tls, from_here
from service.languages.spoken import N_, translate
from service.store.callers import NOBODY, Caller
from service.store.credentials import Credential, of_cookie
from service.store.sign_ins import SIGN_IN_DAYS

HOST: Final = "__Host-"  # of names wherever there is TLS: no other host of the domain can set such a cookie
COOKIE: Final = "lurch_sign_in"
SECURE_COOKIE: Final = f"{HOST}{COOKIE}"  # the other name is read there too, until the next page renews it
AS: Final = "x-as"  # who tapped, as `who_of` names people: what waited on a phone is recorded for nobody else


def credential_of(request: AnyRequest) -> Credential | None:
    """The cookie of a sign-in."""
    secret = secret_of(request)
    return of_cookie(secret) if secret else None


def secret_of(request: AnyRequest) -> str | None:
    """The secret of this browser's sign-in, whether it is good or not."""
    return request.cookies.get(SECURE_COOKIE) or request.cookies.get(COOKIE)


def over_tls(request: AnyRequest) -> bool:
    """Tells a request that came over TLS, as far as the service can know."""
    return bool(request.app.state.settings.tls) or by_tls(request)


def in_the_open(request: AnyRequest) -> bool:
    """Tells a request that others in the network could listen to. One from this machine goes over no network."""
    settings = request.app.state.settings
    if over_tls(request) or unreachable(settings):
        return False
    return not from_here(request)


async def caller_of(request: AnyRequest) -> Caller:
    """The signed-in person, or nobody; an ended sign-in is nobody."""
    credential = credential_of(request)
    if credential is None:
        return NOBODY
    return await services_of(request).doors.by(credential) or NOBODY


def whos_of(caller: Caller) -> dict[str, str]:
    """The names for scripts of who is signed in, by what they stand for: the people of all clubs (""), the person of
    each club, each table whose code was shown here, or what the sign-in was made with. They are the same after another
    sign-in. Nobody has none."""
    if not caller.rights:
        return {}
    found = {each.match or "": f"{each.match} {each.person}" for each in caller.rights if each.by_code}
    if caller.people or not found:
        found[""] = " ".join(caller.people) or f"{caller.role} {caller.name}"
    own = {each.club for each in caller.rights if each.club and each.person and not each.by_code}
    found |= {club: caller.person_in(club) or "" for club in own}
    return {place: hashlib.sha256(who.encode()).hexdigest()[:16] for place, who in found.items()}


def who_of(caller: Caller, club: str = "", match: str = "") -> str:
    """The name for scripts of who is signed in: in that club, else at that match, else anywhere. Nobody has none."""
    found = whos_of(caller)
    return found.get(club) or found.get(match) or found.get("", "")


_THE: Final = {
    "owner": N_("the owner"),
    "secretary": N_("the secretary"),
    "director": N_("the director"),
    "deputy": N_("the deputy"),
    "scorer": N_("the scorer"),
    "player": N_("the player"),
    "spectator": N_("the spectator"),
}


def called(caller: Caller) -> str:
    """The name of the signed-in person on a page."""
    return caller.name if caller.name and caller.name != caller.role else translate(_THE[caller.role])


def check_same(request: AnyRequest, caller: Caller) -> None:
    """A tap that names who tapped comes from nobody else, and from a page that is still known. Raises Refusal."""
    check_code(request)
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
        origin = parts_of(request.headers.get("origin", "")).netloc
        if origin and origin == request.headers.get("host"):
            return
    raise Refusal("forbidden", "this form was sent from another site")


def sign_in_cookie(request: AnyRequest, secret: str) -> Cookie:
    """The cookie of a sign-in: not for scripts, not for other sites; an empty one ends it."""
    secure = over_tls(request)
    return Cookie(
        key=SECURE_COOKIE if secure else COOKIE,
        value=secret,
        httponly=True,
        samesite="lax",
        path="/",
        max_age=SIGN_IN_DAYS * 86_400 if secret else 0,
        secure=secure,
    )


def renewed(request: AnyRequest, caller: Caller, response: Response[str]) -> Response[str]:
    """A page whose reader stays signed in: the cookie lasts from now, as the sign-in does."""
    secret = secret_of(request)
    if caller.known and secret:
        response.set_cookie(sign_in_cookie(request, secret))
        if over_tls(request) and COOKIE in request.cookies:  # of before there was TLS
            response.delete_cookie(COOKIE)
    return response


def go(path: str) -> Response[None]:
    """See other: after a form was taken, the page is read."""
    return Response(None, status_code=303, headers={"Location": path, "Cache-Control": "no-store"})
