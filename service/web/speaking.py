"""The language of a request for a page: that of the device's cookie. Programs are answered in English."""

from typing import Final

from litestar import Request
from litestar.datastructures import Cookie
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from service.http.caller import AnyRequest
from service.http.cookies import over_tls
from service.languages.known import known
from service.languages.spoken import speaking

PROGRAMS: Final = ("/api/", "/health/", "/metrics")
COOKIE: Final = "lurch_language"
DAYS: Final = 365


def language_of(request: AnyRequest) -> str | None:
    """The language in which a request is answered; None is English."""
    return None if request.scope["path"].startswith(PROGRAMS) else request.cookies.get(COOKIE)


def in_its_language(app: ASGIApp) -> ASGIApp:
    """Answer each request in its language, a stream to its end."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        with speaking(language_of(Request(scope))):
            await app(scope, receive, send)

    return answer


def language_cookie(request: AnyRequest, code: str) -> Cookie:
    """The cookie of a device's language."""
    return Cookie(
        key=COOKIE,
        value=known(code),
        httponly=True,
        samesite="lax",
        path="/",
        max_age=DAYS * 86_400,
        secure=over_tls(request),
    )
