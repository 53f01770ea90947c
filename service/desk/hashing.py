"""Slow hashes of passwords and PINs, computed beside the event loop, a few at a time."""

import asyncio
import unicodedata
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from domain.log.decider import Refusal

WORKERS: Final = 2
MOST_WAITING: Final = 60
MOST_OF_DEVICE: Final = 8
HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # what OWASP asks for, 20 ms
NOBODYS: Final = HASHER.hash("the password of nobody")  # unknown names cost the same
_THREADS: Final = ThreadPoolExecutor(WORKERS, thread_name_prefix="argon2")
Answer = TypeVar("Answer")
TOO_MANY: Final = Refusal("too-many-requests", "too many people sign in at this moment: try again soon", retry_after=3)
_waiting = 0
_of_device: Counter[str] = Counter()


async def hashed(secret: str) -> str:
    """The hash of a password or PIN."""
    return await _beside(lambda: HASHER.hash(_plain(secret)))


async def fits(secret: str, known: str | None, device: str) -> bool:
    """Tells whether a hash is that of a secret. Without one it takes as long, and is not. Raises Refusal where many
    wait, or many of this device."""
    if _of_device[device] >= MOST_OF_DEVICE:
        raise TOO_MANY
    _of_device[device] += 1
    try:
        return await _beside(lambda: _verified(secret, known or NOBODYS)) and known is not None
    finally:
        _of_device[device] -= 1
        if not _of_device[device]:
            del _of_device[device]


def _verified(secret: str, known: str) -> bool:
    try:
        return HASHER.verify(known, _plain(secret))
    except (VerificationError, InvalidHashError):
        return False


def _plain(secret: str) -> str:
    """A secret as every keyboard writes it."""
    return unicodedata.normalize("NFKC", secret)


async def _beside(work: Callable[[], Answer]) -> Answer:
    """Work in a thread. Raises Refusal where too many wait already."""
    global _waiting  # noqa: PLW0603  # one queue a process, whatever asks
    if _waiting >= MOST_WAITING:
        raise TOO_MANY
    _waiting += 1
    try:
        return await asyncio.get_running_loop().run_in_executor(_THREADS, work)
    finally:
        _waiting -= 1
