"""The command line as people and programs use it: answers, exit statuses, one line for what went wrong."""

import io
import json
import os
import re
import socket
import sys
from pathlib import Path
from unittest import mock

import psycopg
import pytest
from litestar.testing import TestClient

from service.cli import main
from service.run.app import create_app
from service.run.embedded import Embedded
from service.store.ids import new_id, now
from service.store.tokens import TokenRow, insert, new_secret
from tests.conftest import new_database, with_pool
from tests.kit.faults.processes import data_directory, free_port
from tests.kit.service.asking import House

ROOT = Path(__file__).parents[3]
NOTATION = ROOT / "examples" / "notation.ctn"


def lurch(*arguments, text="", **environment):
    """Run a command in this process; return its exit status, standard output and standard error."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LURCH_")}
    streams = [io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (text.encode(), b"", b"")]
    with (
        mock.patch.dict(os.environ, clean | environment, clear=True),
        mock.patch.multiple(
            sys, argv=["lurch", *map(str, arguments)], stdin=streams[0], stdout=streams[1], stderr=streams[2]
        ),
        mock.patch("service.cli.log.give_way"),  # this process runs tests after this one, and starts what they need
        pytest.raises(SystemExit) as end,
    ):
        main()
    for stream in streams:
        stream.flush()
    out, error = (stream.buffer.getvalue().decode() for stream in streams[1:])
    assert "Traceback" not in error, error
    return end.value.code, out, error


def fails(status, *arguments, **more):
    """Run a command that must fail with this status and one line on standard error; return the line."""
    code, out, error = lurch(*arguments, **more)
    assert (code, len(error.strip().splitlines())) == (status, 1), (code, out, error)
    assert error.startswith("lurch: ")
    return error


# ------------------------------------------------------------------ without a database


def test_score_says_what_the_facts_give_and_what_is_in_force():
    code, out, _ = lurch("score", NOTATION)
    assert code == 0
    assert "48 - 49" in out
    assert "CP.5 REV" in out
    assert "in force 40 - 56" in out
    assert "total match 1         cross_purposes  96 - 96" in out


def test_score_json_is_one_object_a_deal():
    _, out, _ = lurch("score", "--json", NOTATION)
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["scores"] for answer in answers] == [
        [48, 49],
        [56, 40],
        [15, 15, 20, 20],
        [19, 0],
        [1, 4],
        [104, 84],
        [33, 88],
        [198, 131],
        [1, 0],
    ]
    assert answers[0]["in_force"] == [40, 56]


def test_the_same_seed_deals_the_same_file_and_it_scores():
    for game, more in (("parity", ()), ("cross_game", ()), ("cross_purposes", ("--option", "variant=alliance"))):
        first = lurch("deal", game, "--count", 5, "--seed", 7, *more)
        assert first == lurch("deal", game, "--count", 5, "--seed", 7, *more)
        assert lurch("deal", game, "--count", 5, "--seed", 8, *more)[1] != first[1]
        code, out, _ = lurch("score", "--json", "-", text=first[1])
        assert (code, len(out.splitlines())) == (0, 5)


def test_a_broken_rule_is_1_and_the_other_lines_are_scored():
    good = lurch("deal", "parity")[1]
    broken = good.replace('"play"', '"bid"', 1)
    code, out, _ = lurch("score", "--json", "-", text=broken + '{"game": "bridge"}\n{\n' + good)
    kinds = [json.loads(line).get("error", {}).get("rule") for line in out.splitlines()]
    assert (code, kinds[1:]) == (1, ["malformed", "malformed", None])
    assert kinds[0] is not None


def test_malformed_notation_names_line_column_and_token(tmp_path):
    path = tmp_path / "bad.ctn"
    path.write_text(NOTATION.read_text(encoding="utf-8").replace("2.D3 DA", "2.D3 ZZ", 1), encoding="utf-8")
    code, out, _ = lurch("score", path)
    assert code == 1
    assert "(line 3, column 25): ZZ" in out
    assert "19 - 0" in out


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("score", "no-such-file.jsonl"), 3),
        (("score", ROOT), 3),
        (("import", "no-such-file.ctn", "--club", "X"), 3),
        (("score",), 2),
        (("deal", "bridge"), 2),
        (("deal", "parity", "--option", "speed=fast"), 2),
        (("deal", "parity", "--count", "0"), 2),
        (("games", "bridge"), 2),
        (("replay", "17"), 2),
        (("token", "create", "--role", "player", "--name", "x"), 2),
        (("nonsense",), 2),
    ],
)
def test_what_cannot_be_done_is_one_line_and_a_status(arguments, status):
    fails(status, *arguments)


def test_a_binary_file_ends_with_3_and_the_highest_status_counts(tmp_path):
    path = tmp_path / "picture.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    assert "not text" in fails(3, "score", path)
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{\n")
    code, out, _ = lurch("score", broken, path, NOTATION)
    assert code == 3
    assert "48 - 49" in out


def test_a_setting_that_cannot_be_meant_is_named():
    assert "LURCH_PORT" in fails(2, "migrate", LURCH_PORT="eighty")


def test_a_database_that_is_not_there_is_one_line():
    away = "postgresql://lurch_app@127.0.0.1:9/lurch?connect_timeout=2"
    fails(2, "migrate", LURCH_DATABASE_URL=away)
    fails(2, "verify", LURCH_DATABASE_URL=away)


@pytest.fixture(scope="module")
def data():
    """A data directory that was used, and runs no more."""
    with data_directory() as place:
        assert lurch("migrate", LURCH_DATA_DIR=str(place))[0] == 0
        yield place


BREADTH = [pytest.param(each, marks=pytest.mark.extended) for each in (b"", b'{"postgres":"ab"}', b"\xff\xfe")]


@pytest.mark.parametrize("content", [b'{"postgres":"ab', None, *BREADTH])
def test_a_damaged_file_of_passwords_is_one_line_and_changes_nothing(data, content):
    place = data / "secrets.json"
    before = place.read_bytes()
    if content is None:
        place.unlink()
    else:
        place.write_bytes(content)
    error = fails(2, "migrate", LURCH_DATA_DIR=str(data))
    assert str(place) in error
    assert "put it back from a copy of the data directory" in error
    assert ("missing" if content is None else "cut short") in error
    place.write_bytes(before)
    assert lurch("verify", LURCH_DATA_DIR=str(data))[0] == 0


def test_an_older_program_refuses_a_newer_schema_and_changes_nothing(data):
    server = Embedded(data)

    def revision(sql):
        with psycopg.connect(server.url("lurch_owner")) as connection:
            return connection.execute(sql).fetchone()[0]

    server.start()
    try:
        newest = revision("select version_num from alembic_version")
        revision("update alembic_version set version_num = 'r9999' returning version_num")
        for command in ("migrate", "serve", "verify"):
            error = fails(2, command, LURCH_DATA_DIR=str(data), LURCH_PORT=str(free_port()))
            assert f"is at schema r9999, and this program knows none after {newest}" in error
            assert "a newer Lurch" in error
        assert revision("select version_num from alembic_version") == "r9999"
        revision(f"update alembic_version set version_num = '{newest}' returning version_num")
    finally:
        server.stop()


def test_every_command_has_help_with_examples():
    top = lurch("--help")[1]
    for command in (
        "serve",
        "demo",
        "migrate",
        "score",
        "replay",
        "import",
        "export",
        "verify",
        "rebuild",
        "games",
        "deal",
        "owner-link",
        "invite",
        "token",
    ):
        assert command in top
        code, out, _ = lurch(command, "--help")
        assert (code, "Usage" in out) == (0, True)
    assert lurch("--version")[1].startswith("lurch, version ")


def test_games_lists_options_values_defaults_and_ledger_numbers():
    out = lurch("games")[1]
    assert "variant = two, or fixed / alliance  (CP.8, deal option)" in out
    (only,) = lurch("games", "parity", "--json")[1].splitlines()
    assert json.loads(only)["target"] == 100


def test_deals_of_two_and_four_hands_have_separate_totals():
    two, four = lurch("deal", "cross_purposes")[1], lurch("deal", "cross_purposes", "--option", "variant=fixed")[1]
    code, out, _ = lurch("score", "-", text=two + four + two)
    assert code == 0
    assert [len(line.split(" - ")) for line in out.splitlines() if line.startswith("total")] == [2, 4]


# ------------------------------------------------------------------ beside a running service


@pytest.fixture(scope="module")
def home():
    """The settings that lead to a database whose club "House" has a service that runs."""
    with new_database() as database, TestClient(create_app(database)) as client, House(client, database):
        found = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url, "LURCH_PORT": "8123"}
        assert lurch("invite", "Marta Lindqvist", "--club", "House", **found)[0] == 0
        yield found


def test_a_port_in_use_is_told_with_its_process_and_the_variable(home):
    with socket.create_server(("127.0.0.1", 0)) as used:
        error = fails(2, "serve", **{**home, "LURCH_PORT": str(used.getsockname()[1])})
    assert "LURCH_PORT" in error
    assert f"process {os.getpid()}" in error


def test_what_was_imported_is_exported_in_both_formats(home, tmp_path):
    path = tmp_path / "deals.jsonl"
    path.write_text(lurch("deal", "cross_game", "--count", "2")[1], encoding="utf-8")
    arguments = ("import", path, "--club", "Archive", "--name", "Annie", "--name", "Benny", "--json")
    code, out, _ = lurch(*arguments, **home)
    told = [json.loads(line) for line in out.splitlines()]
    assert (code, len(told)) == (0, 2)
    again = [json.loads(line)["match"] for line in lurch(*arguments, **home)[1].splitlines()]
    assert again == [each["match"] for each in told]
    back = [lurch("export", each["match"], "--format", "jsonl", **home)[1] for each in told]
    assert "".join(back) == path.read_text(encoding="utf-8")
    ctn = tmp_path / "match.ctn"
    ctn.write_text(lurch("export", told[0]["match"], **home)[1], encoding="utf-8")
    assert '[A "Annie"]' in ctn.read_text(encoding="utf-8")
    stated = json.loads(lurch("score", "--json", "-", text=back[0])[1])["scores"]
    assert json.loads(lurch("score", "--json", ctn)[1])["scores"] == stated
    code, out, _ = lurch("verify", ctn, **home)
    assert (code, out.splitlines()[1].startswith(f"{ctn}: match 1: as it stands in the log")) == (0, True)
    ctn.write_text(ctn.read_text(encoding="utf-8").replace("Annie", "Emma"), encoding="utf-8")
    code, out, _ = lurch("verify", "--json", ctn, **home)
    assert (code, json.loads(out.splitlines()[1])["good"]) == (1, False)


def test_an_import_names_a_bad_line_and_records_the_rest(home):
    good = lurch("deal", "parity", "--seed", "9")[1]
    code, out, error = lurch("import", "-", "--club", "Archive", text="{\n" + good, **home)
    assert (code, len(out.splitlines())) == (1, 1)
    assert error.startswith("lurch: line 1, column ")


def test_replay_prints_the_table_at_any_event(home):
    told = lurch("import", NOTATION, "--club", "Thursday club", "--json", **home)[1]
    match = json.loads(told.splitlines()[0])["match"]
    code, out, _ = lurch("replay", match, "--at", "41", **home)
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert (code, lines["known"]) == (0, "trumps ♦ diamonds, tops Q J 10 9 8 7 6 5 4 3 2 A K")
    assert "counted  A 1 trick, B 3 tricks\n" in out
    assert "event 41 of 68: A plays the ten of spades" in out
    assert lines["last"] == "B:H4 A:ST"
    assert "play CA" in lines["legal"]
    last = lurch("replay", match, **home)[1]
    assert "shown by event 52: seat A did not follow suit, and held H3" in last
    assert json.loads(lurch("replay", match, "--json", **home)[1])["totals"] == [96, 96]
    fails(2, "replay", match, "--at", "4000", **home)
    fails(2, "replay", "01939f5e-0000-7000-8000-000000000000", **home)


def test_tokens_are_made_listed_and_revoked(home):
    code, out, _ = lurch(
        "token",
        "create",
        "--role",
        "player",
        "--name",
        "phone",
        "--player",
        "Marta Lindqvist",
        "--club",
        "House",
        **home,
    )
    assert (code, len(out.split())) == (0, 1)
    assert out.startswith("lurch_")
    rows = [json.loads(line) for line in lurch("token", "list", "--json", **home)[1].splitlines()]
    mine = next(row for row in rows if row["name"] == "phone")
    assert mine["player"] is not None
    assert lurch("token", "revoke", mine["id"], **home)[:2] == (0, "revoked\n")
    fails(2, "token", "revoke", mine["id"], **home)
    fails(2, "token", "create", "--role", "player", "--name", "x", "--player", "Nobody", "--club", "House", **home)


def test_a_person_is_invited_from_a_shell_and_registered_once(home):
    lurch("token", "create", "--role", "owner", "--name", "first", "--club", "Door club", **home)
    for _ in range(2):
        code, link, _ = lurch("invite", "Dee", "--role", "director", "--club", "Door club", **home)
        assert code == 0
        assert re.fullmatch(rf"http://127.0.0.1:{home['LURCH_PORT']}/sign-in#[\w-]{{43}}\n", link)
    assert len(lurch("invite", "Dee", "--club", "Door club", LURCH_ADDRESS="https://x.example", **home)[1].split()) == 1
    fails(2, "invite", "Dee", "--club", "No such club", **home)
    fails(2, "invite", "Dee", "--role", "deputy", "--club", "Door club", **home)
    fails(2, "invite", "Dee", "--role", "secretary", "--club", "Door club", LURCH_ADDRESS="http://192.0.2.7", **home)


def test_devices_are_listed_and_erased(home):
    devices = [json.loads(line) for line in lurch("device", "list", "--json", **home)[1].splitlines()]
    program = next(row for row in devices if row["name"] == "lurch")
    assert lurch("device", "erase", program["id"], **home)[:2] == (0, "erased\n")
    assert f"{program['id']}  " in (said := lurch("device", "list", **home)[1])
    assert said.count("(no name)") == 1
    fails(2, "device", "erase", "01939f5e-0000-7000-8000-000000000000", **home)


def test_verify_rebuild_and_owner_link(home):
    assert lurch("verify", **home)[1].endswith("every chain holds\n")
    assert json.loads(lurch("verify", "--json", **home)[1])["holds"] is True
    assert lurch("rebuild", **home)[0] == 0
    link = lurch("owner-link", **home)[1]
    assert link.startswith(f"http://127.0.0.1:{home['LURCH_PORT']}/sign-in?link=")
    assert len(link.split()) == 1


def test_a_token_whose_making_was_broken_off_is_not_listed_as_one(database):
    where = {"LURCH_DATABASE_URL": database.url, "LURCH_MIGRATE_URL": database.owner_url}
    assert lurch("token", "create", "--role", "owner", "--name", "whole", "--club", "Broken club", **where)[0] == 0
    (whole,) = (row for row in listed(where) if row["name"] == "whole")
    half = TokenRow(new_id(), "half", "owner", whole["club"], None, None, now(), None, None, recorded=True)
    with_pool(database, lambda pool: insert(pool, half, new_secret()))
    assert {"half", "whole"} & {row["name"] for row in listed(where)} == {"whole"}


def listed(where):
    return [json.loads(line) for line in lurch("token", "list", "--json", **where)[1].splitlines()]
