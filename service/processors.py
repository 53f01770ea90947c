"""The machine's processors, and turns at them: the database interrupts nobody who serves, an import leaves them to
others, and of several who serve each has whole ones."""

import contextlib
import ctypes
import os
import platform
import struct
import sys
from typing import Final

NICENESS: Final = 10  # a tenth of the processor where others want it
TURN: Final = 10_000_000  # nanoseconds: some ten answers; Linux gives one to three milliseconds by itself
_SCHED_SETATTR: Final = {"x86_64": 314, "aarch64": 274}  # the number of the call, which Python has no name for
_ATTRIBUTES: Final = "=IIQiIQQQ"  # size, policy, flags, nice, priority, turn, deadline, period: `struct sched_attr`


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


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


def take_whole_turns() -> None:
    """Let this process keep its processor for a while once it has it, where the system knows how: of several that serve
    on fewer processors each would else be stopped in the middle of a few requests, and fetch again what it had at hand.
    Who wants the processor waits so much longer at most."""
    number = _SCHED_SETATTR.get(platform.machine())
    if sys.platform != "linux" or number is None:
        return
    turn = struct.pack(
        _ATTRIBUTES, struct.calcsize(_ATTRIBUTES), os.sched_getscheduler(0), 0, os.nice(0), 0, TURN, 0, 0
    )
    ctypes.CDLL(None).syscall(number, 0, turn, 0)  # refused or not known: turns stay as they were
