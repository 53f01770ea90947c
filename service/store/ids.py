"""Ids, chance and the time: what every new row needs from the world; a test brings a world of its own."""

import os
from datetime import UTC, datetime

import uuid_utils


class World:
    """The world as it is."""

    def new_id(self) -> str:
        """A UUIDv7."""
        return str(uuid_utils.uuid7())

    def chance(self, count: int) -> bytes:
        """So many bytes that nobody can guess."""
        return os.urandom(count)

    def now(self) -> datetime:
        """The time by this machine's clock."""
        return datetime.now(UTC)


WORLD: World = World()


def new_id() -> str:
    """A UUIDv7: ids in time order."""
    return WORLD.new_id()


def chance(count: int) -> bytes:
    """So many bytes that nobody can guess: salts, and ids of devices."""
    return WORLD.chance(count)


def now() -> datetime:
    """The service's clock."""
    return WORLD.now()
