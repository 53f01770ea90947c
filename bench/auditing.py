"""Figure: `lurch audit` over every match of a club from the log, beside processes that only read and fold them."""

import multiprocessing
import os
import subprocess
import time
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from bench.measure import Detail, Figure, at_least, in_turns, row, series
from bench.serving import LURCH, environment
from bench.stage import Run, Stage
from bench.tables import match_news
from domain.cards.facts import Fact
from domain.games import all_games
from service.cli.audit_worker import AuditTask, Worker
from service.cli.club_audit import batches_of
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.processors import processors
from service.store.log import By
from service.store.streams import Streams

WANTED: Final = 100_000
DEALS: Final = 3  # of a match, where its game lasts as long
OFTEN: Final = 10  # each match is recorded so often


class Shelf(msgspec.Struct, frozen=True):
    """The matches of a club in the log, and how many facts they have."""

    url: str
    club: str
    streams: tuple[str, ...]
    facts: int


def record(stage: Stage, count: int) -> Shelf:
    """So many matches of every game by its defaults, played at random by the rules."""
    pool, club, games = stage.pool(2), stage.club.id, list(all_games())

    async def inside() -> tuple[list[str], int]:
        recorder, streams, facts = Recorder(Streams(pool)), list[str](), 0
        for number in range(max(1, count // OFTEN)):
            news = match_news(games[number % len(games)], number, DEALS)
            for _ in range(OFTEN):
                done = await recorder.import_match(club, news, own_request(By(actor=None, role="scorer")))
                streams.append(done.loaded.stream)
                facts += sum(isinstance(each.event, Fact) for each in news)
        return streams, facts

    streams, facts = stage.run(inside)
    return Shelf(stage.database.url, club, tuple(streams), facts)


def audit(stage: Stage, shelf: Shelf, cores: int) -> None:
    """`lurch audit` of the club in a process of its own, from start to end. Raises RuntimeError where it finds
    something: the matches are legal."""
    settings = {"LURCH_DATABASE_URL": stage.database.url, "LURCH_MIGRATE_URL": stage.database.owner_url}
    command = [str(LURCH), "audit", "--club", shelf.club, "--processes", str(cores)]
    done = subprocess.run(
        command, env=environment(**settings), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    told = f"{len(shelf.streams)} matches of the club, 0 with findings\n"
    if done.returncode or done.stdout != told:
        raise RuntimeError(f"lurch audit says {done.stdout[-300:]!r} {done.stderr[-300:]!r}")


def by_processor(stage: Stage, shelf: Shelf, cores: int) -> float:
    """Facts for each second of the processor's time that the command takes, times the cores."""
    before = os.times()
    audit(stage, shelf, cores)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return cores * shelf.facts / spent


def fold_all(shelf: Shelf, cores: int) -> None:
    """The same matches, read and folded by as many processes."""
    asked = AuditTask(shelf.club, shelf.streams, {})
    with multiprocessing.get_context("spawn").Pool(cores, _begin, (shelf.url, asked)) as pool:
        folded = sum(pool.imap(_fold, batches_of(asked)))
    if folded != len(shelf.streams):
        raise RuntimeError(f"{folded} matches were folded, not {len(shelf.streams)}")


_worker: Worker


def _begin(url: str, asked: AuditTask) -> None:
    global _worker  # noqa: PLW0603  # a process has one
    _worker = Worker(url, asked)


def _fold(streams: Sequence[str]) -> int:
    return len(_worker.matches(streams))


def measure(run: Run) -> Figure:
    """The whole command in turns with the fold of the same matches; by one process, too."""
    rounds, cores = run.pick(5, 1), processors()
    shelf = record(run.stage, run.pick(5000, 100))

    def rate(act: Any) -> float:
        start = time.perf_counter()
        act()
        return shelf.facts / (time.perf_counter() - start)

    pairs = in_turns(
        rounds,
        lambda: rate(lambda: audit(run.stage, shelf, cores)),
        lambda: rate(lambda: fold_all(shelf, cores)),
        run.tick,
    )
    busy = [by_processor(run.stage, shelf, cores) for _ in range(run.pick(3, 1))]
    alone = [rate(lambda: audit(run.stage, shelf, 1)) for _ in range(run.pick(3, 1))]
    found = row(f"{len(shelf.streams):,} matches, {shelf.facts:,} facts, {cores} processes", "facts/s", pairs)
    return Figure(
        name="audit",
        title="`lurch audit` of every match of a club from the log, where there is no finding",
        ours_is="`lurch audit --club ID` from its start to its end, one process a core, the database on the same cores",
        reference_is="as many processes that read the same matches from the log and fold them, start included",
        rounds=rounds,
        rows=(found,),
        aims=(at_least(found.label, f"at least {WANTED:,} facts/s", WANTED, found.ours),),
        details=(
            Detail("the same by one process", series("facts/s", alone)),
            Detail(
                "by the processor's clock, which other jobs do not move: all cores, the database left out",
                series("facts/s", busy),
            ),
        ),
        notes=(
            f"every game by its defaults in turn, {DEALS} deals a match at most, each match recorded {OFTEN} times",
            "matches are legal: it is checked that nothing is found",
        ),
    )
