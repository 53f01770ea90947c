"""Webhooks over HTTP: a director, secretary or owner says where a club's events are sent, and sees how that goes."""

from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.params import FromPath, JSONBody

from service.api import webhook_bodies as own
from service.api.links import FIRST, gives
from service.desk import bodies
from service.desk.services import Services
from service.desk.webhooks import enable, kept_by, make, maker_of, remove, webhook_for
from service.http.answers import as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of
from service.http.compression import ONE_TIME_SECRET
from service.store import log
from service.store import webhooks as rows


async def keeping(request: AnyRequest, club_id: UUID) -> tuple[Services, str]:
    """The services and the club, for who keeps its webhooks. Raises Refusal."""
    services = services_of(request)
    return services, (await kept_by(services, await caller_of(request), club_id)).club


class WebhookController(Controller):
    """The webhooks of a club."""

    path = "/clubs/{club_id:uuid}/webhooks"
    tags = ["webhooks"]

    @post(
        operation_id="createWebhook",
        summary="Send the club's events to a URL from now on",
        opt={**ONE_TIME_SECRET, **gives(webhook_id="/id")},
    )
    async def create(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[own.WebhookBody]
    ) -> Response[own.CreatedWebhook]:
        """The secret that signs is in this answer only."""
        services, club = await keeping(request, club_id)
        caller = await caller_of(request)
        maker = maker_of(caller, club)
        hook = await make(services, club, data.url, data.types, await asked(request, caller), maker)
        location = {"Location": f"/api/v1/clubs/{club}/webhooks/{hook.id}"}
        return as_json(own.created_view(hook, await log.last_position(services.pool, club)), 201, location)

    @get(operation_id="listWebhooks", summary="The club's webhooks", opt=gives(webhook_id=FIRST))
    async def listed(self, request: AnyRequest, club_id: FromPath[UUID]) -> Response[bodies.Page]:
        """All of them, ten at most."""
        services, club = await keeping(request, club_id)
        head = await log.last_position(services.pool, club)
        found = await rows.of_club(services.pool, club)
        return as_json(bodies.Page(tuple(own.webhook_view(hook, head) for hook in found), None))

    @get("/{webhook_id:uuid}", operation_id="readWebhook", summary="One webhook, with the last attempts")
    async def read(
        self, request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID]
    ) -> Response[own.WebhookWithAttempts]:
        """Fifty attempts at most, the newest first."""
        services, club = await keeping(request, club_id)
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
        services, club = await keeping(request, club_id)
        await remove(services, club, webhook_id)
        return as_json(own.Deleted(str(webhook_id)))

    @post("/{webhook_id:uuid}/test", operation_id="testWebhook", summary="Send a signed ping now")
    async def test(
        self, request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID], data: JSONBody[own.PingBody]
    ) -> Response[own.AttemptView]:
        """The answer says what the receiver answered; nothing else changes."""
        services, club = await keeping(request, club_id)
        hook = await webhook_for(services, club, webhook_id)
        return as_json(own.attempt_view(await services.courier.ping(hook)), 201)

    @post(
        "/{webhook_id:uuid}/enable", operation_id="enableWebhook", summary="Try again now what failed or was given up"
    )
    async def enable(
        self, request: AnyRequest, club_id: FromPath[UUID], webhook_id: FromPath[UUID], data: JSONBody[own.EnableBody]
    ) -> Response[own.WebhookView]:
        """From where it stopped, or with `skip` from now on."""
        services, club = await keeping(request, club_id)
        hook = await enable(services, club, webhook_id, data.skip, maker_of(await caller_of(request), club))
        return as_json(own.webhook_view(hook, await log.last_position(services.pool, club)), 201)
