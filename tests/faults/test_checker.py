"""The checker is tested before it is believed: each seeded bug is found, a right history has none."""

import random

import msgspec
import pytest

from tests.kit.faults.checker import Call, Row, violations

TABLE = "table"


def right_history(seed, calls=200):
    """Calls of several clients that overlap, and the log of a service that does everything right."""
    chance = random.Random(seed)
    rows, written, version, clock = [], [], 0, 0.0
    for number in range(calls):
        clock += chance.random()
        start, end = clock - chance.random() * 3, clock + chance.random() * 3
        fate = chance.choice(["yes", "yes", "yes", "read", "no", "unknown", "unknown and there"])
        key, size = f"key-{number}", chance.randint(1, 3)
        if fate == "read":
            written.append(Call("read", TABLE, start, end, "yes", version=version))
            continue
        if fate in ("yes", "unknown and there"):
            rows += [Row(TABLE, version + place + 1, key, place) for place in range(size)]
            version += size
        answer = fate.split()[0]
        written.append(Call("write", TABLE, start, end, answer, key, version if answer == "yes" else 0, size))
    return written, rows


def acknowledged(calls, chance):
    return chance.choice([call for call in calls if call.kind == "write" and call.answer == "yes"])


def the_key_was_dropped(calls, rows, chance):
    """Two writers of one version, both acknowledged: no unique key."""
    row = chance.choice(rows)
    return calls, [*rows, Row(TABLE, row.version, row.key, row.index)]


def a_repeat_had_a_new_key(calls, rows, chance):
    call = acknowledged(calls, chance)
    last = rows[-1].version
    return calls, [*rows, Row(TABLE, last + 1, f"{call.key} again")]


def a_key_was_recorded_twice(calls, rows, chance):
    call = acknowledged(calls, chance)
    return calls, [*rows, Row(TABLE, rows[-1].version + 1, call.key)]


def rows_were_lost_after_the_answer(calls, rows, chance):
    key = acknowledged(calls, chance).key
    kept = [row for row in rows if row.key != key]
    return calls, [msgspec.structs.replace(row, version=place) for place, row in enumerate(kept, start=1)]


def the_last_rows_were_lost(calls, rows, chance):
    last = max((call for call in calls if call.answer == "yes"), key=lambda call: (call.kind == "write", call.version))
    return calls, [row for row in rows if row.version < last.version]


def half_a_batch_is_there(calls, rows, chance):
    key = chance.choice([call.key for call in calls if call.answer == "yes" and (call.size or 0) > 1])
    kept = [row for row in rows if row.key != key or row.index == 0]
    return calls, kept


def a_version_is_missing(calls, rows, chance):
    missing = chance.choice(rows[:-1]).version
    return calls, [row for row in rows if row.version != missing]


def a_refused_command_is_there(calls, rows, chance):
    refused = chance.choice([call for call in calls if call.answer == "no"])
    return calls, [*rows, Row(TABLE, rows[-1].version + 1, refused.key)]


def a_replica_answered_late(calls, rows, chance):
    late = max(call.end for call in calls)
    return [*calls, Call("read", TABLE, late + 1, late + 2, "yes", version=rows[-1].version // 2)], rows


def a_read_saw_what_was_not_asked_for_yet(calls, rows, chance):
    first = min(call.start for call in calls)
    return [Call("read", TABLE, first - 2, first - 1, "yes", version=rows[-1].version), *calls], rows


def a_read_saw_more_than_there_is(calls, rows, chance):
    return [*calls, Call("read", TABLE, 0, 1e9, "yes", version=rows[-1].version + 1)], rows


def two_stand_in_the_wrong_order(calls, rows, chance):
    """A call that began long after another was acknowledged stands before it."""
    late = max(call.end for call in calls)
    known = [call for call in calls if call.kind == "write" and call.answer == "yes"]
    first = min(known, key=lambda call: call.version)
    moved = msgspec.structs.replace(first, start=late + 1, end=late + 2)
    return [moved if call is first else call for call in calls], rows


BUGS = [
    the_key_was_dropped,
    a_repeat_had_a_new_key,
    a_key_was_recorded_twice,
    rows_were_lost_after_the_answer,
    the_last_rows_were_lost,
    half_a_batch_is_there,
    a_version_is_missing,
    a_refused_command_is_there,
    a_replica_answered_late,
    a_read_saw_what_was_not_asked_for_yet,
    a_read_saw_more_than_there_is,
    two_stand_in_the_wrong_order,
]


def test_a_right_history_has_no_violation():
    for seed in range(20):
        assert violations(*right_history(seed)) == [], f"seed {seed}"


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_a_seeded_bug_is_found(bug):
    for seed in range(20):
        assert violations(*bug(*right_history(seed), random.Random(seed))), f"seed {seed}"


def test_a_long_history_has_no_violation():
    assert violations(*right_history(1, 50_000)) == []
