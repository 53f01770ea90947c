"""A reproducible provider of ids, randomness and time for the service."""

import hashlib
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from service.store import ids

BEGINS = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


class MadeUpWorld(ids.World):
    """Counted ids, repeatable random bytes and a clock set by hand."""

    def __init__(self):
        self.at, self._given, self._drawn, self._row = BEGINS, [0, 0], [0, 0], 0

    def new_id(self):
        self._given[self._row] += 1
        return f"{self._row}{self._given[self._row]:07x}-0000-7000-8000-000000000000"

    def chance(self, count):
        self._drawn[self._row] += 1
        return hashlib.sha256(f"{self._row} {self._drawn[self._row]}".encode()).digest()[:count]

    def now(self):
        return self.at

    def passes(self, **time):
        """Advance the clock."""
        self.at += timedelta(**time)

    @contextmanager
    def aside(self):
        """Take ids and random bytes from a second sequence within the block."""
        self._row = 1
        try:
            yield
        finally:
            self._row = 0


@contextmanager
def made_up_world():
    """Install a `MadeUpWorld` in the service for the block."""
    world = MadeUpWorld()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids, "WORLD", world)
        yield world
