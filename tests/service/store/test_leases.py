"""Leases: one holder at a time although clocks differ, and a late holder is refused by its number."""

import asyncio
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from service.run.leasing import Lease
from service.store import leases
from service.store.lease_watch import BEAT_SECONDS, STILL_SECONDS, STOP_SECONDS, LeaseRow, OthersLease, OwnLease
from tests.conftest import with_pool

PAUSES = st.lists(st.floats(0, 20), max_size=40)


class Clock:
    """A monotonic clock that tests advance."""

    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now


@given(PAUSES, st.floats(0, 10), st.floats(-1e6, 1e6))
def test_a_lease_cannot_be_taken_while_its_holder_may_act(pauses, delay, apart):
    now, beat = 0.0, 0
    held, watched = OwnLease(1, now), OthersLease(LeaseRow("a", 1, 0), now + apart)
    for pause in pauses:
        now += pause
        if watched.may_take(now + apart):
            assert not held.is_good(now)
            break
        if held.is_good(now):
            beat, held = beat + 1, OwnLease(1, now)
        watched = watched.seen(LeaseRow("a", 1, beat), now + apart + min(delay, 1))


def test_a_lease_can_be_taken_after_eight_seconds_without_a_heartbeat():
    row = LeaseRow("a", 1, 7)
    watched = OthersLease(row, 100.0)
    assert not watched.seen(row, 107.0).may_take(107.9)
    assert watched.seen(row, 108.0).may_take(108.0)
    assert not watched.seen(LeaseRow("a", 1, 8), 108.0).may_take(108.0)
    assert BEAT_SECONDS < STOP_SECONDS < STILL_SECONDS


def played(database, act):
    """Two processes with clocks of their own on one lease."""

    async def run(pool):
        name = f"lease {uuid4()}"
        first, second = Lease(pool, name, Clock(1000.0)), Lease(pool, name, Clock(-5.0))
        await act(pool, first, second)

    with_pool(database, run)


async def passed(seconds, *steps, clocks):
    """Some seconds for all clocks, then a step of these."""
    for each in clocks:
        each.clock.now += seconds
    for each in steps:
        await each.step()


def test_another_process_takes_over_when_the_holder_is_killed(database):
    async def act(pool, first, second):
        both = (first, second)
        await passed(0, *both, clocks=both)
        for _ in range(10):
            await passed(2, *both, clocks=both)
            assert (first.held is not None, second.held is not None) == (True, False)
        for _ in range(3):
            await passed(2, second, clocks=both)
        assert (first.held is not None, second.held is not None) == (False, False)
        await passed(2, second, clocks=both)
        assert (first.held is not None, second.held is not None) == (False, True)

    played(database, act)


def test_a_late_holder_is_refused_by_its_number(database):
    async def act(pool, first, second):
        both = (first, second)
        await passed(0, *both, clocks=both)
        for _ in range(4):
            await passed(2, second, clocks=both)
        before = await leases.read(pool, first.name)
        await first.step()  # it beats before it has looked at anything
        assert await leases.read(pool, first.name) == before == LeaseRow(second.holder, 2, 0)
        assert (first.held is not None, second.held is not None) == (False, True)
        assert not await leases.give_back(pool, first.name, 1)

    played(database, act)


def test_one_of_two_concurrent_takers_gets_the_lease(database):
    async def act(pool, first, second):
        taken = await asyncio.gather(*(leases.take(pool, first.name, each, None) for each in "ab"))
        assert sorted(taken, key=str) == [1, None]
        row = await leases.read(pool, first.name)
        taken = await asyncio.gather(*(leases.take(pool, first.name, each, row) for each in "ab"))
        assert sorted(taken, key=str) == [2, None]

    played(database, act)


def test_a_released_lease_can_be_taken_immediately(database):
    async def act(pool, first, second):
        await first.step()
        await second.step()
        await first.give_back()
        await second.step()
        assert (first.held is not None, second.held is not None) == (False, True)

    played(database, act)
