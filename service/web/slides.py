"""Slides for a wall: pages that fill a screen, each with as many rows as another."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from projections.tournaments.bracket import WIDTH, BracketView, bracket_view, parts_of
from projections.tournaments.rounds import RoundView
from projections.tournaments.standings import Column, standings_view
from projections.tournaments.view import rounds_on
from service.desk.who_is_in import TableView
from service.languages.spoken import translate
from service.web.labels import bracket_labelled, parts_labelled
from service.web.said import round_line
from service.web.tournaments.columns import wanted
from service.web.tournaments.frame import Frame

ROWS: Final = 12
SECONDS: Final = 8
COLUMNS: Final = 4
CODES: Final = 6


class Slide(msgspec.Struct, frozen=True):
    """One page of a wall, of a kind that has its own layout; `crop` is the window of a bracket's picture, `of` the
    tournament that it is about, `across` how many rows stand side by side."""

    kind: str
    title: str
    rows: Sequence[Any] = ()  # of one sort, which the kind says
    round: RoundView | None = None
    columns: tuple[Column, ...] = ()
    bracket: BracketView | None = None
    crop: str = ""
    width: int = WIDTH
    of: str = ""
    across: int = 1

    @property
    def high(self) -> int:
        """The rows that have to go below each other."""
        return -(-len(self.rows) // self.across)


def code_slides(tables: list[TableView] | None) -> Iterator[Slide]:
    """The codes of the tables, a few at a time."""
    for start in range(0, len(tables or ()), CODES):
        yield Slide("codes", translate("Scan, and say who you are"), (tables or [])[start : start + CODES])


def slides_of(frame: Frame) -> Iterator[Slide]:
    """Places at the end; else pairings, standings and the bracket, as there are."""
    if frame.view.places:
        yield from paged(Slide("places", translate("Final places"), frame.view.places))
        return
    if not frame.view.rounds:
        return
    for each in rounds_on(frame.view):
        title = round_line(each.round, each.title)
        yield from paged(Slide("pairings", title, each.pairings, each))
    stage = frame.state.stage
    if not stage.format.bracket:
        table = standings_view(frame.state, frame.state.at, frame.names, frame.beside)
        columns = table.tiebreaks[: min(COLUMNS, wanted(table.tiebreaks, table.rows))]
        yield from paged(Slide("standings", translate("Standings"), table.rows, columns=columns))
        return
    bracket = bracket_labelled(bracket_view(frame.state, frame.state.at, frame.names, frame.beside))
    if bracket is not None:
        crops = [(part.name, part.crop) for part in parts_labelled(parts_of(bracket))]
        for name, crop in crops or [(translate("Bracket"), f"0 0 {bracket.width} {bracket.height}")]:
            yield Slide("bracket", name, bracket=bracket, crop=crop)


def paged(slide: Slide) -> Iterator[Slide]:
    """A slide in as many pages as its rows fill, each with as many as another: thirteen are seven and six."""
    count = len(slide.rows)
    pages = -(-count // ROWS)
    ends = [-(-count * page // pages) for page in range(pages + 1)] if pages else []
    for start, end in pairwise(ends):
        yield msgspec.structs.replace(slide, rows=slide.rows[start:end])
