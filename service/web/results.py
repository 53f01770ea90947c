"""Results without cards: enter one, correct one, preview the scores of the taps so far."""

import secrets
from typing import Any
from uuid import UUID

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from msgspec.structs import asdict

from domain import codec
from domain.game.sheet import EntryField
from domain.log.decider import Refusal
from domain.match import commands as c
from domain.match.mending_commands import Correct, ProposeCorrection
from domain.match.results import read_entry
from domain.match.rights import check_any
from domain.match.state import Deal
from service.desk.access import actor_at, match_for, match_to_write
from service.desk.matches import record
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, era_of, services_of
from service.http.cookies import caller_of, check_origin, check_same, go
from service.http.kinds import KINDS
from service.http.queries import ANY
from service.store.callers import Caller
from service.store.loaded import LoadedMatch
from service.web.asked import asked_of
from service.web.forms import Form, entry_of, form_of, line_of, number_of, text_of
from service.web.matches import table_values
from service.web.render import TEMPLATES, named, page
from service.web.taps import BY_SCRIPT, refused, taken, why
from service.web.words import in_words


def _fields(loaded: LoadedMatch) -> tuple[EntryField, ...]:
    setup = loaded.match.setup
    fields: tuple[EntryField, ...] = setup.game.sheet.form(setup.options)
    return fields


def _entered(loaded: LoadedMatch, number: int | None) -> Deal | None:
    """The deal whose entered result is to be corrected. Raises Refusal when it has none."""
    if number is None:
        return None
    deal = next((each for each in loaded.match.deals if each.number == number), None)
    if deal is None or deal.entry is None:
        raise Refusal("not-found", f"deal {number} has no result to correct")
    return deal


def _values_of(fields: tuple[EntryField, ...], entry: Any) -> dict[str, str]:
    """The form's values that an entry stands for, so that a correction begins with them."""
    values = {}
    for field in fields:
        at = codec.plain(entry)
        for step in field.path.split("."):
            if isinstance(at, dict):
                at = at.get(step)
            elif isinstance(at, list | tuple) and step.isdecimal() and int(step) < len(at):
                at = at[int(step)]
            else:
                at = None
        if at is not None:
            values[field.path] = str(at)
    return values


async def _result_form(
    request: AnyRequest, match_id: UUID, form: Form, deal: int | None, error: str = "", status: int = 200
) -> AnyResponse:
    services, caller = services_of(request), await caller_of(request)
    loaded, club = await match_for(services, caller, match_id)
    asked, moment = await asked_of(services, caller, loaded, club)
    era = await era_of(request)
    values = {
        **asdict(table_values(caller, loaded, club, asked=asked, moment=moment, era=era)),
        "error": error,
        "scores": None,
        "wrong": "",
        "passable": _passable(loaded),
    }
    return page("result.html", caller, status, fields=_fields(loaded), form=form, deal=deal, **values)


def _passable(loaded: LoadedMatch) -> bool:
    """True where a deal of this game may end because everybody passed."""
    try:
        setup = loaded.match.setup
        return bool(setup.game.sheet.score(setup.options, read_entry(loaded.match, {"void": True})).void)
    except Refusal:
        return False


def _deal_asked(request: AnyRequest) -> int | None:
    """`?deal=2` asks to correct the result of deal 2. Raises Refusal."""
    return number_of(dict(request.query_params), "deal")


@get("/matches/{match_id:uuid}/result", include_in_schema=False, query=("deal",))
async def result_page(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The controls of the game's result; `?deal=2` corrects the one that was entered for deal 2."""
    caller = await caller_of(request)
    await match_to_write(services_of(request), caller, match_id)
    loaded, _ = await match_for(services_of(request), caller, match_id)
    check_any(loaded.match, c.EnterResult(entry={}), actor_at(caller, loaded))  # nobody fills in what is refused
    deal = _entered(loaded, _deal_asked(request))
    form = {} if deal is None or deal.entry is None else _values_of(_fields(loaded), deal.entry[1])
    return await _result_form(request, match_id, form, None if deal is None else deal.number)


@post("/matches/{match_id:uuid}/result", include_in_schema=False)
async def enter_result(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """Close the deal with this result, or correct the one of an earlier deal."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    check_same(request, caller)
    await match_to_write(services, caller, match_id)
    loaded, _ = await match_for(services, caller, match_id)
    form = await form_of(request)
    try:
        command, version = _command(loaded, form), number_of(form, "version")
        if isinstance(command, c.EnterResult):  # the same result once more is none, whatever was recorded since
            command, version = msgspec.structs.replace(command, expected=version), None
        wanted = await asked(request, caller, version)
        done = await record(services, caller, match_id, command, wanted, bool(text_of(form, "it_happened")))
    except Refusal as refusal:
        return await _refused(request, caller, match_id, refusal, form)
    if BY_SCRIPT in request.headers:
        return await taken(request, caller, match_id, done)
    return go(f"/matches/{match_id}")


async def _refused(request: AnyRequest, caller: Caller, match_id: UUID, refusal: Refusal, form: Form) -> AnyResponse:
    """The form again, with the error."""
    if BY_SCRIPT in request.headers:
        return await refused(request, caller, match_id, refusal, form)
    said = await why(request, caller, match_id, refusal, form)
    corrected = number_of(form, "deal") if text_of(form, "correct") else None
    return await _result_form(request, match_id, form, corrected, said, KINDS[refusal.slug].status)


def _command(loaded: LoadedMatch, form: Form) -> c.MatchCommand:
    """The command of the form, which names the deal that it was drawn for. Raises Refusal."""
    entry = {"void": True} if text_of(form, "void") else entry_of(_fields(loaded), form)
    deal = _entered(loaded, number_of(form, "deal") if text_of(form, "correct") else None)
    if deal is None or deal.entry is None:
        number, dealer = number_of(form, "deal"), number_of(form, "dealer")
        return c.EnterResult(entry=entry, deal=number, lot=secrets.randbelow(4), dealer=dealer)
    if text_of(form, "propose"):
        return ProposeCorrection(version=deal.entry[0], now=entry, note=line_of(form, "reason"))
    return Correct(version=deal.entry[0], now=entry, note=line_of(form, "reason"))


@get("/matches/{match_id:uuid}/result/preview", include_in_schema=False, query=(ANY,))
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
        scores = setup.game.sheet.score(setup.options, read).scores
    except Refusal as refusal:
        error = "" if refusal.detail.startswith("choose:") else refusal.detail
    shown = table_values(caller, loaded, club)
    wrong = in_words(named(error, shown.people))
    text = TEMPLATES.get_template("_preview.html").render(scores=scores, wrong=wrong, caller=caller, **asdict(shown))
    return Response(text, media_type=MediaType.HTML, headers={"Cache-Control": "no-store"})
