"""Clubs as they are listed: the club, its matches and its people, now or as of a position."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from domain.tournament.doubts import Doubt
from projections.lists import MATCHES, PLAYERS, MatchRow, MemberRow
from projections.merged import row_with
from service.desk import bodies
from service.desk.as_of import as_of, club_at
from service.desk.delays import reached_seen, rows_seen
from service.desk.doubts import doubts, moment_in
from service.desk.lists import Listed, Reached
from service.desk.services import Services
from service.desk.showing import names_of
from service.store.callers import Caller
from service.store.loaded import LoadedClub
from service.store.streams import Streams


class NamedSide(msgspec.Struct, frozen=True):
    """The people of one side of a match, by name and by id; a name that was removed is None."""

    names: tuple[str | None, ...]
    players: tuple[str, ...]

    @property
    def called(self) -> str:
        """The names in one line."""
        return " & ".join(name or "(name removed)" for name in self.names)


class NamedRow(msgspec.Struct, frozen=True):
    """A match in a list as it is shown: a row whose sides have names. `doubt`: its result is contested, under appeal,
    or disputed."""

    id: str
    version: int
    game: str
    sides: tuple[NamedSide, ...]
    target: int | None
    win_by: int
    totals: tuple[int, ...]
    status: str
    winner: int | None
    deals: int
    opened_at: str
    changed_at: str
    tournament: str | None
    confirmed: tuple[int, ...]
    games: tuple[int, ...]
    agreed: bool
    disputed: bool = False
    doubt: Doubt | None = None
    delay: str = "none"


def club_view(club: LoadedClub) -> bodies.ClubView:
    """A club as it is listed."""
    people = len(club.state.players) - len(club.state.merged)
    return bodies.ClubView(club.club, club.state.name, club.state.public, people)


async def matches_of(
    services: Services,
    caller: Caller,
    club: LoadedClub,
    after: str,
    limit: int,
    position: int | None = None,
    until: float | None = None,
) -> Listed[MatchRow]:
    """The newest matches of a club as a caller may see them, now or as of a position."""
    if position is not None:
        return Listed(await services.lists.past(MATCHES, club.club, position, after, limit), Reached(position))
    rows: list[MatchRow] = []
    while True:  # a row is left out where a caller may not see a deal of it yet
        found = await services.lists.rows(MATCHES, club.club, MatchRow, after, limit, newest=True, until=until)
        rows += await rows_seen(services, caller, club.club, found.rows)
        if len(rows) >= limit or len(found.rows) < limit:
            return Listed(rows[:limit], reached_seen(found.reached, club.upto))
        after = found.rows[-1].id


async def players_of(
    services: Services, club: LoadedClub, after: str, limit: int, position: int | None
) -> Listed[MemberRow]:
    """The people of a club, now or as of a position."""
    if position is None:
        found = await services.lists.rows(PLAYERS, club.club, MemberRow, after, limit)
        known = await services.recorder.club(club.club)
        return Listed(_counted(found.rows, known), reached_seen(found.reached, club.upto))
    known = await club_at(services, club, position)
    people = known.state.players.values()
    rows = [MemberRow(each.id, each.name, each.visitor) for each in people if each.id > after]
    return Listed(_counted(sorted(rows, key=lambda row: row.id)[:limit], known), Reached(position))


def _counted(rows: Iterable[MemberRow], club: LoadedClub) -> list[MemberRow]:
    """People of the list, with the id that counts where it is another one."""
    firsts = club.state.firsts()
    return [msgspec.structs.replace(row, counts_for=firsts.get(row.id)) for row in rows]


async def named(
    streams: Streams, rows: Sequence[MatchRow], club: LoadedClub, moment: str | None = None
) -> list[NamedRow]:
    """Rows of the list, the people of their sides with the ids and names that count, and what is doubtful: now, or
    as of the moment that the list is of."""
    names, firsts = names_of(club), club.state.firsts()
    then = None if moment is None else await moment_in(streams, club.club, as_of(moment, "position"))
    found = await doubts(streams, club.club, rows, then)
    return [with_names(row_with(firsts, row), names, found.get(row.id)) for row in rows]


def with_names(row: MatchRow, names: Mapping[str, str | None], doubt: Doubt | None = None) -> NamedRow:
    """A row of the list, its sides with names."""
    sides = tuple(NamedSide(tuple(map(names.get, side)), side) for side in row.sides)
    told = {name: value for name, value in msgspec.structs.asdict(row).items() if name in NamedRow.__struct_fields__}
    return NamedRow(**{**told, "sides": sides, "doubt": doubt})
