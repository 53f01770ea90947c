"""For the projector: one address that turns over by itself, a dozen rows at a time."""

from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from projections.tournaments.bracket import WIDTH, BracketView, bracket_view, parts_of
from projections.tournaments.rounds import PairingView, RoundView
from projections.tournaments.standings import Column, StandingRow, standings_view
from projections.tournaments.view import PlaceView, rounds_on
from service.desk.coming_in import sign_in_of
from service.desk.who_is_in import TableView, tables_of_tournament
from service.http.caller import AnyRequest
from service.http.compression import ONE_TIME_SECRET
from service.store.seats import on_wall
from service.web.doors.scanning import only_here, scanned_at, typed_at
from service.web.qr import picture
from service.web.tournaments.columns import wanted
from service.web.tournaments.frame import Frame, clock_of, frame_of, shown
from service.web.tournaments.pages import number_in

ROWS: Final = 12
SECONDS: Final = 8
COLUMNS: Final = 4
CODES: Final = 6


class Slide(msgspec.Struct, frozen=True):
    """One page of the projector, of a kind that has its own layout; `crop` is the window of a bracket's picture."""

    kind: str
    title: str
    rows: Sequence[PairingView | StandingRow | PlaceView | TableView] = ()
    round: RoundView | None = None
    columns: tuple[Column, ...] = ()
    bracket: BracketView | None = None
    crop: str = ""
    width: int = WIDTH


@get("/tournaments/{tournament_id:uuid}/show", include_in_schema=False, query=("slide",), opt=ONE_TIME_SECRET)
async def show_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The next page for the room."""
    frame = await frame_of(request, tournament_id)
    tables = await _coded(frame)
    slides = [*_codes(tables), *_slides(frame)] or [Slide("nothing", "Not begun yet")]
    at = (number_in(request, "slide", 10_000) or 1) - 1
    at %= len(slides)
    round_ = slides[at].round or next(reversed(rounds_on(frame.view)), None)
    until = None if frame.state.finished else await clock_of(frame, round_)
    following = (at + 1) % len(slides) + 1
    links = {each.match: scanned_at(request, each.secret) for each in tables or ()}
    return shown(
        frame,
        "show",
        "show",
        slide=slides[at],
        at=at + 1,
        of=len(slides),
        next=following,
        seconds=SECONDS,
        until=until,
        coded=tables is not None,
        qr={match: picture(link) for match, link in links.items() if link is not None},
        typed_at=typed_at(request),
        only_here=only_here(request),
    )


async def _coded(frame: Frame) -> list[TableView] | None:
    """The tables whose codes this wall shows; None unless a director has switched them on for this device."""
    own, services = sign_in_of(frame.caller), frame.services
    if own is None or not frame.directs or frame.state.finished:
        return None
    if not await on_wall(services.pool, own, frame.loaded.stream, services.tables.now()):
        return None
    return await tables_of_tournament(services, frame.club, frame.loaded)


def _codes(tables: list[TableView] | None) -> Iterator[Slide]:
    """The codes of the tables, a few at a time."""
    for start in range(0, len(tables or ()), CODES):
        yield Slide("codes", "Scan, and say who you are", (tables or [])[start : start + CODES])


def _slides(frame: Frame) -> Iterator[Slide]:
    """Places at the end; else pairings, standings and the bracket, as there are."""
    if frame.view.places:
        yield from _paged(Slide("places", "Final places", frame.view.places))
        return
    if not frame.view.rounds:
        return
    for each in rounds_on(frame.view):
        title = f"Round {each.round}{f': {each.title}' if each.title else ''}"
        yield from _paged(Slide("pairings", title, each.pairings, each))
    stage = frame.state.stage
    if not stage.format.bracket:
        table = standings_view(frame.state, frame.state.at, frame.names, frame.beside)
        columns = table.tiebreaks[: min(COLUMNS, wanted(table.tiebreaks, table.rows))]
        yield from _paged(Slide("standings", "Standings", table.rows, columns=columns))
        return
    bracket = bracket_view(frame.state, frame.state.at, frame.names, frame.beside)
    if bracket is not None:
        crops = [(part.name, part.crop) for part in parts_of(bracket)]
        for name, crop in crops or [("Bracket", f"0 0 {bracket.width} {bracket.height}")]:
            yield Slide("bracket", name, bracket=bracket, crop=crop)


def _paged(slide: Slide) -> Iterator[Slide]:
    """A slide in as many pages as its rows fill."""
    for start in range(0, len(slide.rows), ROWS):
        yield msgspec.structs.replace(slide, rows=slide.rows[start : start + ROWS])
