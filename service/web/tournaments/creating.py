"""A tournament from a template: a name, a game, players one a line, and it stands."""

import re
from collections.abc import Iterable
from typing import Final, TypeVar
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.club.state import same_name
from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from domain.tournament.format import Options
from domain.tournament.formats import all_formats, all_option_fields, option_fields, read_format, templates
from service.desk.access import club_for, require
from service.desk.clubs import club_view
from service.desk.tournament_bodies import Action, AnnounceBody, EnterAction, SubstituteAction
from service.desk.tournament_reading import rows_of
from service.desk.tournaments import Desk
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, go
from service.languages.spoken import N_, translated
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.clubs import titles, titles_in
from service.web.forms import Form, Member, form_of, line_of, number_of, text_of
from service.web.labels import fields_labelled, templates_labelled
from service.web.newcomers import Meant, ask, meant_by, questions, seated
from service.web.render import page
from service.web.words import DELAYS, SIGNALS, unread

LONGEST: Final = 40_000
STRENGTHS: Final = {
    "": N_("in any way"),
    "scorer": N_("at least through the scorer"),
    "table": N_("on a phone at the table"),
    "pin": N_("by PIN, or on the own phone"),
    "own device": N_("on the own phone"),
}
Taken = TypeVar("Taken", bound=Action)
_MONEY: Final = re.compile(r"([0-9]{1,5})(?:[.,]([0-9]{1,2}))?\Z")
_RATING: Final = re.compile(r"(.+?)[,;\t]\s*([0-9]{1,4})\s*\Z")


class TypedEntry(msgspec.Struct, frozen=True):
    """An entry as it was written."""

    players: list[str]
    rating: int | None


def entry_line(line: str) -> TypedEntry:
    """`Annie & Benny, 1850`. Raises Refusal for what is no name."""
    found = _RATING.match(line.strip())
    names, rating = (found[1], int(found[2])) if found else (line.strip(), None)
    players = [" ".join(name.split()) for name in names.split("&")]
    if not all(players) or len(players) > 2:
        raise Refusal(
            "malformed",
            f"{line.strip()[:60]!r} is not an entry: write Annie, or Annie & Benny, with a rating behind a comma",
        )
    return TypedEntry(players, rating)


def cents(text: str) -> int:
    """An amount of money in hundredths. Raises Refusal."""
    found = _MONEY.match(text)
    if found is None:
        raise Refusal("malformed", f"{text[:20]!r} is not an amount: write it like 7.50")
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


@get("/clubs/{club_id:uuid}/tournaments", include_in_schema=False, query=("all",))
async def list_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The club's tournaments."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    everything = bool(request.query_params.get("all"))
    found = await rows_of(services, caller, club, 200, "")
    rows = [row for row in found.rows if everything or row.status != "archived"]
    directs = caller.directs(club.club)
    return page(
        "tournaments/list.html",
        caller,
        club=club_view(club),
        rows=rows,
        titles=titles(),
        directs=directs,
        all=everything,
        behind=found.reached.behind,
    )


@get("/clubs/{club_id:uuid}/tournaments/new", include_in_schema=False)
async def new_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The form."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    return _form(caller, club)


def _form(
    caller: Caller, club: LoadedClub, form: Form | None = None, error: str = "", status: int = 200
) -> Response[str]:
    """The form, first or again with the error."""
    form, fields = form or {}, fields_labelled(all_option_fields())
    return page(
        "tournaments/new.html",
        caller,
        status,
        club=club_view(club),
        form=form,
        error=error,
        templates=templates_labelled(templates()),
        fields=fields,
        titles=titles_in(club),
        ruled=[titles()[key] for key in club.state.rules if key in titles()],
        strengths=translated(STRENGTHS),
        signals=translated(SIGNALS),
        delays=translated(DELAYS),
        opened=any(form.get(each.name) for each in fields),
    )


@post("/clubs/{club_id:uuid}/tournaments/new", include_in_schema=False)
async def create(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Announce it with its entries, and go to it."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    form = await form_of(request)
    try:
        body, meant = body_of(form), meant_by(form)
        if open_ := questions(club, names_in(body.entries), caller, meant):
            return ask(request.url.path, caller, club, form, meant, open_)
        body = msgspec.structs.replace(body, entries=[with_people(each, meant) for each in body.entries])
        done = await Desk(services.recorder).announce(club.club, body, await asked(request, caller))
    except Refusal as refusal:
        return _form(caller, club, form, refusal.detail, 400)
    return go(f"/tournaments/{done.loaded.stream}/director")


def names_in(actions: Iterable[Action]) -> list[str]:
    """The names in actions that bring people in."""
    entering = (each for each in actions if isinstance(each, EnterAction | SubstituteAction))
    return [who for each in entering for who in each.players if isinstance(who, str)]


def with_people(action: Taken, meant: Meant) -> Taken:
    """An action with those in it who were meant by its names."""
    if not isinstance(action, EnterAction | SubstituteAction):
        return action
    return msgspec.structs.replace(action, players=[seated(who, meant) for who in action.players])


def body_of(form: Form) -> AnnounceBody:
    """The announcement that the form makes. Raises Refusal."""
    offered = templates()
    chosen = next((each for each in offered if each.key == form.get("template", offered[0].key)), None)
    if chosen is None:
        raise Refusal("malformed", "choose one of the formats")
    given = {
        "name": line_of(form, "name"),
        "stages": [_stage(form, each, at == len(chosen.stages)) for at, each in enumerate(chosen.stages, start=1)],
        "plan": _plan(form),
        "entries": _entries(form),
    }
    try:
        return msgspec.convert(given, AnnounceBody)
    except msgspec.ValidationError as error:
        raise unread(error) from None


def _stage(form: Form, template: Options, last: bool) -> dict[str, Member]:
    """A stage, with what the form says of the options that its format has. Raises Refusal."""
    kind = all_formats()[str(template["kind"])]
    given = {each.name: number_of(form, each.name) for each in all_option_fields()}
    said = {each.name: number for each in option_fields(kind) if (number := given[each.name]) is not None}
    made: Options = {**template, **said}
    race = {name: number for name in ("target", "win_by", "best_of", "cap") if (number := number_of(form, name))}
    stage: dict[str, Member] = {"format": made, "game": text_of(form, "game"), "race": race}
    if not last and (usual := _usual_going_on(made)):
        stage["go_on"] = number_of(form, "go_on") or usual
    if minutes := number_of(form, "minutes"):
        stage["minutes"] = minutes
    codes = text_of(form, "tiebreaks").replace(",", " ").split()
    terms: dict[str, Member] = {"rounds": "strict" if form.get("pace") == "strict" else "ready"}
    if codes and kind.tiebreaks:
        terms["tiebreaks"] = codes
    return {**stage, "terms": terms}


def _usual_going_on(made: Options) -> int:
    """The number that goes on where the form leaves it open; options that cannot be are refused when they are
    announced."""
    try:
        return read_format(made).usual_going_on()
    except msgspec.ValidationError:
        return 0


def _plan(form: Form) -> dict[str, Member]:
    found: dict[str, Member] = {"counts": "confirmed" if form.get("counts") == "confirmed" else "played"}
    for name in ("plays_on", "final", "signals", "delay"):
        if text := text_of(form, name):
            found[name] = text
    if minutes := number_of(form, "timeout"):
        found["timeout"] = minutes
    for name in ("date", "season"):
        if text := text_of(form, name):
            found[name] = text
    if fee := text_of(form, "fee"):
        found["fee"] = cents(fee)
    return found


def _entries(form: Form) -> list[dict[str, Member]]:
    """The players that were written, one entry a line."""
    text = form.get("players", "")
    if len(text) > LONGEST or "\x00" in text:
        raise Refusal("malformed", "Players: the list is too long; enter some of them later")
    numbered = [(number, entry_line(line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    _check_once(numbered)
    lines = [line for _, line in numbered]
    return [{"do": "enter", "players": line.players, "rating": line.rating} for line in lines]


def _check_once(lines: list[tuple[int, TypedEntry]]) -> None:
    """Nobody stands in two lines. Raises Refusal."""
    seen: dict[str, int] = {}
    for number, line in lines:
        for name in line.players:
            before = seen.setdefault(same_name(name), number)
            if before != number:
                raise Refusal("malformed", f"{name[:80]} is in the list twice (lines {before} and {number})")
