"""docs/chain.md under test: its vector against our code, its query and program against real rows, and that any
byte changed is noticed."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from domain import registry
from domain.log.event import GENESIS, Public, chain_hash, leaf_hash, public_bytes
from tests.conftest import with_pool
from tests.kit.logs import faults_of
from tests.kit.service.asking import House
from tests.kit.service.leaving import erase, registered

DOCUMENT = (Path(__file__).parents[3] / "docs" / "chain.md").read_text()
MEMBERS = Public.__struct_fields__
PROVEN = (*MEMBERS, "salt", "private", "prev_hash", "hash")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.M | re.S)


def figures(name):
    return re.findall(rf"^    {name} +(.*)$", DOCUMENT, re.M)


(PROGRAM,) = blocks("python")
(QUERY,) = blocks("sql")
EXAMPLE = [json.loads(line) for line in blocks("json")[0].splitlines()]


def audited(rows):
    """What the program of the document says of rows."""
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    run = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM], input=lines, capture_output=True, text=True, check=False, timeout=60
    )
    return run.returncode, run.stdout + run.stderr


COMPILED = compile(PROGRAM.replace("sys.stdin", "LINES"), "chain.md", "exec")


def fits(rows):
    """The same program without a process of its own: whether it finds nothing."""
    try:
        exec(COMPILED, {"LINES": [json.dumps(row) for row in rows], "print": lambda *_, **__: None})
    except (SystemExit, ValueError):
        return False
    return True


def test_the_program_is_short_and_needs_nothing_of_ours():
    assert len([line for line in PROGRAM.splitlines() if line.strip()]) <= 15
    assert set(re.findall(r"import (.*)", PROGRAM)) == {"hashlib, json, sys"}


def test_the_worked_example_is_what_our_code_computes():
    previous = GENESIS
    inner, leaves, hashes = figures("inner"), figures("leaf"), figures("hash")
    for number, row in enumerate(EXAMPLE):
        assert (
            registry.write_event(registry.read_event(row["type"], row["schema"], row["data"])).decode() == row["data"]
        )
        public = public_bytes(Public(**{name: row[name] for name in MEMBERS}))
        assert public.decode() == blocks("text")[number].rstrip("\n")
        assert f"({len(public)} bytes)" in DOCUMENT
        salt = bytes.fromhex(row["salt"]) if row["salt"] else None
        private = row["private"].encode() if row["private"] else None
        leaf = leaf_hash(public, salt, private)
        assert leaf.hex() == leaves[number]
        assert hashlib.sha256((salt or b"") + (private or b"")).hexdigest() == inner[number]
        assert previous.hex() == row["prev_hash"] == figures("prev")[number]
        previous = chain_hash(previous, leaf)
        assert previous.hex() == row["hash"] == hashes[number]
    assert figures("salt") == [EXAMPLE[1]["salt"]]
    assert figures("private") == [EXAMPLE[1]["private"]]


def test_the_document_names_the_members_in_their_order():
    assert f"    {' '.join(MEMBERS)}\n" in DOCUMENT


def test_the_program_confirms_the_worked_example():
    assert audited(EXAMPLE) == (0, f"{EXAMPLE[0]['stream']} 2 {EXAMPLE[1]['hash']}\n")


@pytest.fixture(scope="module")
def rows(client, database):
    """A match with names, notes, a device, draws, an undo and a correction, and its club, as the query reads them."""
    with House(client, database) as house:
        path = house.match("cross_game", sides=[["Ánnie “A”"], ["Benny\\"]])
        device = {"X-Lurch-Device": 'tablet "1" \\', "X-Lurch-Device-Clock": "2026-11-20T20:31:07.25+01:00"}
        assert house.post(f"{path}/deals", {"dealer": 1}, **device).status_code == 201
        facts = [{"seat": 0, "do": "bid", "bid": 1}, {"seat": 1, "do": "pass"}]
        facts += [{"seat": 0, "do": "play", "card": "H9"}, {"seat": 1, "do": "play", "card": "HA"}]
        house.done(f"{path}/facts", {"facts": [*facts, {"seat": 1, "do": "draw", "card": "SA"}]})
        house.done(f"{path}/corrections", {"version": 7, "now": {"seat": 1, "do": "draw"}, "reason": "ne l’a pas vu …"})
        house.done(f"{path}/undo", {"reason": "\U0001f600 / \u007e"})
        with psycopg.connect(database.url) as connection:
            where = (
                f"from events e left join private p using (club_id, stream_id, version) where e.club_id = '{house.id}'"
            )
            read = QUERY.replace("from events e left join private p using (club_id, stream_id, version)", where)
            assert read != QUERY
            return [row for (row,) in connection.execute(read).fetchall()]


def test_the_program_confirms_a_real_log(database, rows):
    assert len(rows) > 10
    assert {"null"} < {row["private"] for row in rows if row["private"]}
    assert any(row["device_clock"] == "2026-11-20T19:31:07.250000Z" for row in rows)
    code, said = audited(rows)
    assert code == 0, said
    last = {row["stream"]: f"{row['stream']} {row['version']} {row['hash']}" for row in rows}
    assert sorted(said.split("\n")[:-1]) == sorted(last.values())
    assert with_pool(database, lambda pool: faults_of(pool, rows[0]["club"])) == []


def changes(row, column):
    """The row with each byte of a column changed, each in turn; or with what is not there put in."""
    value = row[column]
    if value is None:
        yield {**row, column: "00" * 16 if column == "salt" else 0 if column == "seat" else "x"}
    elif isinstance(value, int):
        yield from ({**row, column: changed} for changed in (value + 1, value - 1, None, str(value)))
    elif column in ("salt", "prev_hash", "hash"):
        raw = bytes.fromhex(value)
        for place in range(len(raw)):
            yield {**row, column: (raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]).hex()}
    else:
        for place, char in enumerate(value):
            yield {**row, column: value[:place] + chr(ord(char) ^ 1) + value[place + 1 :]}
            yield {**row, column: value[:place] + value[place + 1 :]}
        yield {**row, column: value + " "}
        yield {**row, column: None}


@pytest.mark.parametrize("column", PROVEN)
def test_any_byte_changed_in_any_column_breaks_the_chain(rows, column):
    stream = [row for row in rows if row["stream"] != row["club"]]
    assert fits(stream)
    tried = 0
    for place, row in enumerate(stream):
        for changed in changes(row, column):
            if column == "private" and row["private"] is None:
                continue  # a row there always has its salt: that is the case below
            tried += 1
            assert not fits([*stream[:place], changed, *stream[place + 1 :]]), changed[column]
    assert tried >= len(stream) - 6


def test_the_program_names_the_first_event_that_does_not_fit(rows):
    stream = [row for row in rows if row["stream"] != row["club"]]
    changed = {**stream[4], "data": stream[4]["data"].replace('"seat":', '"seat": ')}
    code, said = audited([*stream[:4], changed, *stream[5:]])
    assert (code, said) == (1, f"{stream[4]['stream']}: version 5 does not fit\n")


def test_an_event_left_out_put_in_or_moved_breaks_the_chain(rows):
    stream = [row for row in rows if row["stream"] != row["club"]]
    for place in range(len(stream) - 1):
        assert not fits([*stream[:place], *stream[place + 1 :]])
        assert not fits([*stream[: place + 1], *stream[place:]])
        assert not fits([*stream[:place], stream[place + 1], stream[place], *stream[place + 2 :]])
    assert fits(stream[:-1]), "the end of a stream is what only a hash kept elsewhere shows"


def test_a_private_text_removed_or_inserted_breaks_the_chain(rows):
    stream = [row for row in rows if row["stream"] != row["club"]]
    for place, row in enumerate(stream):
        other = {"salt": None, "private": None} if row["salt"] else {"salt": "00" * 16, "private": '{"note":"x"}'}
        assert not fits([*stream[:place], {**row, **other}, *stream[place + 1 :]])


def test_the_program_confirms_a_log_after_an_erasure(client, database):
    with House(client, database) as house:
        erase(house, registered(house, "Yrsa"))
        registered(house, "Zoe")
        whose = "from events e left join private p using (club_id, stream_id, version)"
        read = QUERY.replace(whose, f"{whose} where e.club_id = '{house.id}'")
        found = [row for (row,) in house.log.execute(read).fetchall()]
    assert sum(row["inner"] is not None for row in found) == 1
    assert audited(found)[0] == 0
    assert not fits([{**row, "inner": None} for row in found])
