"""Problems as pages: a browser gets a page in the place of JSON."""

from typing import Any, Final

import msgspec
import psycopg
from litestar.response.base import ASGIResponse
from litestar.types import ExceptionHandlersMap, Receive, Scope, Send
from psycopg_pool import PoolTimeout, TooManyRequests

from service.http.answers import AnyResponse
from service.http.caller import AnyRequest
from service.http.cookies import caller_of, secret_of
from service.http.kinds import KINDS
from service.http.problems import HANDLERS as AS_JSON
from service.http.problems import Handler, Problem
from service.languages.spoken import N_, speaking, translate
from service.store.callers import NOBODY
from service.store.patience import within
from service.web.render import page
from service.web.speaking import PROGRAMS, language_of
from service.web.words import in_words

NOT_SIGNED_IN: Final = N_("you are not signed in on this phone")
ENDED: Final = N_("your sign-in on this phone has ended: sign in again")


def of_a_page(request: AnyRequest) -> bool:
    """True for the address of a page; the others are for programs."""
    return not request.scope["path"].startswith(PROGRAMS)


def wants_page(request: AnyRequest) -> bool:
    """True where a person is looking: a page's address, and a browser that asks for HTML."""
    return of_a_page(request) and "text/html" in request.headers.get("accept", "")


class ErrorPage(AnyResponse):
    """The page of a problem. What handles an error cannot wait, so who is signed in is asked when it is sent."""

    def __init__(self, request: AnyRequest, found: AnyResponse) -> None:
        super().__init__(found.content, status_code=found.status_code, headers=dict(found.headers))
        self.request, self.found = request, found

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:
        """The application that sends it."""
        return _Sending(self.request, self.found)


class _Sending(ASGIResponse):
    """The page of a problem on its way."""

    def __init__(self, request: AnyRequest, found: AnyResponse) -> None:
        super().__init__(status_code=found.status_code or 500)
        self.request, self.found = request, found

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, unasked = self.found.status_code or 500, False
        hurried = status == 429 or status >= 500  # then nobody is looked up for a page
        try:
            caller = NOBODY if hurried else await within(1.5, caller_of(self.request))
        except (psycopg.Error, PoolTimeout, TooManyRequests, OSError):
            caller = NOBODY
        unasked = caller is NOBODY and hurried
        with speaking(language_of(self.request)):  # what no route was found for has passed nothing that speaks
            problem = _spoken(self.found.content)
            told = problem.detail != self.found.content.detail if isinstance(problem, Problem) else False
            meaning = _meaning(self.found.content)
            shown = page("error.html", caller, status, problem=problem, meaning=meaning, told=told, unasked=unasked)
        shown.headers.update({name: value for name, value in self.found.headers.items() if name != "content-type"})
        await shown.to_asgi_response(None, self.request)(scope, receive, send)


def _spoken(problem: Any) -> Any:
    """A problem with its title in the language of the page; details stay English, but what pages say of sign-ins."""
    if not isinstance(problem, Problem):
        return problem
    detail = translate(problem.detail) if problem.detail in (NOT_SIGNED_IN, ENDED) else problem.detail
    return msgspec.structs.replace(problem, title=translate(problem.title), detail=detail)


def _meaning(problem: Any) -> str:
    """The meaning of a kind of problem, in the language of the page; nothing for a kind that is not known."""
    kind = KINDS.get(problem.type.rpartition("/")[2]) if isinstance(problem, Problem) else None
    return translate(kind.meaning) if kind else ""


def for_people(handler: Handler) -> Handler:
    """The same answer, as a page where a person is looking, and about sign-ins, not tokens, wherever a page asked."""

    def handle(request: AnyRequest, error: Exception) -> AnyResponse:
        found = handler(request, error)
        if of_a_page(request) and isinstance(found.content, Problem):
            found.content = in_the_words_of_a_page(request, found.content)
        return ErrorPage(request, found) if wants_page(request) else found

    return handle


def in_the_words_of_a_page(request: AnyRequest, problem: Problem) -> Problem:
    """Whoever opens a page has a sign-in, or none, or one that has ended; and knows no members of bodies."""
    if problem.status == 401:
        return msgspec.structs.replace(problem, detail=ENDED if secret_of(request) else NOT_SIGNED_IN)
    return msgspec.structs.replace(problem, detail=in_words(problem.detail))


HANDLERS: Final[ExceptionHandlersMap] = {kind: for_people(handler) for kind, handler in AS_JSON.items()}
