"""The course of a deal in a case: its timeline, and the position at one entry with what was legal beside what came."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.cards.facts import CardPlayed, Fact
from domain.log.event import Recorded
from domain.match.sight import hands_open
from domain.match.state import Deal, Match
from projections.case_positions import Position, Walk, walked
from projections.case_view import CORRECTING, of_deal
from projections.event_view import event_view
from projections.match_view import SideView
from service.languages.spoken import N_, translate
from service.web.cases.reading import Looked, Reading, seated
from service.web.moments import Teller
from service.web.render import plain, seat_text

PAGE: Final = 60  # entries of a timeline at a time

WINDOWS: Final = {
    "T0": N_("while it was recorded"),
    "T1": N_("at the table"),
    "T2": N_("before the results were final"),
    "T3": N_("late"),
}


class Line(msgspec.Struct, frozen=True):
    """A line of the timeline: the event's version, what it says, when, by whom, in which role, on which device, by how
    many seconds that device's clock was behind; what superseded it, whether the finding rests on it, and whether it
    opens; of a correction its window and the reason, where this viewer may read that."""

    version: int
    text: str
    at: str
    who: str | None
    role: str
    device: str | None
    lag: float | None
    superseded_by: int | None
    rests: bool
    opens: bool
    window: str
    words: str | None


class Shown(msgspec.Struct, frozen=True):
    """A position as the page has it: the entry that came (None: the end of the deal), whether it was legal there, what
    else was, the hands by seat with how each is known."""

    position: Position
    at: int | None
    came: str | None
    card: str | None
    was_legal: bool | None
    cards: tuple[str, ...]
    others: tuple[str, ...]
    rests: bool


class Course(msgspec.Struct, frozen=True):
    """The course of the deal that is looked at: lines of the timeline around an entry, the position there, the entries
    that the keys lead to, and those at which earlier and later lines begin."""

    lines: tuple[Line, ...]
    shown: Shown | None
    steps: Mapping[str, int | None]
    earlier: int | None
    later: int | None
    count: int
    corrections: tuple[Line, ...]


def course_of(reading: Reading, looked: Looked, deal: Deal, at: int | None, rests: tuple[int, ...]) -> Course:
    """The course of a deal around an entry; `rests` are those on which the finding that is looked at rests."""
    match = looked.match
    mine = [each for each in looked.own.events if of_deal(match, deal, each)]
    places = {version: place for place, (version, _) in enumerate(deal.facts)}
    walk = walked(match, deal, looked.viewer)
    place = len(deal.facts) if at is None else places.get(at, len(deal.facts))
    sides, people, _ = seated(match, reading.names)
    shown = None if deal.depth == "summary" and not deal.facts else _shown(match, walk, place, people, rests)
    number = next((number for number, each in enumerate(mine) if each.version == at), len(mine) - 1)
    begin = max(0, number // PAGE * PAGE)
    told = _lines(reading, looked, sides, people, mine[begin : begin + PAGE], mine, {*rests}, {*places})
    mended = [each for each in mine if isinstance(each.data, CORRECTING)]
    return Course(
        told,
        shown,
        _steps(walk, deal, place),
        mine[begin - 1].version if begin else None,
        mine[begin + PAGE].version if begin + PAGE < len(mine) else None,
        len(mine),
        _lines(reading, looked, sides, people, mended, mine, set(), {*places}),
    )


def _steps(walk: Walk, deal: Deal, place: int) -> dict[str, int | None]:
    """The entries that the keys lead to; 0 is the end of the deal."""
    versions = [*(version for version, _ in deal.facts), 0]
    starts, last = walk.tricks, len(deal.facts)
    back = max((each for each in starts if each < place), default=None)
    on = min((each for each in starts if each > place), default=last if place < last else None)
    return {
        "first": versions[0] if place > 0 else None,
        "trick_back": None if back is None else versions[back],
        "back": versions[place - 1] if place > 0 else None,
        "on": versions[place + 1] if place < last else None,
        "trick_on": None if on is None else versions[on],
        "last": 0 if place < last else None,
    }


def _shown(match: Match, walk: Walk, place: int, people: list[str], rests: tuple[int, ...]) -> Shown:
    """The position before the fact at a place, with what was legal there by the hands as they are known, or
    rebuilt."""
    position, key = walk.position(place), match.setup.game.key
    version, fact = walk.facts[place] if place < len(walk.facts) else (None, None)
    legal = _legal(match, walk, place, fact)
    cards = sorted((each.card for each in legal or () if _is_card(each)), reverse=True)
    others = [seat_text(key, plain(each), people) for each in legal or () if not _is_card(each)]
    remark = type(fact) in match.setup.game.remarks
    return Shown(
        position,
        version,
        None if fact is None else seat_text(key, plain(fact), people),
        str(fact.card) if isinstance(fact, CardPlayed) else None,
        None if fact is None or legal is None or remark else fact in legal,
        tuple(map(str, cards)),
        tuple(others),
        version in rests,
    )


def _legal(match: Match, walk: Walk, place: int, fact: Fact | None) -> tuple[Any, ...] | None:
    """The choices of the seat that acts; of a hand that is rebuilt only the cards that fell later and obey its duty."""
    game, table = match.setup.game, walk.tables[place]
    legal: tuple[Any, ...] | None = game.view(table, walk.sight).legal
    if not isinstance(fact, CardPlayed) or game.view(table, walk.sight).hands[fact.seat] is not None:
        return legal
    held, duty = walk.held[place].get(fact.seat, frozenset()), game.duty(table)
    if duty is None or fact.card not in held:
        return None
    obeying = (frozenset(card for card in held if mask >> card & 1) for mask, _, _ in duty.masks)
    return tuple(CardPlayed(fact.seat, card) for card in next(filter(None, obeying), held))


def _is_card(fact: Fact) -> bool:
    return isinstance(fact, CardPlayed)


def _lines(
    reading: Reading,
    looked: Looked,
    sides: Sequence[SideView],
    people: list[str],
    chosen: Iterable[Recorded],
    every: Iterable[Recorded],
    rests: set[int],
    opens: set[int],
) -> tuple[Line, ...]:
    """Events of the match in words, as the viewer may know them."""
    match = looked.match
    named = {each.version: each for each in every}
    shown = [event_view(each, looked.viewer, match) for each in chosen]
    about = {each.data.get("version") for each in shown} & {*named}
    others = [event_view(named[each], looked.viewer, match) for each in about if isinstance(each, int)]
    teller = Teller(match, sides, people, [plain(each) for each in (*others, *shown)])
    return tuple(
        Line(
            each.version,
            teller.say(plain(each)),
            each.recorded_at,
            None if each.actor is None else reading.names.get(each.actor),
            each.role,
            reading.device(named[each.version].device),
            _lag(named[each.version]),
            each.superseded_by,
            each.version in rests,
            each.version in opens,
            translate(WINDOWS.get(getattr(named[each.version].data, "window", None) or "", "")),
            _why(reading, looked, named[each.version]),
        )
        for each in shown
    )


def _why(reading: Reading, looked: Looked, event: Recorded) -> str | None:
    """The reason of a correction, for directors and, once the deal lies open, for everybody concerned."""
    deal = looked.deal
    if deal is None or not isinstance(event.data, CORRECTING):
        return None
    note = (event.private or {}).get("note")
    return note if isinstance(note, str) and (looked.directs or hands_open(looked.match, deal)) else None


def _lag(event: Recorded) -> float | None:
    """The seconds by which a device's clock was behind ours."""
    return None if event.device_clock is None else round((event.recorded_at - event.device_clock).total_seconds(), 1)
