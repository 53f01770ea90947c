"""The heap of a process that has loaded what it needs: garbage is looked for rarely, and only among what came later."""

import gc
from typing import Final

RARELY: Final = 50_000, 20, 100  # for a process that does one work, and ends
SERVING: Final = 10_000, 20, 50  # for one that serves for months, whose answers wait while garbage is looked for


def settle(often: tuple[int, int, int] = RARELY) -> None:
    """Keep what is loaded for good: a look through all of it takes tens of milliseconds, and finds nothing."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*often)
