"""Point-in-time recovery when files are missing or damaged: it names them, and never claims to be complete."""

import gzip
import hashlib
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from litestar.testing import TestClient

from service.copies.base_manifest import NAME as LIST
from service.copies.base_manifest import fault_of
from service.copies.changes import Base, Changes
from service.copies.frames import CopyError
from service.run import to_moment
from service.run.app import create_app
from service.run.binaries import PG_VERSION
from service.run.settings import Settings
from tests.kit.faults.processes import until
from tests.kit.service.asking import House
from tests.service.copies.test_moments import brought_back, flushed, received, superuser, time_of

NOW = datetime(2026, 11, 23, 4, tzinfo=UTC)
FIRST = f"00000001{0:08X}{1:08X}"


def switched(server):
    with psycopg.connect(superuser(server), autocommit=True) as connection:
        connection.execute("select pg_switch_wal()")


@contextmanager
def two_clubs(server, folder):
    """Run a service with two clubs whose changes a folder receives, until it has a base."""
    with (
        TestClient(create_app(server, Settings(backup_dir=str(folder)))) as client,
        House(client, server) as one,
        House(client, server) as other,
    ):
        until(lambda: received(folder).bases())
        yield one, other


@pytest.mark.extended
def test_a_missing_file_of_changes_is_named_and_stops_the_restore(own_server, tmp_path):
    folder, place = tmp_path / "stick", tmp_path / "data"
    tmp_path.chmod(0o755)
    with two_clubs(own_server, folder) as (house, _):
        for _ in range(3):
            house.match()
            switched(own_server)
        house.match()
        moment = time_of(own_server)
        house.match()
        until(lambda: flushed(own_server))
    whole = sorted(each for each in received(folder).files.iterdir() if each.suffix != ".partial")
    assert len(whole) >= 3
    gone = whole[-2]
    gone.unlink()
    for asked in (moment.isoformat(), "2099-01-01T00:00:00Z"):
        done = brought_back(folder, asked, place)
        assert done.exit_code == 2, done.output
        assert f"{gone.name.partition('.')[0]} is missing" in done.output
        assert "nothing is lost" not in done.output
        assert not place.exists()


@pytest.mark.extended
def test_losses_behind_a_missing_file_are_called_unknown(own_server, tmp_path):
    folder, place = tmp_path / "stick", tmp_path / "data"
    tmp_path.chmod(0o755)
    with two_clubs(own_server, folder) as (house, other):
        house.match()
        moment = time_of(own_server)
        other.match()
        for _ in range(2):
            switched(own_server)
            house.match()
        switched(own_server)
        until(lambda: flushed(own_server))
    gone = sorted(each for each in received(folder).files.iterdir() if each.suffix != ".partial")[-2]
    gone.unlink()
    done = brought_back(folder, moment.isoformat(), place)
    assert done.exit_code == 0, done.output
    told = [line for line in done.output.splitlines() if line.startswith(f"club {house.id}")]
    assert told
    assert all(f"nobody can tell what follows, for {gone.name.partition('.')[0]} is missing" in line for line in told)
    assert "nothing is lost" not in done.output


def based(root, moment, **more):
    """A base of nothing but what every base has, and `more`."""
    folder = root / f"base-{moment:%Y-%m-%d-%H%M%S}"
    folder.mkdir(parents=True)
    label = f"START WAL LOCATION: 0/1000028 (file {FIRST})\n"
    for name, text in {"PG_VERSION": f"{PG_VERSION}\n", "backup_label": label, **more}.items():
        (folder / name).write_text(text)
    files = ",".join(
        f'{{"Path":"{each.name}","Size":{each.stat().st_size},"Checksum-Algorithm":"SHA256",'
        f'"Checksum":"{hashlib.sha256(each.read_bytes()).hexdigest()}"}}'
        for each in folder.iterdir()
    )
    lines = f'{{"Files":[{files}],\n'
    own = hashlib.sha256(lines.encode()).hexdigest()
    (folder / LIST).write_text(f'{lines}"Manifest-Checksum":"{own}"}}\n')
    return Base(moment, folder)


@pytest.mark.parametrize("wrong", ["gone", "empty", "rotten"])
def test_a_base_without_its_version_leaves_the_one_before(tmp_path, wrong):
    older, newer = based(tmp_path, NOW), based(tmp_path, NOW + timedelta(days=7))
    version = newer.folder / "PG_VERSION"
    if wrong == "gone":
        version.unlink()
    else:
        version.write_bytes(b"" if wrong == "empty" else b"\xff\xfe")
    changes = Changes(tmp_path)
    assert to_moment._whole([(newer, changes), (older, changes)]) == (older, changes)


@pytest.mark.parametrize("text", [b'{"Files":[{"Path":"\xff","Size":1}],\n"Manifest-Checksum":"0"}\n', b"\xff", b""])
def test_a_list_of_files_that_is_rotten_is_a_fault(tmp_path, text):
    base = based(tmp_path, NOW)
    (base.folder / LIST).write_bytes(text)
    assert fault_of(base.folder) == f"{LIST} is missing or cut short"


@pytest.mark.parametrize("rot", [lambda data: data[:-9], lambda data: data[:10] + b"\xff" * 20, lambda data: b""])
def test_packed_changes_that_are_cut_short_are_named(tmp_path, rot):
    base, changes, laid = based(tmp_path, NOW), Changes(tmp_path), tmp_path / "laid"
    for each in (changes.files, laid):
        each.mkdir()
    packed = changes.files / f"{FIRST}.gz"
    packed.write_bytes(rot(gzip.compress(b"changes" * 99)))
    with pytest.raises(CopyError, match=f"{FIRST}.gz"):
        changes.put_into(laid, base)


@pytest.mark.parametrize("where", ["pg_wal/00000001.history", "listed", "folder"])
def test_a_base_with_a_link_in_it_is_refused(tmp_path, where):
    secret = tmp_path / "secret"
    secret.mkdir() if where == "folder" else secret.write_text("root's own")
    base = based(tmp_path / "pitr", NOW, listed="root's own")
    link = base.folder / where
    link.parent.mkdir(exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(secret)
    assert fault_of(base.folder) == f"{where} is a link"


def test_changes_that_are_a_link_are_not_laid(tmp_path):
    base, changes, laid = based(tmp_path, NOW), Changes(tmp_path), tmp_path / "laid"
    for each in (changes.files, laid):
        each.mkdir()
    (tmp_path / "secret").write_text("root's own")
    for name in (FIRST, "00000002.history"):
        (changes.files / name).symlink_to(tmp_path / "secret")
    changes.put_into(laid, base)
    assert list(laid.iterdir()) == []
