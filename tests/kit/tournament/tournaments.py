"""Tournaments for tests of tie-breaks: crosstables from text, and random ones with every kind of round."""

import random

from domain.pairing.crosstable import Crosstable, Outcome, PlayerRow, PointSystem, RoundCell

RESULTS = [
    *[("1", "0")] * 6,
    *[("=", "=")] * 3,
    *[("0", "1")] * 6,
    ("+", "-"),
    ("-", "+"),
    ("-", "-"),
    ("W", "L"),
    ("D", "D"),
]


def table(*rows, **more):
    """Read a line per player, a word per round: opponent, side and result (`3w1`, `2b=`), a bye's letter, or `.`."""
    made = [PlayerRow(number, f"P{number}", tuple(map(_cell, row.split()))) for number, row in enumerate(rows, start=1)]
    return Crosstable(tuple(made), **more)


def _cell(word):
    if word == ".":
        return RoundCell()
    if len(word) == 1:
        return RoundCell(outcome=Outcome(word))
    return RoundCell(int(word[:-2]), {"w": True, "b": False}[word[-2]], Outcome(word[-1].replace("_", " ")))


def swiss(seed, players=0, rounds=0, missing=0.1, points=None):
    """Return a random tournament with late entries, withdrawals and forfeits, paired by score, rematches allowed."""
    chance, worth = random.Random(seed), points or PointSystem()
    players, rounds = players or chance.randint(3, 20), rounds or chance.randint(1, 9)
    cells, met, gone = {number: [] for number in range(1, players + 1)}, set(), set()
    for _ in range(rounds):
        out = {number: RoundCell(outcome=Outcome.ZERO_BYE) for number in gone}
        for number in cells.keys() - gone:
            if chance.random() < missing:
                out[number] = RoundCell(outcome=Outcome(chance.choice("HZHFZ")))
                gone |= {number} if chance.random() < 0.3 else set()
        free = sorted(cells.keys() - out.keys(), key=lambda each: (-_score(worth, cells[each]), each))
        if len(free) % 2:
            out[free.pop()] = RoundCell(outcome=Outcome.PAIRING_BYE)
        while free:
            one = free.pop(0)
            other = next((each for each in free if (one, each) not in met), free[0])
            free.remove(other)
            pair(chance, out, one, other, chance.choice(RESULTS))
            met |= {(one, other), (other, one)}
        for number, row in cells.items():
            row.append(out[number])
    return _table(cells, rounds, worth)


def robin(seed):
    """Return a single or double round robin with some forfeits."""
    chance = random.Random(seed)
    players = chance.randint(3, 9)
    size = players + players % 2
    order, cells = list(range(1, size + 1)), {number: [] for number in range(1, players + 1)}
    rounds = (size - 1) * chance.choice((1, 1, 2))
    for _ in range(rounds):
        out = {}
        for one, other in zip(order[: size // 2], reversed(order[size // 2 :]), strict=True):
            if max(one, other) > players:
                out[min(one, other)] = RoundCell(outcome=Outcome.ZERO_BYE)
            else:
                pair(chance, out, one, other, chance.choice(RESULTS))
        for number, row in cells.items():
            row.append(out[number])
        order = [order[0], order[-1], *order[1:-1]]
    return _table(cells, rounds, PointSystem(), fixed_pairings=True)


def pair(chance, out, one, other, results):
    first = chance.random() < 0.5
    out[one] = RoundCell(other, first, Outcome(results[0]))
    out[other] = RoundCell(one, not first, Outcome(results[1]))


def _score(worth, cells):
    return sum(worth.of(cell.outcome) for cell in cells)


def _table(cells, rounds, points, **more):
    rows = tuple(PlayerRow(number, f"Player {number}", tuple(row), 2400 - number) for number, row in cells.items())
    return Crosstable(rows, rounds, points, name="Random", first_deals=True, **more)
