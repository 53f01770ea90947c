"""`python -m tests.kit.faults.put_clock serve`: runs the service under faketime.

`time.sleep` is replaced, because faketime shifts the absolute monotonic time that Python passes to `clock_nanosleep`.
"""

import runpy
import sys
import threading
import time


def sleep(seconds):
    """Sleep by waiting for a lock, which faketime leaves alone."""
    threading.Event().wait(seconds)


if __name__ == "__main__":
    time.sleep = sleep
    sys.argv[0] = "lurch"
    runpy.run_module("service", run_name="__main__", alter_sys=True)
