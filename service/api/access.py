"""From a request to what it may touch: the caller, the match or club it names, its command id."""

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import Any
from uuid import UUID

from litestar import Request
from litestar.datastructures import Headers
from litestar.types import ASGIApp, Receive, Scope, Send

from domain.actor import DIRECTORS
from domain.decider import Refusal
from domain.game import Viewer
from domain.match.sight import opened_deals, viewer_of
from domain.match.state import Match
from projections.match_view import MatchView, match_view
from service.auth import NOBODY, Caller, Credential, check_known, may_read, of_club, of_token
from service.recording import Request as Asked
from service.recording import new_id
from service.services import Services
from service.store import finding
from service.streams import Loaded, LoadedClub

AnyRequest = Request[Any, Any, Any]
_KEY = re.compile(r"[\x20-\x7e]{1,128}\Z")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T")


def only_hosts(names: str | None) -> Callable[[ASGIApp], ASGIApp]:
    """Refuse requests for any other host name (DNS rebinding), whatever the port; Litestar's own check compares the
    port as well. `names` are ours, with commas between them, `*.` before one."""
    allowed = [name.strip().lower() for name in (names or "*").split(",")]

    def guarded(app: ASGIApp) -> ASGIApp:
        async def check(scope: Scope, receive: Receive, send: Send) -> None:
            host = Headers.from_scope(scope).get("host", "").lower()
            name = re.sub(r":[0-9]*\Z", "", host).strip("[]")
            if not any(fnmatchcase(name, each) for each in allowed):
                raise Refusal("malformed", "this service does not answer to that name: see LURCH_ALLOWED_HOSTS")
            await app(scope, receive, send)

        return check

    return guarded


def services_of(request: AnyRequest) -> Services:
    """The services of the running application."""
    services: Services = request.app.state.services
    return services


def credential_of(request: AnyRequest) -> Credential | None:
    """What the request shows to prove who asks."""
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


async def club_for(services: Services, caller: Caller, club: UUID) -> LoadedClub:
    """A club that the caller may read; one that it may not is not there. Raises Refusal."""
    loaded = await services.streams.club(str(club))
    if loaded is None or not may_read(caller, loaded.club, loaded.state.public):
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    return loaded


async def match_for(services: Services, caller: Caller, match: UUID) -> tuple[Loaded, LoadedClub]:
    """A match that the caller may read, and its club. Raises Refusal."""
    loaded = await services.streams.match(str(match))
    if loaded is None or not isinstance(loaded.state, Match):
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    return loaded, await club_for(services, caller, UUID(loaded.club))


async def tournament_for(services: Services, caller: Caller, tournament: UUID) -> tuple[Loaded, LoadedClub]:
    """A tournament that the caller may read, results of its matches included, and its club. Raises Refusal."""
    loaded = await services.streams.tournament(str(tournament))
    if loaded is None:
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    club = await club_for(services, caller, UUID(loaded.club))
    await services.steward.catch_up(loaded.club)
    return services.streams.kept(loaded.stream) or loaded, club


async def match_to_write(services: Services, caller: Caller, match: UUID) -> Loaded:
    """A match that somebody we know may write to: whether this may be written is decided with it. Raises Refusal: 404
    unseen, 401 without a token."""
    known = services.streams.kept(str(match))
    if known is None or not isinstance(known.state, Match):
        known, _ = await match_for(services, caller, match)
    elif not (caller.known and caller.club in (None, known.club)):
        await club_for(services, caller, UUID(known.club))
    check_known(caller)
    return known


async def asked(request: AnyRequest, caller: Caller, expected: int | None = None) -> Asked:
    """The command that a request is: its key, and the fingerprint of method, path and body."""
    key = request.headers.get("idempotency-key")
    if key is not None and not _KEY.match(key):
        raise Refusal("malformed", "Idempotency-Key is 1 to 128 printable characters")
    body = await request.body()
    path = request.url.path.encode()
    fingerprint = hashlib.sha256(b"\0".join((request.method.encode(), path, body))).digest()
    by = caller.by(_device(request.headers), _clock(request.headers))
    return Asked(by, caller.actor(), key or new_id(), key is not None, fingerprint, expected)


def _device(headers: Mapping[str, str]) -> str | None:
    """What the device calls itself, at most 80 printable characters of it."""
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


def instant(text: str) -> datetime:
    """An RFC 3339 time with an offset, in UTC, from the years that a database can hold. Raises Refusal."""
    try:
        moment = datetime.fromisoformat(text.replace(" ", "+"))
        if moment.tzinfo is None:
            raise ValueError
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refusal("malformed", f"{text[:40]!r} is not a time like 2026-11-20T19:30:00Z") from None


def as_of(text: str, counted: str = "version") -> int | datetime:
    """A version, or what else is `counted`, or a time. Raises Refusal."""
    if _INSTANT.match(text):
        return instant(text)
    if text.isascii() and text.isdecimal() and len(text) <= 10:
        return min(int(text), 2**31 - 1)
    raise Refusal("malformed", f"`as_of` is a {counted} like 17 or a time like 2026-11-20T19:30:00Z")


async def position_of(services: Services, club: LoadedClub, moment: str | None) -> int | None:
    """Where a club's log stood at a position or a time; nothing where none is asked for. Raises Refusal."""
    if moment is None:
        return None
    position = await finding.position_at(services.pool, club.club, as_of(moment, "position"))
    if not position:
        raise Refusal("not-found", "the club had not been founded by then")
    return position


async def club_at(services: Services, club: LoadedClub, position: int | None) -> LoadedClub:
    """The club and its people as of a position, or as they are."""
    return club if position is None else await services.streams.club_at(club.club, position)


def viewer_in(caller: Caller, loaded: Loaded) -> Viewer:
    """As whom a caller sees a match."""
    return viewer_of(loaded.match, caller.actor().within(loaded.club))


def names_of(club: LoadedClub) -> dict[str, str | None]:
    """Player id -> name."""
    return {player.id: player.name for player in club.state.players.values()}


def shown(loaded: Loaded, club: LoadedClub, caller: Caller, past: Match | None = None) -> MatchView:
    """The match view for a caller, now or as it was."""
    viewer = viewer_in(caller, loaded)
    opened = opened_deals(loaded.match)
    audits = of_club(caller, loaded.club) and caller.role in DIRECTORS
    return match_view(loaded.stream, loaded.club, past or loaded.match, names_of(club), viewer, opened, audits)
