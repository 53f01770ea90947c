"""What verifying a hash chain finds after its rows were changed."""

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log.chain import Fault, Link, faults
from domain.log.event import GENESIS, chain_hash


class Row(msgspec.Struct):
    """A row that a test may change."""

    version: int
    position: int
    content: str
    previous: bytes = b""
    hash: bytes = b""

    def made(self, version):
        leaf = hashlib.sha256(f"{version} {self.content}".encode()).digest()
        return chain_hash(self.previous, leaf)

    def link(self):
        return Link(
            self.version, self.position, self.previous, self.hash, lambda version: self.made(version) == self.hash
        )


def stream(length=9):
    """Return the rows of one stream, with events of other streams in between."""
    rows, previous = [], GENESIS
    for version in range(1, length + 1):
        row = Row(version, version * 3, f"fact {version}", previous)
        row.hash = previous = row.made(version)
        rows.append(row)
    return rows


def told(rows):
    """Return kind, first, last and target of each fault."""
    ordered = sorted(rows, key=lambda row: row.version)
    return [(each.what, each.first, each.last, each.at) for each in faults([row.link() for row in ordered])]


def rehashed(row):
    row.hash = row.made(row.version)


def test_an_untouched_stream_shows_nothing():
    assert told(stream()) == []
    assert faults([]) == []


@pytest.mark.parametrize("at", range(9))
def test_a_changed_row_is_named_wherever_it_is(at):
    rows = stream()
    rows[at].content += "!"
    assert told(rows) == [("changed", at + 1, at + 1, None)]


@pytest.mark.parametrize("at", range(8))
def test_a_changed_and_rehashed_row_is_found_if_another_follows(at):
    rows = stream()
    rows[at].content += "!"
    rehashed(rows[at])
    assert told(rows) == [("changed", at + 1, at + 1, None)]


@pytest.mark.parametrize("member", ["hash", "previous"])
@pytest.mark.parametrize("at", range(9))
def test_a_hash_that_was_overwritten_is_a_change_of_its_row(member, at):
    rows = stream()
    setattr(rows[at], member, b"x" * 32)
    (found,) = told(rows)
    assert found[1:3] == (at + 1, at + 1)
    assert found[0] == ("extra" if (member, at) == ("previous", 8) else "changed"), "the last one might be either"


@pytest.mark.parametrize(("first", "last"), [(1, 1), (1, 3), (4, 4), (4, 7), (8, 8)])
def test_missing_rows_are_named_whether_or_not_the_rest_was_renumbered(first, last):
    for renumbered in (False, True):
        rows = [row for row in stream() if not first <= row.version <= last]
        for version, row in enumerate(rows, start=1):
            row.version = version if renumbered else row.version
        (found,) = faults([row.link() for row in rows])
        assert (found.what, found.first, found.last) == ("missing", first, last)
        assert (found.after, found.before) == ((first - 1) * 3, (last + 1) * 3), "where in the log they may have stood"


def test_two_gaps_are_two():
    rows = [row for row in stream() if row.version not in (2, 6)]
    assert told(rows) == [("missing", 2, 2, None), ("missing", 6, 6, None)]


@pytest.mark.parametrize("at", range(1, 10))
@pytest.mark.parametrize("chained", ["not at all", "before", "with a hash of its own"])
def test_an_inserted_row_is_extra_and_later_rows_are_not_moved(at, chained):
    rows = stream()
    for row in rows[at - 1 :]:
        row.version += 1
    extra = Row(at, 1000, "never happened", b"y" * 32, b"z" * 32)
    if chained != "not at all":
        extra.previous = rows[at - 2].hash if at > 1 else GENESIS
    if chained == "with a hash of its own":
        rehashed(extra)
    (found,) = told([*rows, extra])
    assert found[0] == "extra"
    assert found[1] == at or (at, chained) == (9, "with a hash of its own"), "of two ends either might be the true one"


def test_another_row_in_the_place_of_one_is_a_change():
    rows = stream()
    rows[4] = Row(5, 1000, "never happened", b"y" * 32, b"z" * 32)
    assert told(rows) == [("changed", 5, 5, None)]


def test_rows_that_changed_places_are_moved():
    rows = stream()
    rows[2].version, rows[6].version = 7, 3
    assert told(rows) == [("moved", 3, 3, 7), ("moved", 7, 7, 3)]


def test_a_moved_row_is_named_with_those_it_displaced():
    rows = stream()
    rows[1].version = 6
    for row in rows[2:6]:
        row.version -= 1
    assert ("moved", 2, 2, 6) in told(rows)
    assert {what for what, *_ in told(rows)} == {"moved"}


def test_a_row_at_a_position_unlike_its_version_is_moved():
    rows = stream()
    rows[2].position, rows[6].position = rows[6].position, rows[2].position
    assert told(rows) == [("moved", 3, 3, None), ("moved", 7, 7, None)]


def test_several_things_at_once_are_told_apart():
    rows = stream(12)
    rows[1].content += "!"
    rows[8].version, rows[10].version = 11, 9
    del rows[4]
    assert told(rows) == [("changed", 2, 2, None), ("missing", 5, 5, None), ("moved", 9, 9, 11), ("moved", 11, 11, 9)]


def test_what_only_a_hash_that_was_kept_elsewhere_shows():
    cut = stream()[:-2]
    assert told(cut) == []
    again, previous = stream(), GENESIS
    again[3].content += "!"
    for row in again:
        row.previous = previous
        rehashed(row)
        previous = row.hash
    assert told(again) == []
    last = stream()
    last[-1].content += "!"
    rehashed(last[-1])
    assert told(last) == []


@given(st.data())
def test_whatever_is_done_to_the_rows_is_noticed_and_ends(data):
    rows = stream(7)
    rows = data.draw(st.permutations(rows))[: data.draw(st.integers(1, 7))]
    for version, row in enumerate(rows, start=1):
        row.version = version
        if data.draw(st.booleans()):
            row.previous = data.draw(st.sampled_from([each.hash for each in rows] + [GENESIS]))
    found = faults([row.link() for row in rows])
    first = stream(7)[: len(rows)]
    assert (found == []) == ([row.hash for row in rows] == [row.hash for row in first] and not _touched(rows, first))
    assert all(isinstance(each, Fault) and each.first <= each.last for each in found)


def _touched(rows, first):
    return any(
        (one.previous, one.position) != (other.previous, other.position) for one, other in zip(rows, first, strict=True)
    )


def test_a_row_of_a_very_high_version_is_reported_without_counting():
    far = Row(2**31 - 1, 30, "far", b"x" * 32)
    rehashed(far)
    assert told([*stream(), far])[-1] == ("missing", 10, 2**31 - 2, None)


def test_every_second_link_cut_is_reported_row_by_row():
    rows = stream(400)
    for row in rows[1::2]:
        row.previous = hashlib.sha256(row.hash).digest()
    named = {version for _, first, last, _ in told(rows) for version in range(first, last + 1)}
    assert named.issuperset(range(2, 401, 2))
