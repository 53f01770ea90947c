"""The caller of a request with the credential, and the command that the request is."""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias

from litestar import Request

from domain.log.decider import Refusal
from service.desk.as_of import instant
from service.desk.requests import Request as Asked
from service.desk.services import Services
from service.store.callers import NOBODY, Caller
from service.store.credentials import Credential, of_token
from service.store.ids import new_id

AnyRequest: TypeAlias = Request[Any, Any, Any]
_KEY = re.compile(r"[\x20-\x7e]{1,128}\Z")
ERA: Final = "x-era"  # the era in which something was tapped; an answer names the one that is
FIRST: Final = "0"  # the era before the first restore


def services_of(request: AnyRequest) -> Services:
    """The services of the running application."""
    services: Services = request.app.state.services
    return services


def credential_of(request: AnyRequest) -> Credential | None:
    """The token of a request."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return of_token(token.strip()) if scheme.lower() == "bearer" and token else None


async def caller_of(request: AnyRequest) -> Caller:
    """The bearer of a token, or nobody. Raises Refusal for a token that is no good."""
    if request.headers.get("authorization") is None:
        return NOBODY
    credential = credential_of(request)
    caller = None if credential is None else await services_of(request).doors.by(credential)
    if caller is None:
        raise Refusal("unauthorised", "this token is unknown or was revoked: ask the owner for a new one")
    return caller


async def asked(request: AnyRequest, caller: Caller, expected: int | None = None) -> Asked:
    """The command that a request is: its key, and the fingerprint of method, path, what is asked behind it, and
    body. Raises Refusal for one of another era: whoever sends it asks a person first."""
    if caller.known:  # whoever is not is refused for that, and learns of no era
        await _check_era(request)
    key = request.headers.get("idempotency-key")
    if key is not None and not _KEY.match(key):
        raise Refusal("malformed", "Idempotency-Key is 1 to 128 printable characters")
    body = await request.body()
    path, query = request.scope["path"].encode(), request.scope["query_string"]
    if query and path.startswith(b"/api/"):  # a page's own requests are told apart by their forms
        path += b"?" + query
    fingerprint = hashlib.sha256(b"\0".join((request.method.encode(), path, body))).digest()
    by = caller.by(_device(request.headers), _clock(request.headers))
    return Asked(by, caller.actor(), key or new_id(), key is not None, fingerprint, expected)


async def era_of(request: AnyRequest) -> str:
    """The name of the era that the database is of."""
    return await services_of(request).streams.era() or FIRST


async def _check_era(request: AnyRequest) -> None:
    """A command that names an era is of the one that is; one without is of a program, or of no script."""
    named = request.headers.get(ERA)
    if named is not None and named != (now := await era_of(request)):
        raise Refusal("other-era", "the club's data were brought back from a copy since this was made", era=now)


def _device(headers: Mapping[str, str]) -> str | None:
    """The name a device gives itself, at most 80 printable characters of it."""
    given = headers.get("x-lurch-device")
    return None if given is None else "".join(char for char in given if char.isprintable())[:80] or None


def _clock(headers: Mapping[str, str]) -> datetime | None:
    """The device's own clock; one that cannot be read or meant is as good as none. (A clock near the end
    of the year 9999 could be written, and then not be read back in every time zone.)"""
    given = headers.get("x-lurch-device-clock")
    if given is None:
        return None
    try:
        moment = instant(given)
    except Refusal:
        return None
    return moment if 1970 <= moment.year < 9999 else None
