"""The clerk, the use cases of the command line on the database: the same commands as of every other door."""

from collections.abc import Callable

import msgspec

from domain.game.protocol import ALL
from domain.log.decider import Refusal
from domain.match.state import Match
from domain.notation.match_history import lines_of
from projections.event_view import EventView, event_view
from projections.match_view import MatchView, match_view
from service.bookkeeper import Bookkeeper
from service.desk.as_of import as_of
from service.desk.auditing import reported_of
from service.desk.recording import Recorder
from service.desk.showing import names_of
from service.projector import Projector
from service.store import log
from service.store.device_book import DeviceBook
from service.store.log import By, Device
from service.store.pool import Pool
from service.store.streams import LoadedClub, LoadedMatch, Streams

CLERK = By(actor=None, role="owner", on=Device("program", "lurch"))


class FileResult(msgspec.Struct, frozen=True):
    """The result for one match of a file: its id and players, or the place and the fault."""

    text: str
    good: bool = True
    match: str | None = None
    line: int | None = None
    column: int | None = None


async def club_named(pool: Pool, name: str | None, public: bool = False) -> str:
    """The club of that name, founded if there is none; without a name the only one. Raises Refusal."""
    streams = Streams(pool)
    found = [club for club in await streams.clubs() if name is None or club.state.name == name]
    if len(found) == 1:
        return found[0].club
    if found:
        raise Refusal("malformed", "there are several clubs: say which with --club")
    return await Recorder(streams).found_club(name or "My club", public, CLERK)


async def player_named(pool: Pool, club: str, name: str) -> str:
    """The id of a person by name or id. Raises Refusal: nobody, or several of that name."""
    loaded = await Streams(pool).club(club)
    assert loaded is not None
    people = (player.id for player in loaded.state.players.values() if name in (player.id, player.name))
    found = list(dict.fromkeys(map(loaded.state.whom, people)))
    if len(found) != 1:
        reason = f"{len(found)} people are called {name!r}: give the id" if found else f"the club knows no {name!r}"
        raise Refusal("not-found", f"{reason} (GET /api/v1/clubs/{club}/players lists them)")
    return found[0]


class FoundMatch(msgspec.Struct, frozen=True):
    """A match with its club."""

    loaded: LoadedMatch
    club: LoadedClub

    @property
    def names(self) -> dict[str, str | None]:
        """The names of the players by id."""
        return names_of(self.club)


async def find_match(pool: Pool, match: str) -> FoundMatch:
    """A match by its id. Raises Refusal for an unknown id."""
    streams = Streams(pool)
    loaded = await streams.match(match)
    if loaded is None:
        raise Refusal("not-found", f"there is no match {match}: the pages and `lurch import` show the ids")
    club = await streams.club(loaded.club)
    assert club is not None
    return FoundMatch(loaded, club)


async def export_histories(pool: Pool, match: str) -> str:
    """A match's deals as histories, one a line. Raises Refusal for an unknown match, or hands that nobody recorded."""
    found = await find_match(pool, match)
    return "".join(f"{line}\n" for line in lines_of(found.loaded.match))


class ReplayView(msgspec.Struct, frozen=True):
    """The table at one event: the view of a director, the event, and the number of events."""

    view: MatchView
    event: EventView
    last: int


class Audited(msgspec.Struct, frozen=True):
    """A match of the log, now or as it was, with the names by side, and the figures by which somebody reported it to
    its tournament beside the record."""

    match: Match
    names: tuple[tuple[str | None, ...], ...]
    reported: tuple[int, int] | None = None


async def audited(pool: Pool, match: str, moment: str | None) -> Audited:
    """A match to be audited, as of a version or a time. Raises Refusal for an unknown id or moment."""
    found = await find_match(pool, match)
    state: Match | None = found.loaded.match
    if moment is not None:
        state = await Streams(pool).match_at(found.loaded, as_of(moment))
    if state is None:
        raise Refusal("not-found", "the match had not begun then")
    names = names_of(found.club)
    reported = await reported_of(Streams(pool), found.loaded, moment)
    return Audited(state, tuple(tuple(names[player] for player in side) for side in state.setup.sides), reported)


async def replay(pool: Pool, match: str, at: int | None) -> ReplayView:
    """The table at an event, by default the last one. Raises Refusal for an unknown event."""
    found = await find_match(pool, match)
    last = found.loaded.head.version
    version = last if at is None else at
    if not 1 <= version <= last:
        raise Refusal("not-found", f"the match has the events 1 to {last}, not {version}")
    stored = await log.read_stream(pool, found.loaded.club, match, version - 1, version)
    past = await Streams(pool).match_at(found.loaded, version)
    assert past is not None
    devices = await DeviceBook(pool).of(found.loaded.club, names=True)
    event = event_view(stored[0].event, ALL, found.loaded.match, stored[0].hash, notes=True, devices=devices)
    opened = frozenset(deal.number for deal in found.loaded.match.deals)
    return ReplayView(match_view(match, found.loaded.club, past, found.names, ALL, opened, opened), event, last)


async def events_to_fold(pool: Pool) -> int:
    """The number of events in all open logs together, of which kept views are made."""
    return sum(position for _, position in await log.clubs(pool))


async def rebuild(pool: Pool, told: Callable[[int], None] = lambda _: None) -> int:
    """Fold the kept views of every club again; `told` is called with the number of events read."""
    clubs = await log.clubs(pool)
    for club, _ in clubs:
        await Projector(pool).rebuild(club, told)
        await Bookkeeper(pool).rebuild(club)
    return len(clubs)
