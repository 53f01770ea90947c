"""Rulings over HTTP: what is offered, what one would move, made and accepted."""

from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from domain.match import commands as c
from domain.match.audit.equity import Equity
from projections.rulings import RemediesView, RulingPreview
from service.api.matches import Answered, recorded
from service.api.ruling_bodies import AcceptanceBody, RulingBody
from service.desk import rulings
from service.desk.access import match_to_write
from service.desk.matches import record
from service.desk.signing import by_pin, without_pin
from service.http.answers import as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of

DealNumber = Annotated[int, QueryParameter(name="deal", ge=1, le=100_000, description="the number of the deal")]
CodeAsked = Annotated[
    str,
    QueryParameter(name="code", pattern=r"^[A-Z][A-Z0-9]{1,3}(?![\s\S])", description="the code of the irregularity"),
]
Where = Annotated[
    int | None, QueryParameter(name="at", ge=1, le=2**31 - 1, description="the version of the entry where it happened")
]
Place = Annotated[
    int, QueryParameter(name="at", ge=1, le=2**31 - 1, description="the version of the entry where it happened")
]


class RulingController(Controller):
    """The rulings of one match."""

    path = "/matches/{match_id:uuid}"
    tags = ["matches"]

    @get("/remedies", operation_id="readRemedies", summary="The remedies for a breach, side by side")
    async def remedies(
        self,
        request: AnyRequest,
        match_id: FromPath[UUID],
        deal: DealNumber,
        code: CodeAsked,
        at: Where = None,
    ) -> Response[RemediesView]:
        """Each with the deal's scores and the match under it; for who may rule."""
        services, caller = services_of(request), await caller_of(request)
        return as_json(await rulings.remedies_of(services, caller, match_id, deal, code, at))

    @get("/equity", operation_id="readEquity", summary="Best play before a breach, and after it")
    async def equity(
        self, request: AnyRequest, match_id: FromPath[UUID], deal: DealNumber, at: Place
    ) -> Response[Equity]:
        """Exact, or two margins between which a score is named; what is missing where the cards are not known. It may
        take five seconds."""
        services, caller = services_of(request), await caller_of(request)
        return as_json(await rulings.equity_of(services, caller, match_id, deal, at))

    @post("/rulings", operation_id="rule", summary="Rule on a deal")
    async def rule(self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[RulingBody]) -> Answered:
        """By a director who does not belong to the table, until the time for rulings is over. It counts at once."""
        services, caller = services_of(request), await caller_of(request)
        wanted = await asked(request, caller, data.expected_version)
        return await recorded(request, caller, await rulings.rule(services, caller, match_id, command_of(data), wanted))

    @post(
        "/rulings/preview",
        operation_id="previewRuling",
        summary="What a ruling would move, before it is made",
        status_code=200,
    )
    async def preview(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[RulingBody]
    ) -> Response[RulingPreview]:
        """Deal, match, places, bracket and ratings; nothing is written."""
        services, caller = services_of(request), await caller_of(request)
        wanted = await asked(request, caller)
        return as_json(await rulings.preview_of(services, caller, match_id, command_of(data), wanted), 200)

    @post("/acceptances", operation_id="acceptRuling", summary="A side accepts the ruling on a deal")
    async def acceptances(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[AcceptanceBody]
    ) -> Answered:
        """By a player of that side. The ruling counts in any case; who accepts it does not appeal."""
        services, caller = services_of(request), await caller_of(request)
        command = c.AcceptRuling(deal=data.deal, side=data.side, ruling=data.ruling)
        wanted, signer = await asked(request, caller, data.expected_version), caller
        if data.pin is not None:
            loaded = await match_to_write(services, caller, match_id)
            signer = await by_pin(services, caller, loaded, data.side, data.person, data.pin)
            wanted = without_pin(await asked(request, signer, data.expected_version), match_id, command)
        return await recorded(request, caller, await record(services, signer, match_id, command, wanted))


def command_of(data: RulingBody) -> c.Rule:
    """The command that a body means."""
    return c.Rule(
        code=data.code,
        deal=data.deal,
        at=data.at,
        remedy=data.remedy,
        scores=None if data.scores is None else tuple(data.scores),
        procedural=None if data.procedural is None else tuple(data.procedural),
        findings=tuple(c.NamedFinding(each.code, each.at) for each in data.findings),
        supersedes=data.supersedes,
        case=None if data.case is None else str(data.case),
        instance=data.instance,
        rule=data.rule,
        exceptional=data.exceptional,
        held=data.held,
        note=data.reason,
    )
