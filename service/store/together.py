"""Those who ask for the same thing at once share one answer, which was looked up after each of them had asked."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Key = TypeVar("Key")
Item = TypeVar("Item")
Answer = TypeVar("Answer")


class LookUp(Generic[Item, Answer]):
    """A look-up of a key: the items asked for, its answer, and the context of who asked first: it is his request that
    the look-up is counted and traced for."""

    def __init__(self) -> None:
        self.items: set[Item] = set()
        self.context = copy_context()
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.answer.add_done_callback(_taken_note_of)


class KeyQueue(Generic[Item, Answer]):
    """The look-up of a key that is under way, and the next one, which gathers who asks meanwhile."""

    def __init__(self) -> None:
        self.under_way: asyncio.Task[None] | None = None
        self.gathering: LookUp[Item, Answer] | None = None


class SharedLookUps(Generic[Key, Item, Answer]):
    """Look-ups by key, one at a time for each; a request during one of them shares the next. Nobody ends one by going
    away.

    A failure is shared like an answer: a thousand who wait for a database that is away wait once.
    """

    def __init__(self, find: Callable[[Key, frozenset[Item]], Awaitable[Answer]]) -> None:
        self._find = find
        self._turns: WeakValueDictionary[Key, KeyQueue[Item, Answer]] = WeakValueDictionary()

    async def ask(self, key: Key, *items: Item) -> Answer:
        """The answer for a key, with these items among those that are looked up. Raises what the look-up raises."""
        queue = self._turns.get(key)
        if queue is None:
            queue = self._turns[key] = KeyQueue()
        own = queue.gathering
        if own is None:
            own = queue.gathering = LookUp()
            if queue.under_way is None:
                self._begin(key, queue, own)
        own.items.update(items)
        return await asyncio.shield(own.answer)

    def _begin(self, key: Key, queue: KeyQueue[Item, Answer], own: LookUp[Item, Answer]) -> None:
        queue.under_way = asyncio.create_task(self._look_up(key, queue, own), context=own.context)

    async def _look_up(self, key: Key, queue: KeyQueue[Item, Answer], own: LookUp[Item, Answer]) -> None:
        """Look up for all who have asked; then the next one begins."""
        queue.gathering = None  # who asks from now on needs the next look-up
        try:
            own.answer.set_result(await self._find(key, frozenset(own.items)))
        except Exception as error:
            own.answer.set_exception(error)
        finally:
            own.answer.cancel()  # where it has none: the loop ends
            self._go_on(key, queue, ends=own.answer.cancelled())

    def _go_on(self, key: Key, queue: KeyQueue[Item, Answer], ends: bool) -> None:
        queue.under_way, own = None, queue.gathering
        if own is not None and ends:
            own.answer.cancel()
        elif own is not None:
            self._begin(key, queue, own)


def _taken_note_of(answer: "asyncio.Future[Answer]") -> None:
    """An error that nobody waits for any more is none."""
    if not answer.cancelled():
        answer.exception()
