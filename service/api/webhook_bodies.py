"""The bodies and answers of the API of webhooks; the secret is in the answer to making one and nowhere else."""

from datetime import datetime
from typing import Annotated, TypeAlias

import msgspec

from domain.log.event import instant
from service.desk.bodies import Body
from service.store.webhooks import Attempt, Webhook

Url: TypeAlias = Annotated[
    str, msgspec.Meta(min_length=10, max_length=500, pattern=r"^https?://[\x21-\x7e]+(?![\s\S])")
]
EventType: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class WebhookBody(Body, frozen=True, kw_only=True):
    """The address for a club's events from now on; without `types` all of them."""

    url: Url
    types: Annotated[list[EventType], msgspec.Meta(min_length=1, max_length=100)] | None = None


class PingBody(Body, frozen=True, kw_only=True):
    """A ping needs nothing said."""


class EnableBody(Body, frozen=True, kw_only=True):
    """Try again; with `skip` what was not delivered until now is given up."""

    skip: bool = False


class AttemptView(msgspec.Struct, frozen=True):
    """One attempt: the id that the receiver was given, the positions of the first and last event (a ping has none),
    and its status or why there is none."""

    id: str
    at: str
    first: int | None
    last: int | None
    events: int
    milliseconds: int
    status: int | None
    error: str | None


class WebhookView(msgspec.Struct, frozen=True):
    """A webhook: up to which position of the club's log it has delivered, of how many; how it is doing."""

    id: str
    club: str
    url: str
    types: tuple[str, ...] | None
    created_at: str
    position: int
    head: int
    failures: int
    next_try_at: str | None
    last_status: int | None
    last_error: str | None
    disabled_at: str | None
    disabled_because: str | None


class CreatedWebhook(WebhookView, frozen=True):
    """A new webhook, with its secret, this once."""

    secret: str


class WebhookWithAttempts(WebhookView, frozen=True):
    """A webhook with the last attempts, the newest first."""

    attempts: tuple[AttemptView, ...]


class Deleted(msgspec.Struct, frozen=True):
    """A webhook that is gone."""

    id: str


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else instant(moment)


def attempt_view(attempt: Attempt) -> AttemptView:
    """An attempt as the owner sees it."""
    return AttemptView(
        attempt.message,
        instant(attempt.at),
        attempt.first,
        attempt.last,
        attempt.events,
        attempt.milliseconds,
        attempt.status,
        attempt.error,
    )


def webhook_view(hook: Webhook, head: int) -> WebhookView:
    """A webhook as the owner sees it."""
    return WebhookView(
        id=hook.id,
        club=hook.club,
        url=hook.url,
        types=None if hook.types is None else tuple(hook.types),
        created_at=instant(hook.created_at),
        position=hook.position,
        head=head,
        failures=hook.failures,
        next_try_at=_at(hook.next_try_at) if hook.failures and not hook.disabled_at else None,
        last_status=hook.last_status,
        last_error=hook.last_error,
        disabled_at=_at(hook.disabled_at),
        disabled_because=hook.disabled_because,
    )


def created_view(hook: Webhook, head: int) -> CreatedWebhook:
    """A new webhook."""
    return CreatedWebhook(**msgspec.structs.asdict(webhook_view(hook, head)), secret=hook.secret)


def with_attempts(hook: Webhook, head: int, attempts: list[Attempt]) -> WebhookWithAttempts:
    """A webhook with its attempts."""
    seen = tuple(attempt_view(each) for each in attempts)
    return WebhookWithAttempts(**msgspec.structs.asdict(webhook_view(hook, head)), attempts=seen)
