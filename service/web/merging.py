"""Pages on which two ids become one person, and are parted again."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from domain.club.commands import MergePlayers, PartPlayers
from domain.club.state import Club, Player, same_name
from domain.log.actor import SECRETARIES
from domain.log.decider import Refusal
from service.desk.access import club_for, require
from service.desk.clubs import club_view
from service.desk.merging import merge, merge_preview, part
from service.desk.services import Services
from service.http.answers import AnyResponse
from service.http.caller import AnyRequest, asked, services_of
from service.http.cookies import caller_of, check_origin, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.languages.spoken import translate
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.web.forms import form_of, text_of
from service.web.render import page

ALIKE: Final = 0.8  # of two names: what a slip of a finger leaves


class Choice(msgspec.Struct, frozen=True):
    """A person who could be the same person; `alike`: the names are nearly equal."""

    id: str
    name: str
    visitor: bool
    alike: bool


class Joined(msgspec.Struct, frozen=True):
    """An id that was merged with a person; `also` are names that were merged with it before, and go with it."""

    id: str
    name: str | None
    also: tuple[str | None, ...]


def named_id(text: str) -> str:
    """An id in a form or an address. Raises Refusal."""
    try:
        return str(UUID(text))
    except ValueError:
        raise Refusal("malformed", "choose a person in the list") from None


def choices_for(club: Club, player: str) -> list[Choice]:
    """Everybody else by name, those first whose names are nearly equal."""
    own = same_name(club.players[player].name or "")
    others = [each for each in club.players.values() if each.name is not None and each.id not in club.merged]
    found = [_choice(each, own) for each in others if each.id != player]
    return sorted(found, key=lambda each: (not each.alike, same_name(each.name), each.id))


def _choice(player: Player, own: str) -> Choice:
    name = player.name or ""
    return Choice(player.id, name, player.visitor, _alike(own, same_name(name)))


def _alike(one: str, other: str) -> bool:
    """Tells whether two names, or a word of each, differ by no more than a slip of a finger."""
    pairs = [(one, other), *((a, b) for a in one.split() for b in other.split())]
    return any(SequenceMatcher(None, *pair).ratio() >= ALIKE for pair in pairs)


def joined_to(club: Club, player: str) -> list[Joined]:
    """The ids that were merged with a person, each with those that would go with it."""
    found = []
    for each in club.ids_of(player)[1:]:
        behind = [id for id in club.merged if id != each and each in _way(club, id)]
        found.append(Joined(each, club.players[each].name, tuple(club.players[id].name for id in behind)))
    return found


def _way(club: Club, player: str) -> list[str]:
    """The ids that lead from one to that which counts."""
    found = [player]
    while found[-1] in club.merged:
        found.append(club.merged[found[-1]])
    return found


async def _asked_for(request: AnyRequest, club_id: UUID, player_id: UUID) -> tuple[Services, Caller, LoadedClub, str]:
    """Finds the person whose page is asked for, by the id that counts. Raises Refusal."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, SECRETARIES)
    club = await services.recorder.club(club.club)
    if str(player_id) not in club.state.players:
        raise Refusal("not-found", "the club knows no such player")
    return services, caller, club, club.state.whom(str(player_id))


@get("/clubs/{club_id:uuid}/members/{player_id:uuid}/merge", include_in_schema=False, query=("with",))
async def merge_page(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> Response[str]:
    """Choose the other one, then see what would move; below, who was merged before."""
    services, caller, club, player = await _asked_for(request, club_id, player_id)
    other = request.query_params.get("with", "")[:80]
    return await _merge_page(services, caller, club, player, named_id(other) if other else None)


async def _merge_page(
    services: Services,
    caller: Caller,
    club: LoadedClub,
    player: str,
    other: str | None,
    error: str = "",
    status: int = 200,
) -> Response[str]:
    shown = None
    if other is not None:
        shown = await merge_preview(services, caller, club, MergePlayers(player, other))
    return page(
        "merge.html",
        caller,
        status,
        club=club_view(club),
        person=club.state.players[player],
        choices=_least(choices_for(club.state, player)),
        shown=shown,
        joined=joined_to(club.state, player),
        error=error,
    )


def _least(choices: Sequence[Choice]) -> dict[str, list[Choice]]:
    """The choices in two lists: names that are nearly equal, and all others."""
    return {
        translate("Nearly the same name"): [each for each in choices if each.alike],
        translate("Everybody else"): [each for each in choices if not each.alike],
    }


@post("/clubs/{club_id:uuid}/members/{player_id:uuid}/merge", include_in_schema=False)
async def merge_two(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> AnyResponse:
    """Make the two one person; whoever pressed the button has seen what ends."""
    check_origin(request)
    services, caller, club, player = await _asked_for(request, club_id, player_id)
    form = await form_of(request)
    other = named_id(text_of(form, "with"))
    try:
        command = MergePlayers(str(player_id), other, knowingly=True)
        await merge(services, caller, club, command, await asked(request, caller))
    except Refusal as refusal:
        status = KINDS[known_slug(refusal)].status
        there = other if other in club.state.players else None
        club = await services.recorder.club(club.club)
        return await _merge_page(services, caller, club, club.state.whom(player), there, refusal.detail, status)
    return go(f"/clubs/{club.club}/members/{player}/merge")


@get("/clubs/{club_id:uuid}/members/{player_id:uuid}/part", include_in_schema=False, query=("with",))
async def part_page(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> Response[str]:
    """Shows what parting brings back and what not, and its button."""
    _, caller, club, player = await _asked_for(request, club_id, player_id)
    other = named_id(request.query_params.get("with", "")[:80])
    return _part_page(caller, club, player, other)


def _part_page(
    caller: Caller, club: LoadedClub, player: str, other: str, error: str = "", status: int = 200
) -> Response[str]:
    found = next((each for each in joined_to(club.state, player) if each.id == other), None)
    if found is None and not error:
        raise Refusal("not-found", "these two are not merged, or were parted by now")
    person = club.state.players[player]
    return page("part.html", caller, status, club=club_view(club), person=person, other=found, error=error)


@post("/clubs/{club_id:uuid}/members/{player_id:uuid}/part", include_in_schema=False)
async def part_two(request: AnyRequest, club_id: FromPath[UUID], player_id: FromPath[UUID]) -> AnyResponse:
    """Part the two."""
    check_origin(request)
    services, caller, club, player = await _asked_for(request, club_id, player_id)
    other = named_id(text_of(await form_of(request), "with"))
    try:
        await part(services, caller, club, PartPlayers(player, other), await asked(request, caller))
    except Refusal as refusal:
        status = KINDS[known_slug(refusal)].status
        club = await services.recorder.club(club.club)
        return _part_page(caller, club, club.state.whom(player), other, refusal.detail, status)
    return go(f"/clubs/{club.club}/members/{player}/merge")
