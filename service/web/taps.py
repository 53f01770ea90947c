"""Answers to a tap: the table as it is now and, where the tap was refused, why and what others recorded meanwhile."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

import msgspec
from litestar import MediaType, Response
from msgspec.structs import asdict

from domain import codec
from domain.log.decider import Refusal
from domain.match.state import Match, open_deal
from service.desk.access import match_for
from service.desk.pushed_here import recorded_elsewhere
from service.desk.requests import DoneMatch
from service.desk.sight import ClubSight
from service.http.answers import MINIMAL, AnyResponse, prefers_minimal
from service.http.caller import ERA, AnyRequest, era_of, services_of
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.languages.spoken import N_, translate
from service.store import log
from service.store.callers import Caller
from service.store.loaded import LoadedMatch
from service.web.asked import asked_of
from service.web.claiming import resting_of
from service.web.controls import taken_by_squares
from service.web.forms import Form, number_of
from service.web.matches import table_values, without_network
from service.web.moments import Teller
from service.web.reasons import reasons_of
from service.web.render import TEMPLATES, named, page, plain
from service.web.shown_table import Again, ShownTable

BY_SCRIPT: Final = "x-table"  # a tap that our script sent: it wants the table's inside and the version, not the page
LATEST: Final = 20
NOTHING_MORE: Final[Mapping[str, str]] = {}
SLIP: Final = N_("A slip of the finger, or did it happen at the table?")


class No(msgspec.Struct, frozen=True):
    """The reason that a tap was not recorded; where it became a question, the field that answers it, and with what
    words."""

    slug: str
    said: str
    ask: str
    yes: str


class Answer(msgspec.Struct, frozen=True):
    """The answer to the script: the table's inside, the version that the tap made, whose turn it was then, who was
    asked about a claim, and the words of what a square took; or why nothing was recorded, and what others recorded
    since the version that the tap was built on, up to `head`."""

    table: str
    head: int
    version: int | None = None
    turn: int | None = None
    asked: int | None = None
    takes: tuple[str, ...] = ()
    refused: No | None = None
    meanwhile: tuple[str, ...] = ()


class NextTap(msgspec.Struct, frozen=True):
    """The state that the next tap builds on: whose turn it is, who is asked about a claim, and the words of
    what a square took; nothing behind the last deal."""

    turn: int | None = None
    asked: int | None = None
    takes: tuple[str, ...] = ()


def _told(answer: Answer, status: int, more: Mapping[str, str] = NOTHING_MORE) -> AnyResponse:
    """JSON that is marked as ours: a page that a hot spot puts in its place is no answer."""
    headers = {"Cache-Control": "no-store", BY_SCRIPT: "1", **more}
    return Response(codec.encode_plain(answer), status_code=status, media_type=MediaType.JSON, headers=headers)


async def taken(request: AnyRequest, caller: Caller, match_id: UUID, done: DoneMatch) -> AnyResponse:
    """A tap was recorded: the next one was meant on top of it, whatever others have recorded since. Where more waits on
    the phone nobody looks at the table yet, and it is not drawn."""
    after = asdict(_after(done.loaded.match))
    if prefers_minimal(request):
        return _told(Answer("", done.loaded.head.version, version=done.last, **after), 200, MINIMAL)
    loaded, club = await match_for(services_of(request), caller, match_id)
    asked, moment = await asked_of(services_of(request), caller, loaded, club)
    values = table_values(caller, loaded, club, asked=asked, moment=moment, era=await era_of(request))
    table = TEMPLATES.get_template("_table.html").render(caller=caller, **asdict(values))
    return _told(Answer(table, loaded.head.version, version=done.last, **after), 200)


def _after(match: Match) -> NextTap:
    """The state that the tap behind this one builds on."""
    deal, resting = open_deal(match), resting_of(match)
    asked = resting.asked[0].seat if resting and resting.asked else None
    if deal is None:
        return NextTap()
    return NextTap(match.setup.game.to_act(deal.table), asked, taken_by_squares(match))


async def refused(request: AnyRequest, caller: Caller, match_id: UUID, refusal: Refusal, form: Form) -> AnyResponse:
    """Nothing was recorded: for our script what it asks a person, for everybody else the page with that question."""
    loaded, club = await match_for(services_of(request), caller, match_id)
    asked, moment = await asked_of(services_of(request), caller, loaded, club)
    era, slug = await era_of(request), known_slug(refusal)
    values = table_values(caller, loaded, club, asked=asked, moment=moment, era=era)
    others = await _meanwhile(request, caller, loaded, values, refusal, form)
    said = _said(refusal, others, values.people)
    if BY_SCRIPT in request.headers:
        table = TEMPLATES.get_template("_table.html").render(caller=caller, **asdict(values))
        return _told(
            Answer(table, loaded.head.version, refused=No(slug, said, **_answering(refusal)), meanwhile=others),
            KINDS[slug].status,
            {ERA: refusal.extra["era"]} if "era" in refusal.extra else NOTHING_MORE,
        )
    question = _question(request, refusal, form, loaded)
    teller = Teller(loaded.match, values.match.sides, values.people)
    reasons = await reasons_of(services_of(request), caller, loaded, teller)
    told = {**asdict(values), "error": said, "question": question, "reasons": reasons, "told_call": False}
    told |= {"elsewhere": await recorded_elsewhere(services_of(request), loaded, club)}
    return page("match.html", caller, KINDS[slug].status, **told, **without_network(loaded.match, values))


async def why(request: AnyRequest, caller: Caller, match_id: UUID, refusal: Refusal, form: Form) -> str:
    """The reason that nothing was recorded, in words for the table."""
    loaded, club = await match_for(services_of(request), caller, match_id)
    values = table_values(caller, loaded, club)
    return _said(refusal, await _meanwhile(request, caller, loaded, values, refusal, form), values.people)


def _said(refusal: Refusal, others: tuple[str, ...], people: list[str]) -> str:
    if refusal.slug == "lost-race":
        recorded = "; ".join(others) or translate("something else")
        return translate("Recorded meanwhile: {others}. Yours was not recorded.").format(others=recorded)
    doubt = refusal.extra.get("doubt")
    return named(refusal.detail if doubt is None else f"{doubt}. {translate(SLIP)}", people)


def _question(request: AnyRequest, refusal: Refusal, form: Form, loaded: LoadedMatch) -> Again | None:
    """The button that sends the same once more, where a person may want that. A PIN stands on no page: it is typed
    again."""
    if "pin" in form:
        return None
    fields = dict(form)
    if refusal.slug == "confirm-needed":
        return Again(request.url.path, fields, **_answering(refusal))
    if refusal.slug == "lost-race":
        fields["version"] = str(loaded.head.version)
        return Again(request.url.path, fields, "after", translate("Send mine after that"))
    return None


def _answering(refusal: Refusal) -> dict[str, str]:
    """The field that answers a question, and the words of its button."""
    return {"ask": refusal.extra.get("ask", "it_happened"), "yes": refusal.extra.get("yes", translate("It happened"))}


async def _meanwhile(
    request: AnyRequest,
    caller: Caller,
    loaded: LoadedMatch,
    values: ShownTable,
    refusal: Refusal,
    form: Form,
) -> tuple[str, ...]:
    """Words for what was recorded since the version that a tap was built on, where it was refused for that: the latest,
    as the caller may see it."""
    if refusal.slug != "lost-race":
        return ()
    services, after = services_of(request), number_of(form, "version") or 0
    stored = await log.read_stream(services.pool, loaded.club, loaded.stream, after, loaded.head.version)
    sight = ClubSight(services, caller, loaded.club)
    views = [plain(await sight.view(each)) for each in stored[-LATEST:]]
    teller = Teller(loaded.match, values.match.sides, values.people, views)
    return tuple(teller.say(view) + (f" ({view['device_name']})" if view.get("device_name") else "") for view in views)
