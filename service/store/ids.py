"""Ids and the time: what every new row needs from the world."""

from datetime import UTC, datetime

import uuid_utils


def new_id() -> str:
    """A UUIDv7: ids in time order."""
    return str(uuid_utils.uuid7())


def now() -> datetime:
    """The service's clock."""
    return datetime.now(UTC)
