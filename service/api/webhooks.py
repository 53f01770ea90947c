"""Webhooks over HTTP: an owner or director says where a club's events are sent, and sees how that goes."""

from difflib import get_close_matches
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.params import FromPath, JSONBody

from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from domain.registry import event_types
from service.api import webhook_bodies as own
from service.desk import bodies
from service.desk.access import club_for, require
from service.desk.requests import Request, key_reused
from service.desk.services import Services
from service.http.answers import as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of
from service.http.compression import ONE_TIME_SECRET
from service.store import log
from service.store import webhooks as rows
from service.store.ids import new_id
from service.store.webhooks import Webhook
from service.webhooks.places import PlaceError
from service.webhooks.signing import make_secret


async def directing(request: AnyRequest, club_id: UUID) -> tuple[Services, str]:
    """The services and the club, for who directs it. Raises Refusal."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    return services, club.club


async def webhook_for(services: Services, club: str, webhook: UUID) -> Webhook:
    """A webhook of this club. Raises Refusal."""
    found = await rows.find(services.pool, club, str(webhook))
    if found is None:
        raise not_there()
    return found


def not_there() -> Refusal:
    """There is none of that id in this club."""
    return Refusal("not-found", "the club has no such webhook")


def check_types(types: list[str] | None) -> None:
    """Raises Refusal for a type of event that there is not."""
    known = event_types()
    for each in types or ():
        if each not in known:
            near = ", ".join(get_close_matches(each, known, 4, 0.3)) or "none that is like it"
            raise Refusal("unknown-option", f"there is no type of event {each!r}; there are {near}, among others")


async def made_before(services: Services, club: str, wanted: Request) -> Webhook | None:
    """The webhook made under this key. Raises Refusal when the key belongs to something else."""
    if not wanted.chosen:
        return None
    found = await rows.made_with(services.pool, club, wanted.command_id)
    if found is None:
        if await log.find_command(services.pool, club, wanted.command_id) is not None:
            raise key_reused()
        return None
    hook, fingerprint = found
    if fingerprint != wanted.fingerprint:
        raise key_reused()
    return hook


async def make(services: Services, club: str, data: own.WebhookBody, wanted: Request) -> Webhook:
    """A webhook, or the one that this key has made. Raises Refusal."""
    before = await made_before(services, club, wanted)
    if before is not None:
        return before
    check_types(data.types)
    try:
        await services.courier.sender.check(data.url)
    except PlaceError as error:
        raise Refusal("malformed", str(error)) from None
    key = wanted.command_id if wanted.chosen else None
    made = await rows.create(
        services.pool,
        club,
        new_id(),
        data.url,
        make_secret(),
        data.types,
        services.courier.clock(),
        key,
        wanted.fingerprint,
        wanted.by.actor,
    )
    found = made or await made_before(services, club, wanted)
    if found is None:
        raise Refusal("misfit", f"the club has {rows.MOST} webhooks, which is the most: delete one first")
    return found


class WebhookController(Controller):
    """The webhooks of a club."""

    path = "/clubs/{club_id:uuid}/webhooks"
    tags = ["webhooks"]

    @post(operation_id="createWebhook", summary="Send the club's events to a URL from now on", opt=ONE_TIME_SECRET)
    async def create(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[own.WebhookBody]
    ) -> Response[own.CreatedWebhook]:
        """The secret that signs is in this answer only."""
        services, club = await directing(request, club_id)
        hook = await make(services, club, data, await asked(request, await caller_of(request)))
        location = {"Location": f"/api/v1/clubs/{club}/webhooks/{hook.id}"}
        return as_json(own.created_view(hook, await log.last_position(services.pool, club)), 201, location)

    @get(operation_id="listWebhooks", summary="The club's webhooks")
    async def listed(self, request: AnyRequest, club_id: FromPath[UUID]) -> Response[bodies.Page]:
        """All of them, ten at most."""
        services, club = await directing(request, club_id)
        head = await log.last_position(services.pool, club)
        found = await rows.of_club(services.pool, club)
        return as_json(bodies.Page(tuple(own.webhook_view(hook, head) for hook in found), None))

    @get("/{webhook_id:uuid}", operation_id="readWebhook", summary="One webhook, with the last attempts")
    async def read(
        self, request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID]
    ) -> Response[own.WebhookWithAttempts]:
        """Fifty attempts at most, the newest first."""
        services, club = await directing(request, club_id)
        hook = await webhook_for(services, club, webhook_id)
        attempts = await rows.attempts(services.pool, club, hook.id)
        return as_json(own.with_attempts(hook, await log.last_position(services.pool, club), attempts))

    @delete(
        "/{webhook_id:uuid}",
        operation_id="deleteWebhook",
        summary="Send nothing more, and forget the secret",
        status_code=200,
    )
    async def remove(
        self, request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID]
    ) -> Response[own.Deleted]:
        """A delivery that is under way may still arrive."""
        services, club = await directing(request, club_id)
        if not await rows.delete(services.pool, club, str(webhook_id)):
            raise not_there()
        return as_json(own.Deleted(str(webhook_id)))

    @post("/{webhook_id:uuid}/test", operation_id="testWebhook", summary="Send a signed ping now")
    async def test(
        self, request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID], data: JSONBody[own.PingBody]
    ) -> Response[own.AttemptView]:
        """The answer says what the receiver answered; nothing else changes."""
        services, club = await directing(request, club_id)
        hook = await webhook_for(services, club, webhook_id)
        return as_json(own.attempt_view(await services.courier.ping(hook)), 201)

    @post(
        "/{webhook_id:uuid}/enable", operation_id="enableWebhook", summary="Try again now what failed or was given up"
    )
    async def enable(
        self, request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID], data: JSONBody[own.EnableBody]
    ) -> Response[own.WebhookView]:
        """From where it stopped, or with `skip` from now on."""
        services, club = await directing(request, club_id)
        moment = services.courier.clock()
        caller = await caller_of(request)
        hook = await rows.enable(services.pool, club, str(webhook_id), data.skip, moment, caller.id)
        if hook is None:
            raise not_there()
        services.hub.stirred.set()
        return as_json(own.webhook_view(hook, await log.last_position(services.pool, club)), 201)
