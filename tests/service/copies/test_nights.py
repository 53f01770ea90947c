"""The nightly copies of a service that runs: seen in its health, told when they fail, no good one lost."""

import asyncio
import tempfile
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from litestar.testing import TestClient
from prometheus_client import generate_latest

from service.cli import cli
from service.copies.folder import KeptCopies
from service.copies.frames import CopyError
from service.copies.keeping import Keeping
from service.copies.reading import checked
from service.copies.taking import named
from service.run import receiving
from service.run.app import create_app
from service.run.nights import copy_by_night, kept_copies
from service.run.pool import make_pool
from service.run.safekeeping import kept_safe
from service.run.serve import check
from service.run.settings import Settings
from service.web.copies import shown
from tests.kit.faults.processes import until
from tests.kit.service.asking import sign_in

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
UNREADABLE = "x" * 300  # by anybody, the owner of all files too: no name is so long


@pytest.fixture(scope="module")
def own(own_server):
    return own_server


@pytest.mark.usefixtures("changes_not_received")
def test_a_service_with_a_folder_backs_up_when_it_starts(own, tmp_path):
    settings = Settings(backup_dir=str(tmp_path / "copies"))
    with TestClient(create_app(own, settings)) as client:
        until(lambda: client.get("/health/ready").json().get("last_copy_seconds") is not None)
        assert client.get("/health/ready").json()["last_copy_seconds"] < 60
        until(lambda: b"lurch_last_copy_timestamp_seconds 1" in generate_latest())  # told a moment after it is there
    assert len(list((tmp_path / "copies").glob("*.lurch"))) == 1


@pytest.mark.usefixtures("changes_not_received")
def test_a_copy_of_a_time_to_come_keeps_none_from_being_taken(own, tmp_path):
    ahead = tmp_path / named(datetime.now(UTC) + timedelta(days=400))
    ahead.touch()
    settings = Settings(backup_dir=str(tmp_path))
    with TestClient(create_app(own, settings)) as client:
        until(lambda: client.get("/health/ready").json().get("last_copy_seconds") is not None)
        assert 0 <= client.get("/health/ready").json()["last_copy_seconds"] < 60
    assert len(list(tmp_path.glob("*.lurch"))) == 2


def test_an_unreadable_folder_stops_neither_requests_nor_the_next_try(own, tmp_path, monkeypatch):
    said = Said()
    monkeypatch.setattr("service.run.nights.LOGGER", said)
    monkeypatch.setattr("service.run.nights.LOOK_SECONDS", 0.05)
    monkeypatch.setattr("service.run.nights.AGAIN_SECONDS", 0.05)
    settings = Settings(backup_dir=str(tmp_path / UNREADABLE / "copies"), metrics="on")
    with TestClient(create_app(own, settings)) as client:
        ready = client.get("/health/ready")
        assert (ready.status_code, ready.json()) == (200, {"status": "ready", "last_copy_seconds": None})
        told = client.get("/metrics")
        assert told.status_code == 200, told.text
        assert "lurch_database_up 1.0" in told.text
        page = client.get("/copies", headers={"Accept": "text/html", **sign_in(client, own)})
        assert page.status_code == 200
        assert "File name too long" in page.text
        until(lambda: len([each for each in said.errors if each[0].startswith("the nightly copy failed")]) > 1)


def test_a_service_without_a_folder_says_nothing_of_copies(own):
    with TestClient(create_app(own)) as client:
        assert client.get("/health/ready").json() == {"status": "ready"}


def test_a_nightly_copy_is_encrypted_by_the_passphrase_of_a_file(own, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("correct horse\n")
    settings = Settings(backup_dir=str(tmp_path / "copies"), backup_passphrase_file=str(secret))
    with TestClient(create_app(own, settings)) as client:
        until(lambda: client.get("/health/ready").json().get("last_copy_seconds") is not None)
    (place,) = (tmp_path / "copies").iterdir()
    assert KeptCopies(place.parent, own.owner_url, "0.1.0", "correct horse").made()
    with pytest.raises(CopyError, match="encrypted"):
        checked(place)


def test_pruning_counts_only_copies_that_can_be_read_back(own, tmp_path):
    copies = KeptCopies(tmp_path, own.owner_url, "0.1.0")
    for day in range(20, 0, -1):
        (tmp_path / named(NOON - timedelta(days=day))).write_bytes(b"LURCH COPY 1\nhalf")
    good = [copies.one_more(NOON + timedelta(days=day))[0] for day in range(3)]
    assert all(each.exists() for each in good)
    assert len(list(tmp_path.iterdir())) == 23, "what cannot be read is nobody's to delete"


@pytest.fixture
def stick(tmp_path):
    """A folder that leads to another disk, until that is pulled out."""
    other = Path("/dev/shm")  # a disk that every Linux has beside that of its files
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("this machine has one disk alone")
    with tempfile.TemporaryDirectory(dir=other) as held:
        place = tmp_path / "stick"
        place.symlink_to(held)
        yield place


@pytest.mark.parametrize("left", ["an empty folder", "nothing"])
def test_no_backup_next_to_the_data_when_the_disk_was_removed(own, tmp_path, stick, left):
    async def act():
        times = iter(NOON + timedelta(days=day) for day in range(9))  # a backup is named by its second
        keeping = Keeping(KeptCopies(stick / "copies", own.owner_url, "0.1.0"), tmp_path, lambda: next(times))
        first, _ = await keeping.begin()
        held = stick.readlink()
        stick.unlink()
        if left == "an empty folder":
            stick.mkdir()
        with pytest.raises(CopyError, match="is away: put it back"):
            await keeping.begin()
        assert "is away" in keeping.failed.why
        assert not list(tmp_path.rglob("*.lurch"))
        if left == "an empty folder":
            stick.rmdir()
        stick.symlink_to(held)
        await keeping.begin()
        assert len(list(first.parent.glob("*.lurch"))) == 2

    asyncio.run(act())


@pytest.mark.parametrize("left", ["an empty folder", "nothing"])
def test_no_backup_next_to_the_data_if_the_disk_is_away(own, tmp_path, stick, left):
    def begun(folder):
        return Keeping(KeptCopies(folder, own.owner_url, "0.1.0"), tmp_path)

    asyncio.run(copied(begun(stick / "copies")))
    stick.unlink()
    if left == "an empty folder":
        stick.mkdir()
    again = begun(stick / "copies")
    assert again.is_away()
    with pytest.raises(CopyError, match="is away: put it back, or set LURCH_BACKUP_DIR to another folder"):
        asyncio.run(copied(again))
    page = shown(again, datetime.now(UTC))
    assert (page.beside, "is away" in page.failed.why) == (False, True)
    assert not list(tmp_path.rglob("*.lurch"))
    elsewhere = begun(tmp_path / "elsewhere")
    assert not elsewhere.is_away()
    asyncio.run(copied(elsewhere))
    assert list(tmp_path.rglob("*.lurch")), "who chooses a folder beside the data has it"


async def copied(keeping):
    return await keeping.begin()


def test_a_manual_backup_on_the_disk_of_the_data_is_reported(own, tmp_path, stick):
    if own.embedded is None:
        pytest.skip("the disk of a server of somebody's own is not looked at")
    for folder, told in ((tmp_path / "copies", True), (stick / "copies", False)):
        done = CliRunner().invoke(cli, ["backup", str(folder)], env={"LURCH_DATA_DIR": str(own.embedded.root)})
        assert done.exit_code == 0, done.output
        assert ("on the disk of the data" in done.output) is told


def test_no_changes_next_to_the_data_when_the_disk_was_removed(own, stick, monkeypatch):
    if own.embedded is None:
        pytest.skip("a server of somebody's own sends no changes here")
    settings = Settings(backup_dir=str(stick / "copies"))
    keeping = kept_copies(settings, own, "0.1.0")
    assert not keeping.beside_the_data()
    stick.unlink()
    stick.mkdir()
    said = []
    note = SimpleNamespace(error=lambda _, error: said.append(error))
    monkeypatch.setattr("service.run.receiving.LOGGER", note)

    pauses = []

    async def act():
        async def sleep(seconds):
            pauses.append(seconds)
            task.cancel()

        monkeypatch.setattr(receiving, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": sleep}))
        async with make_pool(own.url, 1) as pool:
            *others, received = kept_safe(settings, own, keeping, pool)
            for each in others:
                each.close()
            task = asyncio.create_task(received)
            with suppress(asyncio.CancelledError):
                await task

    asyncio.run(act())
    assert pauses[:1] == [receiving.AGAIN_SECONDS]
    assert ["is away: put it back" in each for each in said] == [True]
    assert list(stick.iterdir()) == []


def test_a_service_with_an_unreadable_folder_is_ready(own, tmp_path):
    folder = tmp_path / ("x" * 300)  # the system refuses to look, as at a stick that is broken or another user's
    with TestClient(create_app(own, Settings(backup_dir=str(folder), metrics="on"))) as client:
        ready = client.get("/health/ready")
        assert (ready.status_code, ready.json()) == (200, {"status": "ready", "last_copy_seconds": None})
        assert "lurch_disk_free_bytes" in client.get("/metrics").text


def test_a_folder_unreadable_at_the_start_is_tried_again(own, tmp_path, monkeypatch):
    faults, beside = [OSError(5, "Input/output error")], Keeping.beside_the_data

    def look(self):
        if faults:
            raise faults.pop()
        return beside(self)

    monkeypatch.setattr(Keeping, "beside_the_data", look)
    monkeypatch.setattr("service.run.nights.AGAIN_SECONDS", 0.05)
    (tmp_path / "secret").write_text("correct horse\n")  # so nothing but copies is put there
    settings = Settings(backup_dir=str(tmp_path / "copies"), backup_passphrase_file=str(tmp_path / "secret"))
    with TestClient(create_app(own, settings)) as client:
        until(lambda: client.get("/health/ready").json().get("last_copy_seconds") is not None)


def test_a_copy_that_fails_deletes_nothing(own, tmp_path, monkeypatch):
    copies = KeptCopies(tmp_path, own.owner_url, "0.1.0")
    before = [copies.one_more(NOON + timedelta(days=day))[0] for day in range(2)]

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("service.copies.folder.take", full)
    with pytest.raises(OSError, match="No space"):
        copies.one_more(NOON + timedelta(days=9))
    assert sorted(tmp_path.iterdir()) == sorted(before)


def test_of_two_services_with_one_folder_one_takes_the_copy(own, tmp_path, monkeypatch):
    folder, same, secret = tmp_path / "copies", tmp_path / "same", tmp_path / "secret"
    folder.mkdir()
    same.symlink_to(folder)
    secret.write_text("correct horse\n")  # so nothing but copies is put there: changes are received in the clear only
    looked, taken, last, one_more = Counter(), [], KeptCopies.last, KeptCopies.one_more

    def look(self):
        looked[self.folder] += 1
        return last(self)

    def take(self, now):
        taken.append(self.folder)
        # a copy is due until this one is done, and both services look for it meanwhile
        until(lambda: all(looked[each] >= 3 for each in {folder, same} - {self.folder}))
        return one_more(self, now)

    monkeypatch.setattr(KeptCopies, "last", look)
    monkeypatch.setattr(KeptCopies, "one_more", take)
    monkeypatch.setattr("service.run.nights.LOOK_SECONDS", 0.05)
    both = [Settings(backup_dir=str(each), backup_passphrase_file=str(secret)) for each in (folder, same)]
    with TestClient(create_app(own, both[0])) as first, TestClient(create_app(own, both[1])) as second:
        until(lambda: all(each.get("/health/ready").json().get("last_copy_seconds") for each in (first, second)))
        before = looked.copy()
        until(lambda: all(looked[each] > before[each] + 2 for each in (folder, same)))
    assert len(taken) == 1
    assert len(list(folder.glob("*.lurch"))) == 1


class Said:
    """A log that keeps what it is told."""

    def __init__(self):
        self.errors = []

    def error(self, text, **more):
        self.errors.append((text, more["error"]))

    def warning(self, *_, **__):
        pass


def test_a_failing_copy_is_told_and_tried_again(own, tmp_path, monkeypatch):
    place = tmp_path / "a file"
    place.write_text("in the way")
    copies, tries, said = KeptCopies(place, own.owner_url, "0.1.0"), [], Said()
    monkeypatch.setattr("service.run.nights.LOGGER", said)
    monkeypatch.setattr("service.run.nights.AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(KeptCopies, "one_more", lambda self, now: tries.append(now) or self.folder.mkdir())

    async def nothing_waits():
        return False

    async def watched():
        task = asyncio.create_task(copy_by_night(Keeping(copies, None), nothing_waits))
        while len(tries) < 2:
            await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(watched())
    assert said.errors[0] == (
        "the nightly copy failed, another try follows in an hour",
        f"[Errno 17] File exists: '{place}'",
    )


@pytest.mark.parametrize("held", [b"", b" \n", b"Schl\xfcssel"])
def test_a_file_without_a_passphrase_encrypts_nothing_and_is_told(own, tmp_path, held):
    secret = tmp_path / "secret"
    secret.write_bytes(held)
    settings = Settings(backup_dir=str(tmp_path / "copies"), backup_passphrase_file=str(secret))
    with pytest.raises(CopyError, match="holds no passphrase"):
        check(settings)
    env = {"LURCH_DATA_DIR": str(own.embedded.root), "LURCH_BACKUP_PASSPHRASE_FILE": str(secret)}
    done = CliRunner().invoke(cli, ["backup", str(tmp_path / "copies")], env=env)
    assert done.exit_code == 2, done.exception
    assert not (tmp_path / "copies").exists()
    looked = CliRunner().invoke(cli, ["doctor"], env={**env, "LURCH_BACKUP_DIR": str(tmp_path / "copies")})
    assert looked.exit_code == 1
    assert "holds no passphrase" in looked.output
