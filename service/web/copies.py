"""The owner's page of copies: how old the last one is, where they lie, what failed, and a button for one more."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec
from litestar import Response, get, post

from domain.log.decider import Refusal
from service.copies.changes import first_moment
from service.copies.keeping import AWAY, Failure, Keeping
from service.copies.nightly import AHEAD, last_by
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of, check_origin, go
from service.store.callers import Caller
from service.store.restored import restored_at, say_gone
from service.web.forms import form_of, text_of
from service.web.render import page

LATE_HOURS: Final = 26


class CopyRow(msgspec.Struct, frozen=True):
    """A copy of the list: when it was made, and its megabytes."""

    made: str
    megabytes: float


class CopiesShown(msgspec.Struct, frozen=True):
    """The state of a folder of copies: the newest first, when the last one was made and the hours since, and what is
    wrong, with how many are of a time to come; whether each change is received there, and since when any moment can be
    brought back."""

    folder: str
    kept: Sequence[CopyRow]
    last: str | None
    hours: int
    late: bool
    ahead: int
    beside: bool
    encrypted: bool
    under_way: bool
    failed: Failure | None
    receives: bool | None
    since: str | None


def shown(keeping: Keeping, now: datetime) -> CopiesShown:
    """The state that the page shows. Reads the folder; what cannot be read is what failed."""
    failed = keeping.failed
    try:
        found, since = keeping.kept.sizes(), first_moment(keeping.kept.folder)
        beside, away = keeping.beside_the_data(), keeping.is_away()
    except OSError as error:
        found, since, beside, away, failed = [], None, False, False, Failure(now, str(error))
    if away:
        beside, failed = False, failed or Failure(now, AWAY.format(keeping.kept.folder))
    made = [each for each, _ in found]
    last = last_by(made, now)
    hours = 0 if last is None else max(0, int((now - last).total_seconds() // 3600))
    rows = [CopyRow(each.isoformat(), size / 1e6) for each, size in found]
    return CopiesShown(
        str(keeping.kept.folder),
        rows,
        None if last is None else last.isoformat(),
        hours,
        last is None or hours >= LATE_HOURS,
        sum(each > now + AHEAD for each in made),
        beside,
        keeping.kept.passphrase is not None,
        keeping.under_way,
        failed,
        keeping.receives,
        None if since is None else since.isoformat(),
    )


async def _owner(request: AnyRequest) -> Caller:
    """The owner. Raises Refusal for everybody else."""
    caller = await caller_of(request)
    if not caller.owns:
        raise Refusal("forbidden" if caller.known else "unauthorised", "only the owner of this service sees its copies")
    return caller


@get("/copies", include_in_schema=False)
async def copies_page(request: AnyRequest) -> Response[str]:
    """The copies, for the owner."""
    return await _page(request, await _owner(request))


async def _page(request: AnyRequest, caller: Caller, error: str = "", status: int = 200) -> Response[str]:
    keeping: Keeping | None = request.app.state.copies
    return page(
        "copies.html",
        caller,
        status,
        copies=None if keeping is None else await asyncio.to_thread(shown, keeping, datetime.now(UTC)),
        restored=await restored_at(services_of(request).pool),
        error=error,
    )


@post("/copies", include_in_schema=False)
async def act(request: AnyRequest) -> AnyResponse:
    """Begin a copy, or take the owner's word that the old machine is gone."""
    check_origin(request)
    caller, keeping = await _owner(request), request.app.state.copies
    match text_of(await form_of(request), "do"):
        case "copy" if keeping is not None:
            keeping.begin()
        case "gone":
            services = services_of(request)
            await say_gone(services.pool)
            services.hub.stirred.set()
        case _:
            return await _page(request, caller, "this page has no such button: look at it again", 400)
    return go("/copies")
