"""The application: everything wired once, here and nowhere else."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec
import psycopg
import structlog
from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.datastructures.headers import MutableScopeHeaders
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ControllerRouterHandler, Message, Scope

from domain.cards.card import Card, parse_card
from domain.log.decider import Refusal
from service import VERSION
from service.api.cases import CaseController, call, call_fixture
from service.api.cases import cases as club_cases
from service.api.clubs import ClubController
from service.api.doors import DoorController, club_doors, tournament_doors
from service.api.erasing import LeavingController
from service.api.events import club_events, match_events, tournament_events
from service.api.matches import MatchController, open_match
from service.api.members import MemberController
from service.api.mending import MendingController
from service.api.merging import MergingController
from service.api.meta import games, live, me, metrics, ready
from service.api.openapi import CardSchema, documented
from service.api.roles import FriendsController, RoleController
from service.api.rulings import RulingController
from service.api.settings import SettingsController
from service.api.standings import StandingsController
from service.api.tokens import TokenController
from service.api.tournament_files import TournamentFiles, import_archive, import_trf
from service.api.tournaments import TournamentController, announce, club_tournaments, tournaments
from service.api.webhooks import WebhookController
from service.desk.chosen_address import known_address
from service.desk.erasing import finish_all
from service.http.compression import COMPRESSION
from service.http.hosts import only_hosts
from service.http.limits import Limits, limited
from service.http.methods import all_methods
from service.http.patience import answered_in_time
from service.http.queries import known_queries, only_known
from service.live.hub import Hub
from service.run.binaries import EmbeddedError
from service.run.database import Database
from service.run.looking import Look, folders_of
from service.run.metrics import counted
from service.run.nights import kept_copies, noted
from service.run.pool import NO_LIMIT, READERS, WRITERS, make_pool
from service.run.safekeeping import kept_safe
from service.run.settings import Settings
from service.run.wiring import make_services
from service.store.patience import DatabaseProbe
from service.store.pool import Pool
from service.web.docs import SwaggerPage, docs_router
from service.web.errors import HANDLERS
from service.web.kept import for_ever, is_file, unchanged
from service.web.routes import PAGES
from service.web.speaking import in_its_language

BODY_LIMIT = 65_536
WATCH_SECONDS = 2.0
API: Sequence[ControllerRouterHandler] = [
    ClubController,
    MemberController,
    LeavingController,
    MatchController,
    RulingController,
    MendingController,
    TournamentController,
    open_match,
    call,
    call_fixture,
    club_cases,
    CaseController,
    announce,
    tournaments,
    club_tournaments,
    match_events,
    tournament_events,
    club_events,
    StandingsController,
    SettingsController,
    MergingController,
    RoleController,
    FriendsController,
    TokenController,
    WebhookController,
    DoorController,
    club_doors,
    tournament_doors,
    TournamentFiles,
    import_trf,
    import_archive,
    games,
    me,
]
LOGGER = structlog.get_logger()
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


STRICT = "max-age=2592000"  # thirty days: a club that gives its TLS up again is not locked out for a year


async def secured(message: Message, scope: Scope) -> None:
    """Headers that every answer carries, refusals and files too: hooks behind the handlers miss those."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY_HEADERS.items():
            headers.setdefault(name, value)
        if scope["app"].state.settings.secure_cookies:
            headers.setdefault("Strict-Transport-Security", STRICT)


def uncounted(path: str) -> bool:
    """Paths without limits: files that are shipped, and what asks whether the service lives."""
    return is_file(path) or path.startswith("/health/")


async def ended(*tasks: asyncio.Task[None]) -> None:
    """Tasks are told to end until they do: on Python 3.11 a wait that is answered at that moment hears nothing."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.2)


async def once_it_answers(waits: str, act: Callable[[], Awaitable[None]]) -> None:
    """Do something at the start, as soon as the database answers; `waits` says what waits for it."""
    while True:
        try:
            return await act()
        except (psycopg.Error, OSError) as error:
            LOGGER.warning(f"{waits} for the database", error=str(error))
            await asyncio.sleep(1)


@asynccontextmanager
async def running(app: Litestar) -> AsyncIterator[None]:
    """The pool, the listener, the projector and the courier, for as long as the application runs."""
    database: Database = app.state.database
    app.state.wanted = asyncio.Event()
    pool, readers = make_pool(database.url), make_pool(database.url, READERS, NO_LIMIT)
    writers = make_pool(database.url, WRITERS, NO_LIMIT)
    for each in (pool, readers, writers):
        await each.open()
    settings: Settings = app.state.settings
    app.state.services = services = make_services(
        pool, app.state.hub_factory(), settings.webhook_private, readers, writers
    )
    hub = services.hub
    pools = {"requests": pool, "streams": readers, "appends": writers}
    app.state.look = look = Look(pools, services.steward, folders_of(settings, database))

    reviving = asyncio.Lock()  # the file's lock keeps out other processes only

    async def revive() -> None:
        """The embedded server is started again; another is waited for."""
        if database.embedded is None or hub.closing.is_set():
            return
        async with reviving:
            try:
                await database.embedded.start_again()
            except (EmbeddedError, psycopg.Error, OSError) as error:
                LOGGER.warning("the database could not be started again; another try follows", error=str(error))

    async def watch() -> None:
        """A server that dies ends the connection that listens; one that goes deaf has to be asked."""
        while database.embedded is not None:
            await asyncio.sleep(WATCH_SECONDS)
            if not await app.state.asker.serves():
                await revive()

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

    async def recall() -> None:
        """Remember the address for phones that was chosen on a page."""
        app.state.settings = msgspec.structs.replace(app.state.settings, address=await known_address(pool, settings))

    app.state.copies = copies = kept_copies(settings, database, VERSION)
    tasks = [
        asyncio.create_task(prepare()),
        asyncio.create_task(once_it_answers("erasures wait", lambda: finish_all(pool))),
        asyncio.create_task(once_it_answers("the address for phones waits", recall)),
        asyncio.create_task(hub.listen(database.url, revive, noted(copies, services.forget))),
        asyncio.create_task(watch()),
        asyncio.create_task(look.go_on()),
        asyncio.create_task(hub.speak(pool)),
        asyncio.create_task(services.projector.follow(hub.changed, services.after_lists)),
        asyncio.create_task(services.courier.follow(hub.stirred, hub.closing)),
    ]
    tasks += map(asyncio.create_task, kept_safe(settings, database, copies, pool))
    try:
        yield
    finally:
        hub.closing.set()
        hub.wake_all()
        await ended(*tasks, *services.lists.errands.running())
        await asyncio.wait([asyncio.create_task(services.recorder.appends.settled())], timeout=2)
        for each in (writers, readers, pool):
            await each.close(timeout=2)


def create_app(
    database: Database,
    settings: Settings | None = None,
    hub_factory: Callable[[], Hub] = Hub,
    load: Callable[[Pool], Awaitable[None]] | None = None,
    limits: Limits | None = None,
) -> Litestar:
    """The application over a migrated database; until `load` has ended /health/ready says 503."""
    chosen = settings or Settings()
    asker = DatabaseProbe(database.url)
    api = Router("/api/v1", route_handlers=API)
    app = Litestar(
        route_handlers=[api, live, ready, metrics, *PAGES],
        lifespan=[running],
        exception_handlers=HANDLERS,
        type_decoders=[(lambda kind: kind is Card, lambda kind, value: parse_card(value))],
        type_encoders={Card: str},
        request_max_body_size=BODY_LIMIT,
        before_send=[secured, for_ever, all_methods],
        compression_config=COMPRESSION,
        middleware=[
            counted,
            only_hosts(chosen.allowed_hosts),
            only_known,
            answered_in_time(asker),
            unchanged,
            in_its_language,
        ],
        openapi_config=OpenAPIConfig(
            title="Lurch",
            version="1",
            path="/docs",
            render_plugins=[SwaggerPage()],
            openapi_router=docs_router(),
            description="Event-sourced scoring for card clubs. Facts go in, everything else is derived.",
            components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
            security=[{}, {"token": []}],
        ),
        plugins=[CardSchema()],
        debug=False,
        state=State(
            {
                "database": database,
                "settings": chosen,
                "address_is_set": bool(chosen.address),
                "hub_factory": hub_factory,
                "load": load,
                "asker": asker,
                "waiting_for": "" if load is None else "the club is being loaded",
            }
        ),
    )
    documented(app)
    if chosen.limits:  # before routes are looked for: what is refused tells nothing of what is there
        app.asgi_handler = limited(app.asgi_handler, limits or Limits(), uncounted, HANDLERS[Refusal])
    app.state.queries = known_queries(app)
    return app
