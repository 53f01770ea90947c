"""For the projector: one address that turns over by itself, a dozen rows at a time."""

from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from projections.tournaments.bracket import WIDTH, bracket_view, parts_of
from projections.tournaments.standings import standings_view
from projections.tournaments.view import rounds_on
from service.web.tournaments.columns import wanted
from service.web.tournaments.frame import AnyRequest, Frame, clock_of, frame_of, shown
from service.web.tournaments.pages import number_in

ROWS: Final = 12
SECONDS: Final = 8
COLUMNS: Final = 4


@get("/tournaments/{tournament_id:uuid}/show", include_in_schema=False, query=("slide",))
async def show_page(request: AnyRequest, tournament_id: FromPath[UUID]) -> Response[str]:
    """The next page of what the room wants to know."""
    frame = await frame_of(request, tournament_id)
    slides = list(_slides(frame)) or [{"kind": "nothing", "title": "Not begun yet"}]
    at = (number_in(request, "slide", 10_000) or 1) - 1
    at %= len(slides)
    on = msgspec.to_builtins(rounds_on(frame.view)[-1:])
    until = None if frame.state.finished else await clock_of(frame, slides[at].get("round") or (on and on[0]))
    following = (at + 1) % len(slides) + 1
    return shown(
        frame, "show", "show", slide=slides[at], at=at + 1, of=len(slides), next=following, seconds=SECONDS, until=until
    )


def _slides(frame: Frame) -> Iterator[dict[str, Any]]:
    """Places at the end; else pairings, standings and the bracket, as there are."""
    if frame.view.places:
        yield from _paged("places", "Final places", msgspec.to_builtins(frame.view.places))
        return
    if not frame.view.rounds:
        return
    for each in rounds_on(frame.view):
        title = f"Round {each.round}{f': {each.title}' if each.title else ''}"
        plain = msgspec.to_builtins(each)
        yield from _paged("pairings", title, plain["pairings"], round=plain)
    stage = frame.state.stage
    if stage.format.tiebreaks or stage.format.drawn_round_by_round:
        table = standings_view(frame.state, frame.state.at, frame.names)
        rows = msgspec.to_builtins(table.rows)
        columns = msgspec.to_builtins(table.tiebreaks[: min(COLUMNS, wanted(table.tiebreaks, rows))])
        yield from _paged("standings", "Standings", rows, columns=columns)
        return
    bracket = bracket_view(frame.state, frame.state.at, frame.names)
    if bracket is not None:
        crops = [(part.name, part.crop) for part in parts_of(bracket)]
        for name, crop in crops or [("Bracket", f"0 0 {bracket.width} {bracket.height}")]:
            plain = msgspec.to_builtins(bracket)
            yield {"kind": "bracket", "title": name, "bracket": plain, "crop": crop, "width": WIDTH}


def _paged(kind: str, title: str, rows: Sequence[Any], **more: Any) -> Iterator[dict[str, Any]]:
    for start in range(0, len(rows), ROWS):
        yield {"kind": kind, "title": title, "rows": rows[start : start + ROWS], **more}
