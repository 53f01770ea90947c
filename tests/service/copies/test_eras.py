"""Every restore begins an era of its own, so whoever followed the log before begins again; one that does not is found
out."""

from contextlib import contextmanager

import psycopg
import pytest
from litestar.testing import TestClient

from service.copies.taking import take
from service.run.app import create_app
from service.run.restoring import restore
from service.run.settings import Settings
from service.store import copying
from tests.conftest import new_database
from tests.kit.service.asking import House, first_of_stream
from tests.kit.service.more_databases import one_more
from tests.service.copies.test_copies import NINE

ERA = "select value from choices where name = 'era'"


@pytest.fixture(scope="module")
def house():
    """A club whose director sees more than four events."""
    with new_database() as database, TestClient(create_app(database)) as client, House(client, database) as found:
        path = found.match(sides=(("Annie",), ("Benny",)), target=100)
        for _ in range(3):
            found.done(f"{path}/results", {"entry": NINE, "it_happened": True})
        yield found


@contextmanager
def restored(house, copied):
    """A database into which a copy was brought back, and its era."""
    with one_more(house.database) as database:
        restore(copied, Settings(database_url=database.url, migrate_url=database.owner_url))
        with psycopg.connect(database.url) as rows:
            yield database, rows.execute(ERA).fetchone()[0]


@pytest.fixture(scope="module")
def copies(house, tmp_path_factory):
    """A copy of a service that was never restored, and one of a service that was: each with the era that is in it."""
    first, _ = take(house.database.owner_url, tmp_path_factory.mktemp("first"), "0.1.0")
    with restored(house, first) as (database, era):
        second, _ = take(database.owner_url, tmp_path_factory.mktemp("second"), "0.1.0")
    return {"never": (first, "00000000"), "restored": (second, era)}


def all_begin_again(house, copied, before):
    """Who comes with a place of the time before begins again. Else what is recorded anew under places that he has
    passed would be skipped."""
    with restored(house, copied) as (database, era), TestClient(create_app(database)) as client:
        with psycopg.connect(database.url) as rows:
            rows.execute("update tokens set revoked_at = null")

        def first(last):
            headers = {"Last-Event-ID": last, "Accept": "text/event-stream", **house.bearer("director")}
            told = first_of_stream(client, f"{house.path}/events", headers)[2]
            return next(line for line in told.decode().splitlines() if line.startswith("id: "))

        assert first("4") == f"id: 1-{era}"
        assert first(f"4-{before}") == f"id: 1-{era}"
        assert first(f"4-{era}") == f"id: 5-{era}"


def each_has_its_own(house, copied, before):
    """An era is new each time that one copy comes back."""
    eras = {before}
    for _ in range(2):
        with restored(house, copied) as (_, era):
            eras.add(era)
    assert len(eras) == 3


def keeps_its_era(connection, era, because):
    """The seeded bug: the restored log goes on in the era that came with it."""
    (kept,) = connection.execute(ERA).fetchone()
    begin_anew(connection, kept, because)


begin_anew = copying.begin_anew


@pytest.mark.parametrize("check", [all_begin_again, each_has_its_own])
@pytest.mark.parametrize("of", ["never", pytest.param("restored", marks=pytest.mark.extended)])
def test_every_restore_begins_an_era_of_its_own(house, copies, of, check):
    check(house, *copies[of])


@pytest.mark.extended
@pytest.mark.parametrize("check", [all_begin_again, each_has_its_own])
def test_a_restore_that_keeps_its_era_is_found_out(house, copies, monkeypatch, check):
    monkeypatch.setattr(copying, "begin_anew", keeps_its_era)
    with pytest.raises(AssertionError):
        check(house, *copies["restored"])
