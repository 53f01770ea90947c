"""Two opposite reports of one match at one moment: one is taken, the other refused, each time."""

import asyncio

import pytest

from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.tournament import commands as c
from domain.tournament.orders import Orders
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.store.ids import new_id
from service.store.kinds import TOURNAMENT
from service.store.log import By
from service.store.streams import Streams
from tests.conftest import with_pool

PAIRS = 200
STAGE = c.StagePlan(format={"kind": "round-robin"}, game="parity", race={"target": 15})
ENTRIES = 40  # twenty matches a round


async def paired(recorder, club):
    """A round robin with its first round paired."""
    asked = own_request(By(None, "director"))
    people = await recorder.players(club, tuple((f"P{new_id()}",) for _ in range(ENTRIES)), asked)
    enter = tuple(c.Enter(new_id(), players) for players in people)
    done = await recorder.begin(club, new_id(), TOURNAMENT, Orders((c.Announce("Cup", (STAGE,)), *enter)), asked)
    chance = c.Chance(tuple(new_id() for _ in range(ENTRIES * ENTRIES)))
    await recorder.tournament(done.loaded.stream, Orders((c.PairRound(),), chance), own_request(By(None, "director")))
    return done.loaded.stream


async def report(recorder, stream, fixture, winner, person):
    """What a player says; None where it was taken, else why not."""
    asked = own_request(By(None, "player"), actor=Actor("player", person=person))
    try:
        await recorder.tournament(stream, Orders((c.Report(fixture, winner),)), asked)
    except Refusal as refusal:
        return refusal.slug
    return None


@pytest.mark.parametrize("processes", [pytest.param(1, marks=pytest.mark.extended), 2])
def test_one_of_two_contradicting_reports_is_refused(database, club, processes):
    async def act(pool):
        recorders = [Recorder(Streams(pool)) for _ in range(processes)]
        one, other = recorders[0], recorders[-1]
        told, tried = [], 0
        while tried < PAIRS:
            stream = await paired(one, club[0])
            state = (await one.streams.tournament(stream)).tournament
            for fixture, pairing in state.stage.pairings.items():
                sides = [state.entries[side[0]].players[0] for side in pairing.sides]
                told.append(
                    await asyncio.gather(
                        report(one, stream, fixture, 0, sides[0]), report(other, stream, fixture, 1, sides[1])
                    )
                )
                tried += 1
        return told

    for answers in with_pool(database, act):
        assert sorted(answers, key=str) == [None, "forbidden"]
