"""Those who ask for the same thing at once share one answer, which was looked up after each of them had asked."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Key = TypeVar("Key")
Item = TypeVar("Item")
Answer = TypeVar("Answer")


class LookUp(Generic[Item, Answer]):
    """A look-up of a key: the items asked for, and its answer or error once it is done."""

    def __init__(self) -> None:
        self.items: set[Item] = set()
        self.done = False
        self.answer: Answer  # there once it is done and did not fail
        self.error: Exception | None = None


class KeyQueue(Generic[Item, Answer]):
    """The look-ups of one key, one after the other, and the next one, which gathers requests meanwhile."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.gathering: LookUp[Item, Answer] = LookUp()


class SharedLookUps(Generic[Key, Item, Answer]):
    """Look-ups by key, one at a time for each; a request during one of them shares the next.

    A failure is shared like an answer: a thousand who wait for a database that is away wait once.
    """

    def __init__(self, find: Callable[[Key, frozenset[Item]], Awaitable[Answer]]) -> None:
        self._find = find
        self._turns: WeakValueDictionary[Key, KeyQueue[Item, Answer]] = WeakValueDictionary()

    async def ask(self, key: Key, *items: Item) -> Answer:
        """The answer for a key, with these items among those that are looked up. Raises what the look-up raises."""
        turns = self._turns.get(key)
        if turns is None:
            turns = self._turns[key] = KeyQueue()
        own = turns.gathering
        own.items.update(items)
        async with turns.lock:
            if not own.done:
                turns.gathering = LookUp()  # later requests need the next look-up
                await self._look_up(key, own)
        if own.error is not None:
            raise own.error
        return own.answer

    async def _look_up(self, key: Key, own: LookUp[Item, Answer]) -> None:
        """Look up for all; the first in the queue does it, or the next one if that is cancelled meanwhile."""
        try:
            own.answer = await self._find(key, frozenset(own.items))
        except Exception as error:
            own.error = error
        own.done = True
