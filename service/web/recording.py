"""The scorer's controls: a result without cards, a fact, a deal, undo, confirm."""

import secrets
from typing import Any
from uuid import UUID

import msgspec
from litestar import Request, Response, post
from litestar.params import FromPath

from domain import codec
from domain.decider import Refusal
from domain.facts import Fact
from domain.games import fact_union
from domain.match import commands as c
from service.api.access import asked, match_to_write, services_of
from service.web.access import caller_of, check_origin, check_same, go
from service.web.forms import number_of, text_of
from service.web.matches import VOID
from service.web.render import fact_of
from service.web.taps import BY_SCRIPT, refused, taken
from service.web.words import unread

AnyRequest = Request[Any, Any, Any]


async def _write(request: AnyRequest, match_id: UUID, make: Any) -> Response[Any]:
    """Take a form and go back to the table; what is refused is said there."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    check_same(request, caller)
    await match_to_write(services, caller, match_id)
    form = dict(await request.form())
    try:
        version = number_of(form, "version")
        done = await services.recorder.match(str(match_id), make(form), await asked(request, caller, version))
    except Refusal as refusal:
        return await refused(request, caller, match_id, refusal, form)
    except (msgspec.MsgspecError, ValueError) as error:
        return await refused(request, caller, match_id, unread(error), form)
    if BY_SCRIPT in request.headers:
        return await taken(request, caller, match_id, done)
    return go(f"/matches/{match_id}")


def fact_from(form: dict[str, Any]) -> Fact:
    """The fact that a tap states: a whole one, or its word, who, and a card, a square or a number.
    Raises ValueError, Refusal."""
    text = text_of(form, "fact")
    if text:
        return fact_of(text)
    word = text_of(form, "do") or "play"
    stated: dict[str, Any] = {"do": word, "seat": number_of(form, "seat") or 0}
    if card := text_of(form, "card"):
        stated["card"] = card
    if cell := text_of(form, "cell"):
        stated["cell"] = [int(step) for step in cell.split()]
    if (number := number_of(form, "number")) is not None:
        stated[word] = number
    fact: Fact = codec.convert(stated, fact_union())  # a Struct that is made, not read, takes any seat
    return fact


@post("/matches/{match_id:uuid}/facts", include_in_schema=False)
async def record_fact(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """One tap, one fact."""
    return await _write(
        request, match_id,
        lambda form: c.RecordFacts(facts=(fact_from(form),), it_happened=bool(text_of(form, "it_happened"))),
    )  # fmt: skip


@post("/matches/{match_id:uuid}/deals", include_in_schema=False)
async def start_deal(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """The next deal; who deals follows from the rules, the first is drawn by lot or chosen."""
    return await _write(
        request, match_id,
        lambda form: c.StartDeal(dealer=number_of(form, "dealer"), lot=secrets.randbelow(4), depth="plays"),
    )  # fmt: skip


@post("/matches/{match_id:uuid}/pause", include_in_schema=False)
async def pause(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """Go on with the result only."""
    return await _write(request, match_id, lambda _: c.PauseRecording())


@post("/matches/{match_id:uuid}/undo", include_in_schema=False)
async def undo(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """One tap takes the last one back."""
    return await _write(request, match_id, lambda _: c.UndoLast())


@post("/matches/{match_id:uuid}/void", include_in_schema=False)
async def void_deal(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """The deal is void: asked first, as one tap is too little for that."""
    return await _write(request, match_id, _void)


def _void(form: dict[str, Any]) -> c.VoidDeal:
    if not text_of(form, "sure"):
        raise Refusal("confirm-needed", VOID, ask="sure", yes="Deal is void")
    return c.VoidDeal()


@post("/matches/{match_id:uuid}/confirm", include_in_schema=False)
async def confirm(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """The other side agrees, on the device that is handed over."""
    return await _write(
        request, match_id,
        lambda form: c.ConfirmResult(deal=number_of(form, "deal") or 0, side=number_of(form, "side") or 0),
    )  # fmt: skip
