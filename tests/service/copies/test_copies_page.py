"""The owner's page of copies: what is there, what failed and what to do, and its two buttons."""

import asyncio
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from litestar.testing import TestClient

from service.copies.changes import Changes, first_moment
from service.copies.folder import KeptCopies
from service.copies.keeping import Keeping
from service.copies.taking import named
from service.run.app import create_app
from service.run.settings import Settings
from service.web.copies import shown
from tests.kit.faults.processes import until
from tests.kit.service.asking import FORM, sign_in, squeezed
from tests.kit.service.crawling import HTML


@pytest.fixture(scope="module")
def own(own_server):
    return own_server


def looked(client, owner):
    answer = client.get("/copies", headers={**HTML, **owner})
    assert answer.status_code == 200
    return squeezed(answer.text)


def has_one(page):
    """Tells a page on which a copy stands, and none is being taken any more."""
    return "There is no copy yet" not in page and "A copy is being taken" not in page


def pressed(client, owner, what):
    return client.post("/copies", data={"do": what}, headers={**HTML, **FORM, **owner}, follow_redirects=False)


def test_without_a_folder_the_owner_is_told_how_to_have_copies(own):
    with TestClient(create_app(own)) as client:
        owner = sign_in(client, own)
        assert "Set <code>LURCH_BACKUP_DIR</code> to a folder on another disk" in looked(client, owner)
        assert pressed(client, owner, "copy").status_code == 400
        assert "Copies of everything" in client.get("/", headers={**HTML, **owner}).text


@pytest.mark.usefixtures("changes_not_received")
def test_a_copy_is_taken_at_once_and_stands_in_the_list(own, tmp_path):
    folder = tmp_path / "copies"
    with TestClient(create_app(own, Settings(backup_dir=str(folder)))) as client:
        owner = sign_in(client, own)
        until(lambda: has_one(looked(client, owner)))
        for each in folder.glob("*.lurch"):
            each.unlink()
        page = looked(client, owner)
        assert "There is no copy yet. <span" in page
        assert str(folder) in page
        assert pressed(client, owner, "copy").status_code == 303
        until(lambda: " MB</small>" in looked(client, owner))
        assert len(list(folder.glob("*.lurch"))) == 1
        assert "⚑ late" not in looked(client, owner)


def test_the_moments_that_can_be_brought_back_are_told(own, tmp_path):
    with TestClient(create_app(own, Settings(backup_dir=str(tmp_path)))) as client:
        owner = sign_in(client, own)
        until(lambda: "Every moment since <time" in looked(client, owner))
        page = looked(client, owner)
        assert "Every change is written to this folder as it is made." in page
        assert f"lurch restore {tmp_path} --at MOMENT" in page
        base = first_moment(tmp_path)
        assert base == Changes(next((tmp_path / "pitr").glob("*-1"))).bases()[0].made
        client.app.state.copies.receives = False
        assert "⚑ missing" in looked(client, owner)


def test_the_page_says_that_encrypted_backups_allow_no_recovery_points(own, tmp_path):
    words = tmp_path / "words"
    words.write_text("a long enough passphrase\n")
    words.chmod(0o600)
    settings = Settings(backup_dir=str(tmp_path / "copies"), backup_passphrase_file=str(words))
    with TestClient(create_app(own, settings)) as client:
        assert "Only what a copy holds comes back" in looked(client, sign_in(client, own))


def test_moments_of_before_a_gap_are_not_promised(tmp_path):
    assert first_moment(tmp_path) is None
    for server, days in (("7-1-1", (1, 8)), ("7-1-2", (9, 16))):
        for day in days:
            (tmp_path / "pitr" / server / f"base-2026-11-{day:02}-040000").mkdir(parents=True)
    assert first_moment(tmp_path) == datetime(2026, 11, 9, 4, tzinfo=UTC)


@pytest.mark.usefixtures("changes_not_received")
def test_a_failure_is_shown_with_advice_until_a_backup_succeeds(own, tmp_path):
    settings = Settings(backup_dir=str(tmp_path / "copies"))
    with TestClient(create_app(own, settings)) as client:
        owner = sign_in(client, own)
        until(lambda: has_one(looked(client, owner)))
        (tmp_path / "copies").rename(tmp_path / "good")
        (tmp_path / "copies").write_text("in the way")
        pressed(client, owner, "copy")
        until(lambda: "The last try failed" in looked(client, owner))
        assert "File exists" in looked(client, owner)
        assert "set <code>LURCH_BACKUP_DIR</code> to another one. Then copy now." in looked(client, owner)
        (tmp_path / "copies").unlink()
        pressed(client, owner, "copy")
        until(lambda: "The last try failed" not in looked(client, owner))


def test_a_folder_that_cannot_be_looked_at_is_told(own, tmp_path):
    settings = Settings(backup_dir=str(tmp_path / ("x" * 300)))
    with TestClient(create_app(own, settings)) as client:
        page = looked(client, sign_in(client, own))
        assert "The last try failed" in page
        assert "File name too long" in page


@pytest.mark.usefixtures("changes_not_received")
def test_a_folder_on_the_disk_of_the_data_is_told(own):
    folder = own.embedded.root / "copies"
    with TestClient(create_app(own, Settings(backup_dir=str(folder)))) as client:
        owner = sign_in(client, own)
        until(lambda: "⚑ same disk" in looked(client, owner))


def test_the_owner_says_on_the_page_that_the_old_machine_is_gone(own):
    with psycopg.connect(own.url) as connection:
        connection.execute("insert into choices (name, value) values ('restored', '2026-11-23T18:00:00+00:00')")
    with TestClient(create_app(own)) as client:
        owner = sign_in(client, own)
        assert "What is here was brought back at <time" in looked(client, owner)
        assert pressed(client, owner, "gone").status_code == 303
        assert "The old machine is gone" not in looked(client, owner)
        assert client.get("/health/ready").json() == {"status": "ready"}


def test_a_backup_from_the_future_is_not_the_last_one(tmp_path):
    now = datetime.now(UTC)
    keeping = Keeping(KeptCopies(tmp_path, "", "0.1.0"), None)
    (tmp_path / named(now + timedelta(days=400))).touch()
    found = shown(keeping, now)
    assert (found.last, found.late, found.ahead) == (None, True, 1)
    (tmp_path / named(now - timedelta(hours=30))).touch()
    found = shown(keeping, now)
    assert (found.last[:10], found.hours, found.late) == (str((now - timedelta(hours=30)).date()), 30, True)
    (tmp_path / named(now)).touch()
    found = shown(keeping, now)
    assert (found.hours, found.late, found.ahead) == (0, False, 1)


@pytest.mark.usefixtures("changes_not_received")
def test_the_page_names_copies_of_a_time_to_come(own, tmp_path):
    (tmp_path / named(datetime.now(UTC) + timedelta(days=400))).touch()
    with TestClient(create_app(own, Settings(backup_dir=str(tmp_path)))) as client:
        owner = sign_in(client, own)
        until(lambda: "There is no copy yet" not in looked(client, owner))
        assert "1 copy is of a time to come" in looked(client, owner)


def test_two_who_ask_at_once_get_one_copy(own, tmp_path):
    async def both():
        keeping = Keeping(KeptCopies(tmp_path, own.owner_url, "0.1.0"), None)
        one, other = keeping.begin(), keeping.begin()
        assert one is other
        return await one

    place, _ = asyncio.run(both())
    assert list(tmp_path.iterdir()) == [place]
