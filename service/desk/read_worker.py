"""A process that reads a history file: `python -m service.desk.read_worker TURN OF NAME ...`.

The file is its input. Of every so many lines (`reading.BATCH`) it reads those of its turn, and answers a frame each, in
order. It reads ahead of who takes its answers by no more than some frames, and ends when nobody takes them any more. It
loads no more of the program than that takes.
"""

import os
import queue
import sys
import threading
from collections.abc import Sequence
from typing import BinaryIO, Final

import msgspec

from service.desk.reading import BATCH, batches_of, lines_of
from service.heap import settle
from service.processors import give_way

AHEAD: Final = 200  # frames of some hundred kilobytes
SIZE: Final = 4  # bytes before a frame: its length
Frames = queue.Queue[bytes | None]


def own(lines: Sequence[tuple[int, str]], turn: int, of: int) -> list[tuple[int, str]]:
    """The lines of a turn."""
    return [line for place, line in enumerate(lines) if place // BATCH % of == turn]


def tell(out: BinaryIO, frames: Frames) -> None:
    """Write frames until there are no more. Where nobody takes them any more, this process ends."""
    try:
        while (frame := frames.get()) is not None:
            out.write(len(frame).to_bytes(SIZE) + frame)
            out.flush()
    except BrokenPipeError:
        os._exit(0)


def main(turn: int, of: int, *names: str) -> None:
    """Read all of it."""
    lines = own(lines_of(sys.stdin.buffer.read().decode()), turn, of)
    give_way()
    settle()
    frames: Frames = queue.Queue(AHEAD)
    telling = threading.Thread(target=tell, args=(sys.stdout.buffer, frames), daemon=True)
    telling.start()
    for found in batches_of(lines, names):
        frames.put(msgspec.msgpack.encode(found))
    frames.put(None)
    telling.join()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
