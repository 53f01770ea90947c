"""A board as a page shows it: every square of the game's frame, always in the same place, with what lies there."""

import msgspec

from domain.game.shown import Frame
from domain.log.event import JsonObject
from service.languages.phrases import square_text


class Spot(msgspec.Struct, frozen=True):
    """A square: its name, how it is said, its place as a fact names it, the card that lies uppermost, and what is there
    (`up`, `covering`, `face_down`, `empty`, or nothing); `open` while it can be tapped."""

    name: str
    spoken: str
    cell: str
    card: str | None = None
    state: str = ""
    open: bool = True


class Board(msgspec.Struct, frozen=True):
    """The squares row by row from the top. `told` says that cards are known to lie there which are moved by a tap on
    themselves."""

    rows: tuple[tuple[Spot, ...], ...]
    framed: bool
    told: bool = False


def board_of(frame: Frame, layout: JsonObject | None) -> Board:
    """The frame with what lies in it. Which squares are legal is told nowhere; before the first card there is only the
    square from which the others are counted."""
    lying = {spot["name"]: spot for row in (layout or {}).get("cells", ()) for spot in row if spot}
    first = None if lying or frame.first is None else frame.first
    rows = tuple(
        tuple(_spot(frame, (down, across), lying, first) for across in range(len(frame.columns)))
        for down in range(len(frame.rows))
    )
    told = frame.filled and any(spot.get("card") for spot in lying.values())
    return Board(rows, frame.framed, told)


def _spot(frame: Frame, step: tuple[int, int], lying: JsonObject, first: tuple[int, int] | None) -> Spot:
    down, across = step
    cell = (frame.corner[0] + down, frame.corner[1] + across)
    name = frame.columns[across] + frame.rows[down]
    there = lying.get(name, {})
    card, state = there.get("card"), there.get("state", "")
    can_be = state not in ("face_down", "empty") if frame.filled else first is None or cell == first
    return Spot(name, square_text(name), " ".join(map(str, cell)), card, "up" if card and not state else state, can_be)
