"""Figures: durable appends one at a time beside pgbench, and many facts in one append beside one at a time."""

import hashlib
import os
import re
import subprocess
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.measure import Figure, at_least, in_turns, row
from bench.stage import Run, Stage
from bench.tables import played_deal
from domain.cards.facts import CardPlayed
from domain.log.decider import New
from service.run.binaries import wheel_binaries
from service.store import appending
from service.store.ids import new_id
from service.store.log import By, Head
from service.store.pool import Pool

BY = By(actor=new_id(), role="scorer", device="table 1")
FACTS = 52
# One row of the size of a CardPlayed; only version, position and command id change from row to row, and from client
# to client.
NEXT = "\\set n :n + 1\n\\set p :client_id * 1000000000 + :n"
HEAD = """with head as (update logs set position = position where club_id = '{club}' and log = 0 returning log)
"""
INSERT = """insert into bare (club_id, stream_id, version, position, type, schema, data, actor, role, seat, device,
    device_clock, recorded_at, command_id, command_index, fingerprint, cause, prev_hash, hash)"""
VALUES = """'{club}'::uuid, '{stream}'::uuid, (:client_id * 100000000 + :n)::int, (:p)::bigint, 'CardPlayed',
    1::smallint, '{{"card":"SA","do":"play","seat":1}}', '{actor}', 'scorer', null::smallint, 'table 1',
    null::timestamptz, now(), lpad((:p)::text, 36, '0'), 0, '{digest}'::bytea, null::text, '{digest}'::bytea,
    '{digest}'::bytea"""


def plays() -> list[New]:
    """The cards of one deal of Cross Purposes, as they were played."""
    return [New(fact) for fact in played_deal("cross_purposes", 1).facts if isinstance(fact, CardPlayed)]


class Writer:
    """One writer that appends to one stream, each append after the one before it."""

    def __init__(self, pool: Pool, club: str) -> None:
        self.pool, self.club, self.stream, self.head = pool, club, new_id(), Head()

    async def append(self, news: Sequence[New]) -> None:
        """One durable append."""
        command = new_id()
        behind = appending.Behind(self.club, self.stream, self.head)
        digest = hashlib.sha256(command.encode()).digest()
        appended = await appending.append(
            self.pool, appending.batch_of(behind, news, BY, datetime.now(UTC), command, digest)
        )
        self.head = appended.head

    async def facts_a_second(self, appends: int, size: int) -> float:
        """The rate at which facts become durable, `size` of them an append."""
        cards = plays()
        start = time.perf_counter()
        for place in range(appends):
            news = [cards[(place + each) % FACTS] for each in range(size)]
            await self.append(news)
        return appends * size / (time.perf_counter() - start)


class PgBench:
    """`pgbench`, each client inserting one row a transaction into a table like `events`; with `club` each statement
    takes the row of that club's log too, as an append has to."""

    def __init__(self, stage: Stage, clients: int = 1, club: str | None = None) -> None:
        self.stage, self.done, self.clients = stage, 0, clients
        self.script = stage.folder / f"insert-{clients}-{club or 'rows'}.sql"
        digest = "\\x" + "ab" * 32
        club_id, where = club or new_id(), " from head" if club else ""
        values = VALUES.format(club=club_id, stream=new_id(), actor=new_id(), digest=digest)
        rows = f"select {values}{where}" if club else f"values ({values})"
        self.script.write_text(f"{NEXT}\n{HEAD.format(club=club) if club else ''}{INSERT} {rows};\n")

    def rows_a_second(self, rows: int) -> float:
        """The rate that pgbench reports, without the time to connect."""
        command = [str(_program()), *("-n", "-M", "prepared", "-c", str(self.clients), "-j", "1")]
        command += ["-t", str(rows // self.clients), "-D", f"n={self.done}", "-f", str(self.script), "lurch"]
        done = subprocess.run(command, env=self._environment(), capture_output=True, text=True, check=False)
        found = re.search(r"tps = ([\d.]+)", done.stdout)
        if done.returncode or found is None:
            raise RuntimeError(f"pgbench failed: {done.stderr.strip()[-500:]}")
        self.done += rows
        return float(found[1])

    def _environment(self) -> dict[str, str]:
        embedded = self.stage.embedded
        own = {
            "PGHOST": str(embedded.folder.sockets),
            "PGUSER": "lurch_app",
            "PGPASSWORD": embedded.passwords.lurch_app,
        }
        return {**os.environ, **own}


def _program() -> Path:
    return wheel_binaries() / "pgbench"


def measure_append(run: Run) -> Figure:
    """One event an append, one writer."""
    rounds, count = run.pick(25, 3), run.pick(300, 50)
    writer, pgbench = Writer(run.stage.pool(), run.stage.club.id), PgBench(run.stage)
    pairs = in_turns(
        rounds,
        lambda: float(run.stage.run(lambda: writer.facts_a_second(count, 1))),
        lambda: pgbench.rows_a_second(count),
        run.tick,
    )
    found = row("one event an append", "appends/s", pairs)
    return Figure(
        name="append",
        title="One durable append at a time",
        ours_is="`service.store.appending.append` of one CardPlayed, one writer, a pool of one connection",
        reference_is="`pgbench`, prepared, one client, one row of the same columns a transaction into a table like"
        " `events`",
        rounds=rounds,
        rows=(found,),
        aims=(at_least(found.label, "at least 0.5 times the reference", 0.5, found.ratio),),
        notes=(f"{count} appends a round on the same server; {run.stage.durability}",),
    )


def measure_batch(run: Run) -> Figure:
    """Fifty-two facts an append, beside one at a time."""
    rounds, single = run.pick(15, 3), run.pick(200, 52)
    together, alone = (Writer(run.stage.pool(), run.stage.club.id) for _ in range(2))
    appends = run.pick(30, 5)
    pairs = in_turns(
        rounds,
        lambda: float(run.stage.run(lambda: together.facts_a_second(appends, FACTS))),
        lambda: float(run.stage.run(lambda: alone.facts_a_second(single, 1))),
        run.tick,
    )
    found = row(f"{FACTS} facts an append", "facts/s", pairs)
    return Figure(
        name="batch",
        title=f"{FACTS} facts in one append",
        ours_is=f"`append` of {FACTS} CardPlayed at once, one writer",
        reference_is="`append` of one CardPlayed at a time",
        rounds=rounds,
        rows=(found,),
        aims=(at_least(found.label, "at least 10 times the reference", 10, found.ratio),),
        notes=(f"{appends} appends beside {single} a round; {run.stage.durability}",),
    )
