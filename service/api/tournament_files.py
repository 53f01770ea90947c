"""Tournaments as files over HTTP: tables of entries and results, report files, archives."""

from collections.abc import Awaitable
from typing import Annotated, Literal, TypeVar
from uuid import UUID

import msgspec
from litestar import Controller, Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, QueryParameter

from domain.exchange import archive as documents
from domain.exchange import entries, results, trf_out
from domain.exchange.faults import FaultyError
from domain.log.actor import DIRECTORS, RECORDERS
from domain.log.decider import Refusal
from domain.log.event import JsonObject
from projections.event_view import EventView
from projections.tournaments.view import TournamentView, calling
from service.api.links import gives
from service.api.openapi import taking
from service.api.tournaments import StageNumber, directed
from service.desk import tournament_bodies as own
from service.desk.access import club_for, require, tournament_for
from service.desk.showing import names_of
from service.desk.tournament_files import GAME, Files, refusal_of
from service.desk.tournament_reading import doubts_beside, stage_of
from service.http.answers import CSV, MARK, as_file, as_json
from service.http.caller import AnyRequest, asked, caller_of, services_of

Answer = TypeVar("Answer")
TABLE_LIMIT = 262_144
TRF_LIMIT = 1_048_576
ARCHIVE_LIMIT = 8_388_608
Round = Annotated[int | None, QueryParameter(name="round", ge=1, le=1000, description="from 1; else all of them")]
Form = Annotated[Literal["trf16", "trf26"], QueryParameter(name="format", description="which of FIDE's two forms")]
Game = Annotated[str, QueryParameter(name="game", max_length=40, description="what is played; a file does not say")]


class Imported(msgspec.Struct, frozen=True):
    """The answer to an import: the tournament, and the parts of the file that it does not hold."""

    version: int
    events: tuple[EventView, ...]
    tournament: TournamentView
    left_out: tuple[str, ...]


async def body_of(request: AnyRequest, limit: int) -> bytes:
    """The body as it came. Raises Refusal for one beyond what the route takes."""
    try:
        return await request.body()
    except HTTPException as error:
        if error.status_code != 413:
            raise
        raise Refusal("too-large", f"the body is larger than {limit:,} bytes, which is what is read here") from None


async def read(wanted: Awaitable[Answer]) -> Answer:
    """The result of reading a text. Raises Refusal with every place where it is wrong."""
    try:
        return await wanted
    except FaultyError as wrong:
        raise refusal_of(wrong) from None


class TournamentFiles(Controller):
    """The files of one tournament."""

    path = "/tournaments/{tournament_id:uuid}"
    tags = ["tournaments"]

    @get("/entries.csv", operation_id="readEntriesTable", summary="The entries as CSV", media_type=CSV)
    async def entries(self, request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
        """Columns: name, partner, rating, table, seed, paid, here."""
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await tournament_for(services, caller, tournament_id)
        return as_file(MARK + entries.write_entries(loaded.tournament, names_of(club)), CSV, "entries.csv")

    @post(
        "/entries.csv",
        operation_id="enterTable",
        summary="Enter everybody of a CSV table, all or none",
        request_max_body_size=TABLE_LIMIT,
        operation_class=taking("text/csv", TABLE_LIMIT),
        opt=gives(entry="/tournament/entries/0/id"),
    )
    async def enter(self, request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[own.Directed]:
        """Every line that is wrong is named with line and column, and nobody is entered then."""
        services, caller = services_of(request), await caller_of(request)
        loaded, _ = await tournament_for(services, caller, tournament_id)
        require(caller, loaded.club, DIRECTORS, loaded.stream)
        data = await body_of(request, TABLE_LIMIT)
        done = await read(Files(services.recorder).enter(loaded, data, await asked(request, caller)))
        return await directed(services, caller, done)

    @get("/results.csv", operation_id="readResultsTable", summary="Pairings and results as CSV", media_type=CSV)
    async def results(
        self, request: AnyRequest, tournament_id: FromPath[UUID], round_: Round = None, stage: StageNumber = 0
    ) -> Response[str]:
        """Columns: round, fixture, table, one, other, score_one, score_other, winner, how, doubt."""
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await tournament_for(services, caller, tournament_id)
        state = loaded.tournament
        number = stage_of(state, stage)
        if round_ is not None and round_ > len(state.stages[number].rounds):
            raise Refusal("not-found", f"round {round_} has not been paired")
        beside = await doubts_beside(services, loaded, state)
        text = results.write_results(state, number, calling(state, names_of(club)), round_, beside)
        return as_file(MARK + text, CSV, "results.csv")

    @post(
        "/results.csv",
        operation_id="reportTable",
        summary="Report the results of a CSV table, all or none",
        request_max_body_size=TABLE_LIMIT,
        operation_class=taking("text/csv", TABLE_LIMIT),
    )
    async def report(self, request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[own.Directed]:
        """Of the stage that is on. Names must be those of the pairing; lines without a result are passed over."""
        services, caller = services_of(request), await caller_of(request)
        loaded, _ = await tournament_for(services, caller, tournament_id)
        require(caller, loaded.club, RECORDERS, loaded.stream)
        data = await body_of(request, TABLE_LIMIT)
        done = await read(Files(services.recorder).report(loaded, data, await asked(request, caller)))
        return await directed(services, caller, done)

    @get(
        "/trf",
        operation_id="readReportFile",
        summary="A stage as FIDE's tournament report file",
        media_type="text/plain; charset=utf-8",
    )
    async def trf(
        self, request: AnyRequest, tournament_id: FromPath[UUID], stage: StageNumber = 0, form: Form = "trf16"
    ) -> Response[str]:
        """A Swiss or a round robin."""
        services, caller = services_of(request), await caller_of(request)
        loaded, club = await tournament_for(services, caller, tournament_id)
        state = loaded.tournament
        text = trf_out.trf_of(state, stage_of(state, stage), calling(state, names_of(club)), form)
        return as_file(text, "text/plain; charset=utf-8", "tournament.trf")

    @get("/archive", operation_id="readArchive", summary="The whole event as one document")
    async def archive(self, request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[JsonObject]:
        """With the events of its matches; private words only for directors."""
        services, caller = services_of(request), await caller_of(request)
        loaded, _ = await tournament_for(services, caller, tournament_id)
        notes = caller.directs(loaded.club, loaded.stream)
        found = await Files(services.recorder).archive(loaded, caller, notes)
        return as_file(documents.write_archive(found), "application/json", "tournament.json")


@post(
    "/clubs/{club_id:uuid}/tournaments/trf",
    operation_id="importReportFile",
    tags=["tournaments"],
    summary="A tournament report file as a new tournament",
    request_max_body_size=TRF_LIMIT,
    operation_class=taking("text/plain", TRF_LIMIT),
    opt=gives(tournament_id="/tournament/id", entry="/tournament/entries/0/id"),
)
async def import_trf(request: AnyRequest, club_id: FromPath[UUID], game: Game = GAME) -> Response[Imported]:
    """Entries, seeds, every round and result, through the commands of a director."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    data = await body_of(request, TRF_LIMIT)
    taken = await read(Files(services.recorder).take_trf(club.club, data, game, await asked(request, caller)))
    answer = await directed(services, caller, taken.done)
    made = answer.content
    return as_json(
        {**msgspec.json.decode(made), "left_out": taken.left_out}, 201, {"Location": answer.headers["Location"]}
    )


@post(
    "/clubs/{club_id:uuid}/tournaments/archive",
    operation_id="importArchive",
    tags=["tournaments"],
    summary="An archive as a tournament of this club",
    request_max_body_size=ARCHIVE_LIMIT,
    operation_class=taking("application/json", ARCHIVE_LIMIT),
    opt=gives(tournament_id="/tournament/id", entry="/tournament/entries/0/id"),
)
async def import_archive(request: AnyRequest, club_id: FromPath[UUID]) -> Response[own.Directed]:
    """With its matches, under fresh ids; the same archive again is answered with what it became."""
    services, caller = services_of(request), await caller_of(request)
    club = await club_for(services, caller, club_id)
    require(caller, club.club, DIRECTORS)
    data = await body_of(request, ARCHIVE_LIMIT)
    done = await read(Files(services.recorder).take_archive(club.club, data, await asked(request, caller)))
    return await directed(services, caller, done)
