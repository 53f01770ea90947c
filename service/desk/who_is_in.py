"""The people who are in at tables by their codes, for directors and for themselves: tables with codes, devices,
questions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

from domain.log.event import instant
from projections.lists import MATCHES, MatchRow
from projections.tournaments.rounds import RoundView
from projections.tournaments.view import rounds_on, tournament_view
from service.desk.services import Services
from service.desk.showing import names_of
from service.desk.tables import is_over
from service.store import seats as rows
from service.store.kinds import MATCH, TOURNAMENT
from service.store.loaded import LoadedClub, LoadedMatch, LoadedTournament
from service.store.seats import Ask, SeatByCode

MOST: Final = 16  # tables on one page, the newest first
LOOKED_AT: Final = 200  # matches among which open ones are looked for
GONE: Final = "(name removed)"


class SeatView(msgspec.Struct, frozen=True):
    """A device at a table. `player` is null where it keeps the score; `device` is told to directors; `heard` is how
    many seconds ago it was heard, `last` the type of what it recorded last, and when."""

    id: str
    player: str | None
    name: str
    device: str | None
    since: str
    heard: int
    last: str | None = None
    last_at: str | None = None


class AskView(msgspec.Struct, frozen=True):
    """A device that asks for a name which another one has."""

    id: str
    player: str
    name: str
    at: str


class TableView(msgspec.Struct, frozen=True):
    """A table with its codes: the number of the table and the round where a tournament says so, the names by side, who
    is in, and who asks to come in."""

    match: str
    tournament: str | None
    table: int | None
    round: str | None
    sides: tuple[tuple[str, ...], ...]
    code: str
    secret: str
    good_until: str
    seats: tuple[SeatView, ...] = ()
    asks: tuple[AskView, ...] = ()


class Place(msgspec.Struct, frozen=True):
    """The table and the round of a match in a tournament."""

    table: int
    round: str


async def tables_of_club(services: Services, club: LoadedClub, cursor: str) -> tuple[list[TableView], str | None]:
    """The tables of a club's open matches, the newest first, behind a match; and where the next ones begin."""
    found = await services.lists.rows(MATCHES, club.club, MatchRow, cursor, LOOKED_AT, newest=True)
    wanted = [row.id for row in found.rows if row.status != "void" and not row.agreed]
    shown = wanted[:MOST]
    after = shown[-1] if len(wanted) > MOST else found.rows[-1].id if len(found.rows) == LOOKED_AT else None
    return await tables_of(services, club, shown), after


async def tables_of_tournament(services: Services, club: LoadedClub, tournament: LoadedTournament) -> list[TableView]:
    """The tables of the rounds that are on, in their order."""
    view = tournament_view(tournament.stream, tournament.club, tournament.tournament, names_of(club))
    wanted = [pairing.match for each in rounds_on(view) for pairing in each.pairings]
    found = await tables_of(services, club, wanted)
    return sorted(found, key=lambda table: table.table or 0)


async def tables_of(services: Services, club: LoadedClub, matches: Sequence[str]) -> list[TableView]:
    """These tables, as far as their matches are open, with codes and who is in."""
    known = await services.streams.several(club.club, matches)
    loaded = [each for each in known.values() if each.kind is MATCH]
    at = services.tables.now()
    codes = await services.tables.codes([each for each in loaded if not is_over(each.match)])
    seated = await rows.at_tables(services.pool, list(codes), at)
    asks = await rows.asking(services.pool, list(codes), at)
    acts = await rows.last_acts(services.pool, club.club, seated) if seated else {}
    places = await places_of(services, club, [each for each in loaded if each.stream in codes])
    names, found = names_of(club), []
    for each in loaded:
        if each.stream not in codes:
            continue
        shown, place = codes[each.stream], places.get(each.stream)
        found.append(
            TableView(
                each.stream,
                each.match.setup.tournament,
                None if place is None else place.table,
                None if place is None else place.round,
                named_sides(each, names),
                shown.code,
                shown.secret,
                instant(shown.door.good_until),
                tuple(_seat(seat, names, acts, at) for seat in seated if seat.match == each.stream),
                tuple(_ask(ask, names) for ask in asks if ask.match == each.stream),
            )
        )
    return found


def named_sides(loaded: LoadedMatch, names: dict[str, str | None]) -> tuple[tuple[str, ...], ...]:
    """The names of a match by side."""
    return tuple(tuple(names.get(player) or GONE for player in side) for side in loaded.match.setup.sides)


def _seat(
    seat: SeatByCode, names: dict[str, str | None], acts: dict[str, tuple[str, datetime]], at: datetime
) -> SeatView:
    name = "keeps the score" if seat.player is None else names.get(seat.player) or GONE
    ago = max(0, int((at - seat.heard).total_seconds()))
    last, when = acts.get(seat.id, ("", seat.since))
    if not last or when < seat.since:  # the same name may have recorded before, on another device
        return SeatView(seat.id, seat.player, name, seat.device, instant(seat.since), ago)
    return SeatView(seat.id, seat.player, name, seat.device, instant(seat.since), ago, last, instant(when))


def _ask(ask: Ask, names: dict[str, str | None]) -> AskView:
    return AskView(ask.id, ask.player, names.get(ask.player) or GONE, instant(ask.at))


async def places_of(services: Services, club: LoadedClub, matches: Sequence[LoadedMatch]) -> dict[str, Place]:
    """Table and round of the matches that belong to tournaments."""
    found: dict[str, Place] = {}
    named = [each.match.setup.tournament for each in matches]
    known = await services.streams.several(club.club, filter(None, named))
    for loaded in known.values():
        if loaded.kind is not TOURNAMENT:
            continue
        view = tournament_view(loaded.stream, loaded.club, loaded.tournament, names_of(club))
        stages = [stage.name for stage in view.stages] if len(view.stages) > 1 else []
        for round_ in view.rounds:
            said = _round(round_, stages)
            found |= {pairing.match: Place(pairing.table, said) for pairing in round_.pairings}
    return found


def _round(round_: RoundView, stages: list[str]) -> str:
    """A round in words, with its stage where there are several."""
    return f"{f'{stages[round_.stage]}, ' if stages else ''}round {round_.round}"


async def place_of(services: Services, club: LoadedClub, loaded: LoadedMatch) -> Place | None:
    """Table and round of one match; None where it belongs to no tournament."""
    return (await places_of(services, club, [loaded])).get(loaded.stream)
