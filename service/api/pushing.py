"""Pushing over HTTP: what was recorded in another copy of a club is compared, announced, and taken as it is."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Controller, Response, delete, get, post
from litestar.params import FromPath, JSONBody

from domain.club.commands import ComingPerson, PushStreams, StreamHead
from domain.exchange.pushed import Digest
from service.api.links import gives
from service.api.openapi import taking
from service.api.tournament_files import body_of
from service.desk import bodies
from service.desk.pushed_here import PushesView, fork_file, pushes_of, throw_away
from service.desk.pushing import PlannedPerson, PushPlan, TakenStream, announce, plan, pushed_to, take
from service.http.answers import as_file, as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of
from service.store.loaded import LoadedClub

HEADS_LIMIT = 262_144
UNIT_LIMIT = 33_554_432
Version = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]


class HeadBody(bodies.Body, frozen=True):
    """The head of a stream as it stands in the other copy: its last version and the hash of that event."""

    stream: UUID
    version: Version
    hash: Digest


class ComingBody(bodies.Body, frozen=True):
    """A person of the other copy: the id, and the name; null where it was taken out."""

    id: UUID
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)] | None = None


Heads = Annotated[list[HeadBody], msgspec.Meta(max_length=500)]
Coming = Annotated[list[ComingBody], msgspec.Meta(max_length=500)]


class PlanBody(bodies.Body, frozen=True):
    """The heads of streams, and people, to compare."""

    heads: Heads = []
    people: Coming = []


class PushBody(bodies.Body, frozen=True):
    """The heads with which streams come, their people, and the copy of the club that they come from."""

    source: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f-]{8,36}(?![\s\S])")]
    heads: Annotated[list[HeadBody], msgspec.Meta(min_length=1, max_length=500)]
    people: Coming = []


class Announced(msgspec.Struct, frozen=True):
    """The answer to an announcement: the version of the club, how many events were recorded, and the people."""

    version: int
    recorded: int
    people: tuple[PlannedPerson, ...]


class ThrownAway(msgspec.Struct, frozen=True):
    """The answer to a fork thrown away: its id."""

    thrown_away: str


class Taken(msgspec.Struct, frozen=True):
    """The streams of a unit, all of which are here now."""

    streams: tuple[TakenStream, ...]


class PushController(Controller):
    """Streams that come from another copy of one club. For a director or the owner."""

    path = "/clubs/{club_id:uuid}"
    tags = ["pushes"]

    @get(
        "/pushes",
        operation_id="listPushes",
        summary="The last pushes, forks that are kept, people of one name",
        opt=gives(fork_id="/forks/0/id"),
    )
    async def pushes(self, request: AnyRequest, club_id: FromPath[UUID]) -> Response[PushesView]:
        """`here` is false for a stream that has not come, or that was a fork."""
        services, caller = services_of(request), await caller_of(request)
        return as_json(await pushes_of(services, await pushed_to(services, caller, club_id)))

    @post(
        "/pushes/plan",
        operation_id="planPush",
        summary="What a push would do",
        status_code=200,
        request_max_body_size=HEADS_LIMIT,
    )
    async def plan(self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[PlanBody]) -> Response[PushPlan]:
        """Nothing is recorded. Of a `longer` stream compare the hash of `version` with your own."""
        services, caller = services_of(request), await caller_of(request)
        club = await pushed_to(services, caller, club_id)
        heads = [(str(each.stream), each.version, each.hash) for each in data.heads]
        return as_json(await plan(services, club, heads, _people(data.people)))

    @post(
        "/pushes",
        operation_id="announcePush",
        summary="Say which streams come",
        request_max_body_size=HEADS_LIMIT,
    )
    async def announce(
        self, request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[PushBody]
    ) -> Response[Announced]:
        """One event `StreamsPushed` names them, and you; people whom the club does not know are registered as visitors
        under their own ids. Again it records nothing."""
        services, caller = services_of(request), await caller_of(request)
        club = await pushed_to(services, caller, club_id)
        heads = tuple(StreamHead(str(each.stream), each.version, each.hash) for each in data.heads)
        command = PushStreams(data.source, heads, _people(data.people))
        done, people = await announce(services, club, command, await asked(request, caller))
        return as_json(Announced(done.loaded.head.version, len(done.events), people), 201)

    @post(
        "/pushes/streams",
        operation_id="pushStreams",
        summary="Streams that belong together, as they were recorded",
        request_max_body_size=UNIT_LIMIT,
        operation_class=taking("application/json", UNIT_LIMIT),
    )
    async def take(self, request: AnyRequest, club_id: FromPath[UUID]) -> Response[Taken]:
        """A tournament with its matches, or one match: all of it is taken, or nothing. What parts from the log here is
        refused as `forked` and kept as a file."""
        services, caller = services_of(request), await caller_of(request)
        club = await pushed_to(services, caller, club_id)

        async def still() -> LoadedClub:
            return await pushed_to(services, await caller_of(request), club_id)

        data = await body_of(request, UNIT_LIMIT)
        return as_json(Taken(await take(services, club, data, await asked(request, caller), still)), 201)

    @get("/forks/{fork_id:uuid}", operation_id="readFork", summary="The file of a fork")
    async def fork(self, request: AnyRequest, club_id: FromPath[UUID], fork_id: FromPath[UUID]) -> Response[str]:
        """As it was pushed, with every hash; not for whoever plays at a table whose hands it holds."""
        services, caller = services_of(request), await caller_of(request)
        club = await pushed_to(services, caller, club_id)
        data = await fork_file(services, caller, club, str(fork_id))
        return as_file(data, "application/json", f"fork-{fork_id}.json")

    @delete("/forks/{fork_id:uuid}", operation_id="throwForkAway", summary="Throw a fork away", status_code=200)
    async def thrown_away(
        self, request: AnyRequest, club_id: FromPath[UUID], fork_id: FromPath[UUID]
    ) -> Response[ThrownAway]:
        """For whoever may read it. Again it does no harm."""
        services, caller = services_of(request), await caller_of(request)
        club = await pushed_to(services, caller, club_id)
        await throw_away(services, caller, club, str(fork_id))
        return as_json(ThrownAway(str(fork_id)))


def _people(given: list[ComingBody]) -> tuple[ComingPerson, ...]:
    return tuple(ComingPerson(str(each.id), each.name) for each in given)
