"""Every reader takes a text or refuses it with an error of its own: the kept corpus again, and new bytes by coverage.

`make fuzz` reads a million inputs a reader.
"""

from importlib.util import find_spec

import pytest

from tests.kit.fuzz import readers
from tests.kit.fuzz.corpus import kept
from tests.kit.fuzz.readers import READERS
from tests.kit.fuzz.rooms import unwatched
from tests.kit.fuzz.run import fuzz

RUNS = [("csv", 500), *(pytest.param(name, each.runs, marks=pytest.mark.extended) for name, each in READERS.items())]
TAKEN = {(name, path.name) for name in READERS for path in kept(name) if not path.name.startswith("refused-")}


@pytest.mark.parametrize("name", READERS)
def test_the_kept_corpus_is_taken_or_refused_as_it_was(name):
    found = {(name, path.name) for path in kept(name) if READERS[name].read(path.read_bytes())}
    assert found == {each for each in TAKEN if each[0] == name}
    assert len(found) > 1


@pytest.mark.parametrize("name", READERS)
def test_invalid_and_truncated_text_is_no_fault(name):
    for path in (path for path in kept(name) if not path.name.startswith(("refused-", "taken-"))):
        whole = path.read_bytes()
        for cut in range(0, len(whole), max(1, len(whole) // 16)):
            READERS[name].read(whole[:cut])
            READERS[name].read(whole[:cut] + b"\xff" + whole[cut + 1 :])


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris has a wheel for Python 3.11 on Linux x86-64 only")
@pytest.mark.parametrize(("name", "runs"), RUNS)
def test_new_bytes_are_taken_or_refused(name, runs, tmp_path):
    found = fuzz(name, runs, tmp_path)
    assert found.fault is None, found.fault
    assert found.runs >= runs
    assert found.coverage > 100


def test_a_reader_that_raises_is_a_fault(monkeypatch):
    def broken(text):
        raise KeyError(text)

    monkeypatch.setattr(readers.entries, "read_entries", broken)
    with pytest.raises(KeyError):
        READERS["csv"].read(b"name\nAhti\n")


@pytest.mark.parametrize(
    ("name", "room", "writing"),
    [
        ("ctn", readers.ctn_write, "rewritten"),
        ("history", readers.history, "write"),
        ("archive", readers, "write_archive"),
        ("push", readers.codec, "encode_plain"),
        ("csv", readers.sheets, "write_sheet"),
        ("trf", readers.trf, "dumps"),
    ],
)
def test_what_was_read_and_cannot_be_written_is_a_fault(name, room, writing, monkeypatch):
    def broken(*given):
        raise KeyError(writing)

    monkeypatch.setattr(room, writing, broken)
    taken = next(path for path in kept(name) if (name, path.name) in TAKEN)
    with pytest.raises(KeyError):
        READERS[name].read(taken.read_bytes())


def test_what_was_read_otherwise_the_second_time_is_a_fault(monkeypatch):
    monkeypatch.setattr(readers.sheets, "write_sheet", lambda header, rows: ",".join(header))
    with pytest.raises(AssertionError):
        READERS["csv"].read(b"name\nAhti\n")


def test_a_readers_own_rooms_are_watched_and_no_rules():
    for name, own in (("ctn", "domain.notation.ctn_read"), ("csv", "domain.exchange.sheets")):
        assert own not in unwatched(name)
        assert {"domain.games.parity.judging", "domain.match.decide", "domain.tournament.decide"} <= {*unwatched(name)}
