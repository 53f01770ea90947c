"""Problems as answers (RFC 9457): of refusals, of requests that cannot be read, of a database that is away."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import msgspec
import psycopg
import structlog
from litestar import Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.handlers import HTTPRouteHandler
from psycopg import errors
from psycopg_pool import PoolTimeout, TooManyRequests

from domain.log.decider import Refusal
from domain.log.event import JsonObject
from service.desk.requests import BusyError
from service.http.caller import ERA, AnyRequest
from service.http.kinds import KINDS
from service.store.log import UnreadableLogError

LOGGER = structlog.get_logger()
TAKES_NOTHING: Final = "the database takes nothing new: its disk is full, or it can only be read"

_BY_STATUS: Final = {
    400: "malformed",
    401: "unauthorised",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    422: "malformed",
    429: "too-many-requests",
    503: "unavailable",
}
_SAID: Final = {
    404: "there is nothing at this address",
    405: "this address does not take that method: Allow lists those that it takes",
}
LONGEST: Final = 400


class Detail(msgspec.Struct, frozen=True):
    """One place in a request and what is wrong there."""

    path: str
    detail: str


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of every error. `changed` are the settings that somebody else has changed meanwhile: what each is `now`,
    and `yours`; `misfits` the versions of later entries that would no longer fit, whose number a director `accepts`;
    `versions` those that are affirmed together."""

    type: str
    title: str
    status: int
    detail: str
    rule: str | None = None
    code: str | None = None
    current_version: int | None = None
    errors: tuple[Detail, ...] = ()
    recorded: tuple[int, ...] | None = None
    yours: tuple[int, ...] | None = None
    changed: JsonObject | None = None
    misfits: tuple[int, ...] | None = None
    accepts: int | None = None
    versions: tuple[int, ...] | None = None


Handler: TypeAlias = Callable[[AnyRequest, Any], Response[Problem]]  # of one kind of exception each


def problem(slug: str, detail: str, errors: tuple[Detail, ...] = ()) -> Problem:
    """A problem of a kind."""
    kind = KINDS[slug]
    return Problem(f"/problems/{slug}", kind.title, kind.status, one_line(detail), errors=errors)


def one_line(text: str) -> str:
    """Text of ours that may quote the request: on one line, nothing in it that moves a cursor, not endless."""
    plain = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[: LONGEST + 1])
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


def place(path: str, detail: str) -> Detail:
    """A place in the request and what is wrong there."""
    return Detail(one_line(path), one_line(detail))


def answer(found: Problem, wait: int = 1) -> Response[Problem]:
    """The HTTP answer of a problem; `wait` is how many seconds to wait before another try."""
    headers = {"Cache-Control": "no-store"}
    if found.status in (429, 503):
        headers["Retry-After"] = str(wait)
    if found.status == 426:
        headers["Upgrade"] = "lurch-page"  # RFC 9110 asks for one; what is to be renewed is the page
    if found.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(found, status_code=found.status, media_type="application/problem+json", headers=headers)


def known_slug(refusal: Refusal) -> str:
    """The kind of problem that a refusal is; what the domain calls otherwise does not fit now."""
    return refusal.slug if refusal.slug in KINDS else "misfit"


def of_refusal(refusal: Refusal) -> Problem:
    """A refusal as a problem; the place of a fact in the body becomes its path."""
    fact = refusal.extra.get("fact")
    errors: tuple[Detail, ...] = (place(f"facts[{fact}]", refusal.extra["about"]),) if fact is not None else ()
    errors += tuple(place(path, detail) for path, detail in refusal.extra.get("errors", ()))
    if fact is not None and refusal.slug == "confirm-needed":
        errors += (place("it_happened", "true if it did happen: send it with the same facts"),)
    return msgspec.structs.replace(
        problem(known_slug(refusal), refusal.detail, errors),
        rule=refusal.rule,
        code=refusal.code,
        current_version=refusal.extra.get("current_version"),
        recorded=refusal.extra.get("recorded"),
        yours=refusal.extra.get("yours"),
        changed=refusal.extra.get("changed"),
        misfits=refusal.extra.get("misfits"),
        accepts=refusal.extra.get("accepts"),
        versions=refusal.extra.get("versions"),
    )


def on_refusal(request: AnyRequest, refusal: Refusal) -> Response[Problem]:
    """The answer to a refusal."""
    found = answer(of_refusal(refusal), refusal.extra.get("retry_after", 1))
    if "era" in refusal.extra:
        found.headers[ERA] = refusal.extra["era"]
    return found


def on_http(request: AnyRequest, error: HTTPException) -> Response[Problem]:
    """The answer to a request that Litestar refused; a 405 keeps its Allow header."""
    slug = _BY_STATUS.get(error.status_code, "malformed" if error.status_code < 500 else "internal")
    errors: tuple[Detail, ...] = ()
    detail = str(error.detail)
    if detail == HTTPStatus(error.status_code).phrase:
        detail = _too_large(request) if error.status_code == 413 else _SAID.get(error.status_code, detail)
    if isinstance(error, ValidationException):
        errors = tuple(_details(error.extra))
        detail = "; ".join(f"{each.path}: {each.detail}" if each.path else each.detail for each in errors) or detail
    found = problem(slug, detail, errors)
    response = answer(msgspec.structs.replace(found, status=error.status_code))
    response.headers.update(error.headers or {})
    return response


def _too_large(request: AnyRequest) -> str:
    """The words for a body beyond the limit of its address."""
    handler = request.scope["route_handler"]
    limit = handler.resolve_request_max_body_size() if isinstance(handler, HTTPRouteHandler) else None
    if limit is None:
        return "the body is too large: send less at a time"
    return f"the body is larger than {limit:,} bytes: send less at a time"


def _details(extra: Any) -> list[Detail]:
    found = []
    for each in extra if isinstance(extra, list) else []:
        if isinstance(each, dict):
            path, message = str(each.get("key", "")), str(each.get("message", ""))
            if path == "data" and str(each.get("source")) == "body":  # Litestar's word for the whole body
                path = ""
                message = "the request has no body: send a JSON object" if message == "'data'" else message
            found.append(place(path, message))
    return found


def on_validation(request: AnyRequest, error: Exception) -> Response[Problem]:
    """A body that is no JSON, not of the wanted shape, not UTF-8, or nested beyond reason."""
    text = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    detail, _, path = text.partition(" - at `$.")
    path = path.rstrip("`")
    errors = (place(path, detail),) if path else ()
    return answer(problem("malformed", f"{path}: {detail}" if path else detail, errors=errors))


def on_database(request: AnyRequest, error: Exception) -> Response[Problem]:
    """Data that the database cannot hold is malformed; a database that is away, or full, is 503, and nothing else."""
    state = getattr(error, "sqlstate", None) or ""
    if isinstance(error, psycopg.DataError):
        return answer(problem("malformed", "the request holds a character or number that cannot be stored"))
    if isinstance(error, errors.DiskFull | errors.ReadOnlySqlTransaction):
        LOGGER.error(TAKES_NOTHING, path=request.url.path, error=str(error), sqlstate=state)
        again = _again(request)
        return answer(
            problem("unavailable", f"{TAKES_NOTHING}. Tell whoever runs Lurch. {again[0].upper()}{again[1:]}")
        )
    LOGGER.warning("the database did not answer", path=request.url.path, error=str(error), sqlstate=state)
    return answer(problem("unavailable", f"the database does not answer: {_again(request)}"))


def _again(request: AnyRequest) -> str:
    """Advice for a request that the database did not answer."""
    if request.method in ("GET", "HEAD"):
        return "try again in a moment"
    if "idempotency-key" in request.headers:
        return (
            "what you sent may have been kept all the same. Send it again in a moment with the same Idempotency-Key: "
            "what is there already is not recorded twice"
        )
    return "what you sent may have been kept all the same. Look before you send it again"


def on_unreadable(request: AnyRequest, error: Exception) -> Response[Problem]:
    """A log that was changed by hand is nothing that who asks has done wrong."""
    LOGGER.error("a log cannot be read", path=request.url.path, stream=getattr(error, "stream", ""), exc_info=error)
    return answer(problem("internal", str(error)))


def on_error(request: AnyRequest, error: Exception) -> Response[Problem]:
    """Everything else is ours, and is logged once."""
    LOGGER.error("unhandled", path=request.url.path, exc_info=error)
    return answer(problem("internal", "this failed on our side, and has been logged: try again in a moment"))


HANDLERS: Final[dict[type[Exception], Handler]] = {
    Refusal: on_refusal,
    HTTPException: on_http,
    msgspec.ValidationError: on_validation,
    msgspec.DecodeError: on_validation,
    UnicodeDecodeError: on_validation,
    UnicodeEncodeError: on_validation,
    RecursionError: on_validation,
    psycopg.Error: on_database,
    PoolTimeout: on_database,
    TooManyRequests: on_database,
    BusyError: on_database,
    OSError: on_database,
    UnreadableLogError: on_unreadable,
    Exception: on_error,
}
