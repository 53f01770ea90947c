"""A movement as a value, and its balance: counted from the rounds, whoever made them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

import msgspec

Pair: TypeAlias = tuple[int, int]
PartnersTable: TypeAlias = tuple[Pair, Pair]  # partners against partners
Frequencies: TypeAlias = dict[int, int]  # how often: how many


class MovementRound(msgspec.Struct, frozen=True):
    """One round: the tables, and who sits out."""

    round: int
    tables: tuple[PartnersTable, ...]
    out: tuple[int, ...]


class Balance(msgspec.Struct, frozen=True):
    """The number of pairs that are partners 0, 1, 2 … times, of pairs that are opponents so often, and of players who
    sit out so often."""

    partners: Frequencies
    opponents: Frequencies
    out: Frequencies


class Movement(msgspec.Struct, frozen=True):
    """An evening. `perfect`: everybody partners everybody once and opposes everybody twice."""

    players: int
    perfect: bool
    rounds: tuple[MovementRound, ...]
    balance: Balance


def movement(players: int, seatings: Iterable[Sequence[int]]) -> Movement:
    """The movement of seatings: players by table, a b - c d, then those who sit out."""
    rounds = tuple(_round(number, seats) for number, seats in enumerate(seatings, start=1))
    balance = balance_of(players, rounds)
    pairs = players * (players - 1) // 2
    return Movement(players, balance.partners == {1: pairs} and balance.opponents == {2: pairs}, rounds, balance)


def _round(number: int, seats: Sequence[int]) -> MovementRound:
    playing = len(seats) // 4 * 4
    tables = tuple(((seats[at], seats[at + 1]), (seats[at + 2], seats[at + 3])) for at in range(0, playing, 4))
    return MovementRound(number, tables, tuple(seats[playing:]))


def balance_of(players: int, rounds: Iterable[MovementRound]) -> Balance:
    """The balance of these rounds."""
    partners: Counter[Pair] = Counter(dict.fromkeys(combinations(range(1, players + 1), 2), 0))
    opponents = Counter(partners)
    out = Counter(dict.fromkeys(range(1, players + 1), 0))
    for each in rounds:
        out.update(each.out)
        for side, other in each.tables:
            partners.update((_sorted(*side), _sorted(*other)))
            opponents.update(_sorted(one, against) for one in side for against in other)
    return Balance(_tally(partners), _tally(opponents), _tally(out))


def _sorted(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _tally(counts: Counter[Pair] | Counter[int]) -> Frequencies:
    return dict(sorted(Counter(counts.values()).items()))
