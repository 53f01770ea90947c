"""Commands at a terminal, a pipe, a full disk, and with names without letters: one line, and no traceback."""

import json
import os
import secrets
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from service.desk.recording import Recorder
from service.desk.requests import BusyError
from service.store.streams import Streams
from tests.conftest import new_database
from tests.kit.service.more_databases import one_more
from tests.service.cli.test_cli import fails, lurch

NOTATION = Path(__file__).parents[3] / "examples" / "notation.ctn"
LURCH = (sys.executable, "-m", "service")


def process(*words, **more):
    """A command as a process of its own: its exit status, standard output and standard error."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **more}
    done = subprocess.run([*LURCH, *words], **streams, stderr=subprocess.PIPE, check=False)
    return done.returncode, (done.stdout or b"").decode(errors="replace"), done.stderr.decode(errors="replace")


@pytest.fixture(scope="module")
def database():
    """A migrated database on an embedded server, on which further databases and logins can be made."""
    with new_database() as found:
        yield found


@contextmanager
def unread():
    """The end of a pipe from which nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_an_answer_that_a_full_disk_does_not_take_is_one_line():
    with Path("/dev/full").open("wb") as full:
        assert process("games", stdout=full)[::2] == (2, "lurch: No space left on device\n")


@pytest.mark.parametrize("closed", [pytest.param("<&-", marks=pytest.mark.extended), "2>&-"])
def test_a_stream_that_is_closed_holds_nothing_and_takes_everything(closed):
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m service score - {closed}', sys.executable],
        input=b"",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"deal ")


@pytest.mark.extended
def test_an_import_into_a_closed_pipe_is_one_line(database):
    home = {**os.environ, "LURCH_DATABASE_URL": database.url}
    with unread() as writer:
        told = process("import", str(NOTATION), "--club", "Unread club", stdout=writer, env=home)
    assert told[::2] == (2, "lurch: Broken pipe\n")


@pytest.mark.extended
@pytest.mark.parametrize("words", [(), ("--help",), ("token",), ("games",), ("score", str(NOTATION))])
def test_nothing_is_said_of_an_answer_that_nobody_reads_to_its_end(words):
    with unread() as writer:
        code, _, error = process(*words, stdout=writer)
    assert (code in (0, 1, 2), error) == (True, "")


def test_commands_read_a_read_only_database_and_refuse_to_write(database):
    with one_more(database) as other:
        home = {"LURCH_DATABASE_URL": other.url, "LURCH_MIGRATE_URL": other.owner_url}
        made = ("token", "create", "--role", "owner", "--club", "Read club", "--name")
        assert lurch(*made, "first", **home)[0] == 0
        assert lurch("tournament", "list", **home)[0] == 0
        with psycopg.connect(other.owner_url, autocommit=True) as owner:
            name = sql.Identifier(owner.info.dbname)
            owner.execute(sql.SQL("alter database {} set default_transaction_read_only = on").format(name))
        for words in (("verify",), ("token", "list"), ("tournament", "list"), ("members", "export")):
            assert lurch(*words, **home)[0] == 0, words
        for words in ((*made, "second"), ("owner-link",), ("import", NOTATION, "--club", "Read club"), ("rebuild",)):
            assert "can only be read" in fails(2, *words, **home), words


def test_a_login_that_may_not_create_tables_is_one_line(database):
    server, guest = database.embedded, f"guest_{secrets.token_hex(4)}"
    with one_more(database) as other, psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as owner:
        owner.execute(f"create role {guest} login password 'guest'")
        try:
            url = other.url.replace(f"lurch_app:{server.passwords.lurch_app}", f"{guest}:guest")
            assert "permission denied" in fails(2, "migrate", LURCH_DATABASE_URL=url)
        finally:
            owner.execute(f"drop role {guest}")


def test_a_command_that_others_are_always_faster_than_is_one_line(monkeypatch, database):
    async def lost(*_):
        raise BusyError("01939f5e-0000-7000-8000-000000000000")

    monkeypatch.setattr(Recorder, "found_club", lost)
    told = fails(
        2, "token", "create", "--role", "owner", "--name", "x", "--club", "Slow club", LURCH_DATABASE_URL=database.url
    )
    assert "try again in a moment" in told


def test_a_database_stopped_meanwhile_is_one_line_with_advice(monkeypatch, database):
    async def stopped(_):
        raise psycopg.errors.AdminShutdown("terminating connection due to administrator command")

    monkeypatch.setattr(Streams, "clubs", stopped)
    assert "give the command again" in fails(2, "members", "export", LURCH_DATABASE_URL=database.url)


def test_lists_say_times_in_utc_whatever_the_clock_of_the_database(database):
    home = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
    made = ("token", "create", "--role", "owner", "--club", "Tokyo club", "--name", "tokyo")
    assert lurch(*made, **home)[0] == 0
    with psycopg.connect(database.owner_url) as owner:
        owner.execute("update tokens set last_used = '2026-11-26T23:30:00Z' where name = 'tokyo'")
    away = {**home, "LURCH_DATABASE_URL": f"{database.url}&options=-c%20timezone%3DAsia/Tokyo"}
    assert "used 2026-11-26 23:30 " in lurch("token", "list", **away)[1]
    assert lurch("device", "list", **away)[1] == lurch("device", "list", **home)[1]


EVIL = "Eve\x1b]0;owned\x07\u202e"


def test_a_name_cannot_give_orders_to_the_terminal(database, tmp_path):
    home = {"LURCH_DATABASE_URL": database.url}
    tags = f'[Game "parity"] [Rules "parity/1"] [A "{EVIL}"] [B "Per"]\n[Deal "1"] [Dealer "A"] [Detail "summary"]\n'
    sheet = tmp_path / "evil.ctn"
    sheet.write_text(tags + '[Entry "{\\"parity\\":\\"odd\\",\\"tricks\\":[9,6]}"] R A 19 B 1\n', encoding="utf-8")
    broken = tmp_path / "broken.ctn"
    broken.write_text(tags + f"{EVIL}\n", encoding="utf-8")
    match = lurch("import", sheet, "--club", "Evil club", "--json", **home)[1]
    match = json.loads(match)["match"]
    table = tmp_path / "evil.trf"
    table.write_text(f"012 Cup\n001    1      {EVIL}\n001    2      Per\n", encoding="utf-8")
    for words in (
        ("import", sheet, "--club", "Evil club"),
        ("import", broken, "--club", "Evil club"),
        ("replay", match),
        ("audit", match),
        ("audit", sheet),
        ("audit", "--club", "Evil club"),
        ("erase", EVIL, "--club", "Evil club"),
        ("score", sheet),
        ("score", broken),
        ("check", sheet, broken),
        ("fmt", broken),
        ("solve", broken),
        ("standings", table),
    ):
        _, out, error = lurch(*words, **home)
        told = out + error
        assert not {"\x1b", "\x07", "\u202e"} & {*told}, (words, told)
        assert told


@pytest.mark.extended
def test_letters_unknown_to_a_terminal_are_escaped_and_files_are_utf_8(database, tmp_path):
    home = {**os.environ, "LURCH_DATABASE_URL": database.url, "PYTHONIOENCODING": "latin-1"}
    sheet = tmp_path / "sheet.ctn"
    sheet.write_text(NOTATION.read_text(encoding="utf-8").replace('[A "', '[A "Žofie ', 1), encoding="utf-8")
    code, told, error = process("import", str(sheet), "--club", "Letters", env=home)
    assert (code, error) == (0, "")
    match = told.split()[0]
    assert "\\u017dofie" in told
    assert process("replay", match, env=home)[::2] == (0, "")
    file = tmp_path / "match.ctn"
    with file.open("wb") as out:
        assert process("export", match, env=home, stdout=out)[::2] == (0, "")
    assert "Žofie" in file.read_text(encoding="utf-8")
    assert "Žofie" in process("members", "export", "--club", "Letters", env=home)[1]
    code, told, error = process("verify", str(file), env=home)
    assert "as it stands in the log" in told, (told, error)


def test_a_name_of_bytes_that_are_no_text_is_one_line(database, tmp_path):
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/M\xe4nner.ctn")
    Path(odd).write_bytes(NOTATION.read_bytes())
    for words in (("score", odd, odd), ("check", odd), ("fmt", "--check", odd), ("audit", odd), ("verify", odd)):
        code, out, error = lurch(*words, LURCH_DATABASE_URL=database.url)
        assert code in (0, 1), (words, error)
        assert out or words[0] == "fmt"
    for words in (
        ("check", "--json", odd),
        ("audit", "--json", odd),
        ("import", NOTATION, "--club", "M\udce4nner"),
        ("token", "create", "--role", "owner", "--club", "Read club", "--name", "M\udce4nner"),
        ("invite", "M\udce4nner", "--club", "Read club"),
    ):
        fails(2, *words, LURCH_DATABASE_URL=database.url)
