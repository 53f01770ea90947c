"""Turns at the processors: the embedded database interrupts nobody who serves, and an import is last."""

import os
import subprocess
import sys

import pytest

from service.run.holders import holders

pytestmark = pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="only Linux has turns that can be chosen")


def test_the_embedded_server_takes_long_turns(database):
    if database.embedded is None:
        pytest.skip("the server is in a container")
    policies = {os.sched_getscheduler(each.pid) for each in holders(database.embedded.data)}
    assert policies == {os.SCHED_BATCH}


def test_whoever_takes_in_a_file_gives_way():
    told = (
        "import os; from service.processors import NICENESS, give_way; before = os.nice(0); give_way();"
        "print(os.nice(0) - before == NICENESS, os.sched_getscheduler(0) == os.SCHED_BATCH)"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"
