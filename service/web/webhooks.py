"""The pages of a club's webhooks: made (the secret is shown once), looked at, tried, ended."""

from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.log.decider import Refusal
from domain.registry import open_types
from service.desk.clubs import club_view
from service.desk.services import Services
from service.desk.webhooks import enable, kept_by, make, maker_of, remove, webhook_for
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.compression import ONE_TIME_SECRET
from service.http.cookies import caller_of, check_origin, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.store import log
from service.store import webhooks as rows
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.store.webhooks import Attempt, Webhook
from service.web.forms import Form, form_of, text_of
from service.web.render import page


async def _club(request: AnyRequest, club_id: UUID) -> tuple[Services, Caller, LoadedClub]:
    """A club for who keeps its webhooks. Raises Refusal."""
    services, caller = services_of(request), await caller_of(request)
    return services, caller, await kept_by(services, caller, club_id)


@get("/clubs/{club_id:uuid}/webhooks", include_in_schema=False)
async def webhooks_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The webhooks, and a form for a new one."""
    return await _page(*await _club(request, club_id))


async def _page(
    services: Services,
    caller: Caller,
    club: LoadedClub,
    form: Form | None = None,
    error: str = "",
    status: int = 200,
    made: Webhook | None = None,
) -> Response[str]:
    """The page: first, again with what was wrong, or with the secret of a webhook that was made."""
    return page(
        "webhooks.html",
        caller,
        status,
        made is not None,
        club=club_view(club),
        error=error,
        form=form or {},
        made=made,
        hooks=await rows.of_club(services.pool, club.club),
        head=await log.last_position(services.pool, club.club),
        types=sorted(open_types()),
    )


@post("/clubs/{club_id:uuid}/webhooks", include_in_schema=False, opt=ONE_TIME_SECRET)
async def make_webhook(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Makes a webhook, and shows its secret this once."""
    check_origin(request)
    services, caller, club = await _club(request, club_id)
    form = await form_of(request)
    try:
        url, types = _wanted(form)
        wanted = await asked(request, caller)
        made = await make(services, club.club, url, types, wanted, maker_of(caller, club.club))
    except Refusal as refusal:
        return await _page(services, caller, club, form, refusal.detail, KINDS[known_slug(refusal)].status)
    return await _page(services, caller, club, made=made)


def _wanted(form: Form) -> tuple[str, list[str] | None]:
    """The address, and the types of events; none named are all. Raises Refusal."""
    url = text_of(form, "url")
    if not 10 <= len(url) <= 500 or not url.isascii() or not url.startswith(("https://", "http://")) or " " in url:
        raise Refusal("malformed", "write the whole address, such as https://example.org/lurch")
    return url, text_of(form, "types").replace(",", " ").split() or None


@get("/clubs/{club_id:uuid}/webhooks/{webhook_id:uuid}", include_in_schema=False)
async def webhook_page(request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID]) -> Response[str]:
    """One webhook with its last attempts."""
    services, caller, club = await _club(request, club_id)
    hook = await webhook_for(services, club.club, webhook_id)
    attempts: list[Attempt] = await rows.attempts(services.pool, club.club, hook.id)
    return page(
        "webhook.html",
        caller,
        club=club_view(club),
        zone=club.state.settings.zone,
        hook=msgspec.structs.replace(hook, secret=""),
        attempts=attempts,
        head=await log.last_position(services.pool, club.club),
    )


@post("/clubs/{club_id:uuid}/webhooks/{webhook_id:uuid}/test", include_in_schema=False)
async def try_webhook(request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID]) -> AnyResponse:
    """Sends a signed ping now; the page says what came of it."""
    check_origin(request)
    services, _, club = await _club(request, club_id)
    await services.courier.ping(await webhook_for(services, club.club, webhook_id))
    return go(f"/clubs/{club.club}/webhooks/{webhook_id}")


@post("/clubs/{club_id:uuid}/webhooks/{webhook_id:uuid}/enable", include_in_schema=False)
async def enable_webhook(request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID]) -> AnyResponse:
    """Tries again what failed, or goes on from now."""
    check_origin(request)
    services, caller, club = await _club(request, club_id)
    skip = bool(text_of(await form_of(request), "skip"))
    await enable(services, club.club, webhook_id, skip, maker_of(caller, club.club))
    return go(f"/clubs/{club.club}/webhooks/{webhook_id}")


@post("/clubs/{club_id:uuid}/webhooks/{webhook_id:uuid}/delete", include_in_schema=False)
async def delete_webhook(request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID]) -> AnyResponse:
    """Sends nothing more."""
    check_origin(request)
    services, _, club = await _club(request, club_id)
    await remove(services, club.club, webhook_id)
    return go(f"/clubs/{club.club}/webhooks")
