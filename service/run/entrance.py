"""Which of several workers take who connects: as many as there are processors, while the others stand by.

More of them would serve fewer. Each would have its turn for a few answers, and fetch again what it needs for the next.
"""

import contextlib
import ctypes
import socket
import struct
import sys
from collections.abc import Sequence
from typing import Final

_ATTACH: Final = 51  # SO_ATTACH_REUSEPORT_CBPF, which Python has no name for: a program picks the socket by its number
_LOAD, _REST, _IF_EQUAL, _PICK = 0x20, 0x94, 0x15, 0x06  # what such a program can do, see linux/bpf_common.h
_RANDOM: Final = 0xFFFF_F000 + 56  # where it finds a random number: SKF_AD_OFF + SKF_AD_RANDOM
_STEP: Final = "=HBBI"  # what to do, steps to leave out if so and if not, and a number: `struct sock_filter`


class Entrance:
    """Leads who connects to workers that serve; all of them are numbered from 0, in the order of their sockets.

    `serving` are those who are led to now. It is as long as there are places: one for each processor, where the system
    lets itself be told whom to lead to, else one for each worker.
    """

    def __init__(self, listeners: Sequence[socket.socket], processors: int) -> None:
        self._listeners = listeners
        self._answering: list[int] = []
        self.serving = list(range(len(listeners)))
        first = self.serving[:processors]
        if first != self.serving and _lead(listeners, first):
            self.serving = first

    def answers(self, worker: int) -> None:
        """A worker answers. It stands by unless a place is free, or is held by one that has ended."""
        self._answering.append(worker)
        self._choose()

    def ended(self, worker: int) -> None:
        """A worker has ended. The one that has stood by for longest takes its place; if none does, who connects there
        waits for the next worker."""
        if worker in self._answering:
            self._answering.remove(worker)
            self._choose()

    def _choose(self) -> None:
        serving = chosen(self.serving, self._answering)
        if set(serving) != set(self.serving) and _lead(self._listeners, serving):
            self.serving = serving


def chosen(serving: Sequence[int], answering: Sequence[int]) -> list[int]:
    """The workers that serve from now on, as many as before: who serves and answers stays, then come who stand by, the
    longest first."""
    staying = [worker for worker in serving if worker in answering]
    standing_by = [worker for worker in answering if worker not in serving]
    gone = [worker for worker in serving if worker not in answering]
    return (staying + standing_by + gone)[: len(serving)]


def _lead(listeners: Sequence[socket.socket], workers: Sequence[int]) -> bool:
    """Have the system lead who connects to these, each as often; tells whether it does. Others keep whom they have."""
    if sys.platform != "linux":
        return False
    steps = [(_LOAD, 0, 0, _RANDOM), (_REST, 0, 0, len(workers))]
    for number, worker in enumerate(workers):
        steps += [(_IF_EQUAL, 0, 1, number), (_PICK, 0, 0, worker)]
    steps.append((_PICK, 0, 0, workers[0]))  # never come to, but a program has an end
    program = ctypes.create_string_buffer(b"".join(struct.pack(_STEP, *step) for step in steps))
    with contextlib.suppress(OSError):
        told = struct.pack("HP", len(steps), ctypes.addressof(program))  # `struct sock_fprog`
        listeners[0].setsockopt(socket.SOL_SOCKET, _ATTACH, told)
        return True
    return False
