"""Logs that earlier programs wrote are read for ever: the same bytes, states, names, figures, winners and CTN.

Each folder of tests/data/logs was recorded once (`python -m tests.recorded`). Members may be added to an answer; what
has to change or go all the same stands in exceptions.jsonl with the decision that says why.
"""

import hashlib
import json
import re
from fnmatch import fnmatchcase
from pathlib import Path

import psycopg
import pytest
from litestar.testing import TestClient

from domain.log.decider import New
from domain.log.upcast import UPCASTERS
from domain.match.events import MatchOpened
from domain.match.evolve import fold
from domain.match.sight import salted
from domain.match.state import NoMatch
from domain.registry import event_types
from service.cli import seals
from service.run.app import create_app
from service.run.settings import Settings
from tests.conftest import new_database, with_pool
from tests.recorded import answers, rows

LOGS = Path(__file__).parents[1] / "data" / "logs"
FOLDERS = sorted(path.name for path in LOGS.iterdir() if path.is_dir())
EXCEPTIONS = [json.loads(line) for line in (LOGS / "exceptions.jsonl").read_text(encoding="utf-8").splitlines()]
DECISIONS = (LOGS.parents[2] / "docs" / "decisions.md").read_text(encoding="utf-8")
# the 14 members of the public part, in the order in which they are hashed (docs/chain.md)
MEMBERS = "club_id stream_id version type schema data actor role seat device device_clock recorded_at command_id cause"
HIDING = {"2026-11"}

# a total that is called behind a pass is written as `-=18`, which no program has read yet
UNSEALED = ["match 47: line 1054, column 42: neither a card nor a call"]
UNREAD = {"2026-11": UNSEALED, "2026-11-rooms": UNSEALED}
KINDS = [
    pytest.param(kind, marks=[pytest.mark.extended] if kind.startswith("players") else [])
    for kind in answers.GAVE
    if kind not in ("states", "ctn")
]


@pytest.fixture(scope="module")
def recorded():
    """The rows of every folder."""
    return {folder: rows.load(LOGS / folder) for folder in FOLDERS}


@pytest.fixture(scope="module")
def askers(recorded):
    """The service over the rows of every folder, in a database of their own."""
    with new_database() as database:
        with psycopg.connect(database.url, autocommit=True) as connection:
            for found in recorded.values():
                rows.put(connection, found)
        with TestClient(create_app(database, Settings())) as client:
            yield {folder: answers.Asker(client, database, found) for folder, found in recorded.items()}


def gave(folder, kind):
    """What the program of that time gave."""
    return rows.lines(LOGS / folder / "gave" / f"{kind}.jsonl.gz")


def named(folder, kind, place):
    """The exceptions that cover a place of an answer."""
    return [
        each
        for each in EXCEPTIONS
        if (each["folder"], each["kind"]) == (folder, kind) and fnmatchcase(place, each["place"])
    ]


def same(folder, kind, pairs):
    """Nothing of what was has changed or is gone, but for named exceptions, each of which is there."""
    wrong, used = [], set()
    for where, then, now in pairs:
        for place, old, new in answers.changes(then, now, where):
            covering = named(folder, kind, place)
            used |= {each["place"] for each in covering}
            if not covering:
                wrong.append(f"{place}: {str(old)[:200]} is now {str(new)[:200]}")
    assert not wrong, f"{len(wrong)} places of {folder}/{kind}, first: " + "\n".join(wrong[:12])
    idle = {each["place"] for each in EXCEPTIONS if (each["folder"], each["kind"]) == (folder, kind)} - used
    assert not idle, f"exceptions that nothing needs: {idle}"


def test_every_schema_of_every_event_type_was_recorded(recorded):
    written = {(row["type"], row["schema"]) for found in recorded.values() for row in found["events"]}
    wanted = {(name, schema) for name in event_types() for schema in range(1, UPCASTERS.current(name) + 1)}
    missing = sorted(wanted - written)
    assert not missing, f"record a log that holds {missing}: python -m tests.recorded --help"
    assert not written - wanted, "an event that was written once must be readable for ever"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_chain_holds_over_the_bytes_as_they_stand(recorded, folder):
    found = recorded[folder]
    private = {(row["stream_id"], row["version"]): row for row in found["private"]}
    erased = [
        row for each in found["events"] if each["type"] == "PersonErased" for row in json.loads(each["data"])["rows"]
    ]
    inner = {(stream, version): digest for stream, version, digest in erased}
    heads = {}
    for row in found["events"]:
        version, previous = heads.get(row["stream_id"], (0, "00" * 32))
        assert (row["version"], row["prev_hash"]) == (version + 1, previous)
        place = (row["stream_id"], row["version"])
        hashed = chained(row, private.get(place), inner.get(place))
        assert row["hash"] == hashed, (row["stream_id"], row["version"])
        heads[row["stream_id"]] = (row["version"], hashed)
    assert len(heads) == len(gave(folder, "states"))


def chained(row, own, erased=None):
    """The hash of an event, from its row and its private part, or the inner hash that is left of it."""
    public = {name.removesuffix("_id") if name != "command_id" else name: row[name] for name in MEMBERS.split()}
    text = json.dumps(public, ensure_ascii=False, separators=(",", ":")).encode()
    inner = hashlib.sha256(bytes.fromhex(own["salt"]) + own["data"].encode() if own else b"").digest()
    inner = inner if erased is None else bytes.fromhex(erased)
    leaf = hashlib.sha256(b"\0" + text + inner).digest()
    return hashlib.sha256(b"\1" + bytes.fromhex(row["prev_hash"]) + leaf).hexdigest()


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_event_that_was_salted_would_be_salted_today(recorded, folder):
    words = {(row["stream_id"], row["version"]): row["data"] for row in recorded[folder]["private"]}
    secret = {place for place, text in words.items() if text == "null"}  # salted for what it hides, not for words
    found = set()
    for (_, stream), events in answers.streams_of(recorded[folder]).items():
        state = NoMatch()
        if isinstance(events[0][1], MatchOpened):
            for version, event, _ in events:
                if salted(New(event), state).secret:
                    found.add((stream, version))
                state = fold(state, [(version, event)])
    assert not secret - found, "these are hidden no more"
    assert not found - words.keys(), "these were not hidden when they were recorded"
    assert secret or folder not in HIDING


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_positions_of_every_club_are_dense(recorded, folder):
    for club in recorded[folder]["logs"]:
        which = (club["club_id"], club.get("log", 0))
        own = [row["position"] for row in recorded[folder]["events"] if (row["club_id"], row.get("log", 0)) == which]
        assert own == list(range(1, club["position"] + 1))


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_stream_folds_to_the_state_that_it_had(recorded, folder):
    now = {each["stream"]: each["state"] for each in json.loads(json.dumps(answers.states(recorded[folder])))}
    same(folder, "states", [(then["stream"], then["state"], now[then["stream"]]) for then in gave(folder, "states")])


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_match_is_written_as_it_was(askers, folder):
    now = {each["stream"]: each for each in answers.texts(askers[folder].database, askers[folder].rows)}
    same(folder, "ctn", [(then["stream"], then, now[then["stream"]]) for then in gave(folder, "ctn")])


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_that_was_exported_still_proves_its_match(askers, folder):
    files = "\n".join(each["ctn"] for each in gave(folder, "ctn"))
    told = with_pool(askers[folder].database, lambda pool: seals.verify_text(pool, files))
    assert len(told) == len(gave(folder, "ctn"))
    assert [each.text for each in told if not each.good] == UNREAD.get(folder, [])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_service_answers_as_it_did(askers, folder, kind):
    directors = {each["path"]: each for each in gave(folder, "director")}
    pairs = []
    for then in gave(folder, kind):
        model = directors[then["path"]] if then.get("like") == "director" else then
        wanted = {"status": model["status"], "body": model["body"]}
        pairs.append((then["path"], wanted, json.loads(json.dumps(askers[folder].again(then)))))
    assert pairs
    same(folder, kind, pairs)


def test_every_exception_is_explained_by_a_decision():
    titles = re.findall(r"^\d+\. \*\*(.+?)\*\*", DECISIONS, re.MULTILINE | re.DOTALL)
    known = {" ".join(title.split()).rstrip(".") for title in titles}
    for each in EXCEPTIONS:
        assert set(each) == {"folder", "kind", "place", "decision"}
        assert each["decision"].rstrip(".") in known


def test_only_added_members_count_as_no_change():
    then = {"a": 1, "b": [{"c": 2}], "d": None}
    assert not list(answers.changes(then, {"a": 1, "b": [{"c": 2, "new": 3}], "d": None, "new": 4}))
    for now in ({**then, "a": 2}, {"a": 1, "b": then["b"]}, {**then, "b": [{}]}, {**then, "b": []}, {**then, "d": 0}):
        assert len(list(answers.changes(then, now))) == 1
    assert list(answers.changes({"a": True}, {"a": 1}))
