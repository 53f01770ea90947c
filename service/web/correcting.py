"""Correcting on pages: any entry of a record put right, taken out, inserted or taken back, after a look at what it
moves; a proposal answered in one tap, entries affirmed in two."""

import json
from collections.abc import Iterator
from typing import Final
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath
from msgspec.structs import asdict

from domain import codec
from domain.cards.card import CARD_OF
from domain.cards.facts import CardPlayed, Fact
from domain.log.actor import Actor
from domain.log.decider import Refusal
from domain.log.event import Json, JsonObject
from domain.match import commands as c
from domain.match import mending_commands as m
from domain.match.mending import deal_with, table_before
from domain.match.mending_events import Cause, Mend
from domain.match.preview import Stands
from domain.match.rights import check_any
from domain.match.sight import seen, viewer_of
from domain.match.state import Deal, Match
from domain.match.windows import closing
from service.desk.access import actor_at, match_for, match_to_write
from service.desk.moments import moment_of
from service.desk.previewing import ForeseenCorrection, foresee
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, services_of
from service.http.cookies import caller_of, go
from service.languages.phrases import card_name
from service.languages.spoken import translate
from service.web.forms import Form, line_of, number_of, text_of
from service.web.matches import table_values
from service.web.moments import Teller, figures
from service.web.recording import REASON, write
from service.web.render import page, plain, seat_text
from service.web.words import unread

WHY: Final = "?"  # what is only looked at has its reason later
FIELDS: Final = ("at", "do", "seat", "card", "fact")


class Choice(msgspec.Struct, frozen=True):
    """A fact that may be chosen: as the form sends it, and in words."""

    value: str
    said: str


@get("/matches/{match_id:uuid}/correct", include_in_schema=False, query=FIELDS)
async def correct_page(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """`?at=17` puts the entry at version 17 right, without it the last one; with `do` it says what that moves, and
    nothing is written."""
    services, caller = services_of(request), await caller_of(request)
    await match_to_write(services, caller, match_id)
    loaded, club = await match_for(services, caller, match_id)
    match, actor, form = loaded.match, actor_at(caller, loaded), dict(request.query_params)
    at, do = number_of(form, "at") or _newest(match), text_of(form, "do")
    check_any(match, m.ProposeCorrection(version=at, now=None, note=WHY), actor)  # nobody fills in what is refused
    if not at:
        return go(f"/matches/{match_id}/replay")  # nothing was recorded yet
    deal = deal_with(match, at, inserting=True) if _begins(match, at) else deal_with(match, at)
    moment = await moment_of(services.streams, loaded, services.recorder.clock())
    found, error, now = None, "", None
    try:
        if do:
            now = _now_of(form, deal, at)
            found = foresee(match, _meant(do, at, now), actor, moment)
    except Refusal as refusal:
        error = refusal.detail
    except (msgspec.MsgspecError, ValueError) as wrong:
        error = unread(wrong).detail
    values = table_values(caller, loaded, club, moment=moment)
    teller = Teller(match, values.match.sides, values.people)
    was = _shown_at(match, deal, at, actor)
    ends = closing(match, deal, moment)
    told = {
        "at": at,
        "deal": deal.number,
        "was": "" if was is None else teller.value(was),
        "begins": _begins(match, at),
        "is_result": deal.entry is not None and deal.entry[0] == at,
        "form": form,
        "found": None if found is None else plain(found),
        "moves": [] if found is None else list(_moves(found, values.sides, values.people)),
        "becomes": "" if now is None else teller.value(now),
        "now": json.dumps(now),
        "choices": _choices(match, deal, at, actor, values.people),
        "cards": [(code, card_name(code)) for code in values.pack],
        "window": ends,
        "error": error,
    }
    return page("correct.html", caller, 409 if error else 200, **{**asdict(values), **told})


def _newest(match: Match) -> int:
    """The version of the entry that was recorded last, or of the beginning of a deal that has none yet; 0 before the
    first deal."""
    if not match.deals:
        return 0
    last = match.deals[-1]
    if last.facts:
        return last.facts[-1][0]
    return last.version if last.entry is None else last.entry[0]


def _begins(match: Match, at: int) -> bool:
    return any(deal.version == at for deal in match.deals)


def _shown_at(match: Match, deal: Deal, at: int, actor: Actor) -> JsonObject | None:
    """The entry as it stands, as far as an actor may see it."""
    if deal.entry is not None and deal.entry[0] == at:
        entry: JsonObject = codec.plain(deal.entry[1])
        return entry
    fact = next((fact for version, fact in deal.facts if version == at), None)
    return None if fact is None else codec.plain(seen(fact, viewer_of(match, actor)))


def _meant(do: str, at: int, now: Json) -> m.Correct | m.WithdrawFact:
    if do == "withdraw":
        return m.WithdrawFact(version=at, note=WHY)
    return m.Correct(version=at, now=now, do=msgspec.convert(do, Mend), note=WHY)


def _now_of(form: Form, deal: Deal, at: int) -> Json:
    """The entry that the form puts in place: a fact of the list, or a card with who played it. Raises Refusal."""
    if text_of(form, "do") not in ("replace", "insert"):
        return None
    fact = text_of(form, "fact")
    if fact:
        return msgspec.json.decode(fact, type=JsonObject)
    card, seat = text_of(form, "card"), number_of(form, "seat")
    if card not in CARD_OF or seat is None:
        raise Refusal("malformed", "choose the card, and who played it")
    was = next((each for version, each in deal.facts if version == at), None)
    same = text_of(form, "do") == "replace" and was is not None and _is_card(was)
    return {"do": _tag(type(was) if same and was is not None else CardPlayed), "seat": seat, "card": card}


def _tag(kind: type[Fact]) -> str:
    return str(kind.__struct_config__.tag)


def _is_card(fact: Fact) -> bool:
    return {*fact.__struct_fields__} == {"seat", "card"}


def _choices(match: Match, deal: Deal, at: int, actor: Actor, people: list[str]) -> list[Choice]:
    """The other facts that may stand there: those that were legal, but cards, which are chosen by themselves."""
    viewer, game = viewer_of(match, actor), match.setup.game
    found: dict[str, Choice] = {}
    for do in ("replace", "insert"):
        table = game.view(table_before(match, deal, at, do, actor), viewer)
        for fact in table.legal or ():
            if not _is_card(fact):
                value = codec.encode_plain(fact).decode()
                found.setdefault(value, Choice(value, seat_text(game.key, codec.plain(fact), people)))
    return list(found.values())


def _moves(found: ForeseenCorrection, sides: list[str], people: list[str]) -> Iterator[str]:
    """Tells what a correction moves, line by line; nothing for what stays."""
    preview = found.preview
    before, after = preview.before, preview.after
    if before.tricks != after.tricks:
        was, now = _each(people, before.tricks), _each(people, after.tricks)
        yield translate("Tricks: {before} → {after}").format(before=was, after=now)
    if before.scores != after.scores:
        said = translate("Deal {deal}: {before} → {after}")
        yield said.format(deal=preview.deal, before=_scores(before), after=_scores(after))
    if before.totals != after.totals:
        was, now = _each(sides, before.totals), _each(sides, after.totals)
        yield translate("Totals: {before} → {after}").format(before=was, after=now)
    if before.over != after.over:
        said = translate("Deal {deal} is over") if after.over else translate("Deal {deal} is on again")
        yield said.format(deal=preview.deal)
    if before.finished != after.finished:
        yield translate("The match is over") if after.finished else translate("The match is no longer over")
    elif before.winner != after.winner and after.winner is not None:
        yield translate("{side} has won the match").format(side=sides[after.winner])
    if preview.misfits:
        entries = ", ".join(map(str, preview.misfits))
        yield translate("These later entries no longer fit: {entries}").format(entries=entries)


def _scores(stands: Stands) -> str:
    return translate("no score") if stands.scores is None else figures(stands.scores)


def _each(names: list[str], counts: tuple[int, ...]) -> str:
    return ", ".join(f"{name} {count}" for name, count in zip(names, counts, strict=False))


@post("/matches/{match_id:uuid}/correct", include_in_schema=False)
async def correct(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The entry is put right, or that is proposed to the other side."""
    return await write(request, match_id, _command)


def _command(form: Form) -> c.MatchCommand:
    """The command of the form. Raises Refusal, ValueError."""
    at, do = number_of(form, "at") or 0, text_of(form, "do")
    now = msgspec.json.decode(text_of(form, "now") or "null", type=JsonObject | None)
    accepts, why = number_of(form, "accepts") or 0, line_of(form, "reason", REASON)
    if do == "withdraw":
        return m.WithdrawFact(version=at, code=text_of(form, "code") or None, accepts=accepts, note=why)
    mend = msgspec.convert(do, Mend)
    if text_of(form, "how") == "propose":
        cause = msgspec.convert(text_of(form, "cause", "mistyped"), Cause)
        return m.ProposeCorrection(version=at, now=now, do=mend, cause=cause, accepts=accepts, note=why)
    return m.Correct(version=at, now=now, do=mend, accepts=accepts, note=why)


@post("/matches/{match_id:uuid}/answer", include_in_schema=False)
async def answer(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """One tap: yes or no to a proposed correction."""
    return await write(
        request,
        match_id,
        lambda form: m.AnswerCorrection(
            proposal=number_of(form, "proposal") or 0,
            yes=text_of(form, "yes") == "1",
            accepts=number_of(form, "accepts") or 0,
        ),
    )


@post("/matches/{match_id:uuid}/affirm", include_in_schema=False)
async def affirm(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """These entries are what was played."""
    return await write(request, match_id, _affirming)


def _affirming(form: Form) -> m.Affirm:
    versions = tuple(int(each) for each in text_of(form, "versions").split(" ") if each.isdecimal())
    inspected = text_of(form, "inspected") == "1"
    return m.Affirm(deal=number_of(form, "deal") or 0, versions=versions, inspected=inspected)


@post("/matches/{match_id:uuid}/unaffirm", include_in_schema=False)
async def unaffirm(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The own affirmation is taken back."""
    return await write(
        request, match_id, lambda form: m.WithdrawAffirmation(affirmation=number_of(form, "affirmation") or 0)
    )


@post("/matches/{match_id:uuid}/seal", include_in_schema=False)
async def seal(request: AnyRequest, match_id: FromPath[UUID]) -> AnyResponse:
    """The director seals the record before its time."""
    return await write(request, match_id, lambda form: c.Seal(note=line_of(form, "reason", REASON)))
