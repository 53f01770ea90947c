"""The steward begins again from the log: a pairing without its match, a result that nobody reported, two at once."""

import asyncio

import psycopg
import pytest

from domain.match import commands as mc
from domain.tournament import commands as c
from domain.tournament.orders import Orders
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.steward.steward import Steward
from service.store.ids import new_id
from service.store.kinds import TOURNAMENT
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool
from tests.kit.logs import tail

PLAN = c.StagePlan(format={"kind": "round-robin"}, game="parity", race={"target": 15})


class Desk:
    """One process: its streams, its recorder, its steward."""

    def __init__(self, pool):
        self.pool = pool
        self.recorder = Recorder(Streams(pool))
        self.steward = Steward(self.recorder.streams, self.recorder)

    async def tournament(self, club, entries=4):
        """A tournament whose first round is paired, and nothing else done."""
        asked = own_request(By(None, "director"))
        people = tuple((f"P{new_id()}",) for _ in range(entries))
        seated = await self.recorder.players(club, people, asked)
        enter = tuple(c.Enter(new_id(), players) for players in seated)
        chance = c.Chance(tuple(new_id() for _ in range(entries)))
        orders = Orders((c.Announce("Cup", (PLAN,)), *enter, c.PairRound()), chance)
        done = await self.recorder.begin(club, new_id(), TOURNAMENT, orders, asked)
        return done.loaded.stream

    async def state(self, stream):
        return (await self.recorder.streams.tournament(stream)).tournament

    async def play(self, match):
        result = mc.EnterResult(entry={"parity": "odd", "tricks": [11, 4]})
        return await self.recorder.match(match, result, own_request(By(None, "scorer")))


def matches_of(state):
    return [each.match for each in state.stage.pairings.values()]


def test_matches_are_opened_after_the_pairing_process_died(database, club):
    async def act(pool):
        first, second = Desk(pool), Desk(pool)
        stream = await first.tournament(club[0])  # and now the first process is gone
        await second.steward.catch_up(club[0])
        for match in matches_of(await second.state(stream)):
            found = await second.recorder.streams.match(match)
            assert found.match.setup.tournament == stream

    with_pool(database, act)


def test_a_result_is_reported_after_the_process_died(database, club):
    async def act(pool):
        first, second = Desk(pool), Desk(pool)
        stream = await first.tournament(club[0])
        await first.steward.catch_up(club[0])
        await first.play(matches_of(await first.state(stream))[0])  # and gone
        await second.steward.catch_up(club[0])
        state = await second.state(stream)
        assert [each.score for each in state.stage.decided.values()] == [(21, 0)]
        await second.steward.catch_up(club[0])
        assert (await second.state(stream)).version == state.version, "it is said once"

    with_pool(database, act)


def test_concurrent_stewards_open_each_match_and_report_each_result_once(database, club):
    async def act(pool):
        desks = [Desk(pool) for _ in range(3)]
        streams = [await desks[0].tournament(club[0], 8) for _ in range(2)]
        await asyncio.gather(*(desk.steward.catch_up(club[0]) for desk in desks))
        state = await desks[1].state(streams[0])
        await asyncio.gather(*(desks[at % 3].play(match) for at, match in enumerate(matches_of(state))))
        await asyncio.gather(*(desk.steward.catch_up(club[0]) for desk in desks))
        events = [each.event async for each in tail(pool, club[0], 0)]
        opened = [each.stream for each in events if each.type == "MatchOpened"]
        reported = [each.data.fixture for each in events if each.type == "OutcomeReported"]
        assert len(opened) == len(set(opened)) == 8
        assert len(reported) == len(set(reported)) == 4

    with_pool(database, act)


def test_two_directors_who_pair_at_the_same_moment_make_one_round(database, club):
    async def act(pool):
        desks = [Desk(pool) for _ in range(4)]
        stream = await desks[0].tournament(club[0], 6)
        for desk in desks:
            await desk.steward.catch_up(club[0])
        for match in matches_of(await desks[0].state(stream)):
            await desks[0].play(match)
        await desks[0].steward.catch_up(club[0])

        async def pair(desk):
            chance = c.Chance(tuple(new_id() for _ in range(6)))
            asked = own_request(By(None, "director"))
            return await desk.recorder.tournament(stream, Orders((c.PairRound(),), chance), asked)

        answers = await asyncio.gather(*(pair(desk) for desk in desks), return_exceptions=True)
        told = [each for each in answers if isinstance(each, Exception)]
        assert len(told) == 3
        assert all(each.slug == "misfit" for each in told)
        assert len((await desks[3].state(stream)).stage.rounds) == 2

    with_pool(database, act)


def test_a_steward_that_was_interrupted_begins_again_from_where_it_stood(database, club, monkeypatch):
    async def act(pool):
        desk = Desk(pool)
        stream = await desk.tournament(club[0], 4)
        opened = desk.recorder.begin
        faults = iter([psycopg.OperationalError("away"), None])

        async def begin(*given):
            fault = next(faults, None)
            if fault is not None:
                raise fault
            return await opened(*given)

        monkeypatch.setattr(desk.recorder, "begin", begin)
        with pytest.raises(psycopg.OperationalError):
            await desk.steward.catch_up(club[0])
        await desk.steward.catch_up(club[0])
        for match in matches_of(await desk.state(stream)):
            assert await desk.recorder.streams.match(match) is not None

    with_pool(database, act)


@pytest.fixture
def often_noted(monkeypatch):
    """The steward notes where it stands after every event, not after a thousand."""
    monkeypatch.setattr("service.steward.steward.FAR", 1)


async def over(desk, club):
    """A tournament of one match that is over and done, and its match."""
    stream = await desk.tournament(club, 2)
    await desk.steward.catch_up(club)
    (match,) = matches_of(await desk.state(stream))
    await desk.play(match)
    await desk.steward.catch_up(club)
    await desk.recorder.tournament(stream, Orders((c.Finish(),)), own_request(By(None, "director")))
    await desk.steward.catch_up(club)
    return stream, match


def test_a_later_steward_skips_finished_tournaments(database, club, often_noted):
    async def act(pool):
        first, second = Desk(pool), Desk(pool)
        await over(first, club[0])
        going = await first.tournament(club[0])
        await first.steward.catch_up(club[0])
        await second.steward.catch_up(club[0])
        assert second.steward._clubs[club[0]].tournaments == {going}

    with_pool(database, act)


@pytest.mark.parametrize("noted", [True, False])
def test_a_later_steward_sees_changes_of_a_finished_tournament(database, club, often_noted, noted):
    """The same whether it begins from a note or from the first event."""

    async def act(pool):
        first, second, third = Desk(pool), Desk(pool), Desk(pool)
        stream, match = await over(first, club[0])
        before = (await first.state(stream)).version
        await first.recorder.match(match, mc.UndoLast(), own_request(By(None, "scorer")))  # and gone
        if not noted:
            async with pool.connection() as connection:
                await connection.execute("delete from checkpoints where club_id = %s", [club[0]])
        await second.steward.catch_up(club[0])
        after = (await second.state(stream)).version
        assert after > before
        await third.steward.catch_up(club[0])
        assert (await third.state(stream)).version == after, "it is said once"

    with_pool(database, act)


def test_a_steward_started_from_a_checkpoint_sees_later_events(database, club, often_noted):
    async def act(pool):
        first, second = Desk(pool), Desk(pool)
        old, match = await over(first, club[0])
        await second.steward.catch_up(club[0])
        stream = await first.tournament(club[0], 2)
        await second.steward.catch_up(club[0])
        await first.play(matches_of(await first.state(stream))[0])
        before = (await first.state(old)).version
        await first.recorder.match(match, mc.UndoLast(), own_request(By(None, "scorer")))
        await second.steward.catch_up(club[0])
        assert len((await second.state(stream)).stage.decided) == 1
        assert (await second.state(old)).version > before

    with_pool(database, act)
