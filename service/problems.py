"""Problems: what can go wrong, by slug, and how it is answered (RFC 9457)."""

from http import HTTPStatus
from typing import Any, Final

import msgspec
import psycopg
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from psycopg_pool import PoolTimeout, TooManyRequests

from domain.decider import Refusal
from service.recording import BusyError

LOGGER = structlog.get_logger()


class Kind(msgspec.Struct, frozen=True):
    """One kind of problem: status, title, and what it means and how to mend it."""

    status: int
    title: str
    meaning: str


KINDS: Final[dict[str, Kind]] = {
    "malformed": Kind(
        400, "This cannot be read",
        "Part of the form, the address or the body is not as expected: correct it and send it again. For a program "
        "`errors` lists the places, and the API's pages at /docs show the shape.",
    ),
    "unauthorised": Kind(
        401, "Sign in first",
        "Only members may do this. Ask your club's secretary for a link and open it in this browser. A program sends "
        "its token, made by the club's owner, as Authorization: Bearer ….",
    ),
    "forbidden": Kind(
        403, "Your role may not do this",
        "You are signed in, but this is for a director, an owner or somebody at another table. Ask one of them.",
    ),
    "other-sign-in": Kind(
        403, "Somebody else is signed in",
        "A tap waited here to be sent, and somebody else has signed in since. It is kept in this browser, and sent "
        "when its owner signs in again.",
    ),
    "not-found": Kind(
        404, "There is nothing here",
        "The address is wrong, or the page is not for you to see. The answer is the same for both.",
    ),
    "method-not-allowed": Kind(
        405, "This address does not take that method",
        "The Allow header of the answer lists the methods that it takes.",
    ),
    "lost-race": Kind(
        409, "Somebody was faster",
        "Somebody else recorded something first. Look at the table as it is now, then send yours again. A program "
        "reads it again at `current_version`.",
    ),
    "misfit": Kind(
        409, "Not now",
        "This does not fit the match as it stands: a card before trumps are named, an entry after the deal is over, "
        "a second deal while one is on.",
    ),
    "rule-broken": Kind(
        409, "Against the rules",
        "This match is recorded strictly, and the entry breaks a rule, named in `rule`. In `record` mode it would be "
        "kept, and found after the deal.",
    ),
    "confirm-needed": Kind(
        409, "Did that really happen?",
        "The entry looks like a slip, such as a card that lies on the table already. If it happened, say so. A "
        'program sends the same body again with "it_happened": true.',
    ),
    "window-closed": Kind(
        409, "Too late for this",
        "The next deal has begun, everybody has confirmed, or the result is disputed. Ask the director to correct it.",
    ),
    "changed": Kind(
        409, "The result has changed",
        "The result changed before it was confirmed: `recorded` stands now, `yours` was confirmed. Look at it, then "
        "confirm again or dispute it.",
    ),
    "already-entered": Kind(
        409, "This deal has a result already",
        "Another result was entered before yours: `recorded` stands, `yours` was not taken. Correct it with a reason, "
        "or dispute it.",
    ),
    "too-large": Kind(413, "Too large", "The body is larger than the 64 KiB that a request may have."),
    "unknown-option": Kind(
        422, "No such game or option",
        "The game, one of its options or a value is unknown. The answer lists the known ones; so does "
        "GET /api/v1/games.",
    ),
    "key-reused": Kind(
        422, "This key belongs to another request",
        "An Idempotency-Key names one request for ever. A repeat has the same body; another request needs a new key.",
    ),
    "too-many-requests": Kind(429, "Too many requests", "Wait a few seconds and try again: Retry-After says how many."),
    "unavailable": Kind(
        503, "The database does not answer",
        "A write that was answered so may have been kept, whole or not at all. Send it again with the same "
        "Idempotency-Key: if it was kept, the first answer comes again, else it is recorded now.",
    ),
    "internal": Kind(
        500, "Our mistake",
        "This should have worked. It has been logged: try again, or tell the owner of this service.",
    ),
}  # fmt: skip

_BY_STATUS: Final = {
    400: "malformed", 401: "unauthorised", 403: "forbidden", 404: "not-found", 405: "method-not-allowed",
    413: "too-large", 422: "malformed", 429: "too-many-requests", 503: "unavailable",
}  # fmt: skip
_SAID: Final = {
    404: "there is nothing at this address",
    405: "this address does not take that method: Allow lists those that it takes",
    413: "the body is larger than 65,536 bytes: send less at a time",
}
LONGEST: Final = 400


class Detail(msgspec.Struct, frozen=True):
    """One place in a request and what is wrong there."""

    path: str
    detail: str


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of every error."""

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


def problem(slug: str, detail: str, **more: Any) -> Problem:
    """A problem of a kind."""
    kind = KINDS[slug]
    return Problem(f"/problems/{slug}", kind.title, kind.status, one_line(detail), **more)


def one_line(text: str) -> str:
    """Text of ours that may quote the request: on one line, nothing in it that moves a cursor, not endless."""
    plain = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[: LONGEST + 1])
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


def place(path: str, detail: str) -> Detail:
    """A place in the request and what is wrong there."""
    return Detail(one_line(path), one_line(detail))


def answer(found: Problem) -> Response[Problem]:
    """The HTTP answer of a problem."""
    headers = {"Cache-Control": "no-store"}
    if found.status in (429, 503):
        headers["Retry-After"] = "1"
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
    return problem(
        known_slug(refusal), refusal.detail, rule=refusal.rule, code=refusal.code,
        current_version=refusal.extra.get("current_version"), errors=errors,
        recorded=refusal.extra.get("recorded"), yours=refusal.extra.get("yours"),
    )  # fmt: skip


def on_refusal(request: Request[Any, Any, Any], refusal: Refusal) -> Response[Problem]:
    """What a decision refused."""
    return answer(of_refusal(refusal))


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """What Litestar refused; a 405 says so and keeps its Allow header."""
    slug = _BY_STATUS.get(error.status_code, "malformed" if error.status_code < 500 else "internal")
    errors: tuple[Detail, ...] = ()
    detail = str(error.detail)
    if detail == HTTPStatus(error.status_code).phrase:
        detail = _SAID.get(error.status_code, detail)
    if isinstance(error, ValidationException):
        errors = tuple(_details(error.extra))
        detail = "; ".join(f"{each.path}: {each.detail}" if each.path else each.detail for each in errors) or detail
    found = problem(slug, detail, errors=errors)
    response = answer(msgspec.structs.replace(found, status=error.status_code))
    response.headers.update(error.headers or {})
    return response


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


def on_validation(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """A body that is no JSON, not of the wanted shape, not UTF-8, or nested beyond reason."""
    text = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    detail, _, path = text.partition(" - at `$.")
    path = path.rstrip("`")
    errors = (place(path, detail),) if path else ()
    return answer(problem("malformed", f"{path}: {detail}" if path else detail, errors=errors))


def on_database(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Data that the database cannot hold is malformed; a database that is away is 503, and nothing else."""
    state = getattr(error, "sqlstate", None) or ""
    if isinstance(error, psycopg.DataError):
        return answer(problem("malformed", "the request holds a character or number that cannot be stored"))
    LOGGER.warning("the database did not answer", path=request.url.path, error=str(error), sqlstate=state)
    return answer(problem("unavailable", f"the database does not answer: {_again(request)}"))


def _again(request: Request[Any, Any, Any]) -> str:
    """What to do about a request that the database did not answer."""
    if request.method in ("GET", "HEAD"):
        return "try again in a moment"
    if "idempotency-key" in request.headers:
        return (
            "what you sent may have been kept all the same. Send it again in a moment with the same Idempotency-Key: "
            "what is there already is not recorded twice"
        )
    return "what you sent may have been kept all the same. Look before you send it again"


def on_error(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Everything else is ours, and is logged once."""
    LOGGER.error("unhandled", path=request.url.path, exc_info=error)
    return answer(problem("internal", "this failed on our side, and has been logged: try again in a moment"))


HANDLERS: Final[dict[Any, Any]] = {
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
    Exception: on_error,
}
