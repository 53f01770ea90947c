"""Where to look: for (players, rounds) the symmetry and the seed with which an attempt did best of all tried."""

from typing import Final

SEEDS: Final[dict[tuple[int, int], tuple[int, int]]] = {
    (14, 14): (14, 3), (16, 8): (1, 1), (18, 18): (18, 2), (22, 22): (11, 6), (26, 26): (26, 93),
    (27, 27): (27, 4), (30, 30): (30, 260), (31, 31): (31, 6), (34, 34): (34, 48),
}  # fmt: skip
