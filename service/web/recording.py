"""The scorer's controls: a result without cards, a fact, a deal, undo, confirm."""

import secrets
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Request, Response, post
from litestar.params import FromPath

from domain import codec
from domain.decider import Refusal
from domain.facts import Fact
from domain.games import fact_union
from domain.match import commands as c
from service.api.access import asked, match_for, match_to_write, services_of
from service.auth import Caller
from service.problems import KINDS
from service.web.access import caller_of, check_origin, go
from service.web.forms import number_of, text_of
from service.web.matches import table_values
from service.web.reasons import reasons_of
from service.web.render import fact_of, named, page
from service.web.words import unread

AnyRequest = Request[Any, Any, Any]
BY_SCRIPT: Final = "x-table"  # a tap that live.js sent: it wants the table's inside, not the page


async def _write(request: AnyRequest, match_id: UUID, make: Any) -> Response[Any]:
    """Take a form and go back to the table; what is refused is said there."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    await match_to_write(services, caller, match_id)
    form = dict(await request.form())
    try:
        version = number_of(form, "version")
        await services.recorder.match(str(match_id), make(form), await asked(request, caller, version))
    except Refusal as refusal:
        return await _again(request, caller, match_id, refusal, form)
    except (msgspec.MsgspecError, ValueError) as error:
        return await _again(request, caller, match_id, unread(error), form)
    if BY_SCRIPT in request.headers:
        return await _table(request, caller, match_id, 200)
    return go(f"/matches/{match_id}")


async def _again(
    request: AnyRequest, caller: Caller, match_id: UUID, refusal: Refusal, form: dict[str, Any]
) -> Response[Any]:
    """The table with what was wrong; what can hardly be meant becomes a question."""
    question = None
    if refusal.slug == "confirm-needed":
        question = {"action": request.url.path, "fields": {n: v for n, v in form.items() if isinstance(v, str)}}
    return await _table(request, caller, match_id, KINDS[refusal.slug].status, refusal.detail, question)


async def _table(
    request: AnyRequest, caller: Caller, match_id: UUID, status: int, error: str = "", question: Any = None
) -> Response[Any]:
    """The whole page, or for our script the table's inside alone."""
    loaded, club = await match_for(services_of(request), caller, match_id)
    values = {**table_values(caller, loaded, club), "question": question}
    values["error"] = named(error, values["people"])
    if BY_SCRIPT not in request.headers:
        reasons = await reasons_of(services_of(request), caller, loaded)
        return page("match.html", caller, status, reasons=reasons, **values)
    answer = page("_table.html", caller, status, **values)
    answer.headers[BY_SCRIPT] = "1"
    return answer


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
    """The deal is void."""
    return await _write(request, match_id, lambda _: c.VoidDeal())


@post("/matches/{match_id:uuid}/confirm", include_in_schema=False)
async def confirm(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """The other side agrees, on the device that is handed over."""
    return await _write(
        request, match_id,
        lambda form: c.ConfirmResult(deal=number_of(form, "deal") or 0, side=number_of(form, "side") or 0),
    )  # fmt: skip
