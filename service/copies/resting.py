"""Rests of a copy that is taken beside an evening: twice as long as the work before, and often.

Many systems take a processor away from nobody in the middle of his turn, whoever waits and however polite he is told to
be. So who packs a million bytes at once holds up a scorer for as long as that takes.
"""

import time
from typing import Final

TIMES: Final = 2
LONGEST: Final = 0.05  # seconds: a machine that slept is no work


class Rests:
    """The rests of one copy; none where nobody is `beside` it."""

    def __init__(self, beside: bool) -> None:
        self._beside, self._since = beside, time.perf_counter()

    def take(self) -> None:
        """Rest for twice as long as it was worked since the last one."""
        if self._beside:
            time.sleep(min(TIMES * (time.perf_counter() - self._since), LONGEST))
            self._since = time.perf_counter()
