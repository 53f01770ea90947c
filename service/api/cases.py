"""Cases over HTTP: call the director, read a case that concerns one, and every step in it."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from domain import codec
from domain.case import commands as c
from domain.case.state import Case
from service.api.links import FIRST, gives
from service.api.openapi import AN_INSTANT
from service.desk.as_of import instant
from service.desk.cases import acting, calling
from service.desk.cases import bodies as own
from service.desk.cases.access import case_for
from service.desk.cases.queue import CaseQueue, queue
from service.desk.cases.showing import CaseAnswer, shown_case
from service.desk.requests import Done
from service.http.answers import AnyResponse, as_json
from service.http.caller import AnyRequest, asked, caller_of, credential_of, services_of
from service.http.case_news import told_of_cases
from service.http.senders import address
from service.http.streaming import FollowRequest
from service.store.callers import Caller

Open = Annotated[int | None, QueryParameter(name="open", ge=1, le=2**53, description="a position of the open log")]
Closed = Annotated[
    int | None,
    QueryParameter(
        name="closed", ge=1, le=2**53, description="a position of the closed log; for a side a version of its case"
    ),
]
At = Annotated[
    str | None, QueryParameter(name="at", max_length=40, description="a time in RFC 3339", schema_extra=AN_INSTANT)
]


def stepped(done: Done[Case]) -> AnyResponse:
    """The answer to a step."""
    events = tuple(each.type for each in done.events)
    return as_json(own.SteppedAnswer(done.loaded.stream, done.last, events), 201 if done.last >= done.first else 200)


def called(case: str) -> AnyResponse:
    """The answer to a call: the same for one that opens a case and for one that joins it."""
    return as_json(own.CalledAnswer(case), 201, {"Location": f"/api/v1/cases/{case}"})


@post(
    "/matches/{match_id:uuid}/cases",
    operation_id="callDirector",
    tags=["cases"],
    summary="Call the director to a match, with a reason",
    opt=gives(case_id="/case"),
)
async def call(
    request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[own.CallBody]
) -> Response[own.CalledAnswer]:
    """By whoever plays or keeps the score there, or directs. A call about what is heard already joins that case; ten an
    hour from one side of a table are taken. A disputed result opens its case by itself."""
    services, caller = services_of(request), await caller_of(request)
    loaded = await calling.call(services, caller, match_id, data, await asked(request, caller))
    return called(loaded.stream)


@post(
    "/tournaments/{tournament_id:uuid}/cases",
    operation_id="callDirectorToFixture",
    tags=["cases"],
    summary="Call the director to a match of the plan: a no-show, a walkover, slow play",
    opt=gives(case_id="/case"),
)
async def call_fixture(
    request: AnyRequest, tournament_id: FromPath[UUID], data: JSONBody[own.FixtureCallBody]
) -> Response[own.CalledAnswer]:
    """Also to one that was never paired or never played."""
    services, caller = services_of(request), await caller_of(request)
    loaded = await calling.call_fixture(services, caller, tournament_id, data, await asked(request, caller))
    return called(loaded.stream)


@get(
    "/clubs/{club_id:uuid}/cases",
    operation_id="listCases",
    tags=["cases"],
    summary="The cases that you direct, those that wait first; server-sent with Accept: text/event-stream",
    opt=gives(case_id=FIRST),
)
async def cases(request: AnyRequest, club_id: FromPath[UUID]) -> Response[CaseQueue]:
    """With how long each has waited, and how soon somebody came. A stream tells the queue whenever it changes."""
    services, caller = services_of(request), await caller_of(request)
    found = await queue(services, caller, club_id)
    if "text/event-stream" not in request.headers.get("accept", ""):
        return as_json(found)

    async def drawn(fresh: Caller) -> str:
        now = await queue(services, fresh, club_id)
        steady = [msgspec.structs.replace(each, waited=0) for each in now.items]  # time alone is no news
        return codec.encode_plain({"items": steady}).decode()

    listening = FollowRequest(str(club_id), None, caller, credential_of(request), address(request))
    return told_of_cases(services, listening, drawn)  # type: ignore[return-value]  # a stream is an answer too


class CaseController(Controller):
    """One case."""

    path = "/cases/{case_id:uuid}"
    tags = ["cases"]

    @get(operation_id="readCase", summary="A case that concerns you, now, at a time, or as the two logs stood")
    async def read(
        self,
        request: AnyRequest,
        case_id: FromPath[UUID],
        opened: Open = None,
        closed: Closed = None,
        moment: At = None,
    ) -> Response[CaseAnswer]:
        """`view` is made of ids, and is the same for the same two positions, kind of viewer, time and audit; `words`
        and `names` stand beside it. What a side stated is sealed until all have, or the club's time has passed."""
        services, caller = services_of(request), await caller_of(request)
        seen = await case_for(services, caller, case_id)
        at = None if moment is None else instant(moment)
        return as_json(await shown_case(services, seen, at, (opened, closed)))

    @post("/statements", operation_id="makeStatement", summary="State what happened, for your side")
    async def statements(
        self, request: AnyRequest, case_id: FromPath[UUID], data: JSONBody[own.StatementBody]
    ) -> Response[own.SteppedAnswer]:
        """Sealed until every side has stated, the club's minutes have passed, or a director opens them."""
        command = c.MakeStatement(side=data.side, words=data.words)
        return await self._signed(request, case_id, command, data)

    @post("/open-statements", operation_id="openStatements", summary="Open the statements before their time")
    async def open_statements(
        self, request: AnyRequest, case_id: FromPath[UUID], data: JSONBody[own.PlainBody]
    ) -> Response[own.SteppedAnswer]:
        """By a director."""
        return await self._step(request, case_id, c.OpenStatements(words=data.reason), data.expected_version)

    @post("/witnesses", operation_id="hearWitness", summary="Write down what a witness says")
    async def witnesses(
        self, request: AnyRequest, case_id: FromPath[UUID], data: JSONBody[own.WitnessBody]
    ) -> Response[own.SteppedAnswer]:
        """By a director."""
        command = c.HearWitness(person=data.person, words=data.words)
        return await self._step(request, case_id, command, data.expected_version)

    @post("/ruler", operation_id="assignRuler", summary="Say who rules on the case")
    async def ruler(
        self, request: AnyRequest, case_id: FromPath[UUID], data: JSONBody[own.RulerBody]
    ) -> Response[own.SteppedAnswer]:
        """A director names one, or takes it on; where nobody here may rule the secretary names one person. Of two at
        once one is told."""
        command = c.AssignRuler(person=data.person, instead=data.instead)
        return await self._step(request, case_id, command, data.expected_version)

    @post("/recusals", operation_id="recuseRuler", summary="Say that somebody does not rule here, and why")
    async def recusals(
        self, request: AnyRequest, case_id: FromPath[UUID], data: JSONBody[own.RecusalBody]
    ) -> Response[own.SteppedAnswer]:
        """Of a side, close to one, having ruled before, or asked to."""
        command = c.RecuseRuler(person=data.person, because=data.because, words=data.reason)
        return await self._step(request, case_id, command, data.expected_version)

    @post("/join", operation_id="joinCase", summary="Have a further match, deal or entries heard with the case")
    async def join(
        self, request: AnyRequest, case_id: FromPath[UUID], data: JSONBody[own.JoinBody]
    ) -> Response[own.SteppedAnswer]:
        """Another match by a director."""
        services, caller = services_of(request), await caller_of(request)
        wanted = await asked(request, caller, data.expected_version)
        return stepped(await acting.join(services, caller, case_id, data, wanted))

    @post("/close", operation_id="closeCase", summary="Close the case")
    async def close(
        self, request: AnyRequest, case_id: FromPath[UUID], data: JSONBody[own.CloseBody]
    ) -> Response[own.SteppedAnswer]:
        """By a director; a ruling closes nothing by itself."""
        command = c.CloseCase(ended=data.ended, words=data.reason)
        return await self._step(request, case_id, command, data.expected_version)

    @post("/reopen", operation_id="reopenCase", summary="Hear the case again")
    async def reopen(
        self, request: AnyRequest, case_id: FromPath[UUID], data: JSONBody[own.PlainBody]
    ) -> Response[own.SteppedAnswer]:
        """By a director."""
        return await self._step(request, case_id, c.ReopenCase(words=data.reason), data.expected_version)

    @post("/appeals", operation_id="lodgeAppeal", summary="Appeal against a ruling", opt=gives(appeal="/version"))
    async def appeals(
        self, request: AnyRequest, case_id: FromPath[UUID], data: JSONBody[own.AppealBody]
    ) -> Response[own.SteppedAnswer]:
        """By a side that has not accepted it, within 30 minutes, or before T2 of its deal ends if that is later."""
        services, caller = services_of(request), await caller_of(request)
        signer = await acting.signing(services, caller, case_id, data.person, data.pin)
        command = await acting.appealing(services, signer, case_id, data)
        return await self._signed(request, case_id, command, data)

    @post("/appeals/{appeal:int}/decision", operation_id="decideAppeal", summary="Decide an appeal")
    async def decision(
        self, request: AnyRequest, case_id: FromPath[UUID], appeal: FromPath[int], data: JSONBody[own.DecisionBody]
    ) -> Response[own.SteppedAnswer]:
        """By the most of a panel of one to three who did not make the first ruling; a side takes its own back."""
        command = c.HearAppeal(
            appeal=appeal,
            panel=tuple(data.panel),
            outcome=data.outcome,
            dissent=tuple(data.dissent),
            words=data.grounds,
        )
        return await self._step(request, case_id, command, data.expected_version)

    async def _step(
        self, request: AnyRequest, case_id: UUID, command: c.CaseCommand, expected: int | None
    ) -> AnyResponse:
        services, caller = services_of(request), await caller_of(request)
        wanted = await asked(request, caller, expected)
        return stepped(await acting.step(services, caller, case_id, command, wanted))

    async def _signed(
        self, request: AnyRequest, case_id: UUID, command: c.CaseCommand, data: own.StatementBody | own.AppealBody
    ) -> AnyResponse:
        """A step that a person may sign by PIN; no mark of the PIN is kept with it."""
        services, caller = services_of(request), await caller_of(request)
        signer = await acting.signing(services, caller, case_id, data.person, data.pin)
        wanted = await asked(request, signer, data.expected_version)
        if data.pin is not None:
            wanted = acting.unmarked(wanted, case_id, command)
        return stepped(await acting.step(services, signer, case_id, command, wanted))
