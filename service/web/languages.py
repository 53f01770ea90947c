"""The language of pages is chosen at their foot, for the device and for whoever is signed in there."""

import re
from functools import lru_cache
from typing import Final

from litestar import Litestar, post
from litestar.routes import HTTPRoute

from domain.log.decider import Refusal
from service.desk.addresses import parts_of
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of, check_origin, go
from service.languages.known import LANGUAGES
from service.store import languages as rows
from service.store.callers import Caller
from service.web.forms import form_of, text_of
from service.web.speaking import language_cookie

PARAMETER: Final = re.compile(r"\{[^}]*\}")


@post("/language", include_in_schema=False)
async def choose(request: AnyRequest) -> AnyResponse:
    """Speak this language on this device from now on, and on others of this person from the next sign-in on."""
    check_origin(request)
    code = text_of(await form_of(request), "language")
    if code not in LANGUAGES:
        raise Refusal("malformed", "there is no such language here: choose one at the foot of a page")
    caller = await caller_of(request)
    if caller.sign_in is not None:
        await rows.write(services_of(request).pool, caller.sign_in, people_of(caller), code)
    response = go(came_from(request))
    response.set_cookie(language_cookie(request, code))
    return response


def people_of(caller: Caller) -> list[tuple[str, str]]:
    """The person that this browser holds in each club."""
    clubs = sorted({each.club for each in caller.rights if each.club is not None})
    return [(club, person) for club in clubs if (person := caller.person_in(club)) is not None]


def came_from(request: AnyRequest) -> str:
    """The page of ours from which a form was sent, else the first one: no other site is ever gone to. What was an
    answer to a form cannot be asked for again: the nearest page above it can."""
    page = parts_of(request.headers.get("referer", ""))
    ours = (
        page.netloc == request.headers.get("host") and page.path.startswith("/") and page.path[1:2] not in ("/", "\\")
    )
    path = page.path if ours else "/"
    while not can_be_asked(request, path):
        path = path.rpartition("/")[0] or "/"
    return f"{path}?{page.query}" if page.query and path == page.path else path


def can_be_asked(request: AnyRequest, path: str) -> bool:
    """Tells whether there is a page at this path."""
    return path == "/" or any(each.fullmatch(path) for each in pages_of(request.app))


@lru_cache(maxsize=1)
def pages_of(app: Litestar) -> tuple[re.Pattern[str], ...]:
    """The paths of all pages that can be asked for."""
    routes = (each for each in app.routes if isinstance(each, HTTPRoute) and "GET" in each.methods)
    return tuple(re.compile(PARAMETER.sub("[^/]+", each.path)) for each in routes)
