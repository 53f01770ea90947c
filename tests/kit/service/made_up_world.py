"""A world of a test's own: ids that are counted, chance that repeats, and a clock that is set by hand."""

import hashlib
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from service.store import ids

BEGINS = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


class MadeUpWorld(ids.World):
    """The same ids, chance and times whenever the same things are done in it."""

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
        """So much time goes by."""
        self.at += timedelta(**time)

    @contextmanager
    def aside(self):
        """What is done here takes its ids and its chance from a row of its own."""
        self._row = 1
        try:
            yield
        finally:
            self._row = 0


@contextmanager
def made_up_world():
    """The service lives in it for as long as the block runs."""
    world = MadeUpWorld()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids, "WORLD", world)
        yield world
