"""Readers of untrusted text. Each returns a record that survives writing and reading again, or refuses with its own
error."""

import itertools
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

import msgspec

from domain import codec
from domain.exchange import entries, members, results, sheets, trf, trf_in, trf_plan
from domain.exchange.archive import VERSION, TournamentArchive, read_archive, unique_names, with_digest, write_archive
from domain.exchange.faults import FaultyError
from domain.exchange.pushed import checked, read_unit
from domain.exchange.rebuild import rebuilt
from domain.log.decider import Refusal
from domain.notation import ctn_read, ctn_write, history
from tests.kit.service.rechained import chained_anew
from tests.kit.tournament.evenings import names_of, swiss_of_nine

LATER = datetime(2100, 1, 1, tzinfo=UTC)  # by the clock of whoever reads a push


class Reader(NamedTuple):
    """A reader of bytes: `read` returns True if they are accepted and raises only on a fault.

    `usual` is the length in bytes of most inputs, enough for a record of every kind.
    """

    name: str
    read: Callable[[bytes], bool]
    runs: int  # of the second tier, some twenty seconds with coverage
    usual: int


def text_of(data):
    """Decode bytes as UTF-8, or return None."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def read_ctn(data):
    """Read notation; problems are reported in the match and never raised."""
    text = text_of(data)
    found = [] if text is None else ctn_read.loads(text)
    clean = [each for each in found if not each.problems]
    for each in clean:
        written = ctn_write.rewritten(each)
        (again,) = ctn_read.loads(written)
        assert again.problems == []
        assert facts_of(again) == facts_of(each)
        assert ctn_write.rewritten(again) == written
    return bool(found) and len(clean) == len(found)


def facts_of(match):
    """Return the facts of each deal."""
    return [[fact for _, fact in deal.facts] for deal in match.state.deals]


def read_history(data):
    """Read one deal per line."""
    text = text_of(data)
    taken = [scored(line) for line in (text or "").splitlines() if line.strip()]
    return bool(taken) and all(taken)


def scored(line):
    """Return True if a line is a history."""
    try:
        found = history.read(line)
    except history.MalformedError:
        return False
    if "error" not in history.score(found):
        written = history.write(found.game, found.given, found.dealer, found.deal, found.facts)
        again = history.read(written)
        assert history.score(again) == history.score(found)
        assert history.write(again.game, again.given, again.dealer, again.deal, again.facts) == written
    return True


def read_json_archive(data):
    """Read an archive as it is, then with its digest corrected, so that its contents are read too."""
    try:
        read_archive(data)
    except FaultyError as wrong:
        assert wrong.faults
    try:
        whole = with_digest(msgspec.json.decode(data, type=TournamentArchive))
        rebuilt(whole, "club")
        unique_names(whole.people)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Refusal):
        return False
    if whole.lurch_tournament != VERSION:
        return False
    written = write_archive(whole)
    assert write_archive(read_archive(written)) == written
    return True


def read_push(data):
    """Read pushed streams as they are, then rehashed, so that their contents are read too."""
    try:
        unit = read_unit(data)
    except Refusal:
        return False
    assert read_unit(codec.encode_plain(unit)) == unit
    alone = (msgspec.structs.replace(unit, streams=(each,)) for each in unit.streams)
    found = [proven(each) for one in alone for each in (one, chained_anew(one, lambda event: event))]
    return all(found)


def proven(unit):
    """Return True if the only stream of a unit is accepted."""
    (stream,) = unit.streams
    try:
        found = checked(unit.club, stream, 0, None, LATER)
    except Refusal:
        return False
    assert [each.event for each in found.events] == list(stream.events)
    return True


def read_trf(data):
    """Read a report file, write and read it again, then import it as a tournament."""
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
    """Return True if a report file can be imported as a tournament."""
    try:
        plan, people, fixed = trf_plan.plan_of(file, "parity")
        ids = [f"e{at}" for at, _ in enumerate(people)]
        sides = [tuple(f"{at}.{seat}" for seat, _ in enumerate(own)) for at, own in enumerate(people)]
        trf_in.events_of_file(file, plan, fixed, ids, sides, (f"m{at}" for at in itertools.count()))
    except (FaultyError, Refusal):
        return False
    return True


def read_csv(data):
    """Read a table of entries, members or results."""
    text = text_of(data)
    if text is None:
        return False
    ways = (
        (entries.COLUMNS, entries.read_entries),
        (members.COLUMNS, members.read_members),
        (results.COLUMNS, lambda text: results.read_results(*_evening(), text, NAMES)),
    )
    return max(_table(way, columns, text) for columns, way in ways)  # each of them reads it


def _table(way, columns, text):
    try:
        way(text)
    except FaultyError as wrong:
        assert all(each.line >= 0 and each.column >= 0 and each.message for each in wrong.faults)
        return False
    cells = cells_of(text, columns)
    assert cells_of(sheets.write_sheet(columns, cells), columns) == cells
    return True


def cells_of(text, columns):
    """Return the cell texts of a table, row by row."""
    return [[row.text(name) for name in columns] for row in sheets.read_sheet(text, columns, ())]


@cache
def _evening():
    return (swiss_of_nine(),)


NAMES = names_of(*_evening())
READERS = {
    each.name: each
    for each in (
        Reader("ctn", read_ctn, 8000, 400),
        Reader("history", read_history, 50_000, 2000),
        Reader("archive", read_json_archive, 50_000, 8192),
        Reader("push", read_push, 10_000, 3200),
        Reader("trf", read_trf, 40_000, 1500),
        Reader("csv", read_csv, 30_000, 600),
    )
}
