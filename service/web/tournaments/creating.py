"""A tournament from a template: a name, a game, players one a line, and it stands."""

import re
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.actor import DIRECTORS
from domain.club.state import same_name
from domain.decider import Refusal
from service.api.access import asked, club_for, services_of
from service.api.tournament_bodies import AnnounceBody
from service.api.tournaments import rows_of
from service.auth import of_club, require
from service.tournaments.desk import Desk
from service.web.access import caller_of, check_origin, go
from service.web.clubs import titles
from service.web.forms import line_of, number_of, text_of
from service.web.render import page, plain
from service.web.tournaments.frame import AnyRequest
from service.web.words import unread

LONGEST: Final = 40_000
_MONEY: Final = re.compile(r"([0-9]{1,5})(?:[.,]([0-9]{1,2}))?\Z")
_RATING: Final = re.compile(r"(.+?)[,;\t]\s*([0-9]{1,4})\s*\Z")


class Template(msgspec.Struct, frozen=True):
    """A kind of evening: its stages by format, and whether the second plays the best of the first."""

    key: str
    title: str
    text: str
    formats: tuple[dict[str, Any], ...]


TEMPLATES: Final = (
    Template("single", "Knock-out", "One defeat and you are out. Third place is played.",
             ({"kind": "single", "third_place": True},)),
    Template("round-robin", "Everybody against everybody", "You meet everybody once. Best for up to eight.",
             ({"kind": "round-robin"},)),
    Template("swiss", "Swiss", "You meet players with as many points as you. Nobody is out.",
             ({"kind": "swiss"},)),
    Template("monrad", "Swiss, simple (Monrad)", "You meet the nearest player you have not met.",
             ({"kind": "swiss", "rules": "monrad"},)),
    Template("groups", "Groups, then knock-out", "Everybody in your group, then the best of each group go on.",
             ({"kind": "groups"}, {"kind": "single", "third_place": True})),
    Template("double", "Double elimination", "Two defeats and you are out.", ({"kind": "double"},)),
    Template("individual", "Partners change", "Four at a table. You enter alone and change partners every round.",
             ({"kind": "individual"},)),
    Template("ladder", "Ladder", "Challenge somebody above you; beat them and you take their place.",
             ({"kind": "ladder"},)),
)  # fmt: skip


class EntryLine(msgspec.Struct, frozen=True):
    """An entry as it was written."""

    players: list[str]
    rating: int | None


def entry_line(line: str) -> EntryLine:
    """`Annie & Benny, 1850`. Raises Refusal for what is no name."""
    found = _RATING.match(line.strip())
    names, rating = (found[1], int(found[2])) if found else (line.strip(), None)
    players = [" ".join(name.split()) for name in names.split("&")]
    if not all(players) or len(players) > 2:
        raise Refusal(
            "malformed",
            f"{line.strip()[:60]!r} is not an entry: write Annie, or Annie & Benny, with a rating behind a comma",
        )
    return EntryLine(players, rating)


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
    found = await rows_of(services, club, 200, "")
    rows = [row for row in found.rows if everything or row.status != "archived"]
    directs = of_club(caller, club.club) and caller.role in DIRECTORS
    return page(
        "tournaments/list.html", caller, club={"id": club.club, "name": club.state.name}, rows=plain(rows),
        titles=titles(), directs=directs, all=everything, behind=found.reached.behind,
    )  # fmt: skip


@get("/clubs/{club_id:uuid}/tournaments/new", include_in_schema=False)
async def new_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """The form."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    return _form(caller, club)


def _form(
    caller: Any, club: Any, form: dict[str, str] | None = None, error: str = "", status: int = 200
) -> Response[str]:
    """The form, first or again with what was wrong."""
    return page(
        "tournaments/new.html", caller, status, club={"id": club.club, "name": club.state.name}, form=form or {},
        error=error, templates=plain(TEMPLATES), titles=titles(),
    )  # fmt: skip


@post("/clubs/{club_id:uuid}/tournaments/new", include_in_schema=False)
async def create(request: AnyRequest, club_id: FromPath[UUID]) -> Response[Any]:
    """Announce it with its entries, and go to it."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    try:
        body = body_of(form)
        done = await Desk(services.recorder).announce(club.club, body, await asked(request, caller))
    except Refusal as refusal:
        return _form(caller, club, form, refusal.detail, 400)
    return go(f"/tournaments/{done.loaded.stream}/director")


def body_of(form: dict[str, str]) -> AnnounceBody:
    """The announcement that the form makes. Raises Refusal."""
    chosen = next((each for each in TEMPLATES if each.key == form.get("template", TEMPLATES[0].key)), None)
    if chosen is None:
        raise Refusal("malformed", "choose one of the formats")
    given = {
        "name": line_of(form, "name"),
        "stages": [_stage(form, format_, at, len(chosen.formats)) for at, format_ in enumerate(chosen.formats)],
        "plan": _plan(form),
        "entries": _entries(form),
    }
    try:
        return msgspec.convert(given, AnnounceBody)
    except msgspec.ValidationError as error:
        raise unread(error) from None


def _stage(form: dict[str, str], format_: dict[str, Any], at: int, of: int) -> dict[str, Any]:
    """A stage: rounds and groups where the format has them."""
    made = dict(format_)
    rounds, groups = number_of(form, "rounds"), number_of(form, "groups")
    if rounds is not None and made["kind"] in ("swiss", "individual", "ladder"):
        made["rounds"] = rounds
    if made["kind"] == "groups":
        made["groups"] = groups or 4
    race = {name: number for name in ("target", "win_by", "best_of", "cap") if (number := number_of(form, name))}
    stage: dict[str, Any] = {"format": made, "game": text_of(form, "game"), "race": race}
    if made["kind"] == "groups" and at + 1 < of:
        stage["go_on"] = number_of(form, "go_on") or 2 * made["groups"]
    if minutes := number_of(form, "minutes"):
        stage["minutes"] = minutes
    codes = text_of(form, "tiebreaks").replace(",", " ").split()
    stage["terms"] = {"rounds": "strict" if form.get("pace") == "strict" else "ready"}
    if codes and made["kind"] not in ("single", "double", "ladder"):
        stage["terms"]["tiebreaks"] = codes
    return stage


def _plan(form: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {"counts": "confirmed" if form.get("counts") == "confirmed" else "played"}
    for name in ("date", "season"):
        if text := text_of(form, name):
            found[name] = text
    if fee := text_of(form, "fee"):
        found["fee"] = cents(fee)
    return found


def _entries(form: dict[str, str]) -> list[dict[str, Any]]:
    """The players that were written, one entry a line."""
    text = form.get("players", "")
    if len(text) > LONGEST or "\x00" in text:
        raise Refusal("malformed", "Players: the list is too long; enter some of them later")
    numbered = [(number, entry_line(line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    _check_once(numbered)
    lines = [line for _, line in numbered]
    return [{"do": "enter", "players": line.players, "rating": line.rating} for line in lines]


def _check_once(lines: list[tuple[int, EntryLine]]) -> None:
    """Nobody stands in two lines. Raises Refusal."""
    seen: dict[str, int] = {}
    for number, line in lines:
        for name in line.players:
            before = seen.setdefault(same_name(name), number)
            if before != number:
                raise Refusal("malformed", f"{name[:80]} is in the list twice (lines {before} and {number})")
