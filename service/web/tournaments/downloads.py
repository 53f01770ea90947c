"""The files of a tournament for its directors: tables, a report file, the archive; and a table of entries taken."""

from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from domain.exchange import archive as documents
from domain.exchange import entries, results, trf_out
from domain.exchange.faults import FaultyError
from domain.log.actor import DIRECTORS
from domain.log.decider import Refusal
from service.desk.access import require
from service.desk.showing import names_of
from service.desk.tournament_files import Files, refusal_of
from service.http.answers import CSV, MARK, AnyResponse, as_file
from service.http.caller import AnyRequest, asked
from service.http.cookies import check_origin, go
from service.http.kinds import KINDS
from service.http.problems import known_slug
from service.web.forms import Form, form_of
from service.web.newcomers import NEW, ask, meant_by, questions
from service.web.tournaments.board import board
from service.web.tournaments.creating import LONGEST, entry_line
from service.web.tournaments.frame import Frame, frame_of

TEXT = "text/plain; charset=utf-8"


@get("/tournaments/{tournament_id:uuid}/files/{name:str}", include_in_schema=False)
async def download(request: AnyRequest, tournament_id: FromPath[UUID], name: FromPath[str]) -> AnyResponse:
    """A file by its name."""
    frame = await frame_of(request, tournament_id)
    require(frame.caller, frame.loaded.club, DIRECTORS, frame.loaded.stream)
    state, number = frame.state, max(frame.state.at, 0)
    if name == "entries.csv":
        return as_file(MARK + entries.write_entries(state, names_of(frame.club)), CSV, name)
    if name == "archive.json":
        found = await Files(frame.services.recorder).archive(frame.loaded, frame.caller, True)
        return as_file(documents.write_archive(found), "application/json", name)
    if not state.stages[number].begun or name not in ("results.csv", "tournament.trf"):
        raise Refusal("not-found", "this file has nothing in it yet, or does not exist")
    if name == "results.csv":
        return as_file(MARK + results.write_results(state, number, frame.names, None, frame.beside), CSV, name)
    return as_file(trf_out.trf_of(state, number, frame.names, "trf16"), TEXT, name)


@post("/tournaments/{tournament_id:uuid}/entries", include_in_schema=False)
async def enter_many(request: AnyRequest, tournament_id: FromPath[UUID]) -> AnyResponse:
    """Entries one a line, or a table with a header as `entries.csv` has it; all or none."""
    check_origin(request)
    frame = await frame_of(request, tournament_id)
    require(frame.caller, frame.loaded.club, DIRECTORS, frame.loaded.stream)
    form = await form_of(request)
    meant = meant_by(form)
    try:
        table = table_of(form.get("lines", ""))
        names = [cell.text for line in entries.read_entries(table) for cell in line.people]
        if open_ := questions(frame.club, names, frame.caller, meant):
            return ask(request.url.path, frame.caller, frame.club, form, meant, open_)
        known = {name: id for name, id in meant.items() if id != NEW}
        wanted = await asked(request, frame.caller)
        await Files(frame.services.recorder).enter(frame.loaded, table.encode(), wanted, known)
    except FaultyError as wrong:
        return await _again(frame, refusal_of(wrong), form)
    except Refusal as refusal:
        return await _again(frame, refusal, form)
    return go(f"{frame.path}/director")


def table_of(text: str) -> str:
    """A table as it is; lines of names become one. Raises Refusal."""
    if len(text) > LONGEST or not text.strip():
        raise Refusal("malformed", "write the players, one a line, and fewer at a time if they are many")
    lines = [line for line in text.splitlines() if line.strip()]
    if "name" in lines[0].casefold().replace(";", ",").replace("\t", ",").split(","):
        return text
    rows = [entry_line(line) for line in lines]
    quoted = (
        ",".join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in (*row.players, "")[:2]) + f",{row.rating or ''}"
        for row in rows
    )
    return "name,partner,rating\n" + "\n".join(quoted) + "\n"


async def _again(frame: Frame, refusal: Refusal, form: Form) -> Response[str]:
    return await board(frame, KINDS[known_slug(refusal)].status, refusal.detail, form)
