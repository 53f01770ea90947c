"""Turns at the machine's processors: who serves takes long ones, and who takes in a file leaves them to others."""

import contextlib
import os
from typing import Final

NICENESS: Final = 10  # a tenth of the processor where others want it


def take_long_turns() -> None:
    """Let this process, and those that it starts, take nobody's processor when they wake. Of many short requests each
    would else stop another one in the middle, and both have to fetch again what they were working on."""
    if hasattr(os, "SCHED_BATCH"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def give_way() -> None:
    """Leave the processors to others for as long as this process lives: who records waits for his answer, and a file
    waits for nobody."""
    take_long_turns()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
