"""Matches over HTTP: open, read as of any moment, and record."""

import secrets
from typing import Annotated, TypeAlias
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from domain import codec
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from domain.match import commands as c
from domain.match.audit.report import AuditReport
from domain.match.mending_commands import Correct
from domain.match.state import Match
from projections.event_view import event_view
from projections.match import ON_DEMAND, TIMELINE
from projections.match_view import MatchView
from projections.table_view import turn_of
from service.api.links import gives
from service.api.openapi import A_MOMENT
from service.desk import bodies, mending_bodies
from service.desk.access import check_known, club_for, match_for, match_to_write, viewer_in
from service.desk.as_of import as_of
from service.desk.auditing import audit_of
from service.desk.doubts import doubt_of, moment_at
from service.desk.matches import record
from service.desk.requests import DoneMatch
from service.desk.services import Services
from service.desk.showing import moment_shown, shown
from service.desk.signing import by_pin, without_pin
from service.desk.timeline import timeline
from service.http.answers import MINIMAL, AnyResponse, as_json, prefers_minimal
from service.http.caller import AnyRequest, asked, caller_of, services_of
from service.store import log
from service.store.callers import Caller

Answered: TypeAlias = Response[bodies.RecordedAnswer | bodies.RecordedShortly]
AsOf = Annotated[
    str | None,
    QueryParameter(name="as_of", max_length=40, description="a version, or a time in RFC 3339", schema_extra=A_MOMENT),
]


WithOpenings = Annotated[
    bool, QueryParameter(name="openings", description="also the places at which nothing can be proven")
]


After = Annotated[
    int,
    QueryParameter(name="after", ge=0, le=2**31 - 1, description="the version behind which a timeline begins"),
]


async def recorded(request: AnyRequest, caller: Caller, done: DoneMatch) -> AnyResponse:
    """The answer to a write, as the caller may see it now; a short one where the request prefers that."""
    services, match, viewer = services_of(request), done.loaded.match, viewer_in(caller, done.loaded)
    devices = await services.recorder.devices.of(done.loaded.club)
    events = tuple(event_view(event, viewer, match, devices=devices) for event in done.events)
    headers = {"Location": f"/api/v1/matches/{done.loaded.stream}"}
    status = 201 if done.last >= done.first else 200
    if prefers_minimal(request):
        position = events[-1].position if events else None
        short = bodies.RecordedShortly(done.last, position, events, turn_of(match, viewer))
        return as_json(short, status, headers | MINIMAL)
    view = await _whole(services, caller, done)
    return as_json(bodies.RecordedAnswer(done.last, events, view.table, view), status, headers)


async def _whole(services: Services, caller: Caller, done: DoneMatch) -> MatchView:
    club = await services.streams.club_of(done.loaded)
    return shown(done.loaded, club, caller, moment=await moment_shown(services, caller, done.loaded))


async def write(
    request: AnyRequest,
    match_id: UUID,
    command: c.MatchCommand,
    expected: int | None,
    it_happened: bool = False,
    typed: tuple[str, int, str | None] | None = None,
) -> Answered:
    """A command on a match, with the PIN that was `typed` for a side: whose it is."""
    services, caller = services_of(request), await caller_of(request)
    wanted, signer = await asked(request, caller, expected), caller
    if typed is not None:
        pin, side, named = typed
        loaded = await match_to_write(services, caller, match_id)
        signer = await by_pin(services, caller, loaded, side, named, pin)
        wanted = without_pin(await asked(request, signer, expected), match_id, command)
    done = await record(services, signer, match_id, command, wanted, it_happened)
    return await recorded(request, caller, done)


class MatchController(Controller):
    """One match."""

    path = "/matches/{match_id:uuid}"
    tags = ["matches"]

    @get(
        operation_id="readMatch",
        summary="The match as you may see it, now or as of a version or time",
        opt=gives(proposal="/proposals/0/version", affirmation="/affirmations/0/version"),
    )
    async def read(self, request: AnyRequest, match_id: FromPath[UUID], moment: AsOf = None) -> Response[MatchView]:
        """The view of a moment in the past shows nothing that is secret now."""
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await match_for(services, caller, match_id)
        now = await moment_shown(services, caller, loaded)
        if moment is None:
            doubt = await doubt_of(services.streams, loaded)
            view = shown(loaded, club, caller, moment=now)
            return as_json(msgspec.structs.replace(view, contested=doubt == "contested", doubt=doubt))
        past = await services.streams.match_at(loaded, as_of(moment))
        if past is None:
            raise Refusal("not-found", "the match had not begun then")
        then = await moment_at(services.streams, loaded, as_of(moment))
        doubt = await doubt_of(services.streams, loaded, past, then)
        view = shown(loaded, club, caller, past, now)
        return as_json(msgspec.structs.replace(view, contested=doubt == "contested", doubt=doubt))

    @get("/audit", operation_id="readAudit", summary="What breaks a rule in the record, and how sure that is")
    async def audit(
        self, request: AnyRequest, match_id: FromPath[UUID], moment: AsOf = None, openings: WithOpenings = False
    ) -> Response[AuditReport]:
        """The findings that you may know of, each with its grade, the places that it rests on, and the slip of the
        scorer that would explain it. With `openings`, for directors, also where nothing can be proven."""
        services, caller = services_of(request), await caller_of(request)
        return as_json((await audit_of(services, caller, match_id, moment, openings)).report)

    @get("/projections/{name:str}", operation_id="readProjection", summary="One view of the match, as of any moment")
    async def projection(
        self,
        request: AnyRequest,
        match_id: FromPath[UUID],
        name: FromPath[str],
        moment: AsOf = None,
        after: After = 0,
    ) -> Response[JsonObject]:
        """`tricks`, `cross_points`, `lurch`, `scoreboard`; `timeline` by a hundred moments, behind the version `after`:
        `next` is where the next ones begin, null at the end."""
        services, caller = services_of(request), await caller_of(request)
        loaded, _ = await match_for(services, caller, match_id)
        if name not in ON_DEMAND:
            raise Refusal("not-found", f"there is no view {name!r}; there are {', '.join(ON_DEMAND)}")
        state = loaded.state if moment is None else await services.streams.state_at(loaded, as_of(moment))
        version = state.version if isinstance(state, Match) else 0
        said = {"match": loaded.stream, "projection": name, "version": version}
        if name != TIMELINE.name:
            if after:
                raise Refusal("malformed", "`after` is for the timeline: the other views are short")
            return as_json({**said, "view": codec.plain(ON_DEMAND[name].show(state))})
        moments = await timeline(services, loaded, state, after, after + log.PAGE)
        following = moments[-1].version if moments and moments[-1].version < version else None
        return as_json({**said, "view": codec.plain(moments), "next": following})

    @post("/deals", operation_id="startDeal", summary="Begin the next deal")
    async def deals(self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.DealBody]) -> Answered:
        """Without a dealer the rules say who deals; the first is drawn by lot."""
        lot = secrets.randbelow(4)
        command = c.StartDeal(dealer=data.dealer, deal=data.deal, depth=data.depth, lot=lot)
        return await write(request, match_id, command, data.expected_version)

    @post("/facts", operation_id="recordFacts", summary="Record what was seen, in order, all or none")
    async def facts(self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.FactsBody]) -> Answered:
        """Mistakes at the table are facts too; the audit finds them."""
        command = c.RecordFacts(facts=tuple(data.facts), it_happened=data.it_happened)
        return await write(request, match_id, command, data.expected_version)

    @post("/results", operation_id="enterResult", summary="Enter a deal's result without its cards")
    async def results(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.ResultBody]
    ) -> Answered:
        """Of the deal that is named; else of the one that was on at `expected_version`, or is on now. The result that
        stands already is answered with 200; another one is refused (`already-entered`)."""
        command = c.EnterResult(
            entry=data.entry,
            deal=data.deal,
            expected=data.expected_version,
            dealer=data.dealer,
            lot=secrets.randbelow(4),
        )
        return await write(request, match_id, command, None, data.it_happened)

    @post("/pause", operation_id="pauseRecording", summary="Go on with the result only; what was kept stays")
    async def pause(self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.VoidBody]) -> Answered:
        """For a scorer who fell behind."""
        return await write(request, match_id, c.PauseRecording(note=data.reason), data.expected_version)

    @post("/undo", operation_id="undoLast", summary="Take back the last fact or result")
    async def undo(self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.UndoBody]) -> Answered:
        """Until the next deal has begun; the fact stays in the log, superseded."""
        command = c.UndoLast(note=data.reason, withdrawn=data.withdrawn)
        return await write(request, match_id, command, data.expected_version)

    @post("/void-deal", operation_id="voidDeal", summary="Declare the last deal void")
    async def void(self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.VoidBody]) -> Answered:
        """It does not count, and whoever dealt it deals again (ALL.5)."""
        command = c.VoidDeal(note=data.reason)
        return await write(request, match_id, command, data.expected_version)

    @post("/restore-deal", operation_id="restoreDeal", summary="The last deal was declared void, and counts after all")
    async def restore(self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.VoidBody]) -> Answered:
        """Until the next deal has begun, or its hands were opened; everything in it stands as it stood."""
        command = c.RestoreDeal(note=data.reason)
        return await write(request, match_id, command, data.expected_version)

    @post("/abandon", operation_id="abandonMatch", summary="The match was opened by mistake")
    async def abandon(self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.VoidBody]) -> Answered:
        """It is void, and nothing more is recorded in it; once something was recorded, by a director."""
        command = c.AbandonMatch(note=data.reason)
        return await write(request, match_id, command, data.expected_version)

    @post("/open-hands", operation_id="openHands", summary="Show the hands of a deal that is over to everybody")
    async def open_hands(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.HandsBody]
    ) -> Answered:
        """By a director, with the reason; from then on the deal is never put back on."""
        command = c.OpenHands(deal=data.deal, note=data.reason)
        return await write(request, match_id, command, data.expected_version)

    @post("/corrections", operation_id="correct", summary="Correct an earlier fact or result, with the reason")
    async def corrections(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[mending_bodies.CorrectionBody]
    ) -> Answered:
        """Whoever keeps the score, until the other side has confirmed or the next deal has its first entry; then by a
        proposal; a director until half an hour after the result was posted. Everything derived follows."""
        command = Correct(version=data.version, now=data.now, do=data.do, accepts=data.accepts, note=data.reason)
        return await write(request, match_id, command, data.expected_version)

    @post("/confirmations", operation_id="confirm", summary="A side agrees to a deal's result")
    async def confirmations(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.ConfirmationBody]
    ) -> Answered:
        """A player confirms for the own side only. What is signed are the `scores` that are named, or those that stand
        when this arrives; if they have changed, it is refused (`changed`)."""
        scores = None if data.scores is None else tuple(data.scores)
        command = c.ConfirmResult(deal=data.deal, side=data.side, scores=scores)
        typed = None if data.pin is None else (data.pin, data.side, data.person)
        return await write(request, match_id, command, data.expected_version, typed=typed)

    @post("/consents", operation_id="agreeOwnTable", summary="Agree that a director who belongs to the table decides")
    async def consents(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.ConsentBody]
    ) -> Answered:
        """By a player of the other side, on the own phone or by PIN, for one act; where no other director is here
        today. What is decided so is marked."""
        command = c.AgreeOwnTable(ruler=data.ruler, deal=data.deal)
        typed = None if data.pin is None else (data.pin, data.side or 0, data.person)
        return await write(request, match_id, command, data.expected_version, typed=typed)

    @post("/disputes", operation_id="disputeResult", summary="Say that a result is wrong: of a deal, or of the match")
    async def disputes(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.DisputeBody]
    ) -> Answered:
        """It stands, provisionally, until the director settles it; meanwhile only a director changes it."""
        command = c.DisputeResult(deal=data.deal, side=data.side, note=data.reason)
        return await write(request, match_id, command, data.expected_version)

    @post("/settlements", operation_id="settleDispute", summary="Settle a dispute, or take the own one back")
    async def settlements(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[bodies.SettlementBody]
    ) -> Answered:
        """`version` is that of the dispute; without one the first that is open."""
        command = c.SettleDispute(version=data.version, how=data.how, note=data.reason)
        return await write(request, match_id, command, data.expected_version)


@post(
    "/clubs/{club_id:uuid}/matches",
    operation_id="openMatch",
    summary="Open a match",
    tags=["matches"],
    opt=gives(match_id="/match/id"),
)
async def open_match(request: AnyRequest, club_id: FromPath[UUID], data: JSONBody[bodies.OpenMatchBody]) -> Answered:
    """Names that the club does not know are registered as visitors."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    check_known(caller)
    people = tuple(tuple(side) for side in data.sides)
    command = c.OpenMatch(
        game=data.game,
        options=data.options,
        race=data.race(),
        sides=(),
        recording=data.recording,
        depth=data.depth,
        signals=data.signals,
        delay=data.delay,
    )
    done = await services.recorder.open_match(club.club, command, people, await asked(request, caller))
    return await recorded(request, caller, done)
