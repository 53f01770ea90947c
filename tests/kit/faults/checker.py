"""A history checker: compares the calls that clients recorded with the event log.

A stream is a total order with dense versions, so no search is needed: everything is O(n log n).
"""

from collections import defaultdict
from itertools import pairwise

import msgspec


class Call(msgspec.Struct, frozen=True):
    """One call as its client saw it, from the first try to the last answer. Retries under one key are one call.

    `version` is the last version that a write appended or the one that a read returned; `size` is the number of events.
    """

    kind: str  # "write" or "read"
    stream: str
    start: float
    end: float
    answer: str  # "yes", "no" or "unknown"
    key: str = ""
    version: int = 0
    size: int | None = None


class Row(msgspec.Struct, frozen=True):
    """One event of the log."""

    stream: str
    version: int
    key: str
    index: int = 0


def stream_key(call):
    """Return the key under which a call's events are looked up."""
    return call.stream, call.key


def violations(calls, rows, before=frozenset()):
    """Return descriptions of all violations in a history, none if it is correct.

    `before` holds the keys of events that were in the log before the first recorded call.
    """
    appended = defaultdict(list)
    for row in rows:
        appended[row.stream, row.key].append(row)
    writes = [call for call in calls if call.kind == "write"]
    reads = [call for call in calls if call.kind == "read" and call.answer == "yes"]
    asked = {stream_key(call) for call in writes}
    found = list(_not_dense(rows))
    for stream, key in appended:
        if (stream, key) not in asked and key not in before:
            found.append(f"nobody asked for {key}, which is on {stream}")
    for call in writes:
        found += _of_call(call, sorted(appended[stream_key(call)], key=lambda row: row.version))
    for stream in sorted({call.stream for call in calls}):
        own = [call for call in writes if call.stream == stream]
        found += _out_of_time(own)
        found += _misread(own, [call for call in reads if call.stream == stream], appended)
    return found


def _not_dense(rows):
    """Yield streams whose versions are not 1…n without gaps and duplicates."""
    streams = defaultdict(list)
    for row in rows:
        streams[row.stream].append(row.version)
    for stream, versions in streams.items():
        for place, version in enumerate(sorted(versions), start=1):
            if version != place:
                yield f"{stream}: version {version} stands where {place} should"
                break


def _of_call(call, own):
    """Yield violations of one write.

    An acknowledged write is in the log once, whole, at its version; a refused one is not; an unanswered one is there
    once and whole, or not at all.
    """
    if call.answer == "no":
        if own:
            yield f"{call.key} was refused and is at version {own[0].version}"
        return
    if not own:
        if call.answer == "yes":
            yield f"{call.key} was acknowledged at version {call.version} and is not there"
        return
    if [row.index for row in own] != list(range(len(own))):
        yield f"{call.key} is there more than once, or not whole: {[(row.version, row.index) for row in own]}"
    elif any(after.version != before.version + 1 for before, after in pairwise(own)):
        yield f"{call.key} is scattered over the versions {[row.version for row in own]}"
    elif call.size is not None and len(own) != call.size:
        yield f"{call.key} has {call.size} events, of which {len(own)} are there"
    elif call.answer == "yes" and own[-1].version != call.version:
        yield f"{call.key} was acknowledged at version {call.version} and is at {own[-1].version}"


def _out_of_time(writes):
    """Yield writes that were called after another was acknowledged and have no higher version."""
    known = [call for call in writes if call.answer == "yes"]
    ended = sorted(known, key=lambda call: call.end)
    place, highest = 0, None
    for call in sorted(known, key=lambda call: call.start):
        while place < len(ended) and ended[place].end < call.start:
            if highest is None or ended[place].version > highest.version:
                highest = ended[place]
            place += 1
        if highest is not None and call.version <= highest.version:
            yield f"{call.key} (version {call.version}) was called after {highest.key} was at {highest.version}"


def _misread(writes, reads, appended):
    """Yield reads that miss an acknowledged write, or show one that had not been called yet."""
    ended = sorted((call for call in writes if call.answer == "yes"), key=lambda call: call.end)
    place, least = 0, 0
    for read in sorted(reads, key=lambda call: call.start):
        while place < len(ended) and ended[place].end < read.start:
            least = max(least, ended[place].version)
            place += 1
        if read.version < least:
            yield f"a read of {read.stream} showed version {read.version} after {least} was acknowledged"
    begun = {row.version: call for call in writes for row in appended[stream_key(call)]}
    last = max(begun, default=0)
    for read in reads:
        writer = begun.get(read.version)
        if writer is not None and writer.start > read.end:
            yield f"a read of {read.stream} showed version {read.version} before {writer.key} was called"
        elif read.version > last > 0:
            yield f"a read of {read.stream} showed version {read.version}, the log ends at {last}"
