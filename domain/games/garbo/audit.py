"""Garbo: what a breach rests on, and the matches that nobody claimed in time."""

from collections.abc import Iterator

from domain.game.judgement import Breach, Late
from domain.game.replay import START, Replay, places
from domain.games.garbo.layout import IN_LINE, INDEX, WITHIN
from domain.games.garbo.options import CardCovered, CardPlaced, ClaimMade
from domain.games.garbo.state import Building, State, level_of


def rests_on(replay: Replay, place: int, breach: Breach) -> tuple[int, ...] | None:
    """The answers of this game's own; None for what every game has."""
    match breach.code:
        case "PLC":
            return places(place, _bounds(replay, place, breach))
        case "OVC" | "WTA":
            return places(place, (at for at in range(place) if replay.acts(at)))
        case "LTC":
            return places(place, _laid(replay, place)[-2:])
        case "NIH" if replay.known:
            return places(place, (START,))
        case _:
            return None


def _laid(replay: Replay, place: int) -> tuple[int, ...]:
    """The places before a fact where a card was laid."""
    return tuple(
        at for at in range(place) if isinstance(replay.facts[at], CardPlaced | CardCovered) and replay.acts(at)
    )


def _square(replay: Replay, place: int) -> int | None:
    fact = replay.facts[place]
    return INDEX.get(fact.cell) if isinstance(fact, CardPlaced | CardCovered) else None


def _bounds(replay: Replay, place: int, breach: Breach) -> tuple[int, ...]:
    """The cards that keep one off its square: that which lies there, those too far away for four by four; every card of
    the first level, where none lies beside it or none is there to be covered."""
    laid, square, table = _laid(replay, place), _square(replay, place), replay.tables[place]
    if square is None:
        return laid[:1]
    same = tuple(at for at in laid if _square(replay, at) == square)
    if isinstance(table, Building):
        if same:
            return same[:1]
        if breach.rule == "GA.g4":
            return tuple(at for at in laid if not WITHIN[_square(replay, at) or 0] >> square & 1)
        return laid
    covers = tuple(at for at in same if isinstance(replay.facts[at], CardCovered))
    return covers[:1] or tuple(at for at in laid if isinstance(replay.facts[at], CardPlaced))


def hindsight(replay: Replay) -> tuple[Late, ...]:
    """Matches that were not claimed before the claimant's own next card, or before all was over: they lapse (LAP)."""
    last: State = replay.tables[-1]
    if not any(level_of(last).lapsed):
        return ()
    return tuple(_lapsed(replay))


def _lapsed(replay: Replay) -> Iterator[Late]:
    for place in range(len(replay.facts)):
        before, after = level_of(replay.tables[place]).lapsed, level_of(replay.tables[place + 1]).lapsed
        for seat in (0, 1):
            lost = after[seat] - before[seat]
            if lost:
                detail = f"seat {seat} left {lost} unclaimed: it lapses"
                yield Late(places(place, _unclaimed(replay, place)), Breach("GA.4", "LAP", detail))


def _unclaimed(replay: Replay, place: int) -> set[int]:
    """The card that gave the points, what was claimed of them, and the cards that it may match."""
    laid = _laid(replay, place)
    given = laid[-1]
    claims = {at for at in range(given, place) if isinstance(replay.facts[at], ClaimMade)}
    square = _square(replay, given)
    if square is None:
        return {given, *claims}
    near = IN_LINE[square] | 1 << square
    return {given, *claims, *(at for at in laid if (each := _square(replay, at)) is not None and near >> each & 1)}
