"""Every reader of a text from outside: it gives a record, or refuses with an error of its own; all else is a fault."""

import itertools
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import msgspec

from domain.exchange import entries, members, results, trf, trf_in, trf_plan
from domain.exchange.archive import TournamentArchive, read_archive, with_digest
from domain.exchange.faults import FaultyError
from domain.exchange.rebuild import rebuilt
from domain.log.decider import Refusal
from domain.notation import ctn_read, history
from tests.kit.tournament.evenings import names_of, swiss_of_nine


class Reader(NamedTuple):
    """A reader over bytes: `read` tells whether they were taken. Raises nothing but what is a fault."""

    name: str
    read: Callable[[bytes], bool]
    runs: int  # so many take some 20 s with coverage, and the suite takes them


def text_of(data):
    """Bytes as text, as the doors have them; None for what is not UTF-8, which they refuse."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def read_ctn(data):
    """Notation: what is wrong stands in the match that was read, and nothing is raised."""
    text = text_of(data)
    found = [] if text is None else ctn_read.loads(text)
    return bool(found) and not any(each.problems for each in found)


def read_history(data):
    """A deal a line."""
    text = text_of(data)
    taken = [scored(line) for line in (text or "").splitlines() if line.strip()]
    return bool(taken) and all(taken)


def scored(line):
    """Whether a line is a history."""
    try:
        history.score(history.read(line))
    except history.MalformedError:
        return False
    return True


def read_json_archive(data):
    """An archive: the document as it is, then with the digest that it should have, so that what it holds is read."""
    try:
        read_archive(data)
    except FaultyError as wrong:
        assert wrong.faults
    try:
        rebuilt(with_digest(msgspec.json.decode(data, type=TournamentArchive)), "club")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Refusal):
        return False
    return True


def read_trf(data):
    """A report file: read, written and read again, then taken as a tournament."""
    text = text_of(data)
    if text is None:
        text = data.decode("latin-1")
    try:
        file = trf.loads(text)
    except trf.BadFile:
        return False
    assert trf.loads(trf.dumps(file)).table == file.table
    trf_plan.left_out(file)
    return taken(file)


def taken(file):
    """Whether a report file is a tournament."""
    try:
        plan, people, fixed = trf_plan.plan_of(file, "parity")
        ids = [f"e{at}" for at, _ in enumerate(people)]
        sides = [tuple(f"{at}.{seat}" for seat, _ in enumerate(own)) for at, own in enumerate(people)]
        trf_in.events_of_file(file, plan, fixed, ids, sides, (f"m{at}" for at in itertools.count()))
    except (FaultyError, Refusal):
        return False
    return True


def read_csv(data):
    """A table: of entries, of people, of results."""
    text = text_of(data)
    if text is None:
        return False
    ways = (entries.read_entries, members.read_members, lambda text: results.read_results(*_evening(), text, NAMES))
    return max(_table(way, text) for way in ways)  # each of them reads it


def _table(way, text):
    try:
        way(text)
    except FaultyError as wrong:
        assert all(each.line >= 0 and each.column >= 0 and each.message for each in wrong.faults)
        return False
    return True


@cache
def _evening():
    return (swiss_of_nine(),)


NAMES = names_of(*_evening())
READERS = {
    each.name: each
    for each in (
        Reader("ctn", read_ctn, 1000),
        Reader("history", read_history, 20_000),
        Reader("archive", read_json_archive, 20_000),
        Reader("trf", read_trf, 8000),
        Reader("csv", read_csv, 2000),
    )
}
