"""A process that follows chains: `python -m service.desk.verify_worker`.

It is told on its input what to connect to, then a stretch a line, and answers a line each. Its input ends when whoever
asks does, however that ends, so that it never stays behind. It loads no more of the program than that takes.
"""

import asyncio
import sys
from typing import Final

import msgspec
import psycopg

from service.heap import settle
from service.store.chain_bytes import Followed, KnownLogs, StreamRange, follow, seeing

PATIENCE: Final = 30  # seconds for the connection: a busy machine is waited for


class VerifyTask(msgspec.Struct, frozen=True):
    """The database, the name of what is to be seen of it, and what is known of all logs."""

    url: str
    snapshot: str
    known: KnownLogs


class Answer(msgspec.Struct, frozen=True):
    """The answer of a worker: what was found in a stretch, nothing once it is ready, or why it can go no further."""

    followed: Followed | None = None
    failed: str | None = None


def answer(**found: object) -> None:
    """Answer a line."""
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """Answer until nothing more is asked."""
    lines = sys.stdin.buffer
    asked = msgspec.json.decode(lines.readline(), type=VerifyTask)
    settle()
    with asyncio.Runner() as runner:
        try:
            connection = runner.run(seeing(asked.url, asked.snapshot, PATIENCE))
            answer()
            for line in lines:
                answer(
                    followed=runner.run(follow(connection, msgspec.json.decode(line, type=StreamRange), asked.known))
                )
        except psycopg.Error as error:
            answer(failed=str(error))


if __name__ == "__main__":
    main()
