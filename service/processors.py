"""Turns at the machine's processors: the database interrupts nobody who serves, and an import leaves them to others."""

import contextlib
import os
from typing import Final

NICENESS: Final = 10  # a tenth of the processor where others want it


def take_long_turns() -> None:
    """Let this process, and those that it starts, take nobody's processor when they wake, where they may say so. Who
    serves would else be interrupted in the middle of a request, and both fetch again what they had at hand."""
    if not hasattr(os, "SCHED_BATCH"):
        return
    with contextlib.suppress(OSError):
        if os.sched_getscheduler(0) == os.SCHED_OTHER:  # else somebody has chosen
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def give_way() -> None:
    """Leave the processors to others for as long as this process lives: who records waits for his answer, and a file
    waits for nobody."""
    take_long_turns()
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICENESS)
