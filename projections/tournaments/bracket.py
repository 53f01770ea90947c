"""A bracket as a picture: each match at its column and height, with lines to where its winner goes."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.tournament.doubts import NONE, Doubt, doubt_in
from domain.tournament.fixtures import LETTERS, Fixture, PlanPart, WinnerOf, size_for
from domain.tournament.meetings import NOBODY, Meeting
from domain.tournament.state import Stage, Tournament

WIDTH: Final = 220
GAP: Final = 36
HEIGHT: Final = 44
ROW: Final = 26
LONGEST: Final = 24


class SlotView(msgspec.Struct, frozen=True):
    """A side of a match: the entry, its seed and name, or where it comes from; the score; whether it won."""

    entry: str | None
    seed: int | None
    text: str
    score: str
    won: bool


class MatchBox(msgspec.Struct, frozen=True):
    """A match of the picture: the letter of its part, its place in points, its sides, its table and stream once it was
    paired; the doubt about its result."""

    id: str
    round: int
    part: str
    x: int
    y: int
    slots: tuple[SlotView, SlotView]
    status: str
    table: int | None
    match: str | None
    doubt: Doubt | None = None


class BracketStroke(msgspec.Struct, frozen=True):
    """From the right of a match to the left of the next one."""

    points: str


class BracketColumn(msgspec.Struct, frozen=True):
    """A round of the bracket by its name, for lists."""

    name: str
    part: str
    boxes: tuple[MatchBox, ...]


class BracketPart(msgspec.Struct, frozen=True):
    """A part of the picture that a projector shows at once: its name, and the window as x y width height."""

    name: str
    crop: str


class BracketView(msgspec.Struct, frozen=True):
    """The whole bracket: its size in points, boxes, lines, and the same round by round."""

    stage: int
    name: str
    width: int
    height: int
    boxes: tuple[MatchBox, ...]
    lines: tuple[BracketStroke, ...]
    columns: tuple[BracketColumn, ...]


def bracket_view(
    state: Tournament, number: int, names: Mapping[str, str], beside: Mapping[str, Doubt] = NONE
) -> BracketView | None:
    """The bracket of a stage that has begun and is one, else nothing; `beside` are the doubts that do not stand in the
    tournament."""
    stage = state.stages[number]
    if not stage.format.bracket:
        return None
    found = stage.meetings()
    live = [each for each in found.values() if each.status != "off"]
    size = size_for(len(stage.order))
    places = {each.fixture.id: _place(each.fixture, size) for each in live}
    boxes = tuple(_box(stage, each, places[each.fixture.id], names, beside) for each in live)
    width = max(x for x, _ in places.values()) + WIDTH
    height = max(y for _, y in places.values()) + HEIGHT + ROW
    lines = tuple(_lines(live, places))
    return BracketView(
        number, stage.setup.name or stage.format.title, width, height, boxes, lines, _columns(live, boxes, size)
    )


def champion_of(view: BracketView) -> str:
    """The name of who has won the whole bracket; nothing while a final is still to be decided."""
    finals = [box for box in view.boxes if box.part == LETTERS["final"]]
    if not finals:
        main = [box for box in view.boxes if box.part == LETTERS["winners"]]
        finals = [box for box in main if box.round == max(each.round for each in main)]
    if any(box.status != "decided" for box in finals):
        return ""
    return next((slot.text for box in reversed(finals) for slot in box.slots if slot.won), "")


SHOWN: Final = 8  # matches below each other that can be read from the back of a room


def parts_of(view: BracketView) -> tuple[BracketPart, ...]:
    """The picture in windows of eight matches of the first round, then what is behind those; none for a small one."""
    first = [box for box in view.boxes if box.part == LETTERS["winners"] and box.round == 1]
    pitch = 2 * ROW
    slots = max((box.y for box in first), default=0) // pitch + 1
    if slots <= SHOWN:
        return ()
    deep = SHOWN.bit_length()
    width = deep * (WIDTH + GAP) - GAP
    windows = range(0, slots, SHOWN)
    parts = [
        BracketPart(f"part {at}", f"0 {start * pitch} {width} {SHOWN * pitch}")
        for at, start in enumerate(windows, start=1)
    ]
    losers = LETTERS["losers"]
    rest = deep - 1
    x = rest * (WIDTH + GAP)
    late = [box for box in view.boxes if box.part != losers and box.x >= x]
    if late:
        top, bottom = min(box.y for box in late), max(box.y for box in late) + HEIGHT + ROW
        parts.append(BracketPart("the end", f"{x} {top} {max(box.x for box in late) + WIDTH - x} {bottom - top}"))
    lower = [box for box in view.boxes if box.part == losers]
    if lower:
        top = min(box.y for box in lower)
        parts.append(BracketPart("losers", f"0 {top} {max(box.x for box in lower) + WIDTH} {view.height - top}"))
    return tuple(parts)


def _place(fixture: Fixture, size: int) -> tuple[int, int]:
    """The place of a match in the picture: winners bracket above, losers bracket below, finals to the right."""
    place = fixture.number
    rounds = size.bit_length() - 1
    pitch = 2 * ROW
    upper = size // 2 * pitch
    if fixture.part == "winners":
        span = 1 << (fixture.round - 1)
        return (fixture.round - 1) * (WIDTH + GAP), int(((place - 1) * span + (span - 1) / 2) * pitch)
    if fixture.part == "third":
        return (rounds - 1) * (WIDTH + GAP), int(upper / 2 + 2 * pitch)
    if fixture.part == "final":
        last = max(2 * rounds - 2, rounds)
        return (last + fixture.round - 1) * (WIDTH + GAP), upper // 2
    span = 1 << ((fixture.round - 1) // 2)
    y = upper + pitch + int(((place - 1) * span + (span - 1) / 2) * pitch)
    return (fixture.round - 1) * (WIDTH + GAP), y


def _box(
    stage: Stage, meeting: Meeting, place: tuple[int, int], names: Mapping[str, str], beside: Mapping[str, Doubt]
) -> MatchBox:
    fixture = meeting.fixture
    paired = stage.pairings.get(fixture.id)
    flag = "contested" if fixture.id in stage.contested else "disputed" if fixture.id in stage.disputed else None
    one, other = (_slot(stage, meeting, side, names) for side in (0, 1))
    return MatchBox(
        fixture.id,
        fixture.round,
        LETTERS[fixture.part],
        *place,
        (one, other),
        flag or meeting.status,
        paired.table if paired and meeting.status == "ready" else None,
        paired.match if paired else None,
        doubt_in(stage, fixture.id, beside),
    )


def _slot(stage: Stage, meeting: Meeting, side: int, names: Mapping[str, str]) -> SlotView:
    seed, decided = meeting.sides[side], meeting.decided
    won = decided is not None and decided.winner == side
    if seed > NOBODY:
        entry = stage.order[seed - 1]
        return SlotView(entry, seed, names[entry], _score(meeting, side), won)
    if seed == NOBODY:
        return SlotView(None, None, "nobody", "", False)
    slot = meeting.fixture.slots[side]
    before = getattr(slot, "fixture", "")
    word = "winner" if isinstance(slot, WinnerOf) else "loser"
    return SlotView(None, None, f"{word} of {before}", "", False)


def _score(meeting: Meeting, side: int) -> str:
    decided = meeting.decided
    if decided is None:
        return ""
    if decided.how == "played":
        return str(decided.score[side]) if decided.score else ("won" if decided.winner == side else "")
    return "w.o." if decided.winner == side else "absent"


def _lines(live: list[Meeting], places: Mapping[str, tuple[int, int]]) -> list[BracketStroke]:
    """Lines to the next match of each winner; losers are told in words, or the picture would be all lines."""
    found = []
    for each in live:
        x, y = places[each.fixture.id]
        for slot in each.fixture.slots:
            if isinstance(slot, WinnerOf) and slot.fixture in places:
                a, b = places[slot.fixture]
                a, b, c, d = a + WIDTH, b + HEIGHT // 2, x, y + HEIGHT // 2
                if c > a:
                    middle = c - GAP // 2
                    found.append(BracketStroke(f"{a},{b} {middle},{b} {middle},{d} {c},{d}"))
    return found


def _columns(live: list[Meeting], boxes: tuple[MatchBox, ...], size: int) -> tuple[BracketColumn, ...]:
    """Round by round, in the order in which they are played in each part."""
    rounds: dict[tuple[PlanPart, int], list[MatchBox]] = {}
    for each, box in zip(live, boxes, strict=True):
        rounds.setdefault((each.fixture.part, each.fixture.round), []).append(box)
    return tuple(
        BracketColumn(round_name(part, number, size), LETTERS[part], tuple(own))
        for (part, number), own in rounds.items()
    )


def round_name(part: PlanPart, number: int, size: int) -> str:
    """The name that people give to a round."""
    match part:
        case "winners":
            left = size >> (number - 1)
            return {2: "Final of the bracket", 4: "Semi-finals", 8: "Quarter-finals"}.get(left, f"Round {number}")
        case "losers":
            return f"Losers bracket, round {number}"
        case "third":
            return "Third place"
        case "final":
            return "Grand final" if number == 1 else "Grand final again"
        case "group" | "round":
            return f"Round {number}"
