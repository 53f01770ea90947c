"""Garbo: the table after each fact. Sixteen cards side by side, sixteen on top, and what they give."""

from typing import TypeAlias

import msgspec

from domain.cards.facts import CardDrawn, Fact, Passed
from domain.games.garbo.layout import BESIDE, INDEX, WITHIN, conceded, laid
from domain.games.garbo.options import PACK, PACKETS, CardCovered, CardPlaced, ClaimMade
from domain.games.garbo.state import NONE, Base, Building, Covering, LastClaim, Level, Scored, State, level_of


def evolve(state: State, fact: Fact) -> State:
    """The table after the fact."""
    if isinstance(fact, (CardPlaced, CardCovered)):
        if not isinstance(state, (Building, Covering)) or type(fact) is not state.takes:
            return state
        place = INDEX.get(fact.cell)
        first_elsewhere = not state.taken and place != INDEX[0, 0]
        if first_elsewhere or fact.seat > 1 or not PACK >> fact.card & 1:
            return state
        return _placed(state, fact, place) if isinstance(state, Building) else _covered(state, fact, place)
    if fact.seat > 1 or isinstance(state, Scored):
        return state
    if isinstance(fact, ClaimMade) and level_of(state).base.manual:
        return _claimed(state, fact)
    if isinstance(fact, Passed) and isinstance(state, LastClaim):
        return Scored(_lapse(state.play))
    if isinstance(fact, CardDrawn) and isinstance(state, Building | Covering) and state.base.packets is None:
        return _drew(state, fact)
    return state


def _placed(state: Building, fact: CardPlaced | CardCovered, place: int | None) -> State:
    """A card of the first level, wherever it was put; outside the frame (None) it lies on no square and matches none."""
    seat, card, spot = fact.seat, fact.card, 0 if place is None else 1 << place
    points, due, lapsed = _tallied(state, seat, card, place)
    taken, beside, within = state.taken | spot, state.beside, state.within
    if place is not None:
        beside, within = beside | BESIDE[place], within & WITHIN[place]
    open_cells = beside & ~taken
    left, seen = state.left - 1, state.seen | 1 << card
    hands, drawing = _dealt(state.base, _without(state, seat, card), left, seen)
    after = Building(
        state.base,
        hands,
        1 - seat,
        laid(state.tops, card, spot, state.taken) if spot else state.tops,
        taken,
        open_cells & within or open_cells,
        beside,
        within,
        left,
        points,
        due,
        lapsed,
        seen,
        drawing,
        seat,
    )
    return after if left else _second(after)


def _covered(state: Covering, fact: CardPlaced | CardCovered, place: int | None) -> State:
    """A card of the second level, wherever it was put."""
    seat, card, spot = fact.seat, fact.card, 0 if place is None else 1 << place
    points, due, lapsed = _tallied(state, seat, card, place)
    taken, covered, left = state.taken | spot, state.covered | spot, state.left - 1
    after = Covering(
        state.base,
        _without(state, seat, card),
        1 - seat,
        laid(state.tops, card, spot, state.taken) if spot else state.tops,
        taken,
        taken & ~covered or taken,
        covered,
        state.first,
        left,
        points,
        due,
        lapsed,
        state.seen | 1 << card,
        NONE,
        seat,
    )
    if left:
        return after
    return LastClaim(after) if state.base.manual else Scored(after)


def _without(state: Level, seat: int, card: int) -> tuple[int, ...]:
    """The hands without a card. One that another seat held, or that nobody can place, is gone for
    everyone: it lies on the table now."""
    one, other = state.hands
    bit = 1 << card
    if state.base.packets and state.hands[seat] & bit:
        return (one, other ^ bit) if seat else (one ^ bit, other)
    return (one & ~bit, other & ~bit)


def _dealt(base: Base, hands: tuple[int, ...], left: int, seen: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """After the eighth and the sixteenth card of the first level the next packets are dealt (GA.5,
    GA.6): from the known deal, or, with physical cards, as facts that may follow."""
    if left & 7:
        return hands, NONE
    packet = 2 - left // 8
    if base.packets is None:
        size = PACKETS[base.options.draw_schedule][packet]
        return hands, (size, size)
    one, other = base.packets[packet]
    return (hands[0] | one & ~seen, hands[1] | other & ~seen), NONE


Tally: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def _tallied(state: Level, seat: int, card: int, place: int | None) -> Tally:
    """Points, claims that are open and claims that lapsed, after a card. One that was played before
    takes its square and gives nothing."""
    worth = 0
    if place is not None and not state.seen >> card & 1:
        worth = conceded(state.tops, card, place, state.base.scope)
    one, other = state.points
    if not state.base.manual:
        return ((one + worth, other) if seat else (one, other + worth)), NONE, NONE
    mine, lapsed = state.due[seat], state.lapsed
    yours = state.due[1 - seat] + worth
    if mine:
        lapsed = (lapsed[0], lapsed[1] + mine) if seat else (lapsed[0] + mine, lapsed[1])
    return state.points, ((yours, 0) if seat else (0, yours)), lapsed


def leader(points: tuple[int, ...], last: int) -> int:
    """The seat that begins the second level: the higher scorer, if equal who played the sixteenth card (GA.6)."""
    if points[0] == points[1]:
        return last
    return int(points[1] > points[0])


def _second(state: Building) -> Covering:
    """The second level, before its first card."""
    return Covering(
        state.base,
        state.hands,
        leader(state.points, state.last),
        state.tops,
        state.taken,
        state.taken,
        0,
        state.points,
        16,
        state.points,
        state.due,
        state.lapsed,
        state.seen,
        state.drawing,
        state.last,
    )


def _claimed(state: Building | Covering | LastClaim, fact: ClaimMade) -> State:
    """A claim counts as far as it is true (OVC), and not at all when it is late (LTC). One made before
    the second level begins still counts for who leads to it."""
    play, seat = level_of(state), fact.seat
    true = min(fact.claim, play.due[seat])
    if not true:
        return state
    one, other = play.points
    points = (one, other + true) if seat else (one + true, other)
    due = (play.due[0], play.due[1] - true) if seat else (play.due[0] - true, play.due[1])
    after = msgspec.structs.replace(play, points=points, due=due)
    if isinstance(after, Covering) and after.left == 16:
        return msgspec.structs.replace(after, first=points, turn=leader(points, after.last))
    return LastClaim(after) if isinstance(state, LastClaim) and isinstance(after, Covering) else after


def _lapse(play: Covering) -> Covering:
    """The level with its open claims lapsed (LAP)."""
    lapsed = (play.lapsed[0] + play.due[0], play.lapsed[1] + play.due[1])
    return msgspec.structs.replace(play, due=NONE, lapsed=lapsed)


def _drew(state: Level, fact: CardDrawn) -> State:
    """A recorded draw: the card is in that hand, so the other cannot hold it."""
    hands, drawing, seat = state.hands, state.drawing, fact.seat
    if fact.card is not None and PACK & ~state.seen & 1 << fact.card:
        kept = hands[1 - seat] & ~(1 << fact.card)
        hands = (kept, hands[1]) if seat else (hands[0], kept)
    rest = max(0, drawing[seat] - 1)
    drawing = (drawing[0], rest) if seat else (rest, drawing[1])
    return msgspec.structs.replace(state, hands=hands, drawing=drawing)
