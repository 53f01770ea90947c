"""The stage of all figures: an embedded server in a temporary folder, started at its first use."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from service.cli import clerk
from service.run.database import Database
from service.run.embedded import Embedded
from service.run.migrate import upgrade
from service.run.pool import make_pool
from service.store import tokens
from service.store.pool import Pool

try:
    from uvloop import new_event_loop
except ImportError:  # not on Windows
    new_event_loop = asyncio.new_event_loop  # type: ignore[assignment,unused-ignore]

# The reference table has the columns, constraints and indexes of `events` and none of its triggers.
BARE_TABLE = "create table bare (like events including all)"


class BenchClub(msgspec.Struct, frozen=True):
    """A club to record in, and a director's token for it."""

    id: str
    token: str


class Stage:
    """A temporary folder and a migrated database in it; everything ends with the stack."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack = stack

    @cached_property
    def folder(self) -> Path:
        """A folder that `nobody` can pass, for as root the server runs as `nobody`."""
        root = Path(tempfile.mkdtemp(prefix="lurch-bench-"))
        self.stack.callback(shutil.rmtree, root, ignore_errors=True)
        root.chmod(0o755)
        return root

    @cached_property
    def embedded(self) -> Embedded:
        """A server of our own, running."""
        server = Embedded(self.folder / "data")
        self.stack.callback(server.stop)
        server.start()
        return server

    @cached_property
    def database(self) -> Database:
        """The migrated database, with the reference table beside the log."""
        owner, app = self.embedded.url("lurch_owner"), self.embedded.url("lurch_app")
        upgrade(owner, app)
        with psycopg.connect(owner) as connection:
            connection.execute(BARE_TABLE)
            connection.execute("grant select, insert on bare to lurch_app")
        return Database(app, owner, self.embedded)

    @cached_property
    def club(self) -> BenchClub:
        """A private club."""

        async def found() -> BenchClub:
            async with make_pool(self.database.url, 1) as pool:
                club = await clerk.club_named(pool, "Bench")
                return BenchClub(club, await tokens.create_token(pool, club, "director", "bench"))

        club: BenchClub = self.run(found)
        return club

    @cached_property
    def runner(self) -> asyncio.Runner:
        """The kind of event loop that the service runs on; it ends before the server does."""
        assert self.embedded.child is not None
        return self.stack.enter_context(asyncio.Runner(loop_factory=new_event_loop))

    def run(self, act: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Run something to its end on the loop."""
        return self.runner.run(act())

    def pool(self, size: int = 1) -> Pool:
        """A pool with the service's settings, of one connection unless said, open until the stage is cleared."""
        pool = make_pool(self.database.url, size)
        self.run(pool.open)
        self.stack.callback(lambda: self.run(pool.close))
        return pool

    @cached_property
    def durability(self) -> str:
        """The server's settings for the durability of a commit."""
        with psycopg.connect(self.database.url) as connection:
            shown = [connection.execute(f"show {name}").fetchone() for name in ("synchronous_commit", "fsync")]
        return "synchronous_commit {}, fsync {}".format(*(row[0] for row in shown if row))


class Run(msgspec.Struct, frozen=True):
    """The circumstances of a figure: the stage, full or quick sizes, a function that is called for each round, and the
    number of events of a club that grows, where one was asked for."""

    stage: Stage
    quick: bool
    tick: Callable[[], None] = lambda: None
    size: int | None = None

    def pick(self, full: int, quick: int) -> int:
        """A size or a number of rounds."""
        return quick if self.quick else full
