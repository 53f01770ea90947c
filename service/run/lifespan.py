"""Work beside the requests, from the start of an application to its end."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import psycopg
import structlog
from litestar import Litestar
from psycopg.rows import TupleRow

from domain.log.decider import Refusal
from service import VERSION
from service.copies.keeping import Keeping
from service.desk.erasing import finish_all
from service.run.database import Database
from service.run.following import catching_up, count_silences, follow, look_for_missed
from service.run.leasing import FOLLOWING, Lease
from service.run.looking import Look, end_of_certificate, folders_of
from service.run.nights import kept_copies, noted
from service.run.pool import NO_LIMIT, READERS, REQUESTS, WAITING, WRITERS, make_pool
from service.run.recalling import PhoneAddress, once_it_answers
from service.run.reviving import Reviver
from service.run.safekeeping import kept_safe
from service.run.settings import Settings
from service.run.wiring import make_services
from service.store.pool import Pool
from service.store.traced import TracedCursor

FAULT: Final = "work beside the requests has ended by a fault of ours: start the service again, and report this"
LOGGER = structlog.get_logger()


async def ended(*tasks: asyncio.Task[None]) -> None:
    """Tasks are told to end until they do: on Python 3.11 a wait that is answered at that moment hears nothing."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.2)


def told(task: asyncio.Task[None]) -> None:
    """Tell of work that has ended by a fault of ours: nobody waits for it."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        LOGGER.error(FAULT, work=getattr(task.get_coro(), "__qualname__", ""), exc_info=error)


@asynccontextmanager
async def running(app: Litestar) -> AsyncIterator[None]:
    """The pools for as long as the application runs, and what goes on beside the requests."""
    settings, database = app.state.settings, app.state.database
    app.state.copies = kept_copies(settings, database, VERSION)  # before anything that would have to be closed
    kind: type[psycopg.AsyncCursor[TupleRow]] = TracedCursor if settings.traces else psycopg.AsyncCursor
    sizes = {"requests": (REQUESTS, WAITING), "streams": (READERS, NO_LIMIT), "appends": (WRITERS, NO_LIMIT)}
    pools = {name: make_pool(database.url, *each, cursor=kind) for name, each in sizes.items()}
    try:
        for each in pools.values():
            await each.open()
        async with _beside(app, pools):
            yield
    finally:
        for each in reversed(pools.values()):
            await each.close(timeout=2)


@asynccontextmanager
async def _beside(app: Litestar, pools: Mapping[str, Pool]) -> AsyncIterator[None]:
    """The listener, the projector, the courier and whoever else reads along, on open pools."""
    settings: Settings = app.state.settings
    database: Database = app.state.database
    copies: Keeping | None = app.state.copies
    app.state.wanted = asyncio.Event()
    pool = pools["requests"]
    app.state.services = services = make_services(
        pool, app.state.hub_factory(), settings.webhook_private, pools["streams"], pools["appends"]
    )
    hub = services.hub
    following = Lease(pool, FOLLOWING)
    app.state.look = look = Look(
        pools,
        services.steward,
        folders_of(settings, database),
        lambda: following.held is not None,
        end_of_certificate(settings),
    )

    reviver = Reviver(database, app.state.asker, hub.closing)

    async def prepare() -> None:
        """Loading of the data it was started for, while it serves; `/health/ready` waits for it."""
        if app.state.load is None:
            return
        try:
            await app.state.load(pool)
            app.state.waiting_for = ""
        except (Refusal, psycopg.Error, OSError) as error:
            LOGGER.exception("what the service was started for could not be loaded")
            app.state.waiting_for = f"loading failed: {error}"

    phones = PhoneAddress(app.state, pool, settings)

    def choose_again() -> None:
        services.streams.forget_era()
        phones.chosen.set()

    tasks = [
        asyncio.create_task(prepare()),
        asyncio.create_task(once_it_answers("erasures wait", lambda: finish_all(pool))),
        asyncio.create_task(phones.follow()),
        asyncio.create_task(hub.listen(database.url, reviver.revive, noted(copies, services.forget), choose_again)),
        asyncio.create_task(reviver.watch()),
        asyncio.create_task(look.go_on()),
        asyncio.create_task(hub.speak(pool)),
        asyncio.create_task(following.keep()),
        asyncio.create_task(follow(hub.changed, catching_up(services), following, hub.wake)),
        asyncio.create_task(count_silences(services, following)),
        asyncio.create_task(look_for_missed(pool, hub.wake, following)),
        asyncio.create_task(services.courier.follow(hub.stirred, hub.closing)),
    ]
    tasks += map(asyncio.create_task, kept_safe(settings, database, copies, pool))
    for task in tasks:
        task.add_done_callback(told)
    try:
        yield
    finally:
        hub.closing.set()
        hub.wake_all()
        await ended(*tasks, *services.lists.errands.running())
        await asyncio.wait([asyncio.create_task(services.recorder.appends.settled())], timeout=2)
