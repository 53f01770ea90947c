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


def test_a_rest_is_twice_as_long_as_the_work_before_it(rested):
    rests = Rests(beside=True)
    began = time.perf_counter()
    while time.perf_counter() - began < 0.01:
        continue
    rests.take()
    rests.take()
    assert 0.02 <= rested[0] <= resting.LONGEST
    assert rested[1] < rested[0]


def test_a_copy_beside_an_evening_rests_at_every_step(client, database, tmp_path, rested):
    with House(client, database) as house:
        house.match()
    place, manifest = take(database.owner_url, tmp_path, "0.1.0")
    assert len(rested) > sum(count > 0 for count in manifest.rows.values())
    assert checked(place) == manifest


def test_a_copy_before_a_migration_does_not_rest(database, tmp_path, rested):
    take_alone(database.owner_url, tmp_path, "0.1.0")
    assert rested == []
