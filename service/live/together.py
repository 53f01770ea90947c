"""Those who ask for the same thing at once share one answer, which was looked up after each of them had asked."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Key = TypeVar("Key")
Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Round(Generic[Item, Answer]):
    """The next look-up of a key: what is asked for, and how it ended once it has been made."""

    def __init__(self) -> None:
        self.items: set[Item] = set()
        self.done = False
        self.answer: Answer | None = None
        self.error: Exception | None = None


class Turns(Generic[Item, Answer]):
    """One key: its look-ups one after the other, and the round that gathers who comes meanwhile."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.gathering: Round[Item, Answer] = Round()


class Together(Generic[Key, Item, Answer]):
    """Look-ups by key, one at a time for each; whoever comes while one is under way shares the next.

    A failure is shared like an answer: a thousand who wait for a database that is away wait once.
    """

    def __init__(self, find: Callable[[Key, frozenset[Item]], Awaitable[Answer]]) -> None:
        self._find = find
        self._turns: WeakValueDictionary[Key, Turns[Item, Answer]] = WeakValueDictionary()

    async def ask(self, key: Key, *items: Item) -> Answer:
        """The answer for a key, with these items among those that are looked up. Raises what the look-up raises."""
        turns = self._turns.get(key)
        if turns is None:
            turns = self._turns[key] = Turns()
        own = turns.gathering
        own.items.update(items)
        async with turns.lock:
            if not own.done:
                turns.gathering = Round()  # who comes from now on is too late for this one
                await self._look_up(key, own)
        if own.error is not None:
            raise own.error
        return own.answer  # type: ignore[return-value]  # it is done, and did not fail

    async def _look_up(self, key: Key, own: Round[Item, Answer]) -> None:
        """Whoever is first in the queue asks for all; if he is cancelled meanwhile, the next one does."""
        try:
            own.answer = await self._find(key, frozenset(own.items))
        except Exception as error:
            own.error = error
        own.done = True
