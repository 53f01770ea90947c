"""A group's connection is cut at every byte: nobody is told what is not so, and sent again it is in the log once."""

import asyncio
import os

import psycopg
import pytest

from service.run.pool import make_pool
from service.store import gathering
from service.store.appending import Appended, LostRaceError
from service.store.gathering import GatheredAppends
from service.store.groups import Group
from service.store.ids import new_id
from service.store.log import Head
from tests.kit.faults.checker import Call, Row, violations
from tests.kit.faults.grouped import Writer, log_held, rows_of, told
from tests.kit.faults.relay import TO_CLIENT, TO_SERVER, Cut, relayed

WHOLE = os.environ.get("LURCH_FAULTS") == "whole"  # `make faults`: every byte; else a sample of those on the way there
STEP = 1 if WHOLE else 97
# first the group is refused for what cannot be written, then its halves go; each message holds the mark
SENT = [(nth, TO_SERVER, after) for nth in (1, 2) for after in range(0, 5500 if nth == 1 else 3000, STEP)]
HEARD = [(nth, TO_CLIENT, after) for nth in (1, 2, 3) for after in range(0, 130, STEP if WHOLE else 5)]


@pytest.fixture(scope="module")
def cut_off(database):
    with relayed(database.url) as (relay, url):
        yield relay, url


class Members:
    """A group of eight: two streams of two commands, each with words beside it, a loser, a repeat and a poison."""

    def __init__(self, writer, mark, gone):
        one, two, poisoned = new_id(), new_id(), new_id()
        streams = [one, two, gone[0], one, poisoned, gone[1], two, new_id()]
        keys = [f"{mark}-{place}" for place in range(8)]
        keys[4], keys[5] = f"{mark}-" + "x" * 128, gone[2]
        heads = {2: Head()}
        self.places = [
            writer.put(stream, key, head=heads.get(place))
            for place, (stream, key) in enumerate(zip(streams, keys, strict=True))
        ]
        self.taken = [0, 1, 3, 6, 7]


async def cut_once(database, club, cut_off, nth, direction, after):
    """What each of the eight was told when its connection was cut, and what each was told when it was sent again."""
    relay, url = cut_off
    mark = f"cut-{os.urandom(6).hex()}"
    async with make_pool(url, 2) as pool:
        writer = Writer(club, GatheredAppends(pool))
        gone = new_id(), new_id(), new_id()
        await told(writer.put(gone[0])[1], writer.put(gone[1], gone[2])[1])
        async with log_held(database, club) as until_one_waits:
            first = writer.put(new_id())[1]
            await until_one_waits()
            members = Members(writer, mark, gone)
            relay.arm(Cut(mark.encode(), nth, direction, after))
        await told(first)
        ends = await told(*(answer for _, answer in members.places))
        await writer.appends.settled()
        was_cut, cut = relay.was_cut, ends
        relay.arm(None)
        again = Writer(club, GatheredAppends(pool))
        unknown = [place for place in members.taken if not isinstance(cut[place], Appended)]
        second = await told(*(again.appends.put(members.places[place][0], lambda _: None) for place in unknown))
    return was_cut, members, cut, dict(zip(unknown, second, strict=True))


@pytest.mark.extended
@pytest.mark.parametrize("cuts", [SENT, HEARD], ids=["on the way there", "on the way back"])
@pytest.mark.timeout(3600 if WHOLE else 900)
def test_a_group_on_a_cut_connection_is_recorded_once(cut_off, database, club, cuts):
    """A hundred groups, each cut somewhere else: that is why it takes its time."""
    happened = 0
    for cut in cuts:
        was_cut, members, ends, again = asyncio.run(cut_once(database, club[0], cut_off, *cut))
        happened += was_cut
        streams = {batch.stream for batch, _ in members.places}
        rows = {row[3]: row for row in rows_of(database, club[0], *streams)}
        for place in members.taken:
            batch = members.places[place][0]
            answers = [end for end in (ends[place], again.get(place)) if isinstance(end, Appended)]
            assert len(answers) == 1 or again[place] is LostRaceError, (cut, place, ends, again)
            if batch.command in rows:
                assert [answer.events[0].position for answer in answers] in ([rows[batch.command][2]], []), (cut, place)
            else:  # what it builds on was in the log before it was sent again: it is decided again from there
                assert not answers, (cut, place, ends, again)
                assert again[0] is again[place] is LostRaceError, (cut, place, again)
                assert place == 3, (cut, place)
        for place in (2, 5):
            assert ends[place] is LostRaceError or issubclass(ends[place], psycopg.OperationalError), (cut, ends)
        assert issubclass(ends[4], psycopg.Error)
        assert members.places[4][0].command not in rows
    assert happened > len(cuts) // 2


class EarlyGroup(Group):
    """The seeded bug: a group that answers before its commit."""

    async def write(self, members):
        for each in members:
            self._tell(each, each.appended(0))
        self._tell = lambda batch, outcome: None
        await super().write(members)


async def history_of(database, club, cut_off):
    """A history of four writers whose group was cut on the way there."""
    relay, url = cut_off
    calls, mark = [], f"cut-{os.urandom(6).hex()}"
    async with make_pool(url, 2) as pool:
        writer = Writer(club, GatheredAppends(pool))
        async with log_held(database, club) as until_one_waits:
            writer.put(new_id())
            await until_one_waits()
            group = [writer.put(new_id(), f"{mark}-{place}") for place in range(4)]
            relay.arm(Cut(mark.encode(), 1, TO_SERVER, 100))
        ends = await told(*(answer for _, answer in group))
        await writer.appends.settled()
    for (batch, _), end in zip(group, ends, strict=True):
        answer = "yes" if isinstance(end, Appended) else "unknown"
        calls.append(Call("write", batch.stream, 0.0, 1.0, answer, batch.command, 1 if answer == "yes" else 0, 1))
    rows = rows_of(database, club, *(batch.stream for batch, _ in group))
    return calls, [Row(stream, version, command) for stream, version, _, command, _, _ in rows]


def test_the_checker_finds_a_group_that_answers_before_its_commit(cut_off, database, club, monkeypatch):
    assert violations(*asyncio.run(history_of(database, club[0], cut_off))) == []
    monkeypatch.setattr(gathering, "Group", EarlyGroup)
    found = violations(*asyncio.run(history_of(database, club[0], cut_off)))
    assert len(found) == 4
    assert all("was acknowledged at version 1 and is not there" in each for each in found)
