"""The clock of the machine is put hours and days on and back under a service that runs (`make faults`, by faketime).

The server of the database keeps the right time: the two clocks disagree as on two machines."""

import os
import sys
from itertools import pairwise
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.kit.faults.listeners import followers, have_heard_everything, listening
from tests.kit.faults.processes import Serving, data_directory, until
from tests.kit.faults.scorers import Club, batches, more, results, scoring

LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(os.environ.get("LURCH_FAULTS") != "whole", reason="`make faults` puts the clock"),
    pytest.mark.skipif(LIBRARY is None, reason="no faketime on this machine: apt install faketime"),
]
JUMPS = ("+5h", "-7h", "+30h", "+400d", "-3h", "+0")


class Clock:
    """The clock of a service: what `settings` give its process, and the file by which it is put."""

    def __init__(self, folder):
        self.file = folder / "clock"
        self.file.write_text("+0\n")
        self.settings = {
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",  # it goes on however somebody puts the clock
        }

    def put(self, by):
        """Put it on or back by so much from the right time."""
        other = self.file.with_suffix(".new")
        other.write_text(f"{by}\n")
        other.rename(self.file)


@pytest.fixture(scope="module")
def clock(tmp_path_factory):
    return Clock(tmp_path_factory.mktemp("clock"))


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    return tmp_path_factory.mktemp("copies")


@pytest.fixture(scope="module")
def service(clock, copies):
    copies.chmod(0o777)  # the server of the database writes changes there, and is `nobody`
    with data_directory() as data:
        running = Serving(data, LURCH_BACKUP_DIR=str(copies), **clock.settings)
        try:
            yield running.start((sys.executable, "-m", "tests.kit.faults.put_clock", "serve")).ready()
        finally:
            running.end()


@pytest.fixture
def club(service):
    return Club(service.embedded().url("lurch_app"))


def recorded(club):
    """The times of each stream of a club in the order of its versions."""
    found = {}
    with psycopg.connect(club.database_url) as connection:
        asked = "select stream_id, recorded_at from events where club_id = %s order by stream_id, version"
        for stream, at in connection.execute(asked, [club.id]):
            found.setdefault(stream, []).append(at)
    return found


def test_acknowledged_events_survive_clock_changes_and_times_never_decrease(service, clock, club):
    common = club.open_match(service.url)
    works = [results(common), results(common), batches(club.open_match(service.url, ("Carla", "Dora")))]
    with listening(*followers(club, service.url, common)) as listeners:
        with scoring(club, [service.url], works):
            for by in JUMPS:
                clock.put(by)
                more(club, 30)
                assert httpx.get(f"{service.url}/health/ready", timeout=30).status_code == 200
        have_heard_everything(club, common, listeners)
    club.check()
    times = recorded(club)
    assert all(one <= other for own in times.values() for one, other in pairwise(own))
    span = max(max(own) for own in times.values()) - min(min(own) for own in times.values())
    assert span.days > 300, "the clock was not put"


def test_a_clock_change_takes_a_backup_and_deletes_none(service, clock, club, copies):
    clock.put("+0")
    begun = set(until(lambda: list(copies.glob("*.lurch"))))
    clock.put("+30h")
    until(lambda: set(copies.glob("*.lurch")) - begun, 90)
    clock.put("+400d")
    until(lambda: len(set(copies.glob("*.lurch")) - begun) > 1, 90)
    clock.put("+0")
    more_copies = set(copies.glob("*.lurch"))
    assert begun < more_copies
    club.open_match(service.url)
    assert httpx.get(f"{service.url}/health/ready").status_code == 200
    assert set(copies.glob("*.lurch")) >= more_copies
