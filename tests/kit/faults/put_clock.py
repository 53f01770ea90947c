"""`python -m tests.kit.faults.put_clock serve`: the service under faketime, whose library refuses Python's own sleep.

It takes the absolute monotonic time of `clock_nanosleep` for one that it must put."""

import runpy
import sys
import threading
import time


def sleep(seconds):
    """Wait by a lock, which faketime leaves alone."""
    threading.Event().wait(seconds)


if __name__ == "__main__":
    time.sleep = sleep
    sys.argv[0] = "lurch"
    runpy.run_module("service", run_name="__main__", alter_sys=True)
