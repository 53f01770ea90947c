"""The page of a club's settings: each with its meaning and its effect, changed group by group."""

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.games import all_games
from domain.log.actor import SECRETARIES
from domain.log.decider import Refusal
from domain.log.event import Json, instant
from service.desk.access import club_for, require
from service.desk.clubs import club_view
from service.desk.services import Services
from service.desk.settings import SettingsBody, change_settings, changes_at, settings_view
from service.desk.zones import zone_names
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, go
from service.languages.spoken import N_, ntranslate, translate, translated
from service.store.callers import Caller
from service.store.ids import now
from service.store.loaded import LoadedClub
from service.web.clubs import titles
from service.web.forms import Form, Member, form_of, line_of, number_of, text_of
from service.web.render import page
from service.web.words import DELAYS, SIGNALS, label, unread

GROUPS: Final = ("club", "zone", "games", "matches", "cases")
OPENS: Final[dict[str, str]] = {
    "director": N_("directors only"),
    "scorer": N_("scorers and directors"),
    "member": N_("scorers, directors, and members who have signed in"),
    "anybody": N_("everybody who has signed in; in a public club also who came by a table’s code"),
}
CONFIRMS: Final[dict[str, str]] = {
    "own device": N_("each side on a device where it has signed in"),
    "pin": N_("that, or a PIN on a device that both use"),
    "table": N_("that, or a name tapped on another device that came by the table’s code"),
    "scorer": N_("that, or the word of the scorer"),
}
PUBLIC: Final = {True: N_("everybody with the link"), False: N_("people of the club")}


class ChangedSetting(msgspec.Struct, frozen=True):
    """A setting in words: what it was, and what it is; or what it is now, and what this page wanted."""

    label: str
    was: str
    now: str


def said_of(name: str, value: Json) -> str:
    """The value of a setting in words."""
    match name:
        case "public":
            return translate(PUBLIC[bool(value)])
        case "games":
            return ", ".join(titles().get(key, key) for key in value) or translate("every game")
        case "opens":
            return translate(OPENS[value])
        case "confirms":
            return translate(CONFIRMS[value])
        case "signals":
            return translate(SIGNALS[value])
        case "delay":
            return translate(DELAYS[value])
        case "statement_minutes":
            return ntranslate("{n} minute", "{n} minutes", value).format(n=value)
        case _:
            return str(value)


@get("/clubs/{club_id:uuid}/settings", include_in_schema=False, query=("changed",))
async def settings_page(request: AnyRequest, club_id: FromPath[UUID]) -> Response[str]:
    """For secretaries and the owner; `?changed=` says what a version changed."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    return shown(caller, club, changed=await _changed(services, club, request.query_params.get("changed", "")))


async def _changed(services: Services, club: LoadedClub, text: str) -> list[ChangedSetting]:
    """The settings that a version of the club's stream changed; nothing for what is none."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and 1 < int(text) <= club.head.version):
        return []
    found = await changes_at(services, club, int(text))
    return [
        ChangedSetting(translate(label(name)), said_of(name, each.was), said_of(name, each.now))
        for name, each in found.items()
    ]


def shown(
    caller: Caller,
    club: LoadedClub,
    form: Form | None = None,
    error: str = "",
    status: int = 200,
    changed: Iterable[ChangedSetting] = (),
    overtaken: Iterable[ChangedSetting] = (),
) -> Response[str]:
    """The page, first, with what was changed, or again with what was wrong."""
    return page(
        "settings.html",
        caller,
        status,
        club=club_view(club),
        settings=settings_view(club),
        form=form or {},
        error=error,
        changed=list(changed),
        overtaken=list(overtaken),
        zones=_regions(),
        zone=club.state.settings.zone,
        here=instant(now()),
        titles=titles(),
        says={
            "public": translated(PUBLIC),
            "opens": translated(OPENS),
            "confirms": translated(CONFIRMS),
            "signals": translated(SIGNALS),
            "delay": translated(DELAYS),
        },
        said=said_of,
        ruled={key: rules.version for key, rules in club.state.rules.items()},
    )


def _regions() -> dict[str, list[str]]:
    """The time zones by the part of the world that they lie in."""
    found: dict[str, list[str]] = {}
    for name in zone_names():
        found.setdefault(name.partition("/")[0] if "/" in name else translate("Others"), []).append(name)
    return found


@post("/clubs/{club_id:uuid}/settings", include_in_schema=False)
async def change(request: AnyRequest, club_id: FromPath[UUID]) -> AnyResponse:
    """Change one group of settings, and say what was and what is."""
    check_origin(request)
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    form = await form_of(request)
    try:
        done, _ = await change_settings(services, caller, club_id, body_of(form), await asked(request, caller))
    except Refusal as refusal:
        if refusal.slug in ("forbidden", "unauthorised", "not-found"):
            raise
        fresh = await club_for(services, caller, club_id)
        both = _both(refusal.extra.get("changed", {}))
        kept = {} if both else form  # what stands now is shown, and beside it what was wanted
        return shown(caller, fresh, kept, refusal.detail, 409 if both else 400, overtaken=both)
    where = f"/clubs/{club.club}/settings"
    return go(f"{where}?changed={done.first}" if done.last >= done.first else where)


def _both(overtaken: Mapping[str, Json]) -> list[ChangedSetting]:
    """The settings that somebody else has changed meanwhile: as they are now, and as they were wanted."""
    return [
        ChangedSetting(label(name), said_of(name, each["now"]), said_of(name, each["yours"]))
        for name, each in overtaken.items()
    ]


def body_of(form: Form) -> SettingsBody:
    """The change that one group of the page asks for. Raises Refusal."""
    group = text_of(form, "group")
    given: dict[str, Member] = {"expected_version": number_of(form, "version")}
    match group:
        case "club":
            given |= {"name": line_of(form, "name")}
            if text_of(form, "public") not in ("yes", "no"):
                raise Refusal("malformed", "choose who may read")
            given["public"] = text_of(form, "public") == "yes"
        case "zone":
            given["zone"] = text_of(form, "zone")
        case "games":
            given["games"] = _games(form)
        case "matches":
            given |= {name: text_of(form, name) for name in ("opens", "confirms")}
            given |= {"signals": text_of(form, "signals")} if "signals" in form else {}
            given |= {"delay": text_of(form, "delay")} if "delay" in form else {}
        case "cases":
            given["statement_minutes"] = number_of(form, "statement_minutes")
        case _:
            raise Refusal("malformed", "this form says no settings: load the page anew")
    try:
        return msgspec.convert(given, SettingsBody)
    except msgspec.ValidationError as error:
        raise unread(error) from None


def _games(form: Form) -> list[str]:
    """The games that were ticked, and in front of them the one that comes first. Raises Refusal."""
    ticked = [key for key in all_games() if text_of(form, f"game.{key}")]
    first = text_of(form, "first")
    if first and first not in all_games():
        raise Refusal("malformed", f"there is no game {first[:40]!r}")
    return [*filter(None, [first]), *(key for key in ticked if key != first)]
