"""Perft: counts of the legal lines from fixed positions to each depth, kept in tests/data/perft.txt.

A position is a history line: a deal and its actions so far. `python -m tests.kit.games.perft` counts again through the
protocol and writes the table; read the diff. The test also counts with the naive tables.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from domain import codec
from domain.games import find
from domain.notation import history
from domain.notation.dealing import random_deal
from tests.kit.games.naive_stock import Garbo, GetStuck, OverTheTop, Ristikontra
from tests.kit.games.naive_tricks import CrossFour, CrossGame, Parity

FILE = Path(__file__).parents[2] / "data" / "perft.txt"
HEAD = """# Legal lines from fixed positions, a deal and the actions so far: how many there are of each length (one that
# ended before counts for nothing more), and how many of the complete ones end with which scores.
"""
NAIVE: dict[str, Any] = {
    "parity": Parity,
    "cross_purposes": CrossFour,
    "cross_game": CrossGame,
    "over_the_top": OverTheTop,
    "ristikontra": Ristikontra,
    "get_stuck": GetStuck,
    "garbo": Garbo,
}
Row = tuple[str, dict[str, Any], int, int, int]  # game, options, deal of seed 1, facts played already, depth (0: all)
PLAYED = ((0, 5), (12, 5), (22, 0))
OPTIONS_RK: list[dict[str, Any]] = [
    {},
    {"spice": True},
    {"refill": "after_card"},
    {"hand_size": 5},
    {"cleaning": True},
    {"cleaning": True, "dishonour_points": 2},
    {"values": "five"},
]
FOUR: list[dict[str, Any]] = [
    {"variant": "fixed"},
    {"variant": "fixed", "open_proposals": "latest"},
    {"variant": "fixed", "own_repeat": False},
    {"variant": "fixed", "open_proposals": "latest", "own_repeat": False},
    {"variant": "alliance"},
    {"variant": "alliance", "open_proposals": "latest"},
    {"variant": "alliance", "own_repeat": False},
    {"variant": "alliance", "open_proposals": "latest", "own_repeat": False},
]
# for each of the above: a position with trumps agreed, and one with tops agreed (deal, calls made)
AGREED = [
    *((4, 12), (1, 12), (4, 12), (1, 12), (2, 20), (1, 7), (1, 19), (2, 21)),
    *((4, 10), (1, 6), (2, 35), (1, 6), (4, 8), (2, 7), (4, 8), (2, 7)),
]


def rows() -> list[Row]:
    """Return every position of the table."""
    found: list[Row] = [("get_stuck", {}, number, played, depth) for number in (1, 2, 3) for played, depth in PLAYED]
    for scope in ({}, {"suit_scope": "line"}, {"draw_schedule": "web"}):
        found += [("garbo", scope, 1, played, depth) for played, depth in ((0, 4), (7, 3), (15, 2), (30, 0))]
    found += [("parity", {}, 1, 0, 6), ("parity", {}, 8, 22, 0)]
    found += [("parity", {}, number, 24, 0) for number in (2, 4, 5, 6, 7, 12, 36, 38, 61)]
    found += [("parity", {}, number, 26, 0) for number in (1, 3)]
    for place, given in enumerate(FOUR):
        found += [
            ("cross_purposes", given, 2, 0, 3),
            ("cross_purposes", given, 2, 4, 4),
            ("cross_purposes", given, 4, 6, 4),
        ]
        trumps, tops = AGREED[2 * place : 2 * place + 2]
        found += [("cross_purposes", given, *trumps, 4), ("cross_purposes", given, *tops, 5)]
    for given in ({}, {"announce": "declared"}):
        found += [("cross_game", given, 4, 0, 5), ("cross_game", given, 50, 4, 5)]
        found += [("cross_game", given, number, 19, 0) for number in (4, 8, 50)]
    for given in ({}, {"no_numeral": "ten"}, {"ace_is_numeral": False}):
        found += [("over_the_top", given, 1, 0, 4), ("over_the_top", given, 2, 8, 5)]
        found += [("over_the_top", given, number, 47, 0) for number in (1, 3)]
    for given in OPTIONS_RK:
        found += [
            ("ristikontra", given, 1, 0, 5),
            ("ristikontra", given, 2, 16, 4),
            ("ristikontra", given, 4, 50 if "spice" in given else 41, 0),
        ]
    found.append(("ristikontra", {"no_fourth_lead": True, "cleaning": True}, 277, 20, 5))
    found.append(("ristikontra", {"tie_break_tricks": True}, 23, 44, 0))
    return found


def position_of(row: Row) -> str:
    """Return the history line of a random deal, as far as it is played."""
    key, given, number, played, _ = row
    game = find(key)
    line = json.loads(random_deal(game, codec.convert(given, game.options), given, 1, number))
    line["actions"] = line["actions"][:played]
    return json.dumps(line, separators=(",", ":"))


def start(line: str) -> tuple[Any, Any]:
    """Return the game and the state of a position; all of its actions must be legal."""
    read = history.read(line)
    state = read.game.start(read.options, read.dealer, read.deal)
    for fact in read.facts:
        assert read.game.breaches(state, fact) == ()
        state = read.game.evolve(state, fact)
    return read.game, state


def naive_start(line: str) -> Any:
    """Return the naive table of a position."""
    raw = json.loads(line)
    table = NAIVE[raw["game"]](raw.get("options", {}), raw["dealer"], raw["deal"])
    for action in raw["actions"]:
        assert action in table.legal(), action
        table = table.after(action)
    return table


def counted(line: str, depth: int) -> str:
    """Count the lines of a position through the protocol."""
    game, state = start(line)
    return walked(state, depth, game.legal, game.evolve, lambda table: game.score(table).scores)


def naively(line: str, depth: int) -> str:
    """Count the lines of a position with the naive table."""
    kind = NAIVE[json.loads(line)["game"]]
    return walked(naive_start(line), depth, kind.legal, kind.after, kind.scores)


def walked(table: Any, depth: int, legal: Any, after: Any, scores: Any) -> str:
    """Count the lines of each length, and the complete ones by their scores, as the file writes them."""
    lines: Counter[int] = Counter()
    ends: Counter[str] = Counter()

    def walk(at: Any, length: int) -> None:
        choices = legal(at)
        if not choices:
            ends[":".join(map(str, scores(at)))] += 1
            return
        lines[length] += len(choices)
        if length != depth:
            for choice in choices:
                walk(after(at, choice), length + 1)

    walk(table, 1)
    text = "lines " + " ".join(map(str, lines.values()))
    told = ", ".join(f"{score} {count}" for score, count in sorted(ends.items()))
    return f"{text} | ends {told}" if told else text


def read_all() -> list[tuple[str, str, str]]:
    """Return the name, position and counts of each row of the table."""
    blocks = FILE.read_text(encoding="utf-8").removeprefix(HEAD).strip().split("\n\n")
    found = [block.split("\n") for block in blocks]
    return [(name, line, counts) for name, line, counts in found]


def named(row: Row) -> str:
    """Return the name of a position."""
    key, given, number, played, depth = row
    options = [f"{name}={str(value).lower()}" for name, value in given.items()]
    return " ".join([key, *options, f"deal {number}, after {played}, {f'to depth {depth}' if depth else 'to the end'}"])


def write_all() -> None:
    """Count every position through the protocol and write the table."""
    blocks = []
    for row in rows():
        line = position_of(row)
        blocks.append(f"{named(row)}\n{line}\n{counted(line, row[4])}\n")
    FILE.write_text(HEAD + "\n" + "\n".join(blocks), encoding="utf-8")


if __name__ == "__main__":
    write_all()
