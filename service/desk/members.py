"""The people of a club for every door: one person, whom a text finds, and tables of people."""

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec

from domain.club.commands import ClubCommand, ListedPerson, TakePeople
from domain.club.names import Called, Near
from domain.club.state import Club, Grant, Player
from domain.club.taking import Does, Planned, planned
from domain.exchange.faults import FaultyError
from domain.exchange.members import read_members
from domain.log.decider import Refusal, decided
from projections.lists import MATCHES, MatchRow, MemberRow
from projections.tournaments.lists import TOURNAMENTS, TournamentRow
from service.desk.clubs import NamedRow, with_names
from service.desk.delays import cups_seen, rows_seen
from service.desk.doubts import doubts
from service.desk.on_stream import actor_on
from service.desk.recording import Recorder
from service.desk.requests import Done, Request
from service.desk.services import Services
from service.desk.showing import names_of
from service.desk.tournament_bodies import TournamentListRow, listed
from service.desk.tournament_files import refusal_of, text_of
from service.projector import form_of
from service.store import views
from service.store.callers import Caller
from service.store.ids import new_id
from service.store.kinds import CLUB
from service.store.loaded import LoadedClub

SHOWN: Final = 50


class RoleHere(msgspec.Struct, frozen=True):
    """A role that a person holds here, and what it is for."""

    role: str
    tournament: str | None
    match: str | None


class PersonView(msgspec.Struct, frozen=True):
    """A person of the club as the caller may see him; what the caller may not see is null and named in `hidden`.
    `version` is that of the club at which the person last changed: `expected_version` of a write."""

    id: str
    name: str | None
    visitor: bool
    version: int
    earlier: tuple[str, ...] | None
    roles: tuple[RoleHere, ...] | None
    note: str | None
    ids: dict[str, str] | None
    rating: int | None
    hidden: tuple[str, ...] = ()


class PlannedLine(msgspec.Struct, frozen=True):
    """The effect of a line of a table: on whom, what changes; `near` are people whose names are like a new one's."""

    line: int
    do: Does
    player: str | None
    name: str
    changes: tuple[str, ...]
    near: tuple[Near, ...] = ()


class Record(msgspec.Struct, frozen=True):
    """The newest matches and tournaments of a person."""

    matches: list[NamedRow]
    tournaments: list[TournamentListRow]


def knows_earlier(caller: Caller, club: str) -> bool:
    """Tells who may know what people were called before: secretaries, and the directors of the club."""
    return caller.administers(club) or caller.directs(club)


def person_of(club: LoadedClub, player: str) -> Player:
    """The person that an id counts for. Raises Refusal for an id that leads to nobody."""
    found = club.state.players.get(club.state.whom(player))
    if found is None or found.erased:
        raise Refusal("not-found", "there is nothing here, or nothing that you may see")
    return found


def person_view(club: LoadedClub, player: Player, caller: Caller) -> PersonView:
    """A person as a caller may see him: earlier names and roles for directors too, what is kept beside the name for
    the secretary only."""
    keeps, knows = caller.administers(club.club), knows_earlier(caller, club.club)
    own = caller.person_in(club.club) == player.id
    hidden = () if knows else ("earlier",) if own else ("earlier", "roles")
    if not keeps:
        hidden = (*hidden, "note", "ids", "rating")
    return PersonView(
        player.id,
        player.name,
        player.visitor,
        player.changed,
        _earlier(club.state, player) if knows else None,
        tuple(map(_held, club.state.held(player.id))) if knows or own else None,
        player.note if keeps else None,
        dict(player.ids) if keeps else None,
        player.rating if keeps else None,
        hidden,
    )


def _held(grant: Grant) -> RoleHere:
    return RoleHere(grant.role, grant.tournament, grant.match)


def _earlier(club: Club, player: Player) -> tuple[str, ...]:
    """The names that a person had, the newest first, without the one that is borne now."""
    merged = [club.players[id] for id in club.ids_of(player.id)[1:] if id in club.players]
    names = [*reversed(player.earlier), *(each.name for each in merged if each.name is not None)]
    names += [name for each in merged for name in reversed(each.earlier)]
    return tuple(name for name in dict.fromkeys(names) if name != player.name)


def found_people(club: LoadedClub, text: str, caller: Caller) -> tuple[Player, ...]:
    """The people whom a text finds; by earlier names only for those who may know them."""
    return Called(club.state, knows_earlier(caller, club.club)).search(text)


def found_rows(club: LoadedClub, text: str, caller: Caller, limit: int) -> list[MemberRow]:
    """The same as rows of a list."""
    return [MemberRow(each.id, each.name, each.visitor) for each in found_people(club, text, caller)[:limit]]


def takes(club: LoadedClub, command: ClubCommand, caller: Caller) -> bool:
    """Tells whether the club would take a command from a caller: a page offers nothing else."""
    try:
        decided(CLUB.decide, club.state, command, actor_on(club, caller.actor()))
    except Refusal:
        return False
    return True


async def change(recorder: Recorder, club: str, command: ClubCommand, request: Request) -> Done[Club]:
    """A command on the people of a club. Raises Refusal."""
    return await recorder.on_stream(club, CLUB, command, request)


def read_table(data: bytes) -> tuple[ListedPerson, ...]:
    """The lines of a table. Raises Refusal with every place that is wrong."""
    try:
        return read_members(text_of(data))
    except FaultyError as wrong:
        raise refusal_of(wrong) from None


async def take_table(recorder: Recorder, club: str, data: bytes, request: Request) -> Done[Club]:
    """Take a table of people, all or none. Raises Refusal."""
    lines = read_table(data)
    return await change(recorder, club, TakePeople(lines, tuple(new_id() for _ in lines)), request)


async def previewed(recorder: Recorder, club: str, data: bytes) -> list[PlannedLine]:
    """The effect that a table would have, line by line; nothing is recorded. Raises Refusal."""
    lines = read_table(data)
    state = (await recorder.club(club)).state
    plan = planned(state, lines, (str(at) for at, _ in enumerate(lines)))
    return await asyncio.to_thread(_with_near, state, [_line(each) for each in plan])


def _line(each: Planned) -> PlannedLine:
    return PlannedLine(each.line, each.do, None if each.do == "add" else each.player, each.name, each.changes)


def _with_near(state: Club, lines: Sequence[PlannedLine]) -> list[PlannedLine]:
    called = Called(state, earlier=True)
    return [msgspec.structs.replace(each, near=called.near(each.name)) if each.do == "add" else each for each in lines]


async def record_of(services: Services, caller: Caller, club: LoadedClub, player: Player) -> Record:
    """The newest matches and tournaments of a person, under every id, as a caller may see them."""
    await services.lists.reach(club.club, steward=True)
    ids, names = club.state.ids_of(player.id), names_of(club)
    matches = await views.naming(services.pool, form_of(MATCHES), club.club, ids, SHOWN)
    rows = [msgspec.json.decode(each, type=MatchRow) for each in matches]
    rows = await rows_seen(services, caller, club.club, rows)
    doubtful = await doubts(services.streams, club.club, rows)
    tournaments = await views.naming(services.pool, form_of(TOURNAMENTS), club.club, ids, SHOWN)
    cups = [msgspec.json.decode(each, type=TournamentRow) for each in tournaments]
    return Record(
        [with_names(row, names, doubtful.get(row.id)) for row in rows],
        [listed(each, club.club, names) for each in await cups_seen(services, caller, club.club, cups)],
    )
