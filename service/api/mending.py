"""Putting a record right over HTTP: previews, proposals and their answers, what the table took back, affirmations."""

from typing import TypeAlias
from uuid import UUID

from litestar import Controller, Response, post
from litestar.params import FromPath, JSONBody

from domain.match import commands as c
from domain.match import mending_commands as m
from service.api.links import gives
from service.api.matches import Answered, write
from service.desk import mending_bodies
from service.desk.previewing import ForeseenCorrection, foreseen
from service.http.answers import as_json
from service.http.caller import AnyRequest, caller_of, services_of

Spoken: TypeAlias = mending_bodies.SpokenBody | mending_bodies.AnswerBody | mending_bodies.AffirmationBody


class MendingController(Controller):
    """The record of one match, put right."""

    path = "/matches/{match_id:uuid}"
    tags = ["matches"]

    @post("/corrections/preview", operation_id="previewCorrection", summary="What a correction would move")
    async def preview(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[mending_bodies.CorrectionBody]
    ) -> Response[ForeseenCorrection]:
        """Tricks, scores, totals and the later entries that would no longer fit; nothing is written. `how` says whether
        you correct it, or propose it to the other side."""
        services, caller = services_of(request), await caller_of(request)
        command = m.Correct(version=data.version, now=data.now, do=data.do, accepts=data.accepts, note=data.reason)
        return as_json(await foreseen(services, caller, match_id, command), 201)

    @post("/withdrawals", operation_id="withdrawFact", summary="A card was taken back at the table")
    async def withdrawals(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[mending_bodies.WithdrawalBody]
    ) -> Answered:
        """At any place of a deal, for the irregularity that is named."""
        command = m.WithdrawFact(version=data.version, code=data.code, accepts=data.accepts, note=data.reason)
        return await write(request, match_id, command, data.expected_version)

    @post(
        "/proposals",
        operation_id="proposeCorrection",
        summary="Propose a correction to the other side",
        opt=gives(proposal="/version"),
    )
    async def proposals(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[mending_bodies.ProposalBody]
    ) -> Answered:
        """Of a result that is confirmed, until the next deal has its first entry; with a yes of each other side it is
        done. Late, a director proposes it to the secretary."""
        command = m.ProposeCorrection(
            version=data.version, now=data.now, do=data.do, cause=data.cause, accepts=data.accepts, note=data.reason
        )
        return await write(request, match_id, command, data.expected_version)

    @post("/proposals/{proposal:int}/answer", operation_id="answerCorrection", summary="Say yes or no to a proposal")
    async def answer(
        self,
        request: AnyRequest,
        match_id: FromPath[UUID],
        proposal: FromPath[int],
        data: JSONBody[mending_bodies.AnswerBody],
    ) -> Answered:
        """By the other side on a device of its own, or with a PIN; a director may, too. A no ends it."""
        command = m.AnswerCorrection(proposal=proposal, yes=data.yes, accepts=data.accepts, note=data.reason)
        return await write(request, match_id, command, data.expected_version, typed=_typed(data))

    @post(
        "/affirmations",
        operation_id="affirm",
        summary="Affirm that entries are what was played",
        opt=gives(affirmation="/version"),
    )
    async def affirmations(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[mending_bodies.AffirmationBody]
    ) -> Answered:
        """By a player for the own side, or by a director who looked at the cards. It admits no breach."""
        command = m.Affirm(deal=data.deal, versions=tuple(data.versions), inspected=data.inspected, note=data.reason)
        return await write(request, match_id, command, data.expected_version, typed=_typed(data))

    @post(
        "/affirmations/{affirmation:int}/withdraw",
        operation_id="withdrawAffirmation",
        summary="Take the own affirmation back",
    )
    async def withdraw(
        self,
        request: AnyRequest,
        match_id: FromPath[UUID],
        affirmation: FromPath[int],
        data: JSONBody[mending_bodies.SpokenBody],
    ) -> Answered:
        """While no ruling rests on it."""
        command = m.WithdrawAffirmation(affirmation=affirmation, note=data.reason)
        return await write(request, match_id, command, data.expected_version, typed=_typed(data))

    @post("/seal", operation_id="sealMatch", summary="Seal the record of a match that is over")
    async def seal(
        self, request: AnyRequest, match_id: FromPath[UUID], data: JSONBody[mending_bodies.SealBody]
    ) -> Answered:
        """By a director, before its time: nothing changes any more."""
        return await write(request, match_id, c.Seal(note=data.reason), data.expected_version)


def _typed(data: Spoken) -> tuple[str, int, str | None] | None:
    """The PIN that was typed, for which side and whose."""
    return None if data.pin is None else (data.pin, data.side or 0, data.person)
