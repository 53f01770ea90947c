"""The heap of a process that serves: Linux holds it in large pages."""

import mmap
import os
import subprocess
import sys

import pytest

from service import heap

FULL = 64 << 20  # bytes of small things
PROGRAM = f"""
from pathlib import Path
from service.heap import take_large_pages

def large():
    told = Path("/proc/self/smaps_rollup").read_text()
    return int(told.partition("AnonHugePages:")[2].split()[0]) << 10

things = [str(number) * 10 for number in range({FULL} // 100)]
before = large()
take_large_pages()
print(large() - before, things == [str(number) * 10 for number in range({FULL} // 100)])
"""
FORBIDDEN = "import ctypes; ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)"  # PR_SET_THP_DISABLE: of this process


def told(program):
    """The words of a process of its own."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


@pytest.fixture(autouse=True)
def known():
    """A system that knows large pages and the call for them."""
    trial = "import ctypes, mmap; part = mmap.mmap(-1, 8 << 20, 34); part[::4096] = bytes(2048)"
    start = "place = -(-ctypes.addressof(ctypes.c_char.from_buffer(part)) // 2097152) * 2097152"
    call = "print(ctypes.CDLL(None).madvise(ctypes.c_void_p(place), ctypes.c_size_t(2097152), 25))"
    if sys.platform != "linux" or told("; ".join((trial, start, call))) != ["0"]:
        pytest.skip("this system does not take large pages when it is asked")


def test_most_of_a_heap_is_in_large_pages_and_unchanged():
    large, same = told(PROGRAM)
    assert int(large) > FULL // 2
    assert same == "True"


def test_a_system_that_refuses_large_pages_is_no_fault():
    large, same = told(f"{FORBIDDEN}\n{PROGRAM}")
    assert (large, same) == ("0", "True")


def test_a_system_without_a_memory_map_is_no_fault():
    hidden = "import service.heap; service.heap._MAPS = service.heap.Path('/nowhere/maps')"
    large, same = told(f"{hidden}\n{PROGRAM}")
    assert (large, same) == ("0", "True")


@pytest.mark.parametrize("name", [b"caf\xe9", "two\u2028lines".encode()])
def test_a_file_whose_name_is_no_plain_text_is_no_fault(tmp_path, name):
    place = tmp_path / os.fsdecode(name)
    place.write_bytes(bytes(4096))
    with place.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ):
        assert heap._written()
