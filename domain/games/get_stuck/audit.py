"""Get Stuck: what a breach rests on, and with the layout unknown what later moves show of an earlier one."""

from collections.abc import Iterable, Iterator

from domain.game.judgement import Breach, Late
from domain.game.replay import START, Replay, places
from domain.games.get_stuck.board import BETWEEN, CELL_NUMBER, CELLS, DIAGONAL, STRAIGHT
from domain.games.get_stuck.options import COURTS, CardMoved, square_of
from domain.games.get_stuck.state import NOWHERE, Blind, colour_of


def rests_on(replay: Replay, place: int, breach: Breach) -> tuple[int, ...]:
    """With the layout known a move rests on every move before it, for each turned a card down and moved the gap; else
    on those by which the record tells anything."""
    before = range(max(0, place - 1), place)
    if breach.code == "POT":
        return places(place, before)
    if breach.code == "DUP":
        return places(place, _moved_before(replay, place))
    if replay.known:
        return places(place, (START,), range(place))
    return _blind(replay, place, breach, before)


def _moved_before(replay: Replay, place: int) -> Iterable[int]:
    """The move that turned the card down: that from the same square, or of the same card; else all of them."""
    cell, card = _cell(replay, place), _card(replay, place)
    same = [at for at in range(place) if _cell(replay, at) == cell or (card is not None and _card(replay, at) == card)]
    if same or not replay.known:
        return same[:1] or range(place)
    return (START, *range(place))


def _blind(replay: Replay, place: int, breach: Breach, before: Iterable[int]) -> tuple[int, ...]:
    fact, table = replay.facts[place], replay.tables[place]
    if not isinstance(fact, CardMoved) or not isinstance(table, Blind):
        return places(place, range(place))
    if breach.code == "WCL" and fact.card is not None and not colour_of(table, fact.seat) >> fact.card & 1:
        return places(place, [at for at in range(place) if _card(replay, at) is not None][:1])
    if breach.code == "JMP" and fact.card is not None and table.gap != NOWHERE:
        passed = BETWEEN[table.gap].get(_cell(replay, place), 0)
        return places(place, before, [at for at in range(place) if passed & _bit(replay, at)])
    return places(place, before if breach.code == "WCL" else range(place))


def _cell(replay: Replay, place: int) -> int:
    fact = replay.facts[place]
    return CELL_NUMBER.get(fact.cell, NOWHERE) if isinstance(fact, CardMoved) else NOWHERE


def _bit(replay: Replay, place: int) -> int:
    """The cell of a fact as a bit; none for one that moves nothing, or from outside the square."""
    cell = _cell(replay, place)
    return 0 if cell == NOWHERE else 1 << cell


def _card(replay: Replay, place: int) -> int | None:
    fact = replay.facts[place]
    return fact.card if isinstance(fact, CardMoved) and fact.card is not None else None


def hindsight(replay: Replay) -> tuple[Late, ...]:
    """With the layout unknown, a card that moves later has lain there face up all the time, for none moves twice. So it
    shows a straight move that a diagonal one left aside (DGN)."""
    if replay.known:
        return ()
    return tuple(_left_aside(replay))


def _left_aside(replay: Replay) -> Iterator[Late]:
    first_gap = _may_be_first_gap(replay)
    for place, fact in enumerate(replay.facts):
        table, cell = replay.tables[place], _cell(replay, place)
        if not isinstance(table, Blind) or NOWHERE in (table.gap, cell) or fact.seat > 1:
            continue
        if DIAGONAL[table.gap] >> cell & 1:
            yield from _straight_instead(replay, place, table, first_gap)


def _may_be_first_gap(replay: Replay) -> int:
    """The cells that may have been the gap at the start, which nobody wrote down: dead since the first move, in line
    with it, and never moved from."""
    moved = [cell for place in range(len(replay.facts)) if (cell := _cell(replay, place)) != NOWHERE]
    if not moved:
        return 0
    lines = STRAIGHT[moved[0]] | DIAGONAL[moved[0]]
    return lines & ~sum(1 << cell for cell in set(moved))


def _straight_instead(replay: Replay, place: int, table: Blind, first_gap: int) -> Iterator[Late]:
    """The first later move of the seat that shows a card which could have moved straight at a place."""
    seat = replay.facts[place].seat
    for at in range(place + 1, len(replay.facts)):
        cell = _cell(replay, at)
        if replay.facts[at].seat != seat or cell == NOWHERE or not STRAIGHT[table.gap] >> cell & 1:
            continue
        if table.dead >> cell & 1 or not isinstance(replay.tables[at], Blind):
            continue
        passed, card = BETWEEN[table.gap][cell], _card(replay, at)
        court = card is not None and bool(COURTS >> card & 1)
        if not court and passed & (table.dead | first_gap):
            continue
        moves = (
            ()
            if court or not passed
            else [each for each in range(len(replay.facts)) if _bears(replay, each, place, passed)]
        )
        other = square_of(CELLS[cell])
        detail = f"a diagonal move while {other} could move in a straight line, as it did later"
        grounds = [each for each in places(place, range(max(0, place - 1), place), moves) if each != at]
        yield Late((*grounds, at), Breach("GS.5", "DGN", detail))
        return


def _bears(replay: Replay, each: int, place: int, passed: int) -> bool:
    """Tells whether a move says that nothing dead lay between: every one before, and later ones from there."""
    return each < place or bool(passed & _bit(replay, each))
