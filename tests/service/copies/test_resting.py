"""A copy beside an evening leaves the processors to it again and again; one before a migration has nobody beside it."""

import time
from types import SimpleNamespace

import pytest

from service.copies import resting
from service.copies.reading import checked
from service.copies.resting import Rests
from service.copies.taking import take, take_alone
from tests.kit.service.asking import House


@pytest.fixture
def rested(monkeypatch):
    """The rests that are taken, in seconds."""
    found = []
    monkeypatch.setattr(resting, "time", SimpleNamespace(sleep=found.append, perf_counter=time.perf_counter))
    return found


def test_a_rest_is_twice_as_long_as_the_work_before_it(rested, monkeypatch):
    moments = iter(
        (100.0, 100.01, 100.03, 100.031, 100.033, 200.0, 200.05)
    )  # no real clock: we may be stopped anywhere
    monkeypatch.setattr(resting.time, "perf_counter", lambda: next(moments))
    rests = Rests(beside=True)
    for _ in range(2):
        rests.take()
    assert rested == pytest.approx([0.02, 0.002])
    rests.take()
    assert rested[2] == resting.LONGEST, "a machine that slept is no work"


def test_a_copy_beside_an_evening_rests_at_every_step(client, database, tmp_path, rested):
    with House(client, database) as house:
        house.match()
    place, manifest = take(database.owner_url, tmp_path, "0.1.0")
    assert len(rested) > sum(count > 0 for count in manifest.rows.values())
    assert checked(place) == manifest


def test_a_copy_before_a_migration_does_not_rest(database, tmp_path, rested):
    take_alone(database.owner_url, tmp_path, "0.1.0")
    assert rested == []
