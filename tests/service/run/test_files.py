"""Descriptors: as many as there may be are taken, and too few are told, once, with what to do."""

import subprocess
import sys

TAKING = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
from service.run.server import take_files
take_files()
print("left", resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def taken(soft, hard):
    done = subprocess.run(
        [sys.executable, "-c", TAKING, str(soft), str(hard)], capture_output=True, text=True, timeout=150, check=True
    )
    return done.stdout + done.stderr


def test_the_soft_limit_is_raised_to_the_hard_one_without_a_warning():
    said = taken(256, 3000)
    assert "left 3000" in said
    assert "open at once" not in said


def test_too_low_a_limit_is_warned_of_in_one_line():
    (line,) = [line for line in taken(256, 2047).splitlines() if "open at once" in line]
    assert "only 2047 files" in line
    assert "LimitNOFILE" in line
