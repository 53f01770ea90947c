"""The heap of a process that has loaded what it needs: garbage is looked for rarely, and only among what came later; of
one that serves the system holds it in large pages."""

import ctypes
import gc
import sys
import threading
import time
from pathlib import Path
from typing import Final

RARELY: Final = 50_000, 20, 100  # for a process that does one work, and ends
SERVING: Final = 10_000, 20, 50  # for one that serves for months, whose answers wait while garbage is looked for
LARGE: Final = 2 << 20  # bytes of a large page
AT_MOST: Final = 3_600.0  # seconds between two looks at a heap
_COLLAPSE: Final = 25  # MADV_COLLAPSE, since Linux 6.1: Python has no name for it
_MAPS: Final = Path("/proc/self/maps")


def settle(often: tuple[int, int, int] = RARELY) -> None:
    """Keep what is loaded for good: a look through all of it takes tens of milliseconds, and finds nothing."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*often)


def keep_in_large_pages() -> None:
    """Take large pages soon, and then ever more seldom, in a thread of its own: a heap grows while its caches fill."""
    if sys.platform == "linux":
        threading.Thread(target=_keep, daemon=True).start()


def _keep() -> None:
    pause = 1.0
    while True:
        time.sleep(pause)
        take_large_pages()
        pause = min(2 * pause, AT_MOST)


def take_large_pages() -> None:
    """Ask Linux to hold what this process writes in pages of two megabytes, where it fills such pages. An answer reads
    all over the heap, a processor knows the places of few pages by heart, and it forgets them whenever another
    process has its turn. Parts for which the system refuses stay as they were."""
    system = ctypes.CDLL(None)
    for start, end in _written():
        for page in range(-(-start // LARGE) * LARGE, end - LARGE + 1, LARGE):
            system.madvise(ctypes.c_void_p(page), ctypes.c_size_t(LARGE), _COLLAPSE)


def _written() -> list[tuple[int, int]]:
    """The begin and end of each part of memory that this process writes, of no file; none where nobody may look."""
    found = []
    try:
        lines = _MAPS.read_text(errors="replace").rstrip("\n").split("\n")
    except OSError:
        return []
    for line in lines:
        place, rights, _, _, file, *name = line.split()
        if rights == "rw-p" and file == "0" and name in ([], ["[heap]"]):
            start, end = place.split("-")
            found.append((int(start, 16), int(end, 16)))
    return found
