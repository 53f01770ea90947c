"""/metrics: what an operator asks is answered, by short words, and nobody's name is in it."""

import ast
import asyncio
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from litestar.testing import TestClient
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.parser import text_string_to_metric_families

from service.cli import clerk
from service.copies.folder import KeptCopies
from service.copies.keeping import Keeping
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.run import following, looking, metrics
from service.run.app import create_app
from service.run.database import Database
from service.run.leasing import FOLLOWING
from service.run.looking import Look, end_of_certificate, folders_of
from service.run.pool import make_pool
from service.run.settings import Settings
from service.run.tls import make
from service.store import meters
from service.store.ids import new_id
from service.store.leases import holder_of
from service.store.streams import Streams
from tests.conftest import migrated, new_database, with_pool
from tests.kit.faults.processes import until
from tests.kit.service.asking import House
from tests.kit.service.spectators import hall

ROOT = Path(__file__).parents[3]
INSTRUMENTS = [
    each for room in (meters, metrics) for each in vars(room).values() if isinstance(each, Counter | Gauge | Histogram)
]
RESULT = {"entry": {"parity": "odd", "tricks": [9, 6]}}
OPEN = Settings(metrics="on")
NOWHERE = "postgresql://nobody@127.0.0.1:1/none"
ALWAYS = datetime(2020, 1, 1, tzinfo=UTC)
NEVER = datetime(2200, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def own():
    """A club of an application over a database of its own, whose readers react to notices only."""
    with pytest.MonkeyPatch.context() as patch, new_database() as database:
        patch.setattr(following, "MISSED_SECONDS", 3600.0)
        with TestClient(create_app(database)) as client, House(client, database, name="Öxl") as found:
            until(lambda: client.blocking_portal.call(holder_of, client.app.state.services.pool, FOLLOWING))
            yield found


class Said(dict):
    """The samples of /metrics, each under its name and the values of its labels."""

    def __missing__(self, _):
        return 0.0


def said_by(text):
    found = Said()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name, *sample.labels.values()] = sample.value
    return found


def asked(house):
    answer = house.get("/metrics", "owner")
    assert answer.status_code == 200, answer.text
    return said_by(answer.text)


def test_appends_events_groups_and_requests_are_counted(own):
    match = own.match()
    before = asked(own)
    for _ in range(3):
        own.done(f"{match}/results", RESULT)
    after = asked(own)

    def more(*sample):
        return after[sample] - before[sample]

    assert more("lurch_appends_total", "open") == 3
    assert more("lurch_events_total", "open") == 6
    assert more("lurch_append_group_size_count") == 3
    assert more("lurch_append_group_size_sum") == 3
    assert more("lurch_append_seconds_count") == 3
    assert more("lurch_appends_total", "closed") == 0
    assert more("lurch_requests_total", "POST", "/api/v1/matches/{match_id}/results", "201") == 3
    assert after["lurch_request_seconds_count", "/api/v1/matches/{match_id}/results"] >= 3
    assert after["lurch_database_up",] == 1
    assert after["lurch_database_bytes",] > 1_000_000
    assert abs(after["lurch_database_clock_ahead_seconds",]) < 60
    assert after["lurch_disk_bytes", "data"] > after["lurch_disk_free_bytes", "data"] > 0
    assert after["lurch_pool_connections", "appends"] >= 1
    assert more("lurch_pool_requests_total", "appends") == 3
    assert after["lurch_pool_connections", "requests"] >= after["lurch_pool_idle", "requests"]


def test_a_lost_race_is_counted_and_its_command_repeated(own):
    async def both(pool):
        here, elsewhere = Recorder(Streams(pool)), Recorder(Streams(pool))
        for number, each in enumerate((here, elsewhere, here)):  # who comes last knows nothing of the one before
            await each.register(own.id, f"Racer {number}", own_request(clerk.CLERK))

    before = asked(own)
    with_pool(own.database, both)
    after = asked(own)
    assert after["lurch_appends_total", "open"] - before["lurch_appends_total", "open"] == 3
    assert after["lurch_lost_races_total",] - before["lurch_lost_races_total",] == 1
    assert after["lurch_decided_again_total",] - before["lurch_decided_again_total",] == 1


def test_the_lag_of_a_reader_counts_events_without_a_notice(own):
    with House(own.client, own.database) as quiet:
        for each in (own, quiet):
            caught_up(each)
        assert lags(own) == {"projector": 0, "bookkeeper": 0, "steward": 0}

        async def elsewhere(pool):
            recorder = Recorder(Streams(pool))
            for number in range(4):
                await recorder.register(quiet.id, f"Quiet {number}", own_request(clerk.CLERK))

        with_pool(own.database, elsewhere)
        assert lags(own) == {"projector": 4, "bookkeeper": 4, "steward": 4}
        caught_up(quiet)
        assert lags(own) == {"projector": 0, "bookkeeper": 0, "steward": 0}


def test_a_service_without_the_lease_reports_no_lag(own):
    with TestClient(create_app(Database(own.database.url, own.database.owner_url), OPEN)) as second:
        caught_up(own)
        second.blocking_portal.call(second.app.state.services.steward.catch_up, own.id)
        for number in range(3):
            own.done(f"{own.path}/players", {"name": f"Later {number}"}, "owner")
        caught_up(own)
        assert lags(own)["steward"] == 0
        assert said_by(second.get("/metrics").text)["lurch_reader_lag_positions", "steward"] == 0


def lags(house):
    found = asked(house)
    return {reader: found["lurch_reader_lag_positions", reader] for reader in ("projector", "bookkeeper", "steward")}


def caught_up(house):
    services = house.client.app.state.services

    async def all_of_them():
        await services.projector.catch_up(house.id)
        await services.steward.catch_up(house.id)
        await services.books.bookkeeper.catch_up(house.id)

    house.client.blocking_portal.call(all_of_them)


def test_webhooks_are_counted_by_state(own):
    claimed, later = NEVER, NEVER + timedelta(days=1)
    rows = [  # next try, failures, disabled
        (ALWAYS, 0, None),
        (ALWAYS, 3, None),
        (later, 1, None),
        (ALWAYS, 5, ALWAYS),
    ]
    made = [new_id() for _ in rows]
    with psycopg.connect(own.database.url, autocommit=True) as connection:
        for name, (at, failures, off) in zip(made, rows, strict=True):
            connection.execute(
                "insert into webhooks (club_id, id, url, secret, created_at, position, next_try_at, failures,"
                " disabled_at, claimed_until) values (%s, %s, 'http://[::1]:65535/', 's', %s, 0, %s, %s, %s, %s)",
                [own.id, name, ALWAYS, at, failures, off, claimed],
            )
        try:
            found = asked(own)
        finally:
            connection.execute("delete from webhooks where id = any(%s::uuid[])", [made])
    assert {state: found["lurch_webhooks", state] for state in ("due", "failing", "disabled")} == {
        "due": 2,
        "failing": 2,
        "disabled": 1,
    }
    assert found["lurch_reader_lag_positions", "webhooks"] == own.position()


def test_open_streams_are_counted_by_kind(database):
    async def inside():
        async with hall(database) as found:
            match = await found.match()
            before = meters.STREAMS.labels("stream")._value.get(), meters.STREAMS.labels("club")._value.get()
            one = found.stream(f"{match}/events")
            other = found.stream(f"/clubs/{found.club}/events")
            for each in (one, other):
                await each.told(b"\n\n")
            now = meters.STREAMS.labels("stream")._value.get(), meters.STREAMS.labels("club")._value.get()
            return before, now

    before, now = asyncio.run(inside())
    assert [after - was for was, after in zip(before, now, strict=True)] == [1, 1]


def test_metrics_contain_no_names_and_no_ids(own):
    own.match(sides=(("Annegret Öllinger",), ("Benno Quast",)))
    text = own.get("/metrics", "owner").text
    assert "lurch_appends_total" in text
    for name in ("Öxl", "Annegret", "Quast", own.id, *own.tokens.values()):
        assert name not in text
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", text)


class Nobody:
    def positions(self):
        return {}


def look_while_away(folders, **more):
    """Look at everything of a service whose database is away."""

    async def act():
        async with make_pool(NOWHERE, 1) as pool:
            await Look({"requests": pool}, Nobody(), folders, **more).everywhere()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(looking, "ASK_SECONDS", 0.1)
        asyncio.run(act())


def test_a_database_that_is_away_is_reported(own):
    meters.ANSWERS.set(1)
    look_while_away({})
    assert meters.ANSWERS._value.get() == 0
    assert asked(own)["lurch_database_up",] == 1


@pytest.mark.extended
def test_metrics_are_answered_while_the_database_is_away(monkeypatch):
    with migrated() as embedded, TestClient(create_app(Database(embedded.url, embedded.owner_url), OPEN)) as client:
        assert said_by(client.get("/metrics").text)["lurch_database_up",] == 1
        embedded.embedded.stop()
        monkeypatch.setattr(looking, "ASK_SECONDS", 0.1)
        for _ in range(3):
            answer = client.get("/metrics")
            assert answer.status_code == 200, answer.text
            assert said_by(answer.text)["lurch_database_up",] == 0


def test_backups_and_failed_backups_are_counted(own, tmp_path):
    def counts():
        found = asked(own)
        return found["lurch_copies_total", "made"], found["lurch_copies_total", "failed"]

    async def taken(owner_url):
        await Keeping(KeptCopies(tmp_path, owner_url, "0.1.0"), None).begin()

    made, failed = counts()
    asyncio.run(taken(own.database.owner_url))
    assert counts() == (made + 1, failed)
    with pytest.raises(psycopg.OperationalError):
        asyncio.run(taken(NOWHERE))
    assert counts() == (made + 1, failed + 1)


def test_failed_backups_are_counted_from_zero():
    asked = "import service.store.meters, prometheus_client as p; print(p.generate_latest().decode())"
    said = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = said_by(said)
    for outcome in ("made", "failed"):
        assert ("lurch_copies_total", outcome) in found
        assert found["lurch_copies_total", outcome] == 0


def test_disks_are_those_of_the_data_and_of_the_copies(own, tmp_path):
    folders = folders_of(Settings(backup_dir=str(tmp_path / "not" / "there yet")), own.database)
    assert folders["copies"] == tmp_path / "not" / "there yet"
    assert folders["data"] == own.database.embedded.root
    look_while_away(folders)
    assert meters.SIZE.labels("copies")._value.get() == shutil.disk_usage(tmp_path).total


def test_the_end_of_the_certificate_is_reported(tmp_path):
    made = make(("lurch.our-club.org",), tmp_path, datetime(2026, 11, 24, 10, tzinfo=UTC))

    def told(settings):
        look_while_away({}, certificate_ends=end_of_certificate(settings))
        return meters.CERTIFICATE._value.get()

    assert told(Settings(cert=str(made.pair.cert))) == made.until.timestamp()
    assert told(Settings()) == 0


def test_instruments_are_defined_in_two_modules_only():
    made = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "service").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Counter", "Gauge", "Histogram", "Summary")
        if node.args
        if isinstance(node.args[0], ast.Constant)
    }
    assert made == {"service/store/meters.py", "service/run/metrics.py"}
    assert len(INSTRUMENTS) > 25


def test_every_instrument_follows_the_conventions_and_adds_up_over_processes():
    modes = ("livesum", "livemax", "max", "mostrecent")
    for each in INSTRUMENTS:
        assert re.fullmatch(r"lurch_[a-z_]+", each._name)
        assert len(each._documentation) > 10, each._name
        assert not each._documentation.endswith("."), each._name
        assert not isinstance(each, Gauge) or each._multiprocess_mode in modes, each._name


def test_promtool_finds_nothing_to_mend(own):
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not here: it comes with Prometheus")
    text = own.get("/metrics", "owner").text
    ours = "".join(line for line in text.splitlines(keepends=True) if re.match(r"(# (HELP|TYPE) )?lurch_", line))
    done = subprocess.run(["promtool", "check", "metrics"], input=ours, text=True, capture_output=True, check=False)
    left = [line for line in done.stderr.splitlines() + done.stdout.splitlines() if "_created" not in line]
    assert left == []
