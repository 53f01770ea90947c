"""Turns at the processors: the embedded database interrupts nobody who serves, an import is last, workers have whole
ones."""

import contextlib
import os
import subprocess
import sys

import pytest

from service.processors import NICENESS, TURN
from service.run.holders import servers
from tests.kit.service.turns import turn_of


def told(program):
    """What a process of its own says."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.fixture(autouse=True)
def chosen():
    """Turns can be chosen here, and nobody has."""
    if not hasattr(os, "SCHED_BATCH"):
        pytest.skip("only Linux has turns that can be chosen")
    trial = "import os; os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)); print(os.sched_getscheduler(0))"
    try:
        said = told(trial)
    except subprocess.CalledProcessError:
        pytest.skip("this system lets nobody choose")
    if os.sched_getscheduler(0) != os.SCHED_OTHER or said != [str(os.SCHED_BATCH)]:
        pytest.skip("turns were chosen already")


def test_the_embedded_server_takes_long_turns(database):
    if database.embedded is None:
        pytest.skip("the server is in a container")
    policies = set()
    for each in servers(database.embedded.data):
        with contextlib.suppress(ProcessLookupError):  # it has ended
            policies.add(os.sched_getscheduler(each.pid))
    assert policies == {os.SCHED_BATCH}


def test_whoever_takes_in_a_file_gives_way():
    program = (
        "import os; from service.processors import give_way; give_way(); print(os.nice(0), os.sched_getscheduler(0))"
    )
    assert told(program) == [str(min(os.nice(0) + NICENESS, 19)), str(os.SCHED_BATCH)]


def test_turns_that_somebody_has_chosen_stay():
    program = (
        "import os; from service.processors import take_long_turns;"
        "os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)); take_long_turns(); print(os.sched_getscheduler(0))"
    )
    assert told(program) == [str(os.SCHED_IDLE)]


def test_a_worker_has_whole_turns_and_stays_what_it_was():
    if turn_of(0) is None:
        pytest.skip("this kernel gives every process the same turn")
    program = (
        "import os; from service.processors import take_whole_turns; from tests.kit.service.turns import turn_of;"
        "os.nice(3); take_whole_turns(); print(turn_of(0), os.nice(0), os.sched_getscheduler(0))"
    )
    assert told(program) == [str(TURN), str(os.nice(0) + 3), str(os.SCHED_OTHER)]
