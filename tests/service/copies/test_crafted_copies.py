"""A copy that somebody made up is refused in one line: whoever writes a frame can count its hash."""

import gzip
import io
import tracemalloc
from datetime import UTC, datetime

import msgspec
import pytest
from click.testing import CliRunner

from service.cli import cli
from service.copies import frames
from service.copies.frames import END, KEY, MANIFEST, ROWS, CopyError, FrameWriter
from service.copies.manifest import Ending, Manifest, TableRows
from service.copies.reading import checked
from service.run.migrate import newest
from tests.conftest import new_database
from tests.kit.service.more_databases import one_more


def manifest(**said):
    known = {"format": 1, "made_at": datetime(2026, 11, 23, tzinfo=UTC), "revision": newest(), "lurch": "0.1.0"}
    return msgspec.json.encode(Manifest(**{**known, "postgres": "18.4", "heads": (), "rows": {}, **said}))


def laid(place, *contents, raw=()):
    """A file of these frames, the last ones as they are."""
    copy = place / "lurch-2026-11-23-040000.lurch"
    with copy.open("wb") as file:
        writer = FrameWriter(file)
        for kind, content in contents:
            writer.put(kind, content)
        for kind, packed in raw:
            writer._write(kind, packed)
    return copy


def with_rows(place, name, columns, text):
    rows = {name: text.count(b"\n")}
    held = msgspec.msgpack.encode(TableRows(name, columns, text))
    ending = msgspec.json.encode(Ending(rows))
    return laid(place, (MANIFEST, manifest(rows=rows)), (ROWS, held), (END, ending))


@pytest.mark.parametrize(
    "contents",
    [
        [(MANIFEST, manifest()), (END, b"{}")],
        [(MANIFEST, manifest()), (END, b"\xff")],
        [(MANIFEST, manifest().replace(b"0.1.0", b"\xff.1.0"))],
        [(MANIFEST, manifest(lurch="\x1b]0;not yours\x07"))],
        [
            (MANIFEST, manifest()),
            (ROWS, msgspec.msgpack.encode(TableRows("abc", (), b"")).replace(b"abc", b"\xff" * 3)),
        ],
    ],
)
def test_what_cannot_be_read_or_printed_is_refused(tmp_path, contents):
    with pytest.raises(CopyError, match="choose another one"):
        checked(laid(tmp_path, *contents))


def test_a_frame_that_is_packed_wrongly_is_refused(tmp_path):
    with pytest.raises(CopyError, match="cannot be unpacked"):
        checked(laid(tmp_path, raw=[(MANIFEST, gzip.compress(b"")[:10] + b"\xff" * 4)]))


@pytest.mark.parametrize("cost", [0, 3, 2**16 - 1, 2**21, -2])
def test_a_key_of_another_cost_than_can_be_paid_is_refused(tmp_path, cost):
    key = msgspec.json.encode({"salt": "AAAA", "cost": cost})
    with pytest.raises(CopyError):
        checked(laid(tmp_path, raw=[(KEY, key)]), "a passphrase")


def test_a_small_frame_cannot_unpack_without_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(frames, "UNPACKED", 2_000_000)
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        for _ in range(64):
            file.write(bytes(2**20))
    tracemalloc.start()
    try:
        with pytest.raises(CopyError, match="holds more than any"):
            checked(laid(tmp_path, raw=[(MANIFEST, packed.getvalue())]))
        assert tracemalloc.get_traced_memory()[1] < 16_000_000
    finally:
        tracemalloc.stop()


def test_crafted_rows_are_refused_and_nothing_is_restored(tmp_path):
    crafted = {
        "a table of the catalogue": ("pg_authid", ("rolname",), b"mallory\n"),
        "a table that is left out": ("sign_ins", ("id",), b"1\n"),
        "a column that is not": ("logs", ("mallory",), b"1\n"),
        "no number": ("logs", ("club_id",), b"mallory\n"),
        "nothing": ("logs", ("club_id",), b"\\N\n"),
    }
    with new_database() as server, one_more(server) as database:
        env = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
        for what, (name, columns, text) in crafted.items():
            done = CliRunner().invoke(cli, ["restore", str(with_rows(tmp_path, name, columns, text))], env=env)
            assert done.exit_code == 2, (what, done.exception)
            assert "nothing was put in place" in " ".join(done.output.replace("│", "").split()), what
            assert "mallory" not in done.output


@pytest.mark.parametrize("revision", ["0000", "base", "-1", "+1", "0001:0003"])
def test_a_schema_that_there_never_was_is_refused_before_anything_is_made(tmp_path, revision):
    copy = laid(tmp_path, (MANIFEST, manifest(revision=revision)), (END, msgspec.json.encode(Ending({}))))
    done = CliRunner().invoke(cli, ["restore", str(copy)], env={"LURCH_DATA_DIR": str(tmp_path / "data")})
    assert done.exit_code == 2, done.exception
    assert "this copy has schema" in done.output
    assert [each.name for each in tmp_path.iterdir()] == [copy.name]
