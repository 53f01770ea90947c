"""The clerk's part about tournaments: what the command line does on the database, through the same commands."""

from typing import Any

import msgspec
from psycopg_pool import AsyncConnectionPool

from domain.decider import Refusal
from domain.tournament.exchange import entries, results, trf_out
from domain.tournament.exchange.archive import read_archive, write_archive
from domain.tournament.trf.write import Form
from projections.tournaments.lists import TOURNAMENTS, TournamentRow
from projections.tournaments.standings import StandingsView, standings_view
from projections.tournaments.view import TournamentView, calling, tournament_view
from service.api.access import names_of
from service.api.tournament_bodies import Row, listed
from service.auth import Caller
from service.clerk import CLERK, club_named
from service.lists import Lists
from service.projector import Projector
from service.recording import Recorder, own_request
from service.streams import Loaded, LoadedClub, Streams
from service.tournaments.files import Files, Taken, read_trf
from service.tournaments.steward import Steward

OWNER = Caller("owner", True)


class Found(msgspec.Struct, frozen=True):
    """A tournament that was asked for, with its club, brought up to date with its matches."""

    files: Files
    steward: Steward
    loaded: Loaded
    club: LoadedClub

    @property
    def names(self) -> dict[str, str]:
        """What each entry is called."""
        return calling(self.loaded.tournament, names_of(self.club))


class Shown(msgspec.Struct, frozen=True):
    """A tournament and the standings of the stage that is on, if one is."""

    tournament: TournamentView
    standings: StandingsView | None


async def find(pool: AsyncConnectionPool[Any], tournament: str) -> Found:
    """A tournament by its id. Raises Refusal for one that there is not."""
    streams = Streams(pool)
    recorder = Recorder(streams)
    steward = Steward(streams, recorder)
    loaded = await streams.tournament(tournament)
    if loaded is None:
        raise Refusal("not-found", f"there is no tournament {tournament}: `lurch tournament list` shows the ids")
    await steward.catch_up(loaded.club)
    club = await recorder.club(loaded.club)
    return Found(Files(recorder), steward, streams.kept(tournament) or loaded, club)


async def listing(pool: AsyncConnectionPool[Any], club: str | None) -> list[Row]:
    """The tournaments of every club, or of the one of that name, the newest first."""
    streams, projector = Streams(pool), Projector(pool)
    lists = Lists(pool, projector, Steward(streams, Recorder(streams)))
    found: list[Row] = []
    for each in await streams.clubs():
        if club is None or each.state.name == club:
            await projector.catch_up(each.club)
            rows = await lists.rows(TOURNAMENTS, each.club, TournamentRow, "", 10_000, newest=True)
            found += [listed(row, each.club, names_of(each)) for row in rows.rows]
    return sorted(found, key=lambda row: row.id, reverse=True)


async def show(pool: AsyncConnectionPool[Any], tournament: str) -> Shown:
    """A tournament as it stands. Raises Refusal."""
    found = await find(pool, tournament)
    state = found.loaded.tournament
    view = tournament_view(found.loaded.stream, found.loaded.club, state, names_of(found.club))
    return Shown(view, standings_view(state, state.at, found.names) if state.at >= 0 else None)


def stage_of(found: Found, stage: int | None) -> int:
    """The stage that is meant, from 0. Raises Refusal for one that has not begun."""
    state = found.loaded.tournament
    number = max(state.at, 0) if stage is None else stage - 1
    if number >= len(state.stages) or not state.stages[number].begun:
        raise Refusal("not-found", "that stage has not begun: pair its first round")
    return number


async def export_table(
    pool: AsyncConnectionPool[Any], tournament: str, what: str, stage: int | None, round_: int | None
) -> str:
    """Its entries, or the results of a stage, as CSV. Raises Refusal."""
    found = await find(pool, tournament)
    state = found.loaded.tournament
    if what == "entries":
        return entries.write_entries(state, names_of(found.club))
    number = stage_of(found, stage)
    if round_ is not None and round_ > len(state.stages[number].rounds):
        raise Refusal("not-found", f"round {round_} has not been paired")
    return results.write_results(state, number, found.names, round_)


async def export_trf(pool: AsyncConnectionPool[Any], tournament: str, stage: int | None, form: Form) -> str:
    """A stage as a tournament report file. Raises Refusal."""
    found = await find(pool, tournament)
    return trf_out.trf_of(found.loaded.tournament, stage_of(found, stage), found.names, form)


async def export_archive(pool: AsyncConnectionPool[Any], tournament: str) -> str:
    """The whole event as one document. Raises Refusal."""
    found = await find(pool, tournament)
    return write_archive(await found.files.archive(found.loaded, OWNER, True)).decode()


async def take(pool: AsyncConnectionPool[Any], club: str | None, data: bytes, game: str | None) -> Taken:
    """An archive, or a report file of a game, as a new tournament. Raises FaultyError, Refusal."""
    if game is None:
        read_archive(data)
    else:
        read_trf(data, game)
    where = await club_named(pool, club)  # founded only for what can be read
    streams = Streams(pool)
    recorder = Recorder(streams)
    files = Files(recorder)
    if game is None:
        taken = Taken(await files.take_archive(where, data, own_request(CLERK)))
    else:
        taken = await files.take_trf(where, data, game, own_request(CLERK))
    await Steward(streams, recorder).catch_up(where)
    return taken


async def take_table(pool: AsyncConnectionPool[Any], tournament: str, data: bytes, what: str) -> int:
    """A table of entries or results into a tournament: how many events that made. Raises FaultyError, Refusal."""
    found = await find(pool, tournament)
    act = found.files.enter if what == "entries" else found.files.report
    done = await act(found.loaded, data, own_request(CLERK))
    await found.steward.catch_up(found.loaded.club)
    return done.last - done.first + 1
