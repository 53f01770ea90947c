"""`lurch fmt` and `lurch check`, as the keeper of a club's records uses them."""

import errno
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.service.cli.test_cli import NOTATION, fails, lurch

BUNCHED = (
    '[Game "parity"] [A "Ann"] [Deal "1"] [Dealer "B"]\nBID A:♥ B:odd ; a remark\n1.st sk {why?} =9-6 R A 19 B 0\n'
)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "evening.ctn"
    path.write_text(BUNCHED)
    return path


def test_fmt_rewrites_a_file_once(file):
    assert lurch("fmt", file)[:2] == (0, f"{file} rewritten\n")
    once = file.read_text()
    assert once.startswith('[Game "parity"]\n[Rules "parity/1"]\n[A "Ann"]\n[Deal "1"]\n')
    assert "BID A:H B:odd 1.ST SK {why?}" in once
    assert lurch("fmt", file)[:2] == (0, "")
    assert file.read_text() == once
    assert [each.name for each in file.parent.iterdir()] == ["evening.ctn"]


def test_fmt_check_and_diff_change_nothing(file):
    assert lurch("fmt", "--check", file)[:2] == (1, f"{file} would be rewritten\n")
    code, out, _ = lurch("fmt", "--diff", file)
    assert code == 1
    assert '+[Rules "parity/1"]' in out
    assert file.read_text() == BUNCHED


def test_fmt_writes_standard_input_to_standard_output():
    code, out, error = lurch("fmt", "-", text=NOTATION.read_text())
    assert (code, error) == (0, "")
    assert out.count("[Game ") == 8
    assert lurch("fmt", "-", text=out)[:2] == (0, out)


def test_fmt_leaves_an_unreadable_file_as_it_is(file):
    file.write_text(BUNCHED.replace("1.st", "1.zz"))
    error = fails(1, "fmt", file)
    assert f"{file}:3:1: 1.zz: 'zz' is not a card" in error
    assert "1.zz" in file.read_text()


def test_fmt_says_what_it_is_for_and_what_cannot_be_opened(tmp_path):
    assert "fmt rewrites notation" in fails(2, "fmt", _histories(tmp_path))
    assert "cannot be opened" in fails(3, "fmt", tmp_path / "none.ctn")


def _histories(folder):
    path = folder / "deals.jsonl"
    path.write_text("{}\n")
    return path


def test_check_reports_breaches_with_number_and_code_and_differences_with_both_figures(file):
    file.write_text(NOTATION.read_text().replace("R A 19 B 0", "R A 19 B 1").replace("=58-142", "=58-141"))
    code, out, error = lurch("check", file)
    assert code == 1
    lines = out.splitlines()
    assert len(lines) == 3
    assert "match 1, deal 1: CP.5 REV: seat 0 did not follow suit, and held H3 (not proven, ruled on)" in lines[0]
    assert "match 3, deal 1: difference: R B: 1 is written, the facts give 0" in lines[1]
    assert "difference: BID: 58-141 is written, the facts give 58-142" in lines[2]
    assert error.endswith("9 deals checked\n")


def test_check_names_only_what_cannot_be_read(file):
    text = NOTATION.read_text().split("\n\n")[2]
    assert lurch("check", "-", text=text)[:2] == (0, "")
    code, out, _ = lurch("check", "--json", "-", text=text.replace("1.ST", "1.ZZ"))
    assert code == 1
    told = [json.loads(line) for line in out.splitlines()]
    assert [each["rule"] for each in told][-1] == "malformed"
    assert "line 2, column 15" in told[-1]["where"]
    assert "cannot be opened" in fails(3, "check", file.parent / "none.ctn")


def test_check_reads_histories_as_well():
    line = '{"game":"parity","rules":1,"dealer":0,"deal":{"hands":[[],[]]},"actions":[]}\n'
    code, out, _ = lurch("check", "-", text=line)
    assert code == 1
    assert out.startswith("-: line 1")


MEMORY = Path("/dev/shm")  # another disk than that of temp files, where there is one


def test_fmt_rewrites_the_target_of_a_link_to_another_disk(tmp_path):
    if not MEMORY.is_dir() or MEMORY.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is one disk only")
    with TemporaryDirectory(dir=MEMORY) as folder:
        there, link = Path(folder) / "evening.ctn", tmp_path / "evening.ctn"
        there.write_text(BUNCHED)
        link.symlink_to(there)
        assert lurch("fmt", link)[:2] == (0, f"{link} rewritten\n")
        assert [each.name for each in (*tmp_path.iterdir(), *Path(folder).iterdir())] == ["evening.ctn"] * 2
        assert lurch("fmt", "--check", link)[0] == 0
        assert link.is_symlink()


def test_fmt_on_a_full_disk_keeps_the_file_and_leaves_nothing(file, monkeypatch):
    def full(path, text, **_):
        path.write_bytes(text[:9].encode())
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_text", full)
    code, _, error = lurch("fmt", file)
    assert (code, error) == (3, f"lurch: {file} cannot be written: No space left on device\n")
    assert ([each.name for each in file.parent.iterdir()], file.read_text()) == (["evening.ctn"], BUNCHED)
