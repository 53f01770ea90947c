"""Delays: streams, lists and logs as an onlooker may see them now. How far that is `shown_upto` says; here what is
shown is taken from there, so that no answer has more to tell from."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, TypeVar

from domain.match.sight import shown_upto
from domain.match.state import Match
from domain.tournament.delay import round_over
from domain.tournament.state import Tournament
from projections.lists import MATCHES, MatchRow
from projections.tournaments.lists import TOURNAMENTS, TournamentRow
from service.desk.lists import Reached
from service.desk.services import Services
from service.store import delayed
from service.store.callers import NOBODY, Caller
from service.store.glance import Glance
from service.store.kinds import MATCH, TOURNAMENT
from service.store.loaded import AnyLoaded, LoadedMatch, LoadedTournament
from service.store.streams import Streams

Row = TypeVar("Row", MatchRow, TournamentRow)
QUIET: Final = timedelta(hours=6)  # a table that nobody has heard of for so long keeps nobody waiting


async def match_seen(streams: Streams, caller: Caller, loaded: LoadedMatch, at: datetime) -> LoadedMatch:
    """A match as a caller may see it now: all that is recorded, or as it was when it last rested."""
    match = loaded.match
    if match.setup.delay == "none":
        return loaded
    actor = caller.actor().within(loaded.club).reaching(loaded.stream, match.setup.tournament)
    return await streams.past(loaded, shown_upto(match, actor, await _waits(streams, loaded, at)))


async def _waits(streams: Streams, loaded: LoadedMatch, at: datetime) -> bool:
    """Tells whether there is something that onlookers of a match have to wait for."""
    if _quiet(loaded, at):
        return False
    cup = loaded.match.setup.tournament
    if loaded.match.setup.delay != "round" or cup is None:
        return True
    known = await streams.tournament(cup)
    return known is not None and not round_over(known.tournament, loaded.stream)


def _quiet(loaded: AnyLoaded, at: datetime) -> bool:
    return loaded.head.recorded_at is not None and at - loaded.head.recorded_at > QUIET


async def tournament_seen(streams: Streams, caller: Caller, loaded: LoadedTournament, at: datetime) -> LoadedTournament:
    """A tournament as a caller may see it now: who keeps the score or directs in it sees every result at once."""
    state = loaded.tournament
    if state.plan.delay != "round" or caller.records(loaded.club, None, loaded.stream) or _quiet(loaded, at):
        return loaded
    return await streams.past(loaded, min(max(state.rested, 1), state.version))


async def stream_seen(services: Services, caller: Caller, loaded: AnyLoaded) -> AnyLoaded:
    """A match or tournament as a caller may see it now; any other stream as it is."""
    return await seen_now(services.streams, caller, loaded, services.recorder.clock())


async def seen_now(streams: Streams, caller: Caller, loaded: AnyLoaded, at: datetime) -> AnyLoaded:
    """A match or tournament as a caller may see it at a time; any other stream as it is."""
    if isinstance(loaded.state, Match):
        return await match_seen(streams, caller, loaded, at)
    if isinstance(loaded.state, Tournament) and loaded.state.version:
        return await tournament_seen(streams, caller, loaded, at)
    return loaded


def is_delayed(loaded: AnyLoaded) -> bool:
    """Tells whether onlookers of a stream may be behind."""
    state = loaded.state
    if isinstance(state, Match):
        return state.setup.delay != "none"
    return isinstance(state, Tournament) and state.plan.delay == "round"


def round_of(loaded: LoadedMatch) -> str | None:
    """The tournament that says when onlookers may see a match; None where no round does."""
    setup = loaded.match.setup
    return setup.tournament if setup.delay == "round" else None


async def log_end(streams: Streams, caller: Caller, club: str, at: datetime, upto: int | None = None) -> int | None:
    """The last position of a club's open log that a caller may see, before the first event that is held back: what
    comes later in it would tell by its number that something is missing. None where nothing is held back. Who knows
    the log up to a position asks for no later one."""
    ends, moved, glance = [], await _moved(streams, club, at, upto), Glance(streams)
    await streams.several(club, [stream for stream, last in moved if _is_behind(streams.kept(stream), last)])
    for stream, last in moved:
        loaded = streams.kept(stream)
        if _is_behind(loaded, last):  # it was forgotten again
            loaded = await streams.load(stream)
        if loaded is None:
            continue
        shown = await seen_now(glance, caller, loaded, at)
        if shown.head.version < loaded.head.version:
            ends.append(await streams.place(loaded, shown.head.version + 1) - 1)
    return min(ends, default=None)


def _is_behind(loaded: AnyLoaded | None, version: int) -> bool:
    return loaded is None or loaded.head.version < version


async def events_seen(streams: Streams, caller: Caller, club: str, at: datetime, position: int) -> int:
    """The number of events of a club's open log that a caller may see, of those up to a position: it grows with what he
    may see, and stays where only what is held back has grown."""
    held, moved, glance = 0, await _moved(streams, club, at, position), Glance(streams)
    found = await streams.several(club, [stream for stream, _ in moved])
    for loaded in found.values():
        held += loaded.head.version - (await seen_now(glance, caller, loaded, at)).head.version
    return position - held


async def _moved(streams: Streams, club: str, at: datetime, upto: int | None) -> list[tuple[str, int]]:
    """The delayed streams of a club in which something happened lately."""
    position, known = streams.delayed.get(club, (0, []))
    if upto is None or position < upto:
        position, fresh = await delayed.begun(streams.pool, club, position)
        known = [*known, *fresh] if fresh else known
        if position >= streams.delayed.get(club, (0, []))[0]:
            streams.delayed[club] = (position, known)
    return await delayed.moved_since(streams.pool, club, known, at - QUIET) if known else []


async def public_end(streams: Streams, club: str, at: datetime) -> int | None:
    """The same for everybody: what webhooks tell."""
    return await log_end(streams, NOBODY, club, at)


async def rows_seen(services: Services, caller: Caller, club: str, rows: Sequence[MatchRow]) -> list[MatchRow]:
    """Rows of the list of matches as a caller may see them now: one of a match that is further on is made again."""
    return await _rows_seen(services, caller, club, rows, [each.tournament for each in rows if each.delay == "round"])


async def cups_seen(
    services: Services, caller: Caller, club: str, rows: Sequence[TournamentRow]
) -> list[TournamentRow]:
    """The same for the list of tournaments."""
    return await _rows_seen(services, caller, club, rows)


async def _rows_seen(
    services: Services, caller: Caller, club: str, rows: Sequence[Row], beside: Iterable[str | None] = ()
) -> list[Row]:
    """Rows as they may be seen; of the streams that are delayed and those `beside` them each is read once."""
    glance = Glance(services.streams)
    await glance.look_at(club, [*(row.id for row in rows if row.delay != "none"), *filter(None, beside)])
    found = [await _row_seen(services, glance, caller, club, row) for row in rows]
    return [row for row in found if row is not None]


async def _row_seen(services: Services, glance: Glance, caller: Caller, club: str, row: Row) -> Row | None:
    kind = MATCH if isinstance(row, MatchRow) else TOURNAMENT
    loaded = await glance.of_kind(row.id, kind) if row.delay != "none" else None
    if loaded is None:
        return row
    shown = await seen_now(glance, caller, loaded, services.recorder.clock())
    if shown.head.version >= row.version:
        return row
    position = await services.streams.place(shown, shown.head.version)
    projection = MATCHES if kind is MATCH else TOURNAMENTS
    again = await services.lists.folded(projection, club, position, [row.id])
    return again[0] if again else None


def reached_seen(reached: Reached, upto: int | None) -> Reached:
    """The position that a list is of, as somebody may know it who sees the log up to a position."""
    if upto is None or reached.position <= upto:
        return reached
    return Reached(upto)
