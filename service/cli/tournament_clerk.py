"""The clerk for tournaments: use cases of the command line on the database."""

import msgspec

from domain.exchange import entries, results, trf_out
from domain.exchange.archive import read_archive, write_archive
from domain.exchange.trf.write import FileForm
from domain.log.actor import Right
from domain.log.decider import Refusal
from projections.tournaments.lists import TOURNAMENTS, TournamentRow
from projections.tournaments.standings import StandingsView, standings_view
from projections.tournaments.view import TournamentView, calling, tournament_view
from service.cli.clerk import CLERK, club_named
from service.cli.clubs import means
from service.desk.doubts import beside
from service.desk.lists import Lists
from service.desk.recording import Recorder
from service.desk.requests import own_request
from service.desk.showing import names_of
from service.desk.tournament_bodies import TournamentListRow, listed
from service.desk.tournament_files import Files, TakenFile, read_trf
from service.desk.tournament_reading import stage_of
from service.projector import Projector
from service.steward.steward import Steward
from service.store.callers import Caller
from service.store.loaded import LoadedClub, LoadedTournament
from service.store.pool import Pool
from service.store.streams import Streams

OWNER = Caller(True, rights=(Right("owner", strength="file"),))


class FoundTournament(msgspec.Struct, frozen=True):
    """A tournament with its club, brought up to date with its matches."""

    files: Files
    steward: Steward
    loaded: LoadedTournament
    club: LoadedClub

    @property
    def names(self) -> dict[str, str]:
        """The name of each entry."""
        return calling(self.loaded.tournament, names_of(self.club))


class TournamentShown(msgspec.Struct, frozen=True):
    """A tournament and the standings of the stage that is on, if one is."""

    tournament: TournamentView
    standings: StandingsView | None


async def find(pool: Pool, tournament: str) -> FoundTournament:
    """A tournament by its id. Raises Refusal for an unknown id."""
    streams = Streams(pool)
    recorder = Recorder(streams)
    steward = Steward(streams, recorder)
    loaded = await streams.tournament(tournament)
    if loaded is None:
        raise Refusal("not-found", f"there is no tournament {tournament}: `lurch tournament list` shows the ids")
    await steward.catch_up(loaded.club)
    club = await recorder.club(loaded.club)
    return FoundTournament(Files(recorder), steward, streams.kept(tournament) or loaded, club)


async def listing(pool: Pool, club: str | None) -> list[TournamentListRow]:
    """The tournaments of every club, or of the one of that name or id, the newest first."""
    streams, projector = Streams(pool), Projector(pool)
    steward = Steward(streams, Recorder(streams))
    lists = Lists(pool, projector, steward.catch_up)
    found: list[TournamentListRow] = []
    for each in await streams.clubs():
        if club is None or means(each, club):
            await steward.catch_up(each.club)  # a list waits for neither longer than a moment
            await projector.catch_up(each.club)
            rows = await lists.rows(TOURNAMENTS, each.club, TournamentRow, "", 10_000, newest=True)
            found += [listed(row, each.club, names_of(each)) for row in rows.rows]
    return sorted(found, key=lambda row: row.id, reverse=True)


async def show(pool: Pool, tournament: str) -> TournamentShown:
    """A tournament as it stands. Raises Refusal."""
    found = await find(pool, tournament)
    state = found.loaded.tournament
    doubts = await beside(Streams(pool), found.loaded.club, state)
    view = tournament_view(found.loaded.stream, found.loaded.club, state, names_of(found.club), doubts)
    return TournamentShown(view, standings_view(state, state.at, found.names, doubts) if state.at >= 0 else None)


async def export_table(pool: Pool, tournament: str, what: str, stage: int | None, round_: int | None) -> str:
    """Its entries, or the results of a stage, as CSV. Raises Refusal."""
    found = await find(pool, tournament)
    state = found.loaded.tournament
    if what == "entries":
        return entries.write_entries(state, names_of(found.club))
    number = stage_of(state, stage)
    if round_ is not None and round_ > len(state.stages[number].rounds):
        raise Refusal("not-found", f"round {round_} has not been paired")
    doubts = await beside(Streams(pool), found.loaded.club, state)
    return results.write_results(state, number, found.names, round_, doubts)


async def export_trf(pool: Pool, tournament: str, stage: int | None, form: FileForm) -> str:
    """A stage as a tournament report file. Raises Refusal."""
    found = await find(pool, tournament)
    return trf_out.trf_of(found.loaded.tournament, stage_of(found.loaded.tournament, stage), found.names, form)


async def export_archive(pool: Pool, tournament: str) -> str:
    """The whole event as one document. Raises Refusal."""
    found = await find(pool, tournament)
    return write_archive(await found.files.archive(found.loaded, OWNER, True)).decode()


async def take(pool: Pool, club: str | None, data: bytes, game: str | None) -> TakenFile:
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
        taken = TakenFile(await files.take_archive(where, data, own_request(CLERK)))
    else:
        taken = await files.take_trf(where, data, game, own_request(CLERK))
    await Steward(streams, recorder).catch_up(where)
    return taken


async def take_table(pool: Pool, tournament: str, data: bytes, what: str) -> int:
    """Take a table of entries or results into a tournament; the number of new events. Raises FaultyError, Refusal."""
    found = await find(pool, tournament)
    act = found.files.enter if what == "entries" else found.files.report
    done = await act(found.loaded, data, own_request(CLERK))
    await found.steward.catch_up(found.loaded.club)
    return done.last - done.first + 1
