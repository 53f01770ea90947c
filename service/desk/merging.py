"""Merging two ids into one person, and parting them: what it would move, and that they never met."""

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec

from domain.club.commands import MergePlayers, PartPlayers
from domain.club.merging import merged
from domain.club.state import Club, Grant
from domain.log.actor import SECRETARIES, Actor
from domain.log.decider import Refusal, decided
from domain.match.opening import find_game
from domain.standings.ratings import replay
from domain.standings.season import CONVENTION
from projections.lists import MatchRow
from projections.merged import Firsts, result_with
from projections.results import Account
from projections.season import season_labels, season_view
from service.desk.access import require
from service.desk.bodies import PersonAnswer
from service.desk.books import KeptBook, ladder_in, with_firsts
from service.desk.lists import soon
from service.desk.requests import BusyError, Done, Request
from service.desk.services import Services
from service.desk.showing import names_of
from service.store.appending import LogMovedError
from service.store.callers import Caller
from service.store.ending_doors import OpenDoors, end_doors_of, open_doors_of
from service.store.kinds import CLUB
from service.store.loaded import LoadedClub
from service.store.meetings import rows_with, seated_since

TRIES: Final = 20
LOOKS: Final = 5
PATIENCE: Final = 3.0  # seconds more that each look waits for the kept rows of a busy club


class Moved(msgspec.Struct, frozen=True):
    """A figure of the first before and after: null where there is none."""

    title: str
    before: int | None
    after: int | None


class MergePreview(msgspec.Struct, frozen=True):
    """A merge before it is made: what counts for `player` from then on, and what of `other` ends. `ratings` by game,
    `seasons` and `ladders` as places; `roles` that end; the doors that end. `refused` says why it cannot be, with the
    matches in which both sat and the tournaments that are not over in which both stand."""

    player: str
    name: str | None
    other: str
    other_name: str | None
    matches: int
    ratings: tuple[Moved, ...]
    seasons: tuple[Moved, ...]
    ladders: tuple[Moved, ...]
    roles: tuple[Grant, ...]
    doors: OpenDoors
    refused: str | None = None
    met: tuple[str, ...] = ()
    together: tuple[str, ...] = ()


class Met(msgspec.Struct, frozen=True):
    """The matches in which two people sat and the tournaments that are not over in which both stand, as the club's log
    stood at a position."""

    matches: tuple[str, ...]
    tournaments: tuple[str, ...]
    position: int


async def merge(
    services: Services, caller: Caller, club: LoadedClub, command: MergePlayers, request: Request
) -> Done[Club]:
    """Merge two people, if they never met by the end of the log that it is appended to. Raises Refusal."""
    require(caller, club.club, SECRETARIES)
    before = await services.recorder.answered(club.club, request)
    known = (await services.recorder.club(club.club)).state
    if before is not None:
        if command.other in known.merged:  # what a crash left open
            await _end_doors(services, club.club, (command.other,))
        return before
    _check(known, command, request.actor.within(club.club))
    met = await meetings(services, club.club, known, command)
    for _ in range(TRIES):
        full = msgspec.structs.replace(command, matches=met.matches, tournaments=met.tournaments)
        asked = msgspec.structs.replace(request, ends=met.position)
        try:
            done = await services.recorder.on_stream(club.club, CLUB, full, asked)
        except LogMovedError:  # others go on playing: only who sits down with whom is looked for again
            end, seats = await seated_since(services.pool, club.club, met.position)
            known = (await services.recorder.club(club.club)).state
            moved = msgspec.structs.replace(met, position=end)
            met = await meetings(services, club.club, known, command) if seats else moved
            continue
        await _end_doors(services, club.club, (command.other,))
        return done
    raise BusyError(club.club)


async def part(
    services: Services, caller: Caller, club: LoadedClub, command: PartPlayers, request: Request
) -> Done[Club]:
    """Part two people who were merged. Raises Refusal."""
    require(caller, club.club, SECRETARIES)
    known = (await services.recorder.club(club.club)).state
    if command.other in known.merged:  # a door of that id that is there by some accident opens nothing again
        await _end_doors(services, club.club, (command.other,))
    return await services.recorder.on_stream(club.club, CLUB, command, request)


async def meetings(services: Services, club: str, known: Club, command: MergePlayers) -> Met:
    """The matches where two people met, as the log stands now. Raises BusyError while the kept rows do not come to its
    end."""
    one, other = set(known.ids_of(command.player)), set(known.ids_of(command.other))
    for attempt in range(LOOKS):
        book, reached = await services.books.of(club)
        rows = await rows_with(services.pool, club, tuple(one))
        seen = await services.lists.reach(club, until=soon() + PATIENCE * (attempt > 0))
        if (reached.position, reached.behind) == (seen.position, seen.behind) == (book.position, 0):
            matches = sorted({*await book.met(one, other), *_sat(rows, one, other)})
            return Met(tuple(matches), tuple(await book.entered(one, other)), seen.position)
    raise BusyError(club)


def _sat(rows: Sequence[MatchRow], one: set[str], other: set[str]) -> set[str]:
    """The matches with deals in which two people sat, or that are not void; those of which a tournament alone knows the
    outcome are told by the book."""
    sat = [row for row in rows if row.deals or row.status != "void"]
    return {row.id for row in sat if _both([each for side in row.sides for each in side], one, other)}


def _both(people: Sequence[str], one: set[str], other: set[str]) -> bool:
    return not one.isdisjoint(people) and not other.isdisjoint(people)


def _check(club: Club, command: MergePlayers, actor: Actor) -> None:
    """Raises Refusal for what needs no look at matches."""
    decided(merged, club, command, actor)


async def _end_doors(services: Services, club: str, players: Sequence[str]) -> None:
    """Sign-ins, seats and tokens end with the id that they are of."""
    async with services.pool.connection() as connection, connection.transaction():
        await end_doors_of(connection, club, players)
    services.forget()


async def merge_preview(services: Services, caller: Caller, club: LoadedClub, command: MergePlayers) -> MergePreview:
    """The things that a merge would move; with the reason where it would be refused. Raises Refusal for people who are
    not there, and for who may not ask."""
    require(caller, club.club, SECRETARIES)
    loaded = await services.recorder.club(club.club)
    known, names = loaded.state, names_of(loaded)
    for each in (command.player, command.other):
        if each not in known.players:
            raise Refusal("not-found", "the club knows no such player")
    given = msgspec.structs.replace(command, knowingly=True)
    refused, met = None, Met((), (), 0)
    try:
        if known.whom(command.player) == known.whom(command.other) and command.player != command.other:
            raise Refusal("misfit", "these two are one person already")
        _check(known, given, caller.actor().within(club.club))
        met = await meetings(services, club.club, known, given)
        full = msgspec.structs.replace(given, matches=met.matches, tournaments=met.tournaments)
        _check(known, full, caller.actor().within(club.club))
    except Refusal as refusal:
        refused = refusal.detail
    book, _ = await services.books.of(club.club)
    moves = Moves(book, await book.accounts(), known, command)
    return MergePreview(
        player=command.player,
        name=names[command.player],
        other=command.other,
        other_name=known.players[command.other].name,
        matches=len(await rows_with(services.pool, club.club, known.ids_of(command.other))),
        ratings=() if refused else await moves.ratings(),
        seasons=() if refused else moves.seasons(),
        ladders=() if refused else moves.ladders(),
        roles=known.held(command.other),
        doors=await open_doors_of(services.pool, club.club, (command.other,)),
        refused=refused,
        met=met.matches,
        together=met.tournaments,
    )


class Moves:
    """The figures of a person before and after a merge, worked out of one book; what would be is kept nowhere."""

    def __init__(self, book: KeptBook, accounts: Sequence[Account], club: Club, command: MergePlayers) -> None:
        self.book, self.accounts, self.player, self.other = book, accounts, command.player, command.other
        self.before: Firsts = club.firsts()
        joined = dict.fromkeys(club.ids_of(self.other), self.player)
        self.after: Firsts = {**self.before, **joined}

    async def ratings(self) -> tuple[Moved, ...]:
        """The rating in each game that the second has played."""
        found = []
        played = await self.book.played(self.other)
        for game in (each for each in self.book.games if each in played):
            results = await self.book.results(game)
            shown = []
            for firsts in (self.before, self.after):
                tried = [result_with(firsts, each) for each in results]
                career = (await asyncio.to_thread(replay, tried, "players")).get((self.player,))
                shown.append(career.rating.shown if career else None)
            found.append(Moved(find_game(game).title, shown[0], shown[1]))
        return tuple(found)

    def seasons(self) -> tuple[Moved, ...]:
        """The place in each season in which the second has one."""
        found = []
        for label in season_labels(self.accounts):
            places = [self._in_season(label.season, firsts) for firsts in (self.before, self.after)]
            if self.other in places[0]:
                found.append(Moved(label.season, places[0].get(self.player), places[1].get(self.player)))
        return tuple(found)

    def _in_season(self, season: str, firsts: Firsts) -> dict[str, int]:
        shown = season_view(season, with_firsts(self.accounts, firsts), CONVENTION, None, {})
        return {row.player: row.rank for row in shown.rows}

    def ladders(self) -> tuple[Moved, ...]:
        """The place on each ladder on which the second has one of his own."""
        found = []
        for game in sorted({each.game for account in self.accounts for each in account.ladders}):
            ladders = [ladder_in(with_firsts(self.accounts, firsts), game) for firsts in (self.before, self.after)]
            if (self.other,) in ladders[0]:
                own = (self.player,)
                places = [ladder.index(own) + 1 if own in ladder else None for ladder in ladders]
                found.append(Moved(find_game(game).title, places[0], places[1]))
        return tuple(found)


def person_view(club: LoadedClub, player: str) -> PersonAnswer:
    """A person with all ids."""
    first, *also = club.state.ids_of(player)
    return PersonAnswer(first, club.state.players[first].name, (first, *also), club.head.version)
