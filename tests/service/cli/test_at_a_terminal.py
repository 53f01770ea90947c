"""What a terminal, a pipe, a full disk and names without letters do to a command: one line, and no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOTATION = Path(__file__).parents[3] / "examples" / "notation.ctn"
LURCH = (sys.executable, "-m", "service")


def process(*words, **more):
    """A command as a process of its own: its exit status, standard output and standard error."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **more}
    done = subprocess.run([*LURCH, *words], **streams, stderr=subprocess.PIPE, check=False)
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_an_answer_that_a_full_disk_does_not_take_is_one_line():
    with Path("/dev/full").open("wb") as full:
        assert process("games", stdout=full)[::2] == (2, "lurch: No space left on device\n")


@pytest.mark.parametrize("closed", ["<&-", "2>&-"])
def test_a_stream_that_is_closed_holds_nothing_and_takes_everything(closed):
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m service score - {closed}', sys.executable],
        input=b"",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"deal ")


def test_an_import_whose_answer_nobody_reads_on_is_told_in_one_line(database):
    reader, writer = os.pipe()
    os.close(reader)
    home = {**os.environ, "LURCH_DATABASE_URL": database.url}
    told = process("import", str(NOTATION), "--club", "Unread club", stdout=writer, env=home)
    os.close(writer)
    assert told[::2] == (2, "lurch: Broken pipe\n")
