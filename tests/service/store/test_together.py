"""Shared look-ups: nobody hears of what was looked up before he asked, whoever else asks or goes away meanwhile."""

import asyncio
from random import Random

import pytest

from service.store.together import SharedLookUps


class World:
    """What is looked up changes; a look-up sees it as it was when it began, and takes some turns."""

    def __init__(self, seed=0):
        self.random, self.version, self.looked_up = Random(seed), 0, []
        self.asking = SharedLookUps(self.find)

    async def find(self, key, items):
        seen = self.version
        self.looked_up.append(sorted(items))
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)
        return dict.fromkeys(items, seen)

    async def ask(self, item):
        least = self.version
        found = await self.asking.ask("club", item)
        assert found[item] >= least

    async def some_turns(self):
        for _ in range(self.random.randrange(3)):
            await asyncio.sleep(0)


@pytest.mark.parametrize("seeds", [range(25), pytest.param(range(25, 50), marks=pytest.mark.extended)])
def test_a_shared_answer_is_never_older_than_its_question(seeds):
    async def inside(seed):
        world, asking = World(seed), []
        for number in range(60):
            asking.append(asyncio.create_task(world.ask(number % 7)))
            world.version += world.random.random() < 0.5
            if world.random.random() < 0.4:
                world.random.choice(asking).cancel()
            await world.some_turns()
        return await asyncio.gather(*asking, return_exceptions=True)

    for seed in seeds:
        ends = asyncio.run(asyncio.wait_for(inside(seed), 60))
        assert not [end for end in ends if isinstance(end, Exception)], seed


def test_concurrent_questions_share_one_look_up_despite_cancellations():
    async def inside():
        world = World()
        asking = [asyncio.create_task(world.ask(number)) for number in range(20)]
        await asyncio.sleep(0)
        asking[0].cancel()
        ends = await asyncio.gather(*asking, return_exceptions=True)
        return ends, world.looked_up

    (gone, *others), looked_up = asyncio.run(inside())
    assert isinstance(gone, asyncio.CancelledError)
    assert others == [None] * 19
    assert looked_up == [list(range(20))]


def test_a_failure_is_shared_and_the_next_question_looks_up_again():
    async def inside():
        tried = []

        async def away(key, items):
            tried.append(key)
            await asyncio.sleep(0)
            raise OSError("away")

        asking = SharedLookUps(away)
        ends = await asyncio.gather(*(asking.ask("club") for _ in range(9)), return_exceptions=True)
        with pytest.raises(OSError, match="away"):
            await asking.ask("club")
        return ends, tried

    ends, tried = asyncio.run(inside())
    assert [str(end) for end in ends] == ["away"] * 9
    assert len(tried) == 2


def test_waiting_questions_are_cancelled_when_the_loop_ends():
    async def inside():
        async def never(key, items):
            await asyncio.Event().wait()

        asking = SharedLookUps(never)
        waiting = [asyncio.create_task(asking.ask("club"))]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(asking.ask("club")))
        await asyncio.sleep(0)
        return waiting

    assert [each.cancelled() for each in asyncio.run(inside())] == [True, True]
