"""The application: everything wired once, here and nowhere else."""

from collections.abc import Awaitable, Callable, Sequence

import psycopg
from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.datastructures.headers import MutableScopeHeaders
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ControllerRouterHandler, Message, Scope

from domain.cards.card import Card, parse_card
from domain.log.decider import Refusal
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
from service.api.pushing import PushController
from service.api.roles import FriendsController, RoleController
from service.api.rulings import RulingController
from service.api.settings import SettingsController
from service.api.standings import StandingsController
from service.api.tokens import TokenController
from service.api.tournament_files import TournamentFiles, import_archive, import_trf
from service.api.tournaments import TournamentController, announce, club_tournaments, tournaments
from service.api.webhooks import WebhookController
from service.http.compression import COMPRESSION
from service.http.hosts import only_hosts
from service.http.limits import Limits, limited
from service.http.methods import all_methods
from service.http.patience import answered_in_time
from service.http.queries import known_queries, only_known
from service.live.hub import Hub
from service.run.database import Database
from service.run.lifespan import running
from service.run.metrics import counted
from service.run.settings import Settings
from service.run.tracing import traced
from service.store.patience import DatabaseProbe
from service.store.pool import Pool
from service.web.docs import SwaggerPage, docs_router
from service.web.errors import HANDLERS
from service.web.kept import for_ever, is_file, unchanged
from service.web.routes import PAGES
from service.web.speaking import in_its_language

BODY_LIMIT = 65_536
HEALTH = ("/health/live", "/health/ready")
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
    PushController,
    games,
    me,
]
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


SECURED = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
# thirty days: a club that gives its TLS up again is not locked out for a year
STRICT = (b"strict-transport-security", b"max-age=2592000")


async def secured(message: Message, scope: Scope) -> None:
    """Headers that every answer carries, refusals and files too: hooks behind the handlers miss those."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message).headers
        there = {name.lower() for name, _ in headers}
        headers += [each for each in SECURED if each[0] not in there]
        if scope["app"].state.settings.secure_cookies and STRICT[0] not in there:
            headers.append(STRICT)


def uncounted(path: str) -> bool:
    """Paths without limits: files that are shipped, and what asks whether the service lives."""
    return is_file(path) or path in HEALTH


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
            *([traced] if chosen.traces else []),
            counted,
            only_hosts(chosen.allowed_hosts),
            only_known,
            answered_in_time(asker, HANDLERS[psycopg.Error]),
            unchanged,
            in_its_language,
        ],
        openapi_config=OpenAPIConfig(
            title="Lurch",
            version="1",
            path="/docs",
            render_plugins=[SwaggerPage()],
            openapi_router=docs_router(documented),
            description="Event-sourced scoring for card clubs. Facts go in, everything else is derived.",
            components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
            security=[{}, {"token": []}],
        ),
        plugins=[CardSchema()],
        debug=False,
        logging_config=None,  # the framework's own would take the place of what service/run/logs.py has set up
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
    if chosen.limits:  # before routes are looked for: what is refused tells nothing of what is there
        app.asgi_handler = limited(app.asgi_handler, limits or Limits(), uncounted, HANDLERS[Refusal])
    app.state.queries = known_queries(app)
    return app
