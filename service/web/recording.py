"""The scorer's controls: a fact, a deal, undo, void and back, confirm, dispute; and the director's answers."""

import secrets
from collections.abc import Callable
from typing import Final
from uuid import UUID

import msgspec
from litestar import post
from litestar.params import FromPath

from domain import codec
from domain.cards.facts import CardPlayed, Fact
from domain.games import fact_types, fact_union
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.events import Settlement
from domain.match.mending_commands import Affirm, AnswerCorrection, WithdrawAffirmation
from domain.match.state import Match
from service.desk.access import match_to_write
from service.desk.matches import record
from service.desk.requests import Request
from service.desk.signing import by_pin, without_pin
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, check_same, go
from service.languages.spoken import translate
from service.store.callers import Caller
from service.web.claiming import WORD as REST
from service.web.claiming import claimed
from service.web.forms import Form, Member, form_of, line_of, number_of, scores_of, text_of
from service.web.layouts import typed_deal
from service.web.matches import ABANDON, VOID
from service.web.render import fact_of
from service.web.taps import BY_SCRIPT, refused, taken
from service.web.words import unread

BY_PIN: Final = (c.ConfirmResult, c.AgreeOwnTable, AnswerCorrection, Affirm, WithdrawAffirmation)
REASON: Final = 300  # letters of a reason


async def write(request: AnyRequest, match_id: UUID, make: Callable[[Form], c.MatchCommand]) -> AnyResponse:
    """Take a form and go back to the table; what is refused is said there."""
    return await write_of(request, match_id, lambda form, _: make(form))


async def write_of(request: AnyRequest, match_id: UUID, make: Callable[[Form, Match], c.MatchCommand]) -> AnyResponse:
    """The same for a form that is read with an eye on the match."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    check_same(request, caller)
    loaded = await match_to_write(services, caller, match_id)  # a form that cannot be read is no news for a stranger
    form = await form_of(request)
    try:
        command, version = make(form, loaded.match), number_of(form, "version")
        if isinstance(command, c.ConfirmResult):
            version = version if command.scores is None else None  # the figures say what it was built on
        signer, wanted = await _signing(request, caller, match_id, command, form, version)
        done = await record(services, signer, match_id, command, wanted)
    except Refusal as refusal:
        return await refused(request, caller, match_id, refusal, form)
    except (msgspec.MsgspecError, ValueError) as error:
        return await refused(request, caller, match_id, unread(error), form)
    if BY_SCRIPT in request.headers:
        return await taken(request, caller, match_id, done)
    return go(f"/matches/{match_id}")


async def _signing(
    request: AnyRequest, caller: Caller, match_id: UUID, command: c.MatchCommand, form: Form, version: int | None
) -> tuple[Caller, Request]:
    """The signer: the person who typed a PIN here, else the caller; and the request for that. Raises Refusal."""
    pin = text_of(form, "pin")
    if not pin or not isinstance(command, BY_PIN):
        return caller, await asked(request, caller, version)
    services = services_of(request)
    loaded = await match_to_write(services, caller, match_id)
    side, named = number_of(form, "side") or 0, text_of(form, "person") or None
    signer = await by_pin(services, caller, loaded, side, named, pin)
    return signer, without_pin(await asked(request, signer, version), match_id, command)


def fact_from(form: Form) -> Fact:
    """The fact that a tap states: a whole one, or its word, who, and a card, a square or a number, which is tapped or
    typed. A seat beside a whole one is whose turn it is by now, where nobody chose another. Raises ValueError, Refusal.
    """
    text = text_of(form, "fact")
    if text:
        whole, seat = fact_of(text), number_of(form, "seat")
        return whole if seat is None else codec.convert({**codec.plain(whole), "seat": seat}, fact_union())
    word = text_of(form, "do") or str(CardPlayed.__struct_config__.tag)
    seat = number_of(form, "seat") or 0
    stated: dict[str, Member] = {"do": word, "seat": seat}
    if word == REST:
        stated |= claimed(form, seat)
    if card := text_of(form, "card"):
        stated["card"] = card
    if cell := text_of(form, "cell"):
        stated["cell"] = [int(step) for step in cell.split()]
    number = number_of(form, "tapped")
    if (number := number_of(form, "number") if number is None else number) is not None:
        stated |= dict.fromkeys(members_of(word), number)
    fact: Fact = codec.convert(stated, fact_union())  # a Struct that is made, not read, takes any seat
    return fact


def members_of(word: str) -> tuple[str, ...]:
    """The members of a fact of that word beside its seat, none where no fact has the word."""
    return next((kind.__struct_fields__[1:] for kind in fact_types() if kind.__struct_config__.tag == word), ())


@post("/matches/{match_id:uuid}/facts", include_in_schema=False)
async def record_fact(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """One tap, one fact."""
    return await write(
        request,
        match_id,
        lambda form: c.RecordFacts(facts=(fact_from(form),), it_happened=bool(text_of(form, "it_happened"))),
    )


@post("/matches/{match_id:uuid}/deals", include_in_schema=False)
async def start_deal(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The next deal, with its cards where they lie open and were typed; who deals follows from the rules, the first is
    drawn by lot or chosen."""
    return await write_of(request, match_id, _started)


def _started(form: Form, match: Match) -> c.StartDeal:
    deal = typed_deal(form, match)
    return c.StartDeal(
        dealer=number_of(form, "dealer"),
        lot=secrets.randbelow(4),
        depth="plays" if deal is None else "full",
        deal=deal,
    )


@post("/matches/{match_id:uuid}/pause", include_in_schema=False)
async def pause(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """Go on with the result only."""
    return await write(request, match_id, lambda _: c.PauseRecording())


@post("/matches/{match_id:uuid}/undo", include_in_schema=False)
async def undo(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """One tap takes the last one back."""
    return await write(request, match_id, lambda _: c.UndoLast())


@post("/matches/{match_id:uuid}/void", include_in_schema=False)
async def void_deal(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The deal is void: asked first, as one tap is too little for that."""
    return await write(request, match_id, _void)


def _void(form: Form) -> c.VoidDeal:
    if not text_of(form, "sure"):
        raise Refusal("confirm-needed", translate(VOID), ask="sure", yes=translate("Deal is void"))
    return c.VoidDeal()


@post("/matches/{match_id:uuid}/abandon", include_in_schema=False)
async def abandon(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The match was opened by mistake: asked first, as one tap is too little for that."""
    return await write(request, match_id, _abandon)


def _abandon(form: Form) -> c.AbandonMatch:
    if not text_of(form, "sure"):
        raise Refusal("confirm-needed", translate(ABANDON), ask="sure", yes=translate("Abandon the match"))
    return c.AbandonMatch()


@post("/matches/{match_id:uuid}/restore", include_in_schema=False)
async def restore_deal(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The deal that was declared void counts after all."""
    return await write(request, match_id, lambda _: c.RestoreDeal())


@post("/matches/{match_id:uuid}/confirm", include_in_schema=False)
async def confirm(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """A side agrees to the figures that the form shows, or to what the other side says, on the device that is handed
    over."""
    return await write(
        request,
        match_id,
        lambda form: c.ConfirmResult(
            deal=number_of(form, "deal") or 0, side=number_of(form, "side") or 0, scores=scores_of(form, "scores")
        ),
    )


@post("/matches/{match_id:uuid}/dispute", include_in_schema=False)
async def dispute(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """A deal's result, or that of the match, is said to be wrong; it does not matter what was recorded meanwhile."""
    return await write(
        request,
        match_id,
        lambda form: c.DisputeResult(deal=number_of(form, "deal"), side=number_of(form, "side"), note=_why(form)),
    )


def _why(form: Form) -> str | None:
    """The reason of a dispute, which may be left out: a dispute takes two taps."""
    return line_of(form, "reason", REASON) if text_of(form, "reason") else None


@post("/matches/{match_id:uuid}/settle", include_in_schema=False)
async def settle(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The director settles a dispute, or it is taken back."""
    return await write(
        request,
        match_id,
        lambda form: c.SettleDispute(
            version=number_of(form, "dispute") or 0, how=msgspec.convert(text_of(form, "how"), Settlement)
        ),
    )


@post("/matches/{match_id:uuid}/hands", include_in_schema=False)
async def open_hands(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The director shows the hands of a deal that is over to everybody."""
    return await write(
        request,
        match_id,
        lambda form: c.OpenHands(deal=number_of(form, "deal") or 0, note=line_of(form, "reason", REASON)),
    )
