"""The language of a request for a page: that of the device's cookie. Programs are answered in English."""

import asyncio
from typing import Final

from litestar import Request
from litestar.datastructures import Cookie
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from service.http.caller import AnyRequest
from service.http.cookies import HOST, over_tls
from service.languages.catalogues import catalogue_of
from service.languages.known import ENGLISH, known
from service.languages.spoken import speaking

READ: Final = {ENGLISH}
PROGRAMS: Final = ("/api/", "/health/", "/metrics")
FRAMES: Final = "/embed/"
COOKIE: Final = "lurch_language"
SECURE_COOKIE: Final = f"{HOST}{COOKIE}"
DAYS: Final = 365


def language_of(request: AnyRequest) -> str | None:
    """The language in which a request is answered; None is English. A frame of another site says it in its address, for
    it reads no cookie."""
    path = request.scope["path"]
    if path.startswith(FRAMES):
        return request.query_params.get("language")
    return None if path.startswith(PROGRAMS) else request.cookies.get(SECURE_COOKIE) or request.cookies.get(COOKIE)


def in_its_language(app: ASGIApp) -> ASGIApp:
    """Answer each request in its language, a stream to its end."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["path"].startswith(PROGRAMS):  # English is spoken already
            await app(scope, receive, send)
            return
        code = known(language_of(Request(scope)))
        if code not in READ:  # once a process: a third of a second in which nobody else should wait
            await asyncio.to_thread(catalogue_of, code)
            READ.add(code)
        with speaking(code):
            await app(scope, receive, send)

    return answer


def language_cookie(request: AnyRequest, code: str) -> Cookie:
    """The cookie of a device's language."""
    secure = over_tls(request)
    return Cookie(
        key=SECURE_COOKIE if secure else COOKIE,
        value=known(code),
        httponly=True,
        samesite="lax",
        path="/",
        max_age=DAYS * 86_400,
        secure=secure,
    )
