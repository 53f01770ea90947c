"""The scheduler time slice of a process, as the kernel reports it."""

import ctypes
import platform
import struct
import sys

SCHED_GETATTR = {"x86_64": 315, "aarch64": 275}


def turn_of(process):
    """Return the time slice in nanoseconds, or None if the system reports none."""
    number = SCHED_GETATTR.get(platform.machine())
    if sys.platform != "linux" or number is None:
        return None
    told = ctypes.create_string_buffer(48)
    if ctypes.CDLL(None).syscall(number, process, told, 48, 0):
        return None
    return struct.unpack("=IIQiIQQQ", told.raw)[5] or None
