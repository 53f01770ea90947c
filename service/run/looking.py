"""Looking at what no request counts, for /metrics: pools, readers, webhooks, disks.

What is this process's own is looked at every few seconds, so that of several processes each has said it; what is the
database's is asked when somebody reads /metrics.
"""

import asyncio
import contextlib
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import psycopg
from prometheus_client import Counter
from psycopg_pool import PoolTimeout, TooManyRequests

from projections.lists import KEPT
from service.desk.services import CatchesUp
from service.http.measures import FOLDER
from service.run.database import Database
from service.run.settings import Settings
from service.run.tls import good_until
from service.store import meters
from service.store.ids import now
from service.store.patience import within
from service.store.pool import Pool
from service.store.standing_of_readers import standing_of_readers

ASK_SECONDS: Final = 1.5  # before a request is refused since the database is away (service/http/patience.py)
OWN_SECONDS: Final = 5.0
FORMS: Final = tuple((each.name, each.version) for each in KEPT)
COUNTED: Final[tuple[tuple[Counter, str, float], ...]] = (  # what a pool counts since it was made, and in which unit
    (meters.TAKEN, "requests_num", 1),
    (meters.WAITED, "requests_wait_ms", 0.001),
    (meters.UNSERVED, "requests_errors", 1),
)


def folders_of(settings: Settings, database: Database) -> dict[str, Path]:
    """The folders whose disks may fill up."""
    found = {} if database.embedded is None else {"data": database.embedded.root}
    return found if settings.backup_dir is None else {**found, "copies": Path(settings.backup_dir).absolute()}


def end_of_certificate(settings: Settings) -> float:
    """When the certificate ends with which the service starts now, in seconds since 1970; 0 where it has none."""
    return 0.0 if settings.cert is None else good_until(Path(settings.cert)).timestamp()


class Look:
    """The look at the pools of this process, by name, at what the database says and, while this process `follows`, at
    its steward: that of another one stands where somebody last asked, and is behind for no want of anything."""

    def __init__(
        self,
        pools: Mapping[str, Pool],
        steward: CatchesUp,
        folders: Mapping[str, Path],
        follows: Callable[[], bool] = lambda: True,
        certificate_ends: float = 0.0,
    ) -> None:
        self.pools, self.steward, self.folders, self.follows = pools, steward, folders, follows
        self.certificate_ends = certificate_ends
        self._told: dict[tuple[str, str], int] = defaultdict(int)
        self._followed = False

    def own(self) -> None:
        """The pools, as this process has them."""
        for name, pool in self.pools.items():
            stats = pool.get_stats()
            meters.CONNECTIONS.labels(name).set(stats.get("pool_size", 0))
            meters.IDLE.labels(name).set(stats.get("pool_available", 0))
            meters.WAITING.labels(name).set(stats.get("requests_waiting", 0))
            for counter, key, unit in COUNTED:
                count = stats.get(key, 0)
                counter.labels(name).inc((count - self._told[name, key]) * unit)
                self._told[name, key] = count

    async def go_on(self) -> None:
        """Look at what is this process's own, again and again. Of several that serve together one follows, and perhaps
        another is asked for the figures."""
        while True:
            self.own()
            if FOLDER in os.environ and self.follows():
                await self.everywhere()
            await asyncio.sleep(OWN_SECONDS)

    async def everywhere(self) -> None:
        """Look at everything; a database that is away is told as one, and what it said last stays."""
        self.own()
        meters.CLOCK.set(now().timestamp())
        meters.CERTIFICATE.set(self.certificate_ends)
        await asyncio.to_thread(self._disks)
        asked = standing_of_readers(self.pools["requests"], FORMS, self.steward.positions())
        try:
            found = await within(ASK_SECONDS, asked)
        except (psycopg.Error, PoolTimeout, TooManyRequests, OSError):
            meters.ANSWERS.set(0)
            return
        meters.ANSWERS.set(1)
        meters.BYTES.set(found.size)
        meters.AHEAD.set((found.clock - now()).total_seconds())
        for reader, lag in (
            ("projector", found.projector),
            ("bookkeeper", found.bookkeeper),
            ("webhooks", found.courier),
        ):
            meters.LAG.labels(reader).set(lag)
        self._tell_of_steward(found.steward)
        for state, count in (("due", found.due), ("failing", found.failing), ("disabled", found.disabled)):
            meters.HOOKS.labels(state).set(count)

    def _tell_of_steward(self, lag: int) -> None:
        follows = self.follows()
        if follows or self._followed:
            meters.LAG.labels("steward").set(lag if follows else 0)
        self._followed = follows

    def _disks(self) -> None:
        for name, folder in self.folders.items():
            with contextlib.suppress(OSError):  # one that nobody can look at keeps nobody from the other figures
                there = next(each for each in (folder, *folder.parents) if each.exists())
                usage = shutil.disk_usage(there)
                meters.FREE.labels(name).set(usage.free)
                meters.SIZE.labels(name).set(usage.total)
