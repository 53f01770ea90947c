"""The scorer's controls: a result without cards, a fact, a deal, undo, confirm."""

import secrets
from typing import Any
from uuid import UUID

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.params import FromPath

from domain.decider import Refusal
from domain.game import EntryField
from domain.match import commands as c
from domain.match.decide import read_entry
from service.api.access import asked, match_for, match_to_write, services_of
from service.auth import RECORDERS, Caller
from service.problems import KINDS
from service.web.access import caller_of, check_origin, go
from service.web.forms import entry_of, number_of, text_of
from service.web.matches import table_values
from service.web.render import TEMPLATES, fact_of, page, plain

AnyRequest = Request[Any, Any, Any]


async def _write(request: AnyRequest, match_id: UUID, make: Any) -> Response[Any]:
    """Take a form and go back to the table; what is refused is said there."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    await match_to_write(services, caller, match_id, RECORDERS)
    form = dict(await request.form())
    try:
        version = number_of(form, "version")
        await services.recorder.match(str(match_id), make(form), await asked(request, caller, version))
    except Refusal as refusal:
        return await _again(request, caller, match_id, refusal)
    except msgspec.MsgspecError as error:
        return await _again(request, caller, match_id, Refusal("malformed", str(error)))
    return go(f"/matches/{match_id}")


async def _again(request: AnyRequest, caller: Caller, match_id: UUID, refusal: Refusal) -> Response[Any]:
    services = services_of(request)
    loaded, club = await match_for(services, caller, match_id)
    status = KINDS[refusal.slug].status
    return page("match.html", caller, status, error=refusal.detail, **table_values(caller, loaded, club))


@post("/matches/{match_id:uuid}/facts", include_in_schema=False)
async def record_fact(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """One tap, one fact."""
    return await _write(request, match_id, lambda form: c.RecordFacts(facts=(fact_of(text_of(form, "fact")),)))


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


# ------------------------------------------------------------------ result entry


def _fields(loaded: Any) -> tuple[EntryField, ...]:
    setup = loaded.match.setup
    fields: tuple[EntryField, ...] = setup.game.entry_form(setup.options)
    return fields


async def _result_form(
    request: AnyRequest, match_id: UUID, form: dict[str, Any], error: str = "", status: int = 200
) -> Response[Any]:
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match_id)
    values = table_values(caller, loaded, club)
    return page("result.html", caller, status, fields=plain(_fields(loaded)), form=form, error=error, **values)


@get("/matches/{match_id:uuid}/result", include_in_schema=False)
async def result_page(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """The controls of the game's result."""
    caller = await caller_of(request)
    await match_to_write(services_of(request), caller, match_id, RECORDERS)
    return await _result_form(request, match_id, {})


@post("/matches/{match_id:uuid}/result", include_in_schema=False)
async def enter_result(request: AnyRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """Close the deal with this result."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    loaded = await match_to_write(services, caller, match_id, RECORDERS)
    form = dict(await request.form())
    try:
        entry = {"void": True} if text_of(form, "void") else entry_of(_fields(loaded), form)
        command = c.EnterResult(entry=entry, lot=secrets.randbelow(4), dealer=number_of(form, "dealer"))
        await services.recorder.match(str(match_id), command, await asked(request, caller, number_of(form, "version")))
    except Refusal as refusal:
        return await _result_form(request, match_id, form, refusal.detail, KINDS[refusal.slug].status)
    return go(f"/matches/{match_id}")


@get("/matches/{match_id:uuid}/result/preview", include_in_schema=False)
async def preview(request: AnyRequest, match_id: FromPath[UUID]) -> Response[str]:
    """The scores that the taps so far give; nothing is recorded."""
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match_id)
    scores = None
    error = ""
    try:
        entry = entry_of(_fields(loaded), dict(request.query_params))
        read = read_entry(loaded.match, entry)
        setup = loaded.match.setup
        scores = setup.game.score_entry(setup.options, read).scores
    except Refusal as refusal:
        error = "" if refusal.detail.startswith("choose:") else refusal.detail
    values = table_values(caller, loaded, club)
    text = TEMPLATES.get_template("_preview.html").render(scores=scores, error=error, caller=caller, **values)
    return Response(text, media_type=MediaType.HTML, headers={"Cache-Control": "no-store"})
