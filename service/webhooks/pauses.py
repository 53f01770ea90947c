"""Pauses of failing webhooks, and the end of trying: pure, the clock and chance come in."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

import msgspec

from service.store.webhooks import Webhook
from service.webhooks.sending import ReceiverAnswer

FIRST: Final = 5.0  # seconds
LONGEST: Final = 3600.0
GIVE_UP: Final = timedelta(days=5)
GIVE_UP_FAILURES: Final = 10  # a service that was off for a week has not tried for a week
GONE: Final = 410


def pause(failures: int, chance: float) -> float:
    """Seconds until the next attempt: doubled each time, up to an hour, less up to a quarter by chance, so that
    webhooks that failed together do not come back together."""
    return min(LONGEST, FIRST * 2.0 ** min(failures - 1, 20)) * (1 - chance / 4)


def requested_pause(header: str | None, at: datetime) -> float:
    """The seconds that a `Retry-After` header asks for, as a number or a date, an hour at most."""
    if header is None:
        return 0.0
    if header.isascii() and header.isdecimal() and len(header) < 10:
        return min(float(header), LONGEST)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, min((aware - at).total_seconds(), LONGEST))


def after_attempt(hook: Webhook, answer: ReceiverAnswer, at: datetime, chance: float) -> Webhook:
    """The webhook after an attempt to send its pending delivery."""
    said = msgspec.structs.replace(hook, claimed_until=None, last_status=answer.status, last_error=answer.error)
    if answer.good:
        return msgspec.structs.replace(
            said,
            position=hook.position if hook.pending is None else hook.pending,
            pending=None,
            failures=0,
            failing_since=None,
            next_try_at=at,
        )
    failures, since = hook.failures + 1, hook.failing_since or at
    wait = max(pause(failures, chance), requested_pause(answer.retry_after, at))
    because = reason_to_stop(answer, failures, at - since)
    return msgspec.structs.replace(
        said,
        failures=failures,
        failing_since=since,
        next_try_at=at + timedelta(seconds=wait),
        disabled_at=at if because else None,
        disabled_because=because,
    )


def reason_to_stop(answer: ReceiverAnswer, failures: int, failing: timedelta) -> str | None:
    """The reason to send nothing more, or None."""
    if answer.status == GONE:
        return "the receiver answered 410: it wants no more"
    if failures >= GIVE_UP_FAILURES and failing >= GIVE_UP:
        return f"nothing arrived for {GIVE_UP.days} days ({failures} attempts); the last one: {answer.error}"
    return None
