"""Chance: a fair shuffle that anybody can redo, by a keyed stream of bytes and Fisher-Yates with rejection.

The same key gives the same order on every machine; chance enters only as the key.
"""

import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def words(key: bytes) -> Iterator[int]:
    """32-bit words of HMAC-SHA256(key, counter), without end."""
    counter = 0
    while True:
        block = hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")
        counter += 1


def below(stream: Iterator[int], bound: int) -> int:
    """A number from 0 to `bound` - 1, all equally likely: words beyond the last whole multiple are
    thrown away (taking the remainder of all would favour low numbers)."""
    limit = (1 << 32) - (1 << 32) % bound
    while True:
        word = next(stream)
        if word < limit:
            return word % bound


def shuffled(items: Sequence[Item], stream: Iterator[int]) -> tuple[Item, ...]:
    """The items in an order in which every order is equally likely."""
    order = list(items)
    for at in range(len(order) - 1, 0, -1):
        other = below(stream, at + 1)
        order[at], order[other] = order[other], order[at]
    return tuple(order)
